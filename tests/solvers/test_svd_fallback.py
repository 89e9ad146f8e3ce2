"""The singular values of the triangle: where the faster method of LAPACK fails, the other one."""

import numpy as np

import eigenlens as el


def test_a_method_that_does_not_converge_is_replaced(monkeypatch):
    rows = np.random.default_rng(0).standard_normal((60, 5)) * [5, 4, 3, 2, 1]
    usual = el.fit(rows, 2, solver="svd")

    def fail(*_, **__):
        raise np.linalg.LinAlgError("SVD did not converge")

    monkeypatch.setattr(np.linalg, "svd", fail)
    other = el.fit(rows, 2, solver="svd")

    np.testing.assert_allclose(other.eigenvalues, usual.eigenvalues, rtol=1e-13)
    np.testing.assert_allclose(other.components, usual.components, atol=1e-13)
    assert other.certificate.kind == "deterministic"
