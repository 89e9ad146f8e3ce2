"""Bad options through the front door: each mistake is an error of ours, tested by its words.

A message repeats what was given, says what is possible, and what to type next.
"""

import warnings

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from tests.fit.words import assert_says, refusal

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((30, 5))


# -- how many --------------------------------------------------------------------------------


def test_more_components_than_there_can_be():
    message = refusal(el.RankError, ROWS, 6)
    wide = refusal(el.RankError, ROWS.T, 5)
    raw = refusal(el.RankError, ROWS.T, 6, center=False)

    assert_says(message, "6 components", "centered 30 x 5", "at most 5", "k=5 or fewer")
    assert_says(wide, "5 components", "centered 5 x 30", "at most 4", "k=4 or fewer")
    assert_says(raw, "6 components", "raw 5 x 30", "k=5 or fewer")


@pytest.mark.parametrize("k", [0, -3, True, False])
def test_no_components(k):
    assert_says(refusal(el.RankError, ROWS, k), f"k={k!r}", "from 1 up", "k=0.95", "k='auto'")


@pytest.mark.parametrize("k", [1.0, 2.0, 1.5, 0.0, -0.5, np.nan, np.inf])
def test_a_fraction_out_of_range(k):
    assert_says(refusal(el.RankError, ROWS, k), f"k={k!r}", "between 0 and 1", "k=0.95", "k=10")


def test_an_unknown_rule_is_guessed_at():
    message = refusal(el.RankError, ROWS, "frobenious")

    assert_says(message, "'frobenious'", "'auto', 'fraction', 'frobenius'")
    assert_says(message, "Did you mean 'frobenius'?")


@pytest.mark.parametrize("k", ["0.95", "3"])
def test_a_number_in_quotes(k):
    assert_says(refusal(el.RankError, ROWS, k), f"k='{k}'", f"Pass k={k}, without quotes")


@pytest.mark.parametrize("k", ["3", None, [2]])
def test_what_is_no_rule(k):
    assert_says(refusal(el.RankError, ROWS, k), "not a rule", "a whole number", "0.95")


@pytest.mark.parametrize(
    ("k", "words"),
    [
        ("screenot:3", ["'screenot:3'", "takes no value", "Pass k='screenot', or pass k=3"]),
        ("auto:0.5", ["'auto:0.5'", "takes no value", "Pass k='auto', or pass k=0.5"]),
        ("gap:", ["'gap:'", "takes no value", "k='gap'"]),
        ("frobenius:1", ["'frobenius:1'", "strictly between 0 and 1", "k='frobenius:0.9'"]),
        ("frobenius:x", ["'frobenius:x'", "strictly between 0 and 1", "k='frobenius:0.9'"]),
        ("fraction:nan", ["'fraction:nan'", "strictly between 0 and 1", "k='fraction:0.95'"]),
        ("parallel:xyz", ["'parallel:xyz'", "parallel:flip, parallel:permute, parallel:gauss"]),
        ("parallel:gaus", ["Did you mean 'gauss'?"]),
        ("parallel:", ["'parallel:'", "parallel:flip"]),
    ],
)
def test_what_follows_the_name_of_a_rule_is_checked_against_what_it_takes(k, words):
    assert_says(refusal(el.RankError, ROWS, k), *words)


@pytest.mark.parametrize("k", ["frobenius:2", "fraction:1"])
def test_a_rule_with_a_fraction_out_of_range(k):
    assert_says(refusal(el.RankError, ROWS, k), "between 0 and 1", k.partition(":")[2])


def test_a_fraction_that_the_passes_allowed_do_not_reach():
    solver = el.solvers.OrthogonalIteration(max_passes=1, extra=0)
    rows = RNG.standard_normal((200, 100))

    message = refusal(el.RankError, rows, 0.9, solver=solver)

    assert_says(message, "0.9", "10 components", "max_passes=", "smaller fraction")


# -- weights and scales ----------------------------------------------------------------------


def test_weights_of_the_wrong_length():
    message = refusal(el.WeightsError, ROWS, weights=np.ones(4))

    assert_says(message, "4 weights", "30 rows", "30 numbers")


def test_negative_weights():
    weights = np.ones(30)
    weights[[7, 9]] = -1

    message = refusal(el.WeightsError, ROWS, weights=weights)

    assert_says(message, "2 weights are negative", "row 7", "0 to leave a row out")


def test_weights_that_are_all_zero():
    assert_says(
        refusal(el.WeightsError, ROWS, weights=np.zeros(30)), "all weights are zero", "2 rows"
    )


def test_weights_that_are_not_finite():
    weights = np.r_[np.nan, np.inf, np.ones(28)]

    assert_says(refusal(el.WeightsError, ROWS, weights=weights), "2 weights are", "Use 0")


@pytest.mark.parametrize("weights", ["heavy", ["a"] * 30, np.ones(30) * 1j, {"a": 1}])
def test_weights_that_are_not_numbers(weights):
    assert_says(refusal(el.WeightsError, ROWS, weights=weights), "30 real numbers", "per row")


@pytest.mark.parametrize("options", [{}, {"center": False, "scale": "std"}])
def test_weights_that_add_up_to_too_little(options):
    message = refusal(el.WeightsError, ROWS, weights=np.full(30, 0.01), **options)

    assert_says(message, "sum to 0.3", "more than 1", "weights.sum()")


def test_a_scale_of_zero():
    frame = pd.DataFrame(ROWS, columns=list("abcde"))

    message = refusal(el.ScaleError, frame, scale=[1, 0, 1, 1, 1])

    assert_says(message, "'b' is 0", "Pass 1")


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ([1, 1, -2, 1, 1], ["'2' is negative", "above 0"]),
        ([1, 1, np.nan, 1, 1], ["'2' is NaN or infinite", "above 0"]),
        ([1, 1], ["2 scales", "5 columns"]),
        (2.0, ["1 scale was", "5 columns"]),
        (["a"] * 5, ["5 real numbers", "scale='std'"]),
    ],
)
def test_a_scale_that_cannot_be_divided_by(scale, words):
    assert_says(refusal(el.ScaleError, ROWS, scale=scale), *words)


def test_an_unknown_scale_is_guessed_at():
    assert_says(refusal(el.OptionError, ROWS, scale="sdt"), "'sdt'", "Did you mean 'std'?")


@pytest.mark.parametrize("center", [True, False])
def test_constant_columns_cannot_be_standardized(center):
    frame = pd.DataFrame(np.c_[ROWS, np.full(30, 1e6)], columns=list("abcdef"))

    message = refusal(el.ScaleError, frame, scale="std", center=center)

    assert_says(message, "constant column 'f'", "columns=[...]", "scale=None")


# -- the other options -----------------------------------------------------------------------


def test_a_memory_budget_too_small_says_the_least_that_would_do():
    rows = RNG.standard_normal((3000, 200))

    message = refusal(el.MemoryBudgetError, rows, 10, memory="1KB")

    assert_says(message, "1000 bytes", "at least", "memory='", "fewer components or columns")
    least = int(message.split("at least ")[1].split(".")[0])
    assert el.fit(rows, 10, memory=least).n_components == 10
    assert_says(refusal(el.MemoryBudgetError, rows, 10, memory=least - 1), str(least))


@pytest.mark.parametrize(
    "memory", ["lots", "", "1e3", "-1GB", "0GB", 0, -1, True, np.nan, np.inf, [1], "5 iB"]
)
def test_a_memory_budget_that_cannot_be_read(memory):
    message = refusal(el.MemoryBudgetError, ROWS, memory=memory)

    assert_says(message, f"memory={memory!r}", "memory='2GB'", "memory=0.25")


def test_an_unknown_solver_is_guessed_at():
    message = refusal(el.OptionError, ROWS, solver="kyrlov")

    assert_says(message, "'kyrlov'", "'auto', 'covariance', 'svd'", "Did you mean 'krylov'?")
    assert_says(refusal(el.OptionError, ROWS, solver=3), "solver=3", "a solver object")


def test_a_solver_class_in_place_of_an_object():
    message = refusal(el.OptionError, ROWS, solver=el.solvers.BlockKrylov)

    assert_says(message, "BlockKrylov", "not a class", "solver=BlockKrylov()")


def test_an_unknown_certificate_is_guessed_at():
    assert_says(refusal(el.OptionError, ROWS, certify="ful"), "'ful'", "Did you mean 'full'?")


@pytest.mark.parametrize("tolerance", [0, -1e-6, np.nan, True, "small"])
def test_a_tolerance_that_is_no_positive_number(tolerance):
    message = refusal(el.OptionError, ROWS, tolerance=tolerance)

    assert_says(message, f"tolerance={tolerance!r}", "greater than 0")


@pytest.mark.parametrize("seed", ["a", -1, 1.5])
def test_a_seed_that_is_no_whole_number(seed):
    assert_says(refusal(el.OptionError, ROWS, seed=seed), f"seed={seed!r}", "seed=0")


@pytest.mark.parametrize("center", ["yes", 1, None])
def test_a_center_that_is_no_truth_value(center):
    assert_says(refusal(el.OptionError, ROWS, center=center), f"center={center!r}", "True, False")


@pytest.mark.parametrize("k", [None, [1, 2], b"gap", 1 + 0j])
def test_what_is_no_number_of_components_is_repeated_as_it_was_given(k):
    assert_says(refusal(el.RankError, ROWS, k), f"k={k!r} is not a rule")


def test_numbers_of_numpy_are_numbers_of_components():
    assert el.fit(ROWS, np.array(2)).n_components == 2
    assert_says(refusal(el.RankError, ROWS, np.True_), "k=True is not a number")


@pytest.mark.parametrize("center", [None, 2, "yes", np.zeros(5)])
def test_center_is_true_or_false(center):
    assert_says(refusal(el.OptionError, ROWS, center=center), "center=", "True, False")


def test_one_weight_and_one_scale_are_counted_in_the_singular():
    assert_says(refusal(el.WeightsError, ROWS, weights=2), "1 weight was given for 30 rows")
    assert_says(refusal(el.ScaleError, ROWS, scale=2), "1 scale was given for 5 columns")


@pytest.mark.parametrize("solver", ["svd", "covariance", "krylov"])
def test_a_tolerance_below_rounding_names_only_ways_that_help(solver):
    with pytest.warns(el.NotCertified) as said:
        el.fit(ROWS, 2, solver=solver, tolerance=1e-15)
    message = str(said[0].message)

    least = float(message.split("pass tolerance=")[-1].split("Pass tolerance=")[-1].split(" ")[0])
    assert ("max_passes=" in message) == (solver == "krylov")
    assert ("solver='svd'" in message) == (solver != "svd")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        el.fit(ROWS, 2, solver=solver, tolerance=least)
