"""The certificate: what is proven about a subspace, computed from the data themselves.

Promises     every statement holds whatever the solver did, also when it was stopped early: true
             eigenvalues lie in the bounds, the true subspace within the angle. Where sampling
             enters the argument the kind says `probabilistic` and with what failure probability.
Knows        Ritz pairs, sides to multiply by, rounding.
Knows not    which solver found the subspace, what it is for.
Argument     C V = V H + Q F is known; outside V only "at most mu" is. The matrix
             [[H, F'], [F, mu I]] is then larger than C (Loewner order), so its eigenvalues are
             upper bounds, and Ritz values are lower bounds. See docs/methods/certificate.md.
One more     a new way to bound mu is a function in `leftover.py` and a line in `ceilings.py`.
"""
