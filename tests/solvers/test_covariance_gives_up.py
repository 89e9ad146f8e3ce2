"""On a matrix at hand, Krylov is given up when far more components are asked for than at first."""

import numpy as np
import pytest

from eigenlens import fit
from eigenlens.table.sides import MatrixSide

FEW_PRODUCTS = 10  # what the first guess of ten components takes, and a second look


@pytest.fixture
def products(monkeypatch):
    made = []
    plain = MatrixSide.apply
    monkeypatch.setattr(
        MatrixSide, "apply", lambda side, block: made.append(1) or plain(side, block)
    )
    return made


def rows_with(decay, rows=12_000, columns=784):
    rng = np.random.default_rng(0)
    return rng.standard_normal((rows, columns)) * np.arange(1, columns + 1) ** (-decay / 2)


def test_a_fraction_that_many_components_hold_takes_few_products_and_then_all_eigenvectors(
    products,
):
    rows = rows_with(1.0)

    model = fit(rows, 0.9, solver="covariance")

    values = np.linalg.eigvalsh(np.cov(rows.T))[::-1]
    needed = int(np.argmax(np.cumsum(values) >= 0.9 * values.sum())) + 1
    assert model.n_components == needed > 100
    assert 0 < len(products) <= FEW_PRODUCTS


def test_a_fraction_that_few_components_hold_is_found_without_all_eigenvectors(
    products, monkeypatch
):
    sizes = []
    plain = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda a: sizes.append(len(a)) or plain(a))

    model = fit(rows_with(3.0), 0.9, solver="covariance")

    assert model.n_components < 24
    assert products
    assert max(sizes) < 784
