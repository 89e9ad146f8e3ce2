"""Rank: how many components to keep. One rule per file; each says why.

Promises     a rule looks at the part of the spectrum that is known and answers with a `Verdict`, or
             says that it must see more; it never guesses what it has not seen.
Knows        leading eigenvalues with bounds, the total variance.
Knows not    solvers, data.
One more     a file with a frozen dataclass that has `choose(spectrum)`, and a row in
             `catalogue.py`.
"""
