"""The model file: a zip of `model.json` and `.npy` arrays, read, audited, and only then built.

Promises     the same model gives the same bytes, and comes back bit for bit; a file of which any
             byte was changed is refused; no file can run code, or take more memory than a few times
             its size.
Knows        `container.py` (zip, seal, sizes), `record_text.py` (strict JSON), `values.py` (Python
             values), `fields.py` (typed reading), one layout per kind and version
             (`subspace_record.py`).
Knows not    the doors: `Subspace.save`, `eigenlens.load`.
One more     a kind of model is a file with a layout, and one line in `READERS` of `saved.py`. How
             a layout changes: docs/model-file.md.
"""
