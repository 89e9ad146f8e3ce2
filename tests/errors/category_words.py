"""What is said about categories and counts."""

from functools import partial

from eigenlens.errors import CategoryError, MismatchError, UnseenCategories

__all__ = ["CATEGORY_MESSAGES"]

CATEGORY_MESSAGES = [
    (partial(CategoryError.one_level, "c", "yes"), ["'c'", "one level only, 'yes'"], ["columns="]),
    (partial(CategoryError.one_level, "c", None), ["'c'", "no value at all"], ["columns="]),
    (partial(CategoryError.identifier, "id", 50), ["'id'", "50 rows", "identifier"], ["columns="]),
    (
        partial(CategoryError.too_many_levels, "text", 70, 100),
        ["'text'", "70 different values in 100 rows"],
        ["columns=", "fewer and broader"],
    ),
    (
        partial(CategoryError.missing_values, "c", 3, 100),
        ["'c'", "3 of 100 rows"],
        ["missing='level'", "missing='drop'"],
    ),
    (
        partial(CategoryError.too_many_to_estimate, 12_000, 10_000),
        ["12000 levels", "10000 are the most"],
        ["missing='level'", "rare="],
    ),
    (
        partial(CategoryError.share_not_positive, "group=a", -0.01),
        ["the share of group=a", "-0.01"],
        ["missing='level'", "rare="],
    ),
    (
        partial(CategoryError.negative_counts, 4, "c", -2.0),
        ["row 4, column 'c' holds -2"],
        ["Correct this cell", "categories='counts'"],
    ),
    (
        partial(CategoryError.empty_counts, [2], ["c"]),
        ["row 2 and in column 'c'"],
        ["Leave out empty rows"],
    ),
    (
        partial(CategoryError.nothing_left, {"a": "constant: every cell is 'x'"}),
        ["no column can be analyzed: 'a' (constant: every cell is 'x')"],
        ["categories=[...]"],
    ),
    (
        partial(CategoryError.missing_counts, [3], ["c"]),
        ["'c'", "column 'c' of row 3", "not estimated"],
        ["Write 0 where nothing was counted", "leave out these rows"],
    ),
    (
        partial(CategoryError.needs_table, "list"),
        ["not from a list"],
        ["Pass the table as one of these"],
    ),
    (
        partial(CategoryError.needs_numbers, ["c"]),
        ["column 'c' does not hold numbers"],
        ["categories='auto'"],
    ),
    (
        partial(MismatchError.needs_columns, 4, "ndarray"),
        ["4 columns", "ndarray without names"],
        ["frame or a file"],
    ),
    (
        partial(UnseenCategories.in_columns, {"c": (2, 1, ["x"])}, 9),
        ["9 rows", "'c': 2 unseen ('x') and 1 missing"],
        ["contribute nothing"],
    ),
]
