"""Small dense mathematics: orthonormal bases, Ritz pairs, signs, moments.

Promises     float64 answers with the accuracy LAPACK gives, and no surprises in degenerate cases.
Knows        numpy and scipy.linalg.
Knows not    files, tables, models, options.
One more     a function of a few small arrays goes into the file named after its subject.
"""
