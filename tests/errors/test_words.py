"""Every message says what was given, what is possible and what to type next."""

import pathlib
from functools import partial

import pytest

from eigenlens import errors
from eigenlens.errors import (
    DataError,
    MemoryBudgetError,
    MismatchError,
    NotCertified,
    NotReached,
    OptionError,
    RankError,
    ScaleError,
    UnsupportedData,
    WeightsError,
)
from eigenlens.errors.wording import did_you_mean, listed, visible, without_quotes
from tests.errors.beyond_words import BEYOND_MESSAGES
from tests.errors.cluster_words import CLUSTER_MESSAGES
from tests.errors.file_words import FILE_MESSAGES
from tests.errors.kernel_words import KERNEL_MESSAGES
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
        partial(DataError.masked, 6, (4, 5)),
        ["6 entries", "4 x 5"],
        ["compress_rows(data)", ".filled("],
    ),
    (
        partial(DataError.not_finite, 8, 2, PLACES, 6, (100, 3)),
        ["8 NaN", "2 infinite", "6 of its 100 rows", "row 3, column 'height'", "and 5 more"],
        ["Drop these rows", "SimpleImputer"],
    ),
    (
        partial(DataError.constant_table, (9, 4)),
        ["9 rows", "9 x 4"],
        ["rows that differ", "center=False"],
    ),
    (partial(DataError.too_few_rows, 7, 10), ["7 distinct"], ["at least 10 rows"]),
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
        ["no column 'height': 1 of the 3", "have 'hieght', 'age' besides"],
        ["Did you mean 'hieght'?", "Rename or add"],
    ),
    (
        partial(DataError.wrong_scores, (9, 4), 2),
        ["(9, 4)", "2 component(s)"],
        ["2 scores each", "model.project(rows)"],
    ),
    (partial(DataError.duplicate_names, ["a", "b"]), ["'a', 'b'"], ["Rename or drop"]),
    (partial(DataError.too_far, (200, 3)), ["200 rows"], ["pass X.toarray()"]),
    (partial(DataError.overflow), ["1.8e308"], ["Divide the data"]),
    *STREAM_MESSAGES,
    (
        partial(UnsupportedData.unknown_kind, set),
        ["type set"],
        ["numpy", "scipy", "pandas", "np.asarray("],
    ),
    (partial(UnsupportedData.lazy_frame, pathlib.Path), ["pathlib Path"], [".collect()"]),
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
        ["2 column(s)", "'city' (String)", "'when' (Datetime)"],
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
    (partial(OptionError.exists, "a.csv"), ["'a.csv' exists"], ["--force", "another name"]),
    (
        partial(OptionError.needs_package, "a plot", "matplotlib", "plots"),
        ["a plot", "matplotlib"],
        ["pip install 'eigenlens[plots]'"],
    ),
    (
        partial(OptionError.cannot_merge, ["centering", "scaling"]),
        ["centering, scaling"],
        ["same center= and scale="],
    ),
    (
        partial(RankError.too_large, 12, (10, 50), True),
        ["12", "centered 10 x 50"],
        ["k=9 or fewer"],
    ),
    (partial(RankError.too_large, 12, (10, 50), False), ["12", "raw 10 x 50"], ["k=10 or fewer"]),
    (partial(RankError.too_large, 8, (10, 5), True), ["8", "10 x 5"], ["k=5 or fewer"]),
    (partial(RankError.not_positive, -3), ["k=-3"], ["from 1 up", "k=0.95", "k='auto'"]),
    (partial(RankError.fraction_out_of_range, 1.5), ["k=1.5"], ["between 0 and 1", "k=0.95"]),
    (
        partial(NotReached.fraction_not_proven, 0.999, 0.75, 12),
        ["0.999", "0.75", "12 component(s)"],
        ["smaller fraction", "max_passes="],
    ),
    (partial(NotReached.not_found, 9, 4), ["asked for 9", "with 4"], ["max_passes=", "k=4"]),
    (partial(RankError.not_held, 9, 4), ["asked for 9", "holds 4"], ["1 to 4", "k=9"]),
    (partial(RankError.not_held, 2.0, 4), ["asked for 2.0"], ["a whole number", "1 to 4."]),
    (partial(RankError.not_held, 0, 4), ["asked for 0"], ["Ask for 1 to 4."]),
    (partial(RankError.not_held, 1, 0), ["asked for 1", "holds none"], ["Fit again", "k=2"]),
    (partial(RankError.few_rows, "dpa", 9, 10), ["k='dpa'", "are 9"], ["10 rows", "k=0.95"]),
    (
        partial(RankError.not_a_fraction, "frobenius", "1", 0.9),
        ["k='frobenius:1'"],
        ["strictly between 0 and 1", "k='frobenius:0.9'"],
    ),
    (
        partial(RankError.takes_nothing, "screenot", "3"),
        ["k='screenot:3'"],
        ["Pass k='screenot'.", "Pass k=3, without quotes."],
    ),
    (
        partial(RankError.unknown_null, "flips", ["flip", "gauss"]),
        ["k='parallel:flips'"],
        ["parallel:flip, parallel:gauss", "Did you mean 'flip'?"],
    ),
    (
        partial(RankError.unknown_rule, "gapp", ["auto", "gap"]),
        ["k='gapp'"],
        ["'auto', 'gap'", "0.95", "Did you mean 'gap'?"],
    ),
    (
        partial(RankError.unknown_rule, "0.95", ["auto", "gap"]),
        ["k='0.95'"],
        ["Pass k=0.95, without quotes."],
    ),
    (partial(WeightsError.wrong_length, 4, 10), ["4 weights", "10 rows"], ["one weight per row"]),
    (partial(WeightsError.negative, 3, 17), ["3 weight(s)", "row 17"], ["0 to leave a row out"]),
    (partial(WeightsError.all_zero), ["all weights are 0"], ["positive weight"]),
    (partial(WeightsError.not_finite, 2), ["2 weight(s)", "NaN"], ["0 to leave a row out"]),
    (partial(WeightsError.too_little, 0.5), ["sum to 0.5"], ["/ weights.sum()", "center=False"]),
    (partial(WeightsError.not_numbers, "abc", 10), ["type str"], ["array of 10 numbers"]),
    (
        partial(ScaleError.constant_columns, ["a", "b"]),
        ["'a', 'b'"],
        ["columns=[...]", "scale=None"],
    ),
    (partial(ScaleError.zero, ["a"]), ["'a' is 0"], ["Pass 1"]),
    (partial(ScaleError.wrong_length, 4, 5), ["4 scales", "5 columns"], ["one scale per column"]),
    (partial(ScaleError.not_finite, [3]), ["column(s) 3", "NaN"], ["above 0"]),
    (partial(ScaleError.negative, [3]), ["column(s) 3", "negative"], ["above 0"]),
    (partial(ScaleError.not_numbers, ["a"], 3), ["type list"], ["array of 3 numbers", "'std'"]),
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
        partial(NotCertified.reached, 1e-6, 0.003, 12),
        ["1e-06", "0.003", "12 passes"],
        ["tolerance=0.003"],
    ),
    (
        partial(NotCertified.stopped, 4, 0.03),
        ["4 pass(es)", "0.03"],
        ["more passes", "iterated_power", "svd_solver='auto'"],
    ),
    (
        partial(NotCertified.gap, 1e-6, 0.003, 200),
        ["1e-06", "0.003", "200 steps"],
        ["max_iterations=", "tolerance=0.003", "larger penalty"],
    ),
    *FILE_MESSAGES,
    *CLUSTER_MESSAGES,
    *KERNEL_MESSAGES,
    *BEYOND_MESSAGES,
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

    assert "row 3, column 0. Drop" in message


def test_an_example_of_many_numeric_columns_can_be_typed():
    message = str(UnsupportedData.not_numeric({"s": "String"}, list("abcdefgh")))

    assert "columns=['a', 'b', 'c', 'd', 'e', ...]" in message


def test_a_long_list_is_cut_short():
    assert listed(range(13)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 3 more"


def test_names_are_cut_where_they_are_longer_than_a_sentence():
    assert len(listed(["x" * 10_000] * 3)) < 200
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
    assert visible(text) == shown


def test_nothing_is_suggested_where_nothing_is_near():
    assert did_you_mean(["xyz"], ["height", "width"]) == ""


def test_a_number_is_never_mistaken_for_a_misspelt_name():
    assert did_you_mean([10], ["1", "0"]) == ""


def test_a_suggestion_does_not_mind_capitals():
    assert did_you_mean(["HEIGHT"], ["Height"]) == " Did you mean 'Height'?"


@pytest.mark.parametrize(("k", "number"), [("0.95", "0.95"), (" 12 ", "12"), ("5e-1", "5e-1")])
def test_a_number_in_quotes_is_shown_without(k, number):
    assert without_quotes(k) == f" Pass k={number}, without quotes."


@pytest.mark.parametrize("k", ["nan", "inf", "-1", "0", "1.5", "minka", "frobenius:0.9", ""])
def test_what_would_be_wrong_without_quotes_too_is_not_suggested(k):
    assert without_quotes(k) == ""
