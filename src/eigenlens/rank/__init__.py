"""Rank: how many components to keep. One rule per file; each says why.

Promises     a rule looks at the part of the spectrum that is known and answers with a `Verdict`, or
             says that it must see more; it never guesses what it has not seen. Each names the
             question it answers and what it assumes about the noise.
Knows        leading eigenvalues with bounds, the total variance, the columns' variances; two rules
             (`parallel`, `bcv`) look at the rows themselves.
Knows not    models, certificates' words, files.
One more     a file with a frozen dataclass that has `name`, `question`, `assumes`, `first_guess`,
             `choose` and `out_of_reach`, and a row in `catalogue.py`.
"""
