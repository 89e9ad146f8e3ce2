"""describe_axes: which variables and groups go with each component, beyond chance.

    number     r, tested by t = r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees of freedom
    groups     eta2, tested by F = (eta2 / (g - 1)) / ((1 - eta2) / (n - g))
    category   estimate = centroid less the mean of the g centroids, tested by its t, n - g degrees

p_adjusted is Benjamini and Hochberg's, over all tests of the same kind in the table: of the lines
shown at `level`, at most that part is expected to be chance. n is the sum of the weights.

Source   FactoMineR's dimdesc, whose estimates and plain p these are.
Differs  from it: lines are chosen by the adjusted p. A variable of the model goes with its own
         components by construction; only what stood outside the fit is put to a test in earnest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.axis_findings import find_empty_components
from eigenlens.explain.convention import get_convention
from eigenlens.explain.groups import GroupsAlongAxes, correlate_column, describe_groups
from eigenlens.explain.model_rows import (
    check_held_components,
    constant_variables,
    get_model,
    read_prepared_blocks,
    scores_and_lengths,
    variable_names,
    weights_for,
)
from eigenlens.explain.outside_columns import outside_columns
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = ["describe_axes"]

KINDS = ("number", "groups", "category")
AxisLine = dict[str, Any]


def describe_axes(
    model: Any,
    data: Any,
    columns: Any = None,
    *,
    level: float = 0.05,
    k: int | None = None,
    weights: Any = None,
    convention: str | None = None,
) -> Table:
    """What goes with each component: variables, and `columns` from outside the fit, by strength.

    One line per finding with `p_adjusted` of at most `level` (1 shows all): `component`, `kind`
    (number, groups, category), `variable`, `category`, `correlation`, `eta2`, `estimate`, `p`,
    `p_adjusted`. `k`: only the leading ones. `columns`: as in `supplementary_columns`.
    """
    model, style = get_model(model), get_convention(convention)
    refuse_level(level)
    count = model.n_components if k is None else check_held_components(k, model)
    skipped = [f"{find_empty_components(model)}."] if count > model.n_filled else []
    count = min(count, model.n_filled)
    source = match_columns(model, data)
    heavy = weights_for(model, weights, source, must=True)
    if heavy.sum() < 3:
        raise OptionError.needs(
            f"{heavy.sum():g} row{'' if heavy.sum() == 1 else 's'}", "3 or more", "pass more rows"
        )
    scores = scores_and_lengths(model, source)[0][:, :count]
    names = style.components(count)
    lines = own_lines(model, source, scores, heavy, names)
    if columns is not None:
        for column in outside_columns(data, columns, source.shape[0]):
            if column.numbers is None:
                groups = describe_groups(column, scores, heavy)
                lines += group_lines(column.name, groups, names, style.score_factor(model))
            else:
                found = correlate_column(column, scores, heavy)
                lines += number_lines(column.name, found.correlation, found.weight, names)
    shown = choose_lines_beyond_chance(adjust_p_values(lines), level, names)
    nothing = f"Nothing goes with a component beyond chance at level={level:g}; level=1 shows all."
    return style.table(shown, [*skipped, *([] if shown["component"] else [nothing])])


def refuse_level(level: object) -> None:
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level <= 1:
        raise OptionError.needs(
            SetOption("level", level),
            "a probability above 0, at most 1",
            Phrase("pass for example {}", SetOption("level", 0.05)),
        )


# -- the tests -----------------------------------------------------------------------------


def own_lines(
    model: Subspace,
    source: Source,
    scores: Float64Array,
    weights: Float64Array,
    names: Sequence[str],
) -> list[AxisLine]:
    """The model's own variables, correlated with their components about the means of these rows."""
    total = float(weights.sum())
    average = weights @ scores / total
    centered = scores - average
    # Rows of a raw fit are not centered, and squares about the origin would cancel.
    shift = 0.0 if model.mean is not None else model.moments.mean
    shift = shift if model.scale is None else shift / model.scale
    sums, squares = np.zeros(model.n_features), np.zeros(model.n_features)
    cross = np.zeros((model.n_features, len(names)))
    for span, block in read_prepared_blocks(model, source):
        rows = block - shift
        heavy = rows * weights[span, None]
        sums += heavy.sum(axis=0)
        squares += (heavy * rows).sum(axis=0)
        cross += heavy.T @ centered[span]
    spread = np.sqrt(np.maximum(squares - sums**2 / total, 0.0))
    deviation = np.sqrt(weights @ np.square(centered))
    fixed = constant_variables(model) | (spread == 0)
    found: list[AxisLine] = []
    for place, name in enumerate(variable_names(model)):
        if not fixed[place]:
            with np.errstate(divide="ignore", invalid="ignore"):
                correlation = np.clip(cross[place] / (spread[place] * deviation), -1.0, 1.0)
            found += number_lines(name, correlation, total, names)
    return found


def number_lines(
    variable: str, correlation: Float64Array, total: float, names: Sequence[str]
) -> list[AxisLine]:
    from scipy.stats import t as student

    with np.errstate(divide="ignore"):
        statistic = np.abs(correlation) * np.sqrt((total - 2) / (1 - np.square(correlation)))
    chance = 2 * student.sf(statistic, total - 2)
    return [
        {"component": name, "kind": "number", "variable": variable, "correlation": r, "p": p}
        for name, r, p in zip(names, correlation.tolist(), chance.tolist(), strict=True)
    ]


def group_lines(
    variable: str, groups: GroupsAlongAxes, names: Sequence[str], factor: float
) -> list[AxisLine]:
    from scipy.stats import f as fisher
    from scipy.stats import t as student

    count, total = len(groups.names), groups.weight
    free = total - count
    if free < 1:
        raise OptionError.needs(
            f"column {variable!r}, with {count} groups in {total:g} rows,",
            "more rows than groups",
            "join some of its categories",
        )
    within = np.maximum(groups.variance * (total - 1) - groups.between, 0.0) / free
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = groups.between / (count - 1) / within
    lines: list[AxisLine] = [
        {"component": name, "kind": "groups", "variable": variable, "eta2": eta2, "p": p}
        for name, eta2, p in zip(
            names, groups.eta2.tolist(), fisher.sf(ratio, count - 1, free).tolist(), strict=True
        )
    ]
    estimates = groups.centroids - groups.centroids.mean(axis=0)
    # The mean of the centroids is itself estimated: each of them adds its part to the error.
    inverse = 1 / groups.weights
    parts = inverse * (1 - 2 / count) + inverse.sum() / count**2
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.abs(estimates) / np.sqrt(parts[:, None] * within)
    chance = 2 * student.sf(statistic, free)
    for place, category in enumerate(groups.names):
        for column, name in enumerate(names):
            line = {"component": name, "kind": "category", "variable": variable}
            estimate = float(estimates[place, column]) * factor
            p = float(chance[place, column])
            lines.append({**line, "category": category, "estimate": estimate, "p": p})
    return lines


# -- the table -----------------------------------------------------------------------------


def adjust_p_values(lines: list[AxisLine]) -> list[AxisLine]:
    """Each line with its p_adjusted; lines without a p (a component of no variance) are dropped."""
    from scipy.stats import false_discovery_control

    answered = []
    for kind in KINDS:
        same = [line for line in lines if line["kind"] == kind and not np.isnan(line["p"])]
        if same:
            chances = false_discovery_control([line["p"] for line in same])
            pairs = zip(same, chances.tolist(), strict=True)
            answered += [{**line, "p_adjusted": chance} for line, chance in pairs]
    return answered


def strength_of_line(line: AxisLine) -> float:
    return float(next(line[name] for name in ("correlation", "eta2", "estimate") if name in line))


def choose_lines_beyond_chance(
    lines: list[AxisLine], level: float, names: Sequence[str]
) -> dict[str, list[Any]]:
    """By component, then kind, then from the most positive to the most negative."""
    place = {name: number for number, name in enumerate(names)}
    shown = [line for line in lines if line["p_adjusted"] <= level]
    shown.sort(
        key=lambda line: (
            place[line["component"]],
            KINDS.index(line["kind"]),
            -strength_of_line(line),
        )
    )
    texts = ("component", "kind", "variable", "category")
    numbers = ("correlation", "eta2", "estimate", "p", "p_adjusted")
    columns: dict[str, list[Any]] = {name: [line.get(name) for line in shown] for name in texts}
    return columns | {name: [line.get(name, np.nan) for line in shown] for name in numbers}
