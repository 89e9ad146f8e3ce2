"""Wrong questions to a model: each mistake is an error of ours, tested by its words.

A message repeats what was given, says what is possible, and what to type next.
"""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import eigenlens as el
from tests.fit.words import answer, assert_says

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((30, 5))


def test_rows_of_another_width_cannot_be_projected():
    message = answer(el.DataError, el.fit(ROWS, 2).project, ROWS[:, :3])

    assert_says(message, "3 columns", "fitted on 5")


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("question", ["project", "residual", "log_likelihood"])
def test_nan_in_new_rows_is_located(question, make):
    rows = ROWS.copy()
    rows[4, 1] = np.nan

    message = answer(el.DataError, getattr(el.fit(ROWS, 2), question), make(rows))

    assert_says(message, "1 missing cell", "row 4, column 1")


def test_a_frame_without_the_columns_of_the_model_cannot_be_projected():
    model = el.fit(pd.DataFrame(ROWS, columns=list("abcde")), 2)

    message = answer(el.DataError, model.project, pd.DataFrame(ROWS, columns=list("abcdx")))

    assert_says(message, "no column 'e'")


def test_scores_of_another_width_cannot_be_reconstructed():
    message = answer(el.DataError, el.fit(ROWS, 2).reconstruct, np.zeros((3, 4)))

    assert_says(message, "(3, 4)", "2 components", "model.project(rows)")


@pytest.mark.parametrize("k", [0, 3, -1, 1.5])
def test_a_model_cannot_be_truncated_to_what_it_does_not_hold(k):
    message = answer(el.RankError, el.fit(ROWS, 2).truncate, k)

    assert_says(message, f"{k} components", "has 2", "1 to 2")


@pytest.mark.parametrize("k", [2.0, True, "2", None])
def test_a_model_is_truncated_to_whole_numbers_only(k):
    message = answer(el.RankError, el.fit(ROWS, 2).truncate, k)

    assert_says(message, f"{k!r} components", "a whole number", "1 to 2")


def test_an_unknown_kind_of_scores_file():
    message = answer(el.OptionError, el.fit(ROWS, 2).project, ROWS, out="scores.xlsx")

    assert_says(message, "scores.xlsx", ".npy", ".csv", ".parquet")


def test_models_of_different_tables_cannot_be_merged():
    model = el.fit(ROWS, 1, solver="covariance")
    narrow = el.fit(ROWS[:, :3], 1, solver="covariance")
    raw = el.fit(ROWS, 1, solver="covariance", center=False)

    assert_says(answer(el.OptionError, model.merge, narrow), "number of columns", "same columns")
    assert_says(answer(el.OptionError, model.merge, raw), "centering", "center=")


def test_a_model_without_its_moments_cannot_be_merged():
    model = el.fit(ROWS, 2, solver="svd")

    message = answer(el.OptionError, model.merge, model)

    assert_says(message, "holds only", "solver='covariance'")


def test_a_choice_is_not_explained_for_impossible_numbers():
    assert_says(answer(el.RankError, el.solvers.explain, ROWS, 9), "9 components", "k=5")
    assert_says(answer(el.RankError, el.solvers.explain, ROWS, 0), "k=0")


@pytest.mark.parametrize("k", [0.95, 2.0, "auto", True, None])
def test_a_choice_is_explained_for_whole_numbers_only(k):
    message = answer(el.OptionError, el.solvers.explain, ROWS, k)

    assert_says(message, f"k={k!r}", "a whole number here", "Pass k=10.")
