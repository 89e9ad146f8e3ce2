"""What can be said of the axes, each sentence from a rule with its number.

| topic      | said when                                                                          |
|------------|------------------------------------------------------------------------------------|
| k          | rows are 10 or more: how many components stand clear of chance, or who disagrees   |
| scale      | not scaled, one column has 10 times the others' spread and 80 % of PC1             |
| size       | all correlations with PC1 have one sign, none below 0.3, 3 columns or more         |
| axis       | else, for the first 3 that can be told apart: the variables that make up its poles |
| degeneracy | sampling turns two neighbors a, b by 20 degrees: sqrt(a b / n) / (a - b) in radians|

The angle is the standard deviation of Anderson 1963. With 100 rows it is 20 degrees where the
smaller eigenvalue is 0.76 of the larger.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eigenlens.explain.seen import Finding, Seen
from eigenlens.explain.variables import correlations
from eigenlens.model.subspace import Subspace
from eigenlens.rank.report import RankReport

__all__ = [
    "counted",
    "degenerate",
    "empty_components",
    "of_axes",
    "of_count",
    "of_degeneracy",
    "of_rank",
    "of_scale",
    "of_size",
]

SPREAD = 10.0  # times the others' standard deviation
ALMOST_ALL = 0.8  # of a component
SAME_SIGN = 0.3  # of a correlation: below, its sign says little
TOLD = 3  # axes
MIXED = 20.0  # degrees
POLE = 4  # variables named on either side
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def of_count(seen: Seen, ranks: RankReport | None) -> Iterator[Finding]:
    """How many components are worth reading."""
    found = {} if ranks is None else ranks.recommended
    if "denoising" not in found or "detection" not in found:
        return
    clean, clear = int(found["denoising"].value), int(found["detection"].value)
    if clean == clear == 0:
        text = "No component beats random data: there may be no structure to find."
        yield Finding("k", text, 0)
    elif clean == clear:
        yield Finding("k", clear_of_chance(seen.model, clear), clear)
    else:
        low, high = sorted((clean, clear))
        text = (
            f"The rules disagree ({low} to {high}): take {clean} if you want the rows with the "
            f"least noise, {clear} if you want the directions that are not noise"
        )
        most = found.get("compression")
        if most is not None:
            text += f", {int(most.value)} if you want most of the variation"
        yield Finding("k", f"{text}.", clean)


def clear_of_chance(model: Subspace, count: int) -> str:
    held = float(model.explained_ratio[:count].sum())
    text = f"{counted(count, 'component')} {'stands' if count == 1 else 'stand'} clear of chance"
    if count > model.n_components:
        return f"{text}; this model keeps {model.n_components}, with {held:.0%} of the variation."
    together = "it holds" if count == 1 else "together they hold"
    return f"{text}; {together} {held:.0%} of the variation."


def counted(count: int, noun: str) -> str:
    """'Three components', '24 rows'."""
    number = NUMBERS[count].capitalize() if count < len(NUMBERS) else f"{count}"
    return f"{number} {noun}{'' if count == 1 else 's'}"


def of_rank(seen: Seen) -> Iterator[Finding]:
    """Components that hold nothing: they are named, and nothing else is said of them."""
    model = seen.model
    if model.n_filled < model.n_components:
        text = f"{empty_components(model)}: {model.rank.reason}."
        yield Finding("rank", text, model.n_filled)


def empty_components(model: Subspace) -> str:
    """ "PC3 and PC4 hold nothing but rounding"."""
    first, last = model.n_filled + 1, model.n_components
    if first == last:
        return f"PC{first} holds nothing but rounding"
    return f"PC{first} {'and' if last == first + 1 else 'to'} PC{last} hold nothing but rounding"


def of_scale(seen: Seen) -> Iterator[Finding]:
    """One column that outweighs all others by its units."""
    model = seen.model
    if model.scale is not None or model.n_features < 2 or not model.n_components:
        return
    spread = np.sqrt(model.feature_variances)
    widest = int(spread.argmax())
    others = float(np.median(np.delete(spread, widest)))
    share = float(model.components[0, widest] ** 2)
    if spread[widest] >= SPREAD * others > 0 and share >= ALMOST_ALL:
        ratio = float(spread[widest]) / others
        text = (
            f"Column {seen.names[widest]} has {ratio:.3g} times the spread of the rest and was not "
            f"standardized, so PC1 is almost only {seen.names[widest]} ({share:.0%})."
        )
        yield Finding("scale", text, ratio)


def is_size(model: Subspace, index: int) -> bool:
    """Whether every variable goes the same way along this component."""
    along = correlations(model)[:, index]
    along = along[~np.isnan(along)]
    one_way = bool((along > 0).all() or (along < 0).all())
    return one_way and len(along) >= 3 and float(np.abs(along).min()) >= SAME_SIGN


def of_size(seen: Seen) -> Iterator[Finding]:
    """A first component of overall level."""
    if seen.model.n_components and is_size(seen.model, 0):
        least = float(np.nanmin(np.abs(correlations(seen.model)[:, 0])))
        text = (
            f"PC1 is a size axis: all correlations have one sign, the smallest is {least:.2f}, so "
            f"rows differ mostly in overall level."
        )
        yield Finding("size", text, least)


def of_axes(seen: Seen) -> Iterator[Finding]:
    """The poles of an axis, by name; never what causes it."""
    model = seen.model
    mixed = {place for index in degenerate(model) for place in (index, index + 1)}
    for index in range(min(model.n_filled, TOLD)):
        if index in mixed or is_size(model, index):
            continue
        vector = model.components[index]
        order = np.argsort(-np.abs(vector), kind="stable")
        strong = [place for place in order if vector[place] ** 2 >= 1 / model.n_features]
        up = [seen.names[place] for place in strong if vector[place] > 0][:POLE]
        down = [seen.names[place] for place in strong if vector[place] < 0][:POLE]
        share = float(sum(vector[place] ** 2 for place in strong))
        ends = f"sets {', '.join(up)} against {', '.join(down)}"
        if not up or not down:
            ends = f"is carried by {', '.join(up or down)}"
        text = f"PC{index + 1} ({model.explained_ratio[index]:.0%} of the variation) {ends}."
        yield Finding("axis", text, share)


def degenerate(model: Subspace) -> dict[int, float]:
    """Components (from 0) that sampling mixes with the next one, and by how many degrees."""
    # Shares: products of large eigenvalues would overflow. Empty components are not compared.
    values = model.explained_ratio[: model.n_filled]
    gaps = values[:-1] - values[1:]
    steps = np.sqrt(values[:-1] * values[1:] / model.moments.weight)
    angles = np.degrees(np.arctan2(steps, gaps))
    return {int(i): float(angles[i]) for i in np.flatnonzero(angles > MIXED)}


def of_degeneracy(seen: Seen) -> Iterator[Finding]:
    """Neighbors that explain nearly the same."""
    shares = seen.model.explained_ratio
    for index, angle in degenerate(seen.model).items():
        text = (
            f"PC{index + 1} and PC{index + 2} explain nearly the same ({shares[index]:.1%} and "
            f"{shares[index + 1]:.1%}); their directions are not separately meaningful: other rows "
            f"would turn them by some {angle:.0f}°."
        )
        yield Finding("degeneracy", text, angle)
