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

from collections.abc import Iterator, Sequence

import numpy as np

from eigenlens.document.phrases import enquote, format_percent, format_ratio, join_names
from eigenlens.explain.data_check import spread_of_columns
from eigenlens.explain.evidence import Evidence, Finding
from eigenlens.explain.level_findings import find_level_count
from eigenlens.explain.variables import correlations
from eigenlens.model.subspace import Subspace
from eigenlens.rank.report import RankReport

__all__ = [
    "find_axes",
    "find_count",
    "find_empty_components",
    "find_mixed_axes",
    "find_rank",
    "find_scale",
    "find_size",
    "mixing_angles",
]

SPREAD = 10.0  # times the others' standard deviation
ALMOST_ALL = 0.8  # of a component
SAME_SIGN = 0.3  # of a correlation: below, its sign says little
MOST_AXES = 3  # axes
MIXED = 20.0  # degrees
POLE = 4  # variables named on either side
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def find_count(evidence: Evidence, ranks: RankReport | None) -> Iterator[Finding]:
    """How many components are worth reading."""
    best = {} if ranks is None else ranks.recommended
    if evidence.model.categories is not None:
        return (yield from find_level_count(ranks))
    if "denoising" not in best or "detection" not in best:
        return
    denoising, detection = int(best["denoising"].value), int(best["detection"].value)
    if evidence.model.n_features == 1:
        text = "A single column has one component: the column itself."
    elif denoising == detection == 0:
        text = "No component stands out from random data: there may be no structure to find."
    elif denoising == detection:
        text = describe_agreement(evidence.model, detection)
    elif best["denoising"].evidence.get("clear_cut") is False:
        held = format_percent(best["denoising"].evidence["share"], 0)
        text = (
            f"The eigenvalues fall evenly, without a clear cut: {denoising} components hold {held} "
            f"of the variance. {describe_detection(detection, denoising)}"
        )
    else:
        most = int(best["compression"].value) if "compression" in best else denoising
        also = " and for most of the variance"
        wanted = f"{denoising} for denoising" + (also if most == denoising else "")
        wanted += "" if most == denoising else f", {most} for most of the variance"
        text = f"Suggested: {wanted}. {describe_detection(detection, denoising)}"
    yield Finding("k", text, denoising)


def describe_detection(count: int, denoising: int) -> str:
    """Behind large components the tests against noise see less: that is no contradiction."""
    if 0 < count < denoising:
        why = "large components can hide smaller ones"
        return f"The test for directions that are not noise finds {count}: {why}."
    return f"The test for directions that are not noise finds {count or 'none'}."


def describe_agreement(model: Subspace, count: int) -> str:
    held = format_percent(float(model.explained_ratio[:count].sum()), 0)
    number = NUMBERS[count].capitalize() if count < len(NUMBERS) else f"{count}"
    text = f"{number} component{'s stand' if count > 1 else ' stands'} out from noise"
    if count > model.n_components:
        return f"{text}; this model keeps {model.n_components}, with {held} of the variance."
    together = "it holds" if count == 1 else "together they hold"
    return f"{text}; {together} {held} of the variance."


def find_rank(evidence: Evidence) -> Iterator[Finding]:
    """Components that hold nothing: they are named, and nothing else is said of them."""
    model = evidence.model
    if model.n_filled < model.n_components:
        text = f"{find_empty_components(model)}: {model.rank.reason}."
        empty = tuple(range(model.n_filled + 1, model.n_components + 1))
        yield Finding("rank", text, model.n_filled, empty)


def find_empty_components(model: Subspace) -> str:
    """ "PC3 and PC4 hold nothing but rounding"."""
    first, last = model.n_filled + 1, model.n_components
    if first == last:
        return f"PC{first} holds nothing but rounding"
    return f"PC{first} {'and' if last == first + 1 else 'to'} PC{last} hold nothing but rounding"


def find_scale(evidence: Evidence) -> Iterator[Finding]:
    """One column that outweighs all others by its units."""
    model = evidence.model
    if model.scale is not None or model.n_features < 2 or not model.n_components:
        return
    spread = np.sqrt(model.feature_variances)
    widest = int(spread.argmax())
    others = float(np.median(np.delete(spread, widest)))
    share = float(model.components[0, widest] ** 2)
    if spread[widest] >= SPREAD * others > 0 and share >= ALMOST_ALL:
        # The same ratio as in the data check and the warning of the command line.
        found = spread_of_columns(model)
        name = enquote(found.widest)
        text = (
            f"{name} varies {format_ratio(found.ratio)} times as much as "
            f"{enquote(found.narrowest)} and the columns are not standardized, so PC1 is almost "
            f"only {name}."
        )
        yield Finding("scale", text, found.ratio, (1,), columns=(found.widest,))


def is_size(model: Subspace, index: int) -> bool:
    """Whether every variable goes the same way along this component."""
    along = correlations(model)[:, index]
    along = along[~np.isnan(along)]
    one_way = bool((along > 0).all() or (along < 0).all())
    return one_way and len(along) >= 3 and float(np.abs(along).min()) >= SAME_SIGN


def find_size(evidence: Evidence) -> Iterator[Finding]:
    """A first component of overall level."""
    if evidence.model.n_components and is_size(evidence.model, 0):
        least = float(np.nanmin(np.abs(correlations(evidence.model)[:, 0])))
        text = (
            f"PC1 is a size axis: all correlations have the same sign (the smallest is "
            f"{least:.2f}), so rows differ mainly in overall level."
        )
        yield Finding("size", text, least, (1,))


def find_axes(evidence: Evidence) -> Iterator[Finding]:
    """The poles of an axis, by name; never what causes it."""
    model = evidence.model
    mixed = {place for index in mixing_angles(model) for place in (index, index + 1)}
    for index in range(min(model.n_filled, MOST_AXES)):
        if index in mixed or is_size(model, index):
            continue
        vector = model.components[index]
        order = np.argsort(-np.abs(vector), kind="stable")
        strong = [place for place in order if vector[place] ** 2 >= 1 / model.n_features]
        up = [evidence.names[place] for place in strong if vector[place] > 0][:POLE]
        down = [evidence.names[place] for place in strong if vector[place] < 0][:POLE]
        share = float(sum(vector[place] ** 2 for place in strong))
        ends = f"contrasts {name_list(up)} with {name_list(down)}"
        if not up or not down:
            ends = f"is driven by {name_list(up or down)}"
        held = format_percent(float(model.explained_ratio[index]), 0)
        text = f"PC{index + 1} ({held} of the variance) {ends}."
        yield Finding("axis", text, share, (index + 1,), columns=(*up, *down))


def name_list(names: Sequence[str]) -> str:
    return join_names([enquote(name) for name in names])


def mixing_angles(model: Subspace) -> dict[int, float]:
    """Components (from 0) that sampling mixes with the next one, and by how many degrees."""
    # Shares: products of large eigenvalues would overflow. Empty components are not compared.
    values = model.explained_ratio[: model.n_filled]
    gaps = values[:-1] - values[1:]
    steps = np.sqrt(values[:-1] * values[1:] / model.moments.weight)
    angles = np.degrees(np.arctan2(steps, gaps))
    return {int(i): float(angles[i]) for i in np.flatnonzero(angles > MIXED)}


def find_mixed_axes(evidence: Evidence) -> Iterator[Finding]:
    """Neighbors that another sample would mix."""
    shares = evidence.model.explained_ratio
    for index, angle in mixing_angles(evidence.model).items():
        held = [format_percent(float(share), 1) for share in shares[index : index + 2]]
        text = (
            f"With {evidence.source.shape[0]:,} rows, PC{index + 1} ({held[0]}) and "
            f"PC{index + 2} ({held[1]}) cannot be separated reliably: another sample "
            f"would turn them by about {angle:.0f}°. Read them as a pair."
        )
        yield Finding("degeneracy", text, angle, (index + 1, index + 2))
