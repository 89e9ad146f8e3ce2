"""Categories: columns of text, categories, truth values and codes as rows of an indicator table.

Promises   categories are read once, as small whole numbers; an indicator table is made of them
           block by block, as a sparse matrix with one entry per column, and never held as a whole.
Knows      levels, their order, rare levels, missing and unseen values; frames, files, Dask frames;
           tables of counts.
Ignores    scales and weights: a source says in its traits which of its columns are shares
           (`Inertia`), and the preparation does the rest.

    codes.py      values -> codes           encoding.py   levels of every column
    learn.py      which levels there are    indicator.py  codes -> rows of 0 and 1
    open.py       from data to a source     counts.py     a table of counts, as profiles of its rows
"""
