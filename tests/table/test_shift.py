"""Large float64 tables are shifted only where the accuracy asked for would suffer."""

import numpy as np
import pytest

import eigenlens as el

EPS = np.finfo(np.float64).eps
ROWS, COLUMNS, K = 5000, 450, 5


def rows_away(deviations, dtype=np.float64):
    """17 MB of rows whose means lie so many standard deviations from the origin."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((ROWS, COLUMNS)) * np.linspace(3, 1, COLUMNS)
    return (rows + deviations * np.linspace(3, 1, COLUMNS)).astype(dtype)


@pytest.mark.parametrize("deviations", [0, 6, 60])
def test_correcting_the_product_loses_no_more_than_the_squared_mean_in_roundings(deviations):
    rows = rows_away(deviations)

    model = el.fit(rows, K)

    true = np.linalg.eigvalsh(np.cov(rows.T, ddof=1))[::-1][:K]
    assert model.choices["centering"].value == "corrected"
    # n roundings of sums whose terms are 1 + (mean / deviation)^2 times as large as the variance.
    allowed = 10 * np.sqrt(ROWS) * EPS * (1 + deviations**2)
    np.testing.assert_allclose(model.eigenvalues, true, rtol=allowed)
    low, high = model.certificate.eigenvalue_bounds.T
    assert (low <= true).all()
    assert (true <= high).all()
    assert model.certificate.sampling_share <= 0.01


def test_float32_rows_five_deviations_away_are_not_copied():
    rng = np.random.default_rng(1)
    turned = np.linalg.qr(rng.standard_normal((200, 200)))[0]
    rows = rng.standard_normal((20_000, 200)) * np.arange(1, 201) ** -0.5 @ turned
    rows = (rows + 5 * rows.std(axis=0)).astype(np.float32)

    model = el.fit(rows, K)

    true = np.linalg.eigvalsh(np.cov(rows.T.astype(np.float64)))[::-1][:K]
    low, high = model.certificate.eigenvalue_bounds.T
    assert model.choices["centering"].value == "corrected"
    assert model.certificate.passes == 1
    assert model.certificate.sampling_share <= 0.1
    assert (low <= true).all()
    assert (true <= high).all()


def test_a_constant_column_far_away_has_no_part_in_components():
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((20_000, 200))
    rows[:, 3] = 7.0

    model = el.fit(rows, K)

    assert np.abs(model.components[:, 3]).max() < 1e-14


@pytest.mark.parametrize(
    ("deviations", "options", "dtype"),
    [
        (300, {}, np.float64),  # ninety thousand roundings are too many
        (6, {"tolerance": 1e-12}, np.float64),  # the accuracy asked for would suffer
        (20, {}, np.float32),  # few digits to spare
    ],
)
def test_rows_are_shifted_where_the_correction_would_cost_accuracy(deviations, options, dtype):
    model = el.fit(rows_away(deviations, dtype), K, **options)

    assert model.choices["centering"].value == "shifted"


class KeptBlock:
    """Somebody's own source, which keeps the one block that it gives."""

    is_sparse, names, dtype = False, None, np.dtype(np.float64)

    def __init__(self, rows):
        self.rows, self.shape, self.stored_bytes = rows, rows.shape, rows.nbytes

    def blocks(self, rows_per_block):
        if rows_per_block >= len(self.rows):
            return iter([self.rows])
        parts = range(0, len(self.rows), rows_per_block)
        return (self.rows[start : start + rows_per_block] for start in parts)

    def panels(self, columns_per_panel):
        if columns_per_panel >= self.shape[1]:
            return iter([self.rows])
        parts = range(0, self.shape[1], columns_per_panel)
        return (self.rows[:, start : start + columns_per_panel] for start in parts)

    def sample(self, indices):
        return self.rows[indices]


@pytest.mark.parametrize("solver", ["covariance", "svd", "dual", "krylov"])
def test_blocks_that_a_source_of_others_keeps_are_only_read(solver):
    rows = np.random.default_rng(0).standard_normal((300, 6)) + 1e5
    source = KeptBlock(rows.copy())

    model = el.fit(source, 2, solver=solver)

    np.testing.assert_array_equal(source.rows, rows)
    truth = np.linalg.eigvalsh(np.cov(rows.T))[::-1][:2]
    np.testing.assert_allclose(model.eigenvalues, truth, rtol=1e-9)
