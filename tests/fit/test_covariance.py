"""A covariance matrix in the place of rows: the same components, the same proof, and no more."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.errors import LooksLikeCovariance

SOLVERS = [
    "auto", "covariance", "svd", "dual", "power", "orthogonal", "randomized", "krylov", "lanczos",
]  # fmt: skip
OF_THE_NOTES = [[1.0, 0.9], [0.9, 1.05]]


def rows_of(n=80, d=7, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) * np.arange(d, 0, -1) + 5


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_finds_the_worked_example_of_the_notes(solver):
    model = el.fit_covariance(OF_THE_NOTES, 2, solver=solver)

    truth = np.linalg.eigvalsh(OF_THE_NOTES)[::-1]
    low, high = model.certificate.eigenvalue_bounds.T
    assert np.round(model.eigenvalues, 4).tolist() == [1.9253, 0.1247]
    assert ((low <= truth) & (truth <= high)).all()
    assert (high - low < 1e-8).all()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(3))
def test_bounds_hold_on_any_matrix(solver, seed):
    matrix = np.cov(rows_of(60, 12, seed), rowvar=False)

    model = el.fit_covariance(matrix, 3, solver=solver)

    truth = np.linalg.eigvalsh(matrix)[::-1][:3]
    low, high = model.certificate.eigenvalue_bounds.T
    assert ((low <= truth) & (truth <= high)).all()


@pytest.mark.parametrize("scale", [None, "std"])
def test_the_matrix_gives_what_the_rows_give(scale):
    rows = rows_of()
    matrix = np.cov(rows, rowvar=False) if scale is None else np.corrcoef(rows, rowvar=False)

    ours, model = el.fit(rows, 3, scale=scale), el.fit_covariance(matrix, 3, n_rows=len(rows))

    assert model.eigenvalues == pytest.approx(ours.eigenvalues, rel=1e-12)
    assert np.abs(model.components - ours.components).max() < 1e-10
    assert model.n_rows == len(rows)


@pytest.mark.parametrize("k", ["auto", "dpa", "screenot", "minka", "gap", "kaiser", 0.8])
def test_with_the_number_of_rows_rules_answer_as_for_rows(k):
    rows = rows_of(200, 30)

    model = el.fit_covariance(np.cov(rows, rowvar=False), k, n_rows=200)

    assert model.n_components == el.fit(rows, k).n_components


def test_rows_are_projected_with_the_mean_given():
    rows = rows_of()

    model = el.fit_covariance(np.cov(rows, rowvar=False), 2, n_rows=80, mean=rows.mean(axis=0))

    assert np.allclose(model.project(rows), el.fit(rows, 2).project(rows))


def test_names_come_from_a_frame_or_are_given(tmp_path):
    frame = pd.DataFrame(rows_of(d=2), columns=["height", "width"]).cov()
    frame.to_csv(tmp_path / "C.csv")

    assert el.fit_covariance(frame, 1).feature_names == ("height", "width")
    assert el.fit_covariance(frame.reset_index(), 1).feature_names == ("height", "width")
    assert el.fit_covariance(tmp_path / "C.csv", 1).feature_names == ("height", "width")
    assert el.fit_covariance(frame.to_numpy(), 1, names="ab").feature_names == ("a", "b")


def test_without_rows_there_is_no_sampling_error():
    model = el.fit_covariance(OF_THE_NOTES)

    assert (model.n_rows, model.n_components) == (0, 2)
    assert "sampling" not in str(model.certificate).replace("without sampling", "")
    assert el.fit_covariance(OF_THE_NOTES, 1).certificate.reconstruction_error == pytest.approx(
        0.1246528
    )
    assert "without n_rows" in model.choices["k"].reason


def test_a_model_of_a_matrix_is_saved(tmp_path):
    model = el.fit_covariance(OF_THE_NOTES, 1)

    again = el.load(model.save(tmp_path / "m.eigenlens"))

    assert again.n_rows == 0
    assert np.array_equal(again.eigenvalues, model.eigenvalues)


@pytest.mark.parametrize(
    ("matrix", "more", "words"),
    [
        ([[1, 2], [3, 4]], {}, "differ by 1"),
        ([[1, 2, 3], [4, 5, 6]], {}, "2 x 3 was given"),
        ([[1, 2], [2, 1]], {}, "down to -1, which is 33.33% of the largest"),
        ([[1, np.nan], [np.nan, 1]], {}, "2 entries that are NaN or infinite"),
        (np.zeros((3, 3)), {}, "no variance"),
        (OF_THE_NOTES, {"n_rows": 1}, "n_rows=1"),
        (OF_THE_NOTES, {"n_rows": 2.5}, "whole number"),
        (np.eye(5) + 1, {"n_rows": 4}, "rank 5, and 4 rows"),
        (OF_THE_NOTES, {"mean": [1, 2, 3]}, "length 3"),
        (OF_THE_NOTES, {"mean": "ab"}, "2 finite numbers"),
        (OF_THE_NOTES, {"mean": [1, None]}, "2 finite numbers"),
        (OF_THE_NOTES, {"names": ["a", "a"]}, "2 different names"),
        (OF_THE_NOTES, {"names": 5}, "2 different names"),
        (OF_THE_NOTES, {"k": 3}, "2 x 2 matrix has at most 2"),
        (OF_THE_NOTES, {"k": "dpa"}, "needs the number of rows"),
        (OF_THE_NOTES, {"k": "bcv", "n_rows": 90}, "needs the rows themselves"),
    ],
)
def test_what_is_wrong_is_said(matrix, more, words):
    with pytest.raises(el.EigenlensError) as caught:
        el.fit_covariance(matrix, **more)

    assert words in str(caught.value)


def test_rounded_halves_are_one_matrix():
    matrix = np.cov(rows_of(), rowvar=False)
    matrix[0, 1] *= 1 + 1e-12

    assert el.fit_covariance(matrix, 1).certificate.relative_error < 1e-9


def test_fit_points_out_that_a_table_is_a_covariance_matrix():
    with pytest.warns(LooksLikeCovariance, match=r"eigenlens.fit_covariance\(C, k\)"):
        el.fit(OF_THE_NOTES, 1)


@pytest.mark.parametrize(
    "table",
    [
        rows_of(5, 5),
        np.eye(4),  # columns that have nothing to do with each other
        np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0))),  # distances
        rows_of(6, 5),
    ],
)
def test_other_square_tables_are_rows(table):
    el.fit(table, 1)  # warnings are errors
