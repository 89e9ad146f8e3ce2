"""Messages about k, weights and scales: what is called, what it repeats, the way out it shows."""

from functools import partial

from eigenlens.errors import ArgumentError, NotReached, RankError, ScaleError, WeightsError

OPTION_MESSAGES = [
    (
        partial(ArgumentError.unexpected, "solvr", ["scale", "solver"]),
        ["'solvr'", "'scale', 'solver'"],
        ["Did you mean 'solver'?"],
    ),
    (
        partial(ArgumentError.of_open, "transpose"),
        ["'transpose'", "not of fit"],
        ["fit(eigenlens.open(data, transpose=...), ...)"],
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
        ["0.999", "0.75", "12 components"],
        ["smaller fraction", "max_passes="],
    ),
    (partial(NotReached.not_found, 9, 4), ["9 components", "with 4"], ["max_passes=", "k=4"]),
    (partial(RankError.not_held, 9, 4), ["9 components", "has 4"], ["1 to 4", "k=9"]),
    (partial(RankError.not_held, 2.0, 4), ["2.0 components"], ["a whole number", "1 to 4."]),
    (partial(RankError.not_held, 0, 4), ["0 components"], ["Ask for 1 to 4."]),
    (partial(RankError.not_held, 1, 0), ["1 components", "kept none"], ["Fit again", "k=2"]),
    (partial(RankError.few_rows, "dpa", 9, 10), ["k='dpa'", "are 9"], ["10 rows", "k=0.95"]),
    (
        partial(RankError.not_a_fraction, "frobenius", "1", 0.9),
        ["k='frobenius:1'"],
        ["strictly between 0 and 1", "k='frobenius:0.9'"],
    ),
    (
        partial(RankError.takes_nothing, "screenot", "3"),
        ["k='screenot:3'"],
        ["Pass k='screenot', or pass k=3."],
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
    (
        partial(WeightsError.wrong_shape, "weights", (3, 2), (4, 2)),
        ["(3, 2)", "4 x 2"],
        ["per cell"],
    ),
    (partial(WeightsError.negative, 3, 17), ["3 weights are", "row 17"], ["0 to leave a row out"]),
    (partial(WeightsError.all_zero), ["all weights are zero"], ["positive weight"]),
    (partial(WeightsError.too_large), ["largest float64"], ["by a constant"]),
    (partial(WeightsError.not_finite, 2), ["2 weights are", "NaN"], ["0 to leave a row out"]),
    (partial(WeightsError.too_little, 0.5), ["sum to 0.5"], ["/ weights.sum()", "center=False"]),
    (partial(WeightsError.not_numbers, "abc", 10), ["type str"], ["array of 10 numbers"]),
    (
        partial(ScaleError.constant_columns, ["a", "b"]),
        ["'a', 'b'"],
        ["columns=[...]", "scale=None"],
    ),
    (partial(ScaleError.zero, ["a"]), ["'a' is 0"], ["Pass 1"]),
    (partial(ScaleError.wrong_length, 4, 5), ["4 scales", "5 columns"], ["one scale per column"]),
    (partial(ScaleError.not_finite, [3]), ["column 3", "NaN"], ["above 0"]),
    (partial(ScaleError.negative, [3]), ["column 3", "negative"], ["above 0"]),
    (partial(ScaleError.not_numbers, ["a"], 3), ["type list"], ["array of 3 numbers", "'std'"]),
]
