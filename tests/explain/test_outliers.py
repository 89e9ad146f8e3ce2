"""Outliers: the planted row, published T2, laws of distances, and what bad input is told."""

import numpy as np
import pytest
from hypothesis import given

import eigenlens as el
from eigenlens.explain.outliers import QUADRANTS, outliers
from tests.explain.classics import DECATHLON, HALD
from tests.explain.models import explained, fingerprint, small

CEMENT = HALD.rows
T2_OF_CEMENT = """
5.6803 3.0758 6.0002 2.6198 3.3681 0.5668 3.4818 3.9794 2.6086 7.4818 4.1830 2.2327 2.7216
3.3179 2.0079 0.5874 1.7382 0.2955 0.4228 3.2457 2.6914 1.3619 2.9903 2.4371 1.3788 1.5251
"""
COLUMNS = ["row", "T2", "T2_limit_95", "T2_limit_99", "Q", "Q_limit_95", "Q_limit_99", "quadrant"]
PLANTED, FAR_OUT, CULPRIT = 41, 200, 4


def planted_rows():
    """300 rows about a plane; one is moved off it along one variable, one far out within it."""
    rng = np.random.default_rng(3)
    plane = np.linalg.qr(rng.standard_normal((10, 2)))[0].T
    rows = rng.standard_normal((300, 2)) * [4, 3] @ plane + 0.2 * rng.standard_normal((300, 10))
    rows[PLANTED] = 0.5 * plane[0]
    off = np.eye(10)[CULPRIT] - plane.T @ plane[:, CULPRIT]
    rows[PLANTED] += 4 * off / np.linalg.norm(off)
    rows[FAR_OUT] = 25 * plane[0]
    return rows


def test_the_columns_are_those_others_rely_on():
    rows = planted_rows()

    assert list(outliers(el.fit(rows, 2), rows).columns) == COLUMNS


def test_other_levels_name_their_columns():
    rows = planted_rows()

    table = outliers(el.fit(rows, 2), rows, levels=(0.9, 0.975))

    assert [name for name in table.columns if "limit" in name] == [
        "T2_limit_90", "T2_limit_97.5", "Q_limit_90", "Q_limit_97.5",
    ]  # fmt: skip


@pytest.mark.parametrize("solver", ["auto", "covariance", "krylov"])
def test_the_planted_row_is_flagged_by_q_and_not_by_t2(solver):
    rows = planted_rows()

    table = outliers(el.fit(rows, 2, solver=solver), rows)

    distances = np.array(table["Q"])
    assert distances[PLANTED] == pytest.approx(16, abs=0.5)
    assert np.sort(distances)[-2] == pytest.approx(1, abs=0.3)
    assert distances[PLANTED] > 10 * table["Q_limit_99"][0]
    assert table["T2"][PLANTED] < table["T2_limit_95"][0]
    assert table["quadrant"][PLANTED] == "breaks the pattern"


def test_a_row_far_out_in_the_plane_is_flagged_by_t2_and_not_by_q():
    rows = planted_rows()

    table = outliers(el.fit(rows, 2), rows)

    assert table["T2"][FAR_OUT] > 2 * table["T2_limit_99"][0]
    assert table["Q"][FAR_OUT] < table["Q_limit_95"][0]
    assert table["quadrant"][FAR_OUT] == "extreme but fits"


def test_a_row_may_be_both_and_most_are_usual():
    rows = planted_rows()
    rows[FAR_OUT, CULPRIT] += 12

    quadrants = outliers(el.fit(rows, 2), rows)["quadrant"]

    assert quadrants[FAR_OUT] == "both"
    assert quadrants.count("usual") >= 290
    assert set(quadrants) <= set(QUADRANTS)


def test_t2_of_cement_is_the_published_one():
    everything = outliers(el.fit(CEMENT, 4), CEMENT)["T2"]
    two = outliers(el.fit(CEMENT, 2), CEMENT)["T2"]

    printed = "\n".join(" ".join(f"{value:.4f}" for value in line) for line in (everything, two))
    assert printed == T2_OF_CEMENT.strip()


def test_weighted_t2_is_three_halves_of_that_of_matlab():
    rows, weights = [[1, 2], [2, 1], [3, 3]], [1, 2, 1]

    found = outliers(el.fit(rows, 2, scale="std", weights=weights), rows)["T2"]

    # There weights sum to the number of rows, 3, less one: 2; here they are repeats: 4 less 1.
    assert found == pytest.approx([2.25, 0.75, 2.25], rel=1e-12)
    assert np.multiply(found, 2 / 3) == pytest.approx([1.5, 0.5, 1.5], rel=1e-12)


@given(explained())
def test_squared_distance_is_squared_scores_and_q(drawn):
    model, rows, _ = drawn
    ready = rows - (0 if model.mean is None else model.mean)
    ready = ready / (1 if model.scale is None else model.scale)

    off = np.array(outliers(model, rows)["Q"])

    lengths = np.square(ready).sum(axis=1)
    inside = np.square(model.project(rows)).sum(axis=1)
    np.testing.assert_allclose(inside + off, lengths, rtol=1e-10, atol=1e-11 * lengths.max())


@given(explained())
def test_weighted_t2_of_the_fit_sums_to_divisor_times_components(drawn):
    model, rows, weights = drawn
    heavy = np.ones(len(rows)) if weights is None else weights
    divisor = heavy.sum() - (model.mean is not None)

    total = heavy @ np.array(outliers(model, rows)["T2"])

    real = (model.eigenvalues > 1e-12 * model.eigenvalues[0]).sum()
    assert total == pytest.approx(divisor * real, rel=1e-6)


def test_with_all_components_t2_stays_and_q_is_0_without_a_limit():
    table = outliers(el.fit(CEMENT, 4), CEMENT)

    assert table["Q"] == [0.0] * 13
    assert table["Q_limit_95"] == table["Q_limit_99"] == [None] * 13
    assert table["T2_limit_95"][0] > 0
    assert set(table["quadrant"]) <= {"usual", "extreme but fits"}


def test_what_cannot_be_compared_has_no_quadrant():
    rng = np.random.default_rng(0)
    flat = rng.standard_normal((30, 2)) @ rng.standard_normal((2, 5))
    model = el.fit(flat, 2)

    assert None not in outliers(model, flat)["quadrant"]
    assert outliers(model, flat + rng.standard_normal(flat.shape), new=True)["quadrant"][0] is None


def test_without_components_there_is_q_alone():
    noise = np.random.default_rng(0).standard_normal((200, 5))
    model = el.fit(noise, "screenot")
    assert model.n_components == 0

    table = outliers(model, noise)

    assert set(table["T2"]) == {0.0}
    assert table["T2_limit_95"][0] is None
    share = np.mean(np.array(table["Q"]) > table["Q_limit_95"][0])
    assert 0.01 < share < 0.1


def test_the_limits_of_new_rows_do_not_depend_on_them():
    rows = planted_rows()
    model = el.fit(rows, 2)

    one = outliers(model, rows[:3], new=True, reference=rows)
    two = outliers(model, 100 * rows[7:30], new=True, reference=rows)

    assert one["Q_limit_95"][0] == two["Q_limit_95"][0]
    assert one["Q_limit_95"][0] > outliers(model, rows)["Q_limit_95"][0]


def test_rows_are_read_from_anything_and_named_by_their_index(tmp_path):
    import pandas
    from scipy import sparse

    rows = planted_rows()
    names = [f"row{i}" for i in range(300)]
    frame = pandas.DataFrame(rows, columns=list("abcdefghij"), index=names)
    frame["kind"] = "text"
    np.save(tmp_path / "rows.npy", rows)
    model = el.fit(frame[list("abcdefghij")], 2)

    expected = outliers(model, rows)

    assert outliers(model, frame)["row"][PLANTED] == "row41"
    for kind in (frame, sparse.csr_array(rows), tmp_path / "rows.npy"):
        np.testing.assert_allclose(outliers(model, kind)["Q"], expected["Q"], rtol=1e-9)


def test_columns_of_a_file_are_taken_by_name_whatever_their_order(tmp_path):
    import pandas

    frame = pandas.DataFrame(planted_rows(), columns=list("abcdefghij"))
    model = el.fit(frame, 2)
    frame[list("jihgfedcba")].assign(other=1.0).to_csv(tmp_path / "rows.csv", index=False)

    found = outliers(model, tmp_path / "rows.csv")

    np.testing.assert_allclose(found["Q"], outliers(model, frame)["Q"], rtol=1e-9)


def test_a_convention_divides_by_n():
    rows = CEMENT
    model = el.fit(rows, 2, scale="std")

    ours, theirs = outliers(model, rows), outliers(model, rows, convention="factominer")

    for name in ("T2", "T2_limit_95", "Q", "Q_limit_99"):
        assert theirs[name] == pytest.approx(np.multiply(ours[name], 13 / 12))
    assert ours["quadrant"] == theirs["quadrant"]


def test_an_estimator_is_taken_for_its_model():
    rows = planted_rows()

    assert outliers(el.PCA(2).fit(rows), rows)["quadrant"][PLANTED] == "breaks the pattern"


def test_the_model_is_never_changed():
    model, rows = small()
    before = fingerprint(model), rows.copy()

    outliers(model, rows)
    outliers(model, rows[:3], new=True)

    assert fingerprint(model) == before[0]
    assert np.array_equal(rows, before[1])


def test_some_rows_of_the_fit_are_not_the_rows_of_the_fit():
    model, rows = small()

    with pytest.raises(el.OptionError, match=r"of 3 row.*all 8 of them.*new=True"):
        outliers(model, rows[:3])


def test_other_columns_are_named_with_the_nearest():
    frame = DECATHLON.frame(10)
    model = el.fit(frame, 2, scale="std")

    with pytest.raises(el.DataError, match=r"'Javeline'.*Did you mean 'Javelin'"):
        outliers(model, frame.rename(columns={"Javeline": "Javelin"}))
    with pytest.raises(el.DataError, match=r"3 columns.*fitted on 10"):
        outliers(model, frame.to_numpy()[:, :3])


@pytest.mark.parametrize("levels", [(95, 99), (0, 0.5), (1.0,), ()])
def test_levels_are_shares(levels):
    model, rows = small()

    with pytest.raises(el.OptionError, match="strictly between 0 and 1"):
        outliers(model, rows, levels=levels)


def test_a_row_that_is_not_finite_is_named():
    model, rows = small()
    rows = rows.copy()
    rows[5, 1] = np.nan

    with pytest.raises(el.DataError, match="row 5, column"):
        outliers(model, rows)
