"""data_check: what the columns are like, before anything is made of them.

| check           | value                                      | look, when                      |
|-----------------|--------------------------------------------|---------------------------------|
| rows per column | n / d                                      | below 5                         |
| constant        | columns that do not vary                   | any                             |
| near-constant   | columns where one value holds 95 % of rows | any                             |
| duplicated      | pairs with a correlation of 0.9999 or more | any                             |
| dependent       | columns that others explain to 99.9 %      | any, up to a quarter of all     |
| spread          | largest standard deviation over smallest   | above 10, and columns unscaled  |
| heavy tails     | columns with an excess kurtosis above 6    | any                             |
| leverage        | largest pull of a row on the components    | above 0.5, and 10 times average |
| KMO             | see `sphericity.py`                        | below 0.5                       |
| sphericity      | Bartlett's p                               | above 0.05                      |

Where more than a quarter of the columns depend on others, as in spectra, that is how the data are.
Leverage is 1/n + T2/(n-1): 1 for a row that alone decides where a component points.
What takes pairs of columns, or their values, is asked of at most MOST_ROWS rows at equal steps, and
of tables with at most MOST_COLUMNS columns; every row counts once. Levels of categories are not
compared with each other: they exclude one another. Missing cells are an error of the fit.
Cost      one pass, and a correlation matrix of the columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import (
    enquote,
    format_percent,
    format_ratio,
    join_names,
    list_words,
)
from eigenlens.document.table import Table
from eigenlens.explain.dependent_columns import dependent_columns
from eigenlens.explain.distances import check_rows_of_fit, row_distances
from eigenlens.explain.model_rows import constant_variables, get_model, variable_names
from eigenlens.explain.sphericity import KMO_WORDS, kmo, sphericity
from eigenlens.model.subspace import Subspace
from eigenlens.sources.traits import evenly_spaced

__all__ = ["UNEVEN_SPREAD", "Spread", "data_check", "spread_of_columns"]

MOST_ROWS = 10_000
MOST_ENTRIES = 5_000_000
MOST_COLUMNS = 1000
FEW_ROWS = 5.0
ONE_VALUE = 0.95
SAME = 0.9999
FEW_COLUMNS = 200  # of which each may follow from the others
UNEVEN_SPREAD = 10.0
TAILS = 6.0
LEVERAGE, TIMES = 0.5, 10.0
CHANCE = 0.05


class CheckLine(NamedTuple):
    check: str
    value: float
    look: bool
    remark: str


class Spread(NamedTuple):
    ratio: float
    widest: str
    narrowest: str


def data_check(model: Any, data: Any) -> Table:
    """One line per check: its `value`, whether to `look` into it, and a `remark` in words.

    `data` are the rows of the fit. Measures that need more rows than there are, or fewer columns,
    leave their line out.

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((100, 3))
    >>> rows[:, 2] = 32 + 1.8 * rows[:, 1]
    >>> table = data_check(eigenlens.fit(rows, 1), rows)
    >>> table["remark"][list(table["check"]).index("duplicated")]
    "1 pair of columns is the same: 'x1' and 'x2'."
    """
    model = get_model(model)
    source = check_rows_of_fit(model, data)
    n, d = source.shape
    count = min(MOST_ROWS, max(MOST_ENTRIES // d, 1000))
    some = source.sample(evenly_spaced(source, count)).astype(np.float64, copy=False)
    lines = [
        check_shape_of_table(n, d),
        check_constant_columns(model),
        check_repeated_value(model, some),
        *(check_measurements(model, some) if model.categories is None else ()),
        *check_leverage(model, row_distances(model, source)[0]),
    ]
    columns = zip(*lines, strict=True)
    return Table(dict(zip(CheckLine._fields, map(list, columns), strict=True)))


# -- one line each -------------------------------------------------------------------------


def check_shape_of_table(n: int, d: int) -> CheckLine:
    ratio = n / d
    remark = f"{n:,} rows for {d:,} columns."
    if ratio < FEW_ROWS:
        remark += " With so few rows per column, later components may not generalize."
    return CheckLine("rows per column", ratio, ratio < FEW_ROWS, remark)


def check_constant_columns(model: Subspace) -> CheckLine:
    fixed = constant_variables(model)
    return check_columns(
        "constant", model, fixed, "does not vary", "do not vary", "Every column varies."
    )


def check_repeated_value(model: Subspace, some: Float64Array) -> CheckLine:
    ordered = np.sort(some, axis=0)
    # A value that holds 95 % of the rows holds the middle one.
    share = (ordered == ordered[len(ordered) // 2]).mean(axis=0)
    found = (share >= ONE_VALUE) & ~constant_variables(model)
    return check_columns(
        "near-constant",
        model,
        found,
        "has one value in 95 % of the rows or more",
        "have one value in 95 % of the rows or more",
        "No column has one value in nearly all rows.",
    )


def check_measurements(model: Subspace, some: Float64Array) -> Iterator[CheckLine]:
    """What is asked of numbers that were measured, not of indicators."""
    yield from check_correlated_pairs(model, some)
    yield from check_units(model)
    yield check_heavy_tails(model, some)


def check_correlated_pairs(model: Subspace, some: Float64Array) -> Iterator[CheckLine]:
    free = np.flatnonzero(~constant_variables(model) & (np.ptp(some, axis=0) > 0))
    if not 2 <= len(free) <= MOST_COLUMNS or len(some) < 3:
        return
    correlation = np.atleast_2d(np.corrcoef(some[:, free], rowvar=False))
    yield check_duplicates(model, np.abs(correlation), free)
    if len(free) >= len(some):
        return
    if len(free) <= FEW_COLUMNS:
        yield check_dependence(model, correlation, free)
    measure, test = kmo(correlation), sphericity(correlation, len(some))
    if measure is not None:
        word = next(word for least, word in KMO_WORDS if measure >= least)
        yield CheckLine(
            "KMO",
            measure,
            measure < KMO_WORDS[-2][0],
            f"The Kaiser-Meyer-Olkin measure of common variance is {measure:.2f}, which Kaiser "
            f"called {word}.",
        )
    if test is not None:
        says = "could" if test.chance > CHANCE else "cannot"
        yield CheckLine(
            "sphericity",
            test.chance,
            test.chance > CHANCE,
            f"Chance alone {says} explain the correlations (Bartlett's test: χ² "
            f"{test.statistic:.4g}, {test.freedom:,} degrees of freedom, p {test.chance:.2g}).",
        )


def check_duplicates(model: Subspace, alike: Float64Array, columns: Any) -> CheckLine:
    first, second = np.nonzero(np.triu(alike >= SAME, 1))
    names = [enquote(name) for name in variable_names(model)]
    pairs = [
        f"{names[columns[a]]} and {names[columns[b]]}" for a, b in zip(first, second, strict=True)
    ]
    if not pairs:
        return CheckLine("duplicated", 0, False, "No two columns are the same up to scale.")
    says = "pair of columns is" if len(pairs) == 1 else "pairs of columns are"
    which = list_words(pairs, limit=3, quote=False)
    return CheckLine("duplicated", len(pairs), True, f"{len(pairs)} {says} the same: {which}.")


def check_dependence(model: Subspace, correlation: Float64Array, columns: Any) -> CheckLine:
    found = dependent_columns(correlation, SAME)
    if not found:
        return CheckLine("dependent", 0, False, "No column follows from the others.")
    names = [variable_names(model)[columns[place]] for place, _ in found]
    least = format_percent(min(share for _, share in found), 2)
    one = len(found) == 1
    remark = (
        f"{list_words(names, limit=3)} follow{'s' * one} almost exactly from the other columns, "
        f"which explain {least} of {'its variance' if one else 'their variances or more'}. Leave "
        f"out what is a total or a mean of others."
    )
    return CheckLine("dependent", len(found), len(found) <= len(columns) / 4, remark)


def check_units(model: Subspace) -> Iterator[CheckLine]:
    if (~constant_variables(model)).sum() < 2:
        return
    found = spread_of_columns(model, in_own_units=True)
    worry = found.ratio > UNEVEN_SPREAD and model.scale is None
    remark = f"{enquote(found.widest)} varies {format_ratio(found.ratio)} times as much as "
    remark += enquote(found.narrowest)
    if model.scale is not None:
        remark += ", which standardizing has removed"
    elif worry:
        remark += ": unless they share a unit, standardize them"
    yield CheckLine("spread", found.ratio, worry, f"{remark}.")


def spread_of_columns(model: Subspace, in_own_units: bool = False) -> Spread:
    """Largest over smallest standard deviation of the columns that vary, as the model weighs them.

    1 where they were standardized, unless asked for `in_own_units`.
    """
    names = variable_names(model)
    varying = np.flatnonzero(~constant_variables(model))
    units = model.scale if in_own_units and model.scale is not None else np.ones(model.n_features)
    deviations = (np.sqrt(model.feature_variances) * units)[varying]
    widest, narrowest = int(deviations.argmax()), int(deviations.argmin())
    ratio = float(deviations[widest] / deviations[narrowest])
    return Spread(ratio, names[varying[widest]], names[varying[narrowest]])


def check_heavy_tails(model: Subspace, some: Float64Array) -> CheckLine:
    centered = some - some.mean(axis=0)
    centered = centered / np.maximum(np.abs(centered).max(axis=0), np.finfo(np.float64).tiny)
    variance = np.square(centered).mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = (centered**4).mean(axis=0) / variance**2 - 3
    heavy = np.nan_to_num(excess) > TAILS
    return check_columns(
        "heavy tails",
        model,
        heavy & ~constant_variables(model),
        "has values far outside its usual range, which may make a component of their own",
        "have values far outside their usual range, which may make components of their own",
        "No column has values far outside its usual range.",
    )


def check_leverage(model: Subspace, extremes: Float64Array) -> Iterator[CheckLine]:
    weight = model.moments.weight
    if not model.n_components or weight <= 1:
        return
    largest = 1 / weight + float(extremes.max()) / (weight - 1)
    usual = (1 + model.n_components) / weight
    worry = largest > LEVERAGE and largest > TIMES * usual
    yield CheckLine(
        "leverage",
        largest,
        worry,
        f"The largest leverage of a row is {largest:.2g}; the average is {usual:.2g}, the maximum "
        f"1.",
    )


def check_columns(
    check: str, model: Subspace, found: Any, does: str, do: str, fine: str
) -> CheckLine:
    """A line that names columns, or says that there are none."""
    count = int(found.sum())
    if not count:
        return CheckLine(check, 0, False, fine)
    names = [variable_names(model)[place] for place in np.flatnonzero(found)]
    which = join_names([enquote(name) for name in names], most=5)
    return CheckLine(check, count, True, f"{which} {does if count == 1 else do}.")
