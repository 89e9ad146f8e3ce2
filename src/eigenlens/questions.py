"""questions: what can be asked of the data without a fit. Open the data, hand them on, return.

`choose_rank` asks every rule of the package `rank`; `intrinsic_dimension` and `flatness` ask the
package `geometry`.
"""

from __future__ import annotations

from typing import Any

from eigenlens.algebra.random import random_generator
from eigenlens.document.table import Table
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Option, Phrase
from eigenlens.geometry.dimension import ANCHORS, estimate_dimension
from eigenlens.geometry.distinct_rows import read_distinct_rows
from eigenlens.geometry.flat import judge_flatness
from eigenlens.geometry.report import DimensionReport
from eigenlens.model.spectrum import spectrum_of_model
from eigenlens.model.subspace import Subspace
from eigenlens.rank.panel import ask_rules, rules_by_name
from eigenlens.rank.report import RankReport, report_of
from eigenlens.rank.rule import Learner
from eigenlens.sources.measurements import judge_columns, open_measurements
from eigenlens.sources.protocol import Columns
from eigenlens.sources.traits import keep_within
from eigenlens.table.budget import budget_bytes
from eigenlens.table.meter import Meter
from eigenlens.table.preparation import prepare

__all__ = ["choose_rank", "flatness", "intrinsic_dimension", "roles"]


def choose_rank(
    data: Any,
    *,
    center: bool = True,
    scale: Any = None,
    weights: Any = None,
    columns: Columns | None = None,
    memory: Any = None,
    seed: int = 0,
) -> RankReport:
    """How many components: what every rule says, for which question, and whether it applies here.

    Parameters
    ----------
    data : anything `eigenlens.fit` takes, at least 10 rows; or a fitted model, of which only rules
        that need no rows are asked
    center, scale, weights, columns, memory, seed : as in `eigenlens.fit`; not with a model

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> noise = rng.standard_normal((200, 30))
    >>> report = choose_rank(noise + rng.standard_normal((200, 2)) @ rng.standard_normal((2, 30)))
    >>> report.k, report.rules["dpa"].value, report.question["dpa"]
    (2, 2, 'detection')
    """
    if isinstance(data, Subspace):
        if not center or any(one is not None for one in (scale, weights, columns)):
            raise OptionError.needs(
                Phrase(
                    "{}, {}, {} or {}",
                    Option("center"),
                    Option("scale"),
                    Option("weights"),
                    Option("columns"),
                ),
                "the data, for a model has been prepared already",
                "pass the data, or the model alone",
            )
        return choose_from_model(data)
    budget = budget_bytes(memory)
    source = keep_within(open_measurements(data, columns), budget)
    preparation = prepare(source, center, scale, weights)
    return ask_rules(source, preparation, budget, seed)


def choose_from_model(model: Subspace) -> RankReport:
    """What the rules say of the eigenvalues a model holds; those that look at rows stay silent."""
    if not model.n_components:
        raise RankError.needs(
            "choosing from a model of 0 components",
            "eigenvalues to choose from",
            "Pass the data, or a model fitted with a number of components such as k=30.",
        )
    silent = "needs the rows: pass the data instead of the model"
    unasked = {
        name: (rule.question, silent)
        for name, rule in rules_by_name().items()
        if isinstance(rule, Learner)
    }
    rules = [rule for name, rule in rules_by_name().items() if name not in unasked]
    return report_of(spectrum_of_model(model), rules, {}, {}, unasked, Meter())


def intrinsic_dimension(
    data: Any,
    *,
    columns: Columns | None = None,
    scale: Any = None,
    anchors: int = ANCHORS,
    seed: int = 0,
) -> DimensionReport:
    """How many dimensions the rows of `data` fill, whatever space they lie in.

    Parameters
    ----------
    data : anything `eigenlens.fit` takes, at least 10 distinct rows and 2 columns
    columns : which columns to use, by name, position, mask or slice
    scale : "std" to standardize, or one positive number per column: distances depend on units
    anchors : how many rows to look for neighbors of; all rows are looked through
    seed : for the choice of anchors

    >>> import numpy as np
    >>> t = np.random.default_rng(0).uniform(0, 6, 1000)
    >>> report = intrinsic_dimension(np.column_stack([np.cos(t), np.sin(t)]))
    >>> round(report.value, 1)
    1.0
    """
    view = read_distinct_rows(open_measurements(data, columns), scale)
    return estimate_dimension(view, random_generator(seed), anchors)


def flatness(
    data: Any, *, columns: Columns | None = None, scale: Any = None, seed: int = 0
) -> Verdict:
    """Whether a flat subspace suits the rows of `data`: "flat", "mild" or "curved", and why.

    Parameters
    ----------
    data : anything `eigenlens.fit` takes, at least 10 distinct rows and 2 columns
    columns : which columns to use, by name, position, mask or slice
    scale : "std" to standardize, or one positive number per column: distances depend on units
    seed : for the choice of rows and for the surrogates

    >>> import numpy as np
    >>> t = np.random.default_rng(0).uniform(0, 6, 1000)
    >>> flatness(np.column_stack([np.cos(t), np.sin(t)])).value
    'curved'
    """
    return judge_flatness(
        read_distinct_rows(open_measurements(data, columns), scale), random_generator(seed)
    )


def roles(data: Any) -> Table:
    """The role of every column of a frame or file: `column role analyzed reason`.

    Measurements are analyzed; row counters, identifiers, codes, dates, groups and other text are
    not, unless `columns=` names them. Roles are judged from headings and the first rows.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"id": [1, 2, 3, 4], "kind": list("aabb"), "size": [2.0, 3.5, 1.0, 4]})
    >>> print(roles(frame)["role"])
    ['identifier', 'group', 'measurement']
    """
    judged = judge_columns(data)
    return Table(
        {
            "column": [one.name for one in judged],
            "role": [one.role for one in judged],
            "analyzed": [one.is_analyzed for one in judged],
            "reason": [one.reason for one in judged],
        }
    )
