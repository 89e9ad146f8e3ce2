"""The model: the frozen result of a fit, and everything that follows from it by formula.

Promises     a `Subspace` never changes; every derived quantity is defined once, in `derived.py`,
             for all solvers alike; models of disjoint rows that keep their moments merge exactly.
Knows        components, eigenvalues, moments, the proof behind the certificate.
Knows not    how it was found, plots, tables for people.
One more     a derived quantity is a function in `derived.py` and a property of `Subspace`.
"""
