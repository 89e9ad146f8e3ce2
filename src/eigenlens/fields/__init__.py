"""Fields: objects that people of one field hold, in and out again.

Promises     an object comes back with the names, coordinates and conventions of its field.
Knows        AnnData (`anndata.py`), xarray (`xarray.py`), PLINK's genotypes (`plink.py`).
Ignores      how rows are read (`sources/`), and everything a fit does.
One more     a file that translates in, calls `fit`, and translates out.
"""
