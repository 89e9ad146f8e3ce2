"""A covariance matrix that was formed on a device is decomposed there, as well as on the host."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.algebra.precision import EPS
from eigenlens.certificate.rounding import LEAST_LAPACK, ORTHONORMALITY
from eigenlens.solvers import covariance as covariance_module
from eigenlens.table.device_eigen import decompose_on_device
from tests.device.clouds import DEVICE, HERE, table, tensor

pytestmark = pytest.mark.gpu


def symmetric(size, decay, seed):
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.standard_normal((size, size)))[0]
    return (basis * np.arange(1, size + 1) ** -decay) @ basis.T


@pytest.mark.parametrize("size", [3, 40, 300])
@pytest.mark.parametrize("decay", [0.0, 1.0, 12.0])
def test_pairs_are_within_what_the_certificate_allows(size, decay):
    matrix = symmetric(size, decay, seed=size)
    allowed = (max(size, LEAST_LAPACK) + ORTHONORMALITY * np.sqrt(size)) * EPS

    values, vectors = decompose_on_device(matrix, DEVICE)

    lower = np.tril(matrix) + np.tril(matrix, -1).T
    assert np.linalg.norm(lower @ vectors - vectors * values, 2) <= allowed * values.max()
    assert np.linalg.norm(vectors.T @ vectors - np.eye(size), 2) <= allowed
    assert np.all(np.diff(values) >= 0)


def test_a_fit_that_decomposes_there_has_the_same_model(monkeypatch):
    rows = table()
    monkeypatch.setattr(covariance_module, "device_for_eigenvectors", lambda *_: DEVICE)

    there = el.fit(tensor(rows), 3, solver="covariance", device=HERE)

    here = el.fit(rows, 3, solver="covariance")
    np.testing.assert_allclose(there.eigenvalues, here.eigenvalues, rtol=1e-12)
    assert there.certificate.kind == here.certificate.kind == "deterministic"
