"""Hidden cells count as much as their rows resemble those that lack such a cell."""

import numpy as np

import eigenlens as el
from eigenlens.missing.hidden import calibrate, widening
from eigenlens.missing.propensity import resemblance_of_rows


def test_rows_like_those_that_lack_the_cell_count_more():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, 4))
    holes = np.zeros(rows.shape, dtype=bool)
    holes[:, 0] = (rows[:, 1] > 0) & (rng.random(400) < 0.8)

    weights = resemblance_of_rows(rows, holes)

    seen = ~holes[:, 0]
    assert np.isclose(weights[seen, 0].mean(), 1.0)
    assert (
        weights[seen & (rows[:, 1] > 0), 0].mean() > 2 * weights[seen & (rows[:, 1] < 0), 0].mean()
    )
    assert (weights[:, 1:] == 1).all()


def test_cells_missing_at_random_have_equal_weights():
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((200, 4))
    holes = rng.random(rows.shape) < 0.2

    assert (resemblance_of_rows(rows, holes) == 1).mean() > 0.7


def test_equal_weights_give_the_quantile():
    ratios = np.random.default_rng(2).standard_t(3, 1000)

    found = widening(ratios, np.ones(1000))

    assert (np.abs(ratios) <= 1.96 * found).mean() >= 0.95
    assert (np.abs(ratios) <= 1.95 * found).mean() <= 0.952


def test_columns_that_lack_nothing_do_not_dilute_the_others():
    ratios = np.concatenate([np.full(300, 0.1), np.full(150, 4.0)])
    columns = np.repeat([0, 1, 2, 3], [150, 150, 75, 75])
    few = np.repeat(np.arange(30), 15)  # too few cells for a factor of their own

    alone = calibrate(ratios, columns, 4)
    shared = calibrate(ratios, few, 30, lacking=np.arange(30) >= 20)

    np.testing.assert_allclose(alone, [1, 1, 4 / 1.959964, 4 / 1.959964], rtol=1e-6)
    np.testing.assert_allclose(shared[20:], 4 / 1.959964, rtol=1e-6)


def test_intervals_hold_where_noise_grows_with_what_hides_the_cells():
    """Errors are larger in the rows whose cells are missing: plain hidden cells do not see that."""
    inside = count = 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        cause = rng.exponential(size=300)
        rows = np.column_stack(
            [cause + (0.1 + cause) * rng.standard_normal(300) for _ in range(3)] + [cause]
        )
        lacking = rows.copy()
        for column in range(3):
            lacking[(cause > 1) & (rng.random(300) < 0.7), column] = np.nan
        filled, errors = el.fit(lacking, 1, missing="auto").complete(lacking, errors=True)
        holes = np.isnan(lacking)
        inside += int((np.abs(filled - rows) <= 1.96 * errors)[holes].sum())
        count += int(holes.sum())

    assert inside / count >= 0.88
