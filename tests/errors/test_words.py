"""Every message says what was given, what is possible and what to type next."""

from functools import partial

import pytest

from eigenlens import errors
from eigenlens.errors import (
    DataError,
    MemoryBudgetError,
    MismatchError,
    MostlyMissing,
    NotCertified,
    OptionError,
    OutlyingCells,
    PictureError,
    SensingError,
    TargetError,
    UnsupportedData,
)
from eigenlens.errors.phrasing import did_you_mean, escape_controls, list_words
from eigenlens.errors.rank import number_in
from tests.errors.beyond_words import BEYOND_MESSAGES
from tests.errors.category_words import CATEGORY_MESSAGES
from tests.errors.cluster_words import CLUSTER_MESSAGES
from tests.errors.covariance_words import COVARIANCE_MESSAGES
from tests.errors.device_words import DEVICE_MESSAGES
from tests.errors.field_words import FIELD_MESSAGES
from tests.errors.file_words import FILE_MESSAGES
from tests.errors.kernel_words import KERNEL_MESSAGES
from tests.errors.option_words import OPTION_MESSAGES
from tests.errors.stream_words import STREAM_MESSAGES

PLACES = [(3, "height"), (3, "width"), (7, "height"), (8, "age"), (9, "age")]

# The constructor called, the words that repeat what was given, the words that show the way out.
MESSAGES = [
    (partial(DataError.empty, (0, 5)), ["0 rows", "(0, 5)"], ["at least 2 rows", "center=False"]),
    (
        partial(DataError.one_row, (1, 5)),
        ["one row", "(1, 5)"],
        ["at least 2 rows", "center=False"],
    ),
    (partial(DataError.no_columns, (4, 0)), ["0 feature(s)", "(4, 0)"], ["columns=[...]"]),
    (
        partial(DataError.not_two_dimensional, (7,)),
        ["1 dim", "(7,)"],
        ["reshape(-1, 1)", "reshape(1, -1)"],
    ),
    (
        partial(DataError.not_two_dimensional, (2, 3, 4)),
        ["3 dim", "(2, 3, 4)"],
        ["reshape(len(data), -1)"],
    ),
    (partial(DataError.ragged, "lengths 2 and 3"), ["lengths 2 and 3"], ["same number of entries"]),
    (
        partial(PictureError.unequal_pictures, [(3, 4), (4, 4), (3, 4)]),
        ["3 pictures", "2 different sizes", "3 x 4, 4 x 4"],
        ["resize the pictures"],
    ),
    (partial(TargetError.wrong_target, 3, 5), ["3 entries", "5 rows"], ["one entry per row"]),
    (partial(TargetError.no_target, 0, ["a"]), ["one value only, 'a'"], ["unlabeled="]),
    (partial(TargetError.rare_class, "a", 1), ["'a'", "1 row"], ["join it with another"]),
    (partial(PictureError.not_a_picture, (5,)), ["shape=(5,)"], ["one picture"]),
    (partial(SensingError.not_a_share, 0), ["keep=0"], ["keep=0.05"]),
    (partial(DataError.no_cells, ["a", "b"]), ["columns 'a', 'b'"], ["columns="]),
    (partial(DataError.no_robust_scale, ["a"]), ["half of the cells"], ["mit robust"]),
    (partial(DataError.one_value, ["a"]), ["column 'a'"], ["columns="]),
    (
        partial(DataError.no_complete_rows, (4, 5), 0),
        ["missing='drop'", "0 of the 4 rows"],
        ["missing='auto'"],
    ),
    (
        partial(DataError.not_finite, 8, 2, PLACES, 6, (100, 3)),
        [
            "8 missing cells (NaN)",
            "2 infinite",
            "6 of its 100 rows",
            "row 3, column 'height'",
            "and 5 more",
        ],
        ["missing='auto'", "Imputer", "missing='drop'"],
    ),
    (
        partial(DataError.constant_table, (9, 4)),
        ["9 rows", "9 x 4"],
        ["rows that differ", "center=False"],
    ),
    (partial(DataError.too_few_rows, 7, 10), ["7 rows that differ"], ["at least 10 rows"]),
    (partial(DataError.equal_rows, 50), ["all 50 rows", "dimension 0"], ["rows that differ"]),
    (
        partial(DataError.mostly_repeated, 100, 30),
        ["70 of the 100 rows", "30 distinct"],
        ["np.unique(data, axis=0)"],
    ),
    (partial(DataError.one_column, 80), ["one column", "80 numbers"], ["2 columns or more"]),
    (
        partial(DataError.constant_table, (9, 4), True, True),
        ["rows with a positive weight", "9 x 4"],
        ["rows that differ"],
    ),
    (
        partial(DataError.constant_table, (9, 4), False),
        ["9 rows", "are 0"],
        ["numbers other than 0"],
    ),
    (
        partial(MismatchError.other_model, ["a"], ["b"]),
        ["lacks 'a'", "only the second has 'b'"],
        ["same columns"],
    ),
    (partial(MismatchError.wrong_width, (9, 4), 5), ["4 columns", "on 5"], ["same 5 columns"]),
    (
        partial(MismatchError.missing_columns, ["height"], 3, ["hieght", "age"]),
        ["no column 'height': 1 of the 3", "also have 'hieght', 'age'"],
        ["Did you mean 'hieght'?", "Rename or add"],
    ),
    (
        partial(DataError.wrong_scores, (9, 4), 2),
        ["(9, 4)", "2 components"],
        ["2 scores each", "model.project(rows)"],
    ),
    (partial(DataError.duplicate_names, ["a", "b"]), ["'a', 'b'"], ["Rename or drop"]),
    (partial(DataError.beyond_exact, 1.7e18), ["1.7e+18", "2^53"], ["NumPy array of integers"]),
    (partial(DataError.too_far, (200, 3)), ["200 rows"], ["pass X.toarray()"]),
    (partial(DataError.overflow), ["1.8e308"], ["Divide the data"]),
    (partial(DataError.underflow), ["1e-152"], ["Multiply the data", "1e200"]),
    *STREAM_MESSAGES,
    (
        partial(UnsupportedData.unknown_kind, set),
        ["type set"],
        ["numpy", "scipy", "pandas", "np.asarray("],
    ),
    (partial(UnsupportedData.open_file, dict), ["open file (dict)"], ["path of the file"]),
    (partial(UnsupportedData.labelled_dataset, ["a", "b"]), ["'a', 'b'"], ["xarray.eof"]),
    (partial(UnsupportedData.kind_of_tensor, "sparse_csr"), ["sparse_csr"], ["to_dense()"]),
    (
        partial(UnsupportedData.structured, ["x", "y"]),
        ["'x', 'y'"],
        ["structured_to_unstructured(data)"],
    ),
    (
        partial(UnsupportedData.complex_numbers, "complex64"),
        ["complex64"],
        ["np.hstack", "np.abs(data)"],
    ),
    (
        partial(UnsupportedData.not_numeric, {"city": "String", "when": "Datetime"}, ["age"]),
        ["2 columns do not", "'city' (String)", "'when' (Datetime)"],
        ["columns=['age']", ".astype(float)"],
    ),
    (partial(UnsupportedData.not_numeric, {"city": "String"}), ["'city'"], ["columns=[...]"]),
    (
        partial(UnsupportedData.unknown_columns, ["hieght"], ["height", "width"]),
        ["'hieght'"],
        ["'height', 'width'", "Did you mean 'height'?"],
    ),
    (
        partial(UnsupportedData.unknown_columns, [7], range(3)),
        ["no column 7"],
        ["position, 0 to 2"],
    ),
    (partial(OptionError.not_positive, "tolerance", -1.5), ["tolerance=-1.5"], ["greater than 0"]),
    (partial(OptionError.not_whole, "width", 2.5, 1), ["width=2.5"], ["whole number from 1 up"]),
    (partial(OptionError.not_whole, "extra", -1, 0), ["extra=-1"], ["from 0 up", "extra=10"]),
    (
        partial(OptionError.unknown, "solver", "Krylow", ["svd", "krylov"]),
        ["solver='Krylow'"],
        ["'svd', 'krylov'", "Did you mean 'krylov'?"],
    ),
    (
        partial(
            OptionError.needs,
            "checkpoint='a.zip'",
            "a solver that iterates",
            "Pass solver='krylov'.",
        ),
        ["checkpoint='a.zip'", "a solver that iterates"],
        ["Pass solver='krylov'."],
    ),
    (
        partial(OptionError.exists, "a.csv"),
        ["'a.csv' already exists"],
        ["elete it first", "another name"],
    ),
    (
        partial(OptionError.needs_package, "a plot", "matplotlib", "plots"),
        ["a plot", "matplotlib"],
        ["pip install 'eigenlens[plots]'"],
    ),
    (
        partial(OptionError.excludes, "cluster", "workers"),
        ["cluster=", "workers="],
        ["only one of them"],
    ),
    (
        partial(OptionError.cannot_merge, ["centering", "scaling"]),
        ["centering, scaling"],
        ["same center= and scale="],
    ),
    (
        partial(OptionError.needs_package, "a report", "bokeh", "report"),
        ["a report", "bokeh"],
        ["pip install", "eigenlens[report]"],
    ),
    (
        partial(MemoryBudgetError.too_small, 1000, 2_500_001),
        ["1000 bytes", "2500001"],
        ["memory='3MB'", "fewer components"],
    ),
    (
        partial(MemoryBudgetError.unreadable, "lots"),
        ["memory='lots'"],
        ["memory='2GB'", "memory=0.25"],
    ),
    (
        partial(OutlyingCells.turned, 61.0, 9.0, 0.004, 2),
        ["61 degrees", "differ by 9", "0.40%", "2 components"],
        ["robust='rows'", "robust='cells'"],
    ),
    (
        partial(NotCertified.reached, 1e-6, 0.00321, 12, "krylov", True),
        ["1e-06", "0.00321", "12 passes"],
        ["max_passes=", "tolerance=0.004", "solver='svd'"],
    ),
    (
        partial(NotCertified.reached, 1e-15, 2e-13, 1, "svd", False),
        ["1e-15", "2e-13", "after 1 pass the"],
        ["Pass tolerance=2e-13 or more."],
    ),
    (
        partial(NotCertified.stopped, 4, 0.03),
        ["4 passes", "0.03"],
        ["more passes", "iterated_power", "solver='auto'"],
    ),
    (
        partial(NotCertified.gap, 1e-6, 0.003, 200),
        ["1e-06", "0.003", "200 steps"],
        ["max_iterations=", "tolerance=0.003", "larger penalty"],
    ),
    *FIELD_MESSAGES,
    (
        partial(NotCertified.not_at_rest, 0.003, 500),
        ["500 passes", "3.0e-03"],
        ["max_passes="],
    ),
    (
        partial(MostlyMissing.columns_empty, ["income"], 0.8),
        ["column 'income' lacks more than 80%"],
        ["columns=[...]"],
    ),
    (
        partial(MostlyMissing.pairs_apart, [("income", "age")]),
        ["no row has both", "'income' and 'age'"],
        ["columns=[...]"],
    ),
    *FILE_MESSAGES,
    *CLUSTER_MESSAGES,
    *COVARIANCE_MESSAGES,
    *DEVICE_MESSAGES,
    *KERNEL_MESSAGES,
    *OPTION_MESSAGES,
    *BEYOND_MESSAGES,
    *CATEGORY_MESSAGES,
]


def name_of(part):
    return part.func.__qualname__ if isinstance(part, partial) else ""


@pytest.mark.parametrize(("make", "given", "way_out"), MESSAGES, ids=name_of)
def test_a_message_repeats_what_was_given_and_shows_the_way_out(make, given, way_out):
    message = str(make())

    assert [words for words in given + way_out if words not in message] == []


def test_every_constructor_has_its_words_tested():
    kinds = [getattr(errors, name) for name in errors.__all__]
    exist = {
        (kind, name)
        for kind in kinds
        for name, value in vars(kind).items()
        if isinstance(value, classmethod)
    }

    tested = {(make.func.__self__, make.func.__name__) for make, _, _ in MESSAGES}

    assert tested == exist


def test_few_bad_places_are_shown_without_a_remainder():
    message = str(DataError.not_finite(1, 0, [(3, 0)], 1, (9, 2)))

    assert "row 3, column 0. Estimate" in message


def test_an_example_of_many_numeric_columns_can_be_typed():
    message = str(UnsupportedData.not_numeric({"s": "String"}, list("abcdefgh")))

    assert "columns=['a', 'b', 'c', 'd', 'e', ...]" in message


def test_a_long_list_is_cut_short():
    assert list_words(range(13)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 3 more"


def test_names_are_cut_where_they_are_longer_than_a_sentence():
    assert len(list_words(["x" * 10_000] * 3)) < 200
    assert len(did_you_mean(["x" * 10_000], ["x" * 9_999])) < 100


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, naïve, 日本, عربي", "plain text, naïve, 日本, عربي"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc\x7f", "a\\nb\\tc\\x7f"),
        ("left\u202eright", "left\\u202eright"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("\udc80", "\\udc80"),
    ],
)
def test_what_would_steer_a_terminal_is_spelled_out(text, shown):
    assert escape_controls(text) == shown


def test_nothing_is_suggested_where_nothing_is_near():
    assert did_you_mean(["xyz"], ["height", "width"]) == ""


def test_a_number_is_never_mistaken_for_a_misspelt_name():
    assert did_you_mean([10], ["1", "0"]) == ""


def test_a_suggestion_does_not_mind_capitals():
    assert did_you_mean(["HEIGHT"], ["Height"]) == " Did you mean 'Height'?"


@pytest.mark.parametrize(("k", "number"), [("0.95", 0.95), (" 12 ", 12), ("5e-1", 0.5)])
def test_a_number_in_quotes_is_recognized(k, number):
    assert number_in(k) == number


@pytest.mark.parametrize("k", ["nan", "inf", "-1", "0", "1.5", "minka", "frobenius:0.9", ""])
def test_what_would_be_wrong_without_quotes_too_is_not_suggested(k):
    assert number_in(k) is None
