"""Estimators: scikit-learn's face. They translate and store; formulas are elsewhere.

Promises     parameters, attributes, dtypes, signs, errors and tags of scikit-learn's classes, and
             `model_` and `certificate_` beside them; the data only read, no pass more than `fit`.
Knows        scikit-learn's public names, array namespaces (torch and the like) at the door.
Knows not    mathematics, plots, what a certificate means.
Differences  docs/differences.md lists every one, each with a test.
One more     a class with a `fit` that makes a plan, calls `eigenlens.fit` and publishes the model;
             its checks in `tests/estimators/test_checks.py`, its peer's tests in `tests/peers`.
"""
