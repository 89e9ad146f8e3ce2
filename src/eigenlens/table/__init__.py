"""The table: A = W^1/2 (X - 1 m') D^-1 as an operator, with C = A'A / divisor.

Promises     products with A, A', C and the inner products AA', both matrices formed, exact moments;
             the data only read, block by block; every pass and byte counted.
Knows        sources, preparation (centering, scaling, weights), float32 and float64 arithmetic.
Knows not    solvers, ranks, what anybody wants the products for.
One more     a new kind of storage is a new `Rows`: a few verbs on shifted rows (see `rows.py`).
"""
