"""Fitting a drawn problem with its own preparation; not being certified is no failure here."""

import warnings

import eigenlens as el

__all__ = ["fit"]


def fit(problem, k, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", el.NotCertified)
        return el.fit(
            problem.rows,
            k,
            center=problem.center,
            scale=problem.scale,
            weights=problem.weights,
            **options,
        )
