"""Panel: all rules are asked about the same data, each with what it needs.

They see the spectrum, whole for small tables, else as much as ScreeNOT wants to see; three digits
and no proof, since what rules compare differs by percents. The noise left over is checked, and
halves of the rows are asked too.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.random import random_generator
from eigenlens.errors import ChunkError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.rank.automatic import Automatic
from eigenlens.rank.catalogue import RULES, inform_rule
from eigenlens.rank.checks import Checks, checks_of
from eigenlens.rank.quick_spectrum import QuickSpectrum, spectrum_of_table
from eigenlens.rank.report import RankReport, report_of
from eigenlens.rank.rule import Rule
from eigenlens.rank.screenot import ScreeNOT
from eigenlens.rank.stability import over_halves
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.meter import Meter
from eigenlens.table.preparation import Preparation
from eigenlens.table.table import TableOperator
from eigenlens.table.workspace import Workspace, workspace_for

__all__ = ["ask_rules", "rules_by_name"]

FEWEST = 10  # rows: fewer say nothing about noise
WHOLE = 3000  # tables with a side no longer than this show all their eigenvalues
SOME, MOST = 50, 400  # of the others so many are looked at, and at most so many
HALVES = 10
DIGITS = 1e-3
ASKED_OF_HALVES = ("screenot", "small_table", "dpa", "gap")


def ask_rules(source: Source, preparation: Preparation, budget: int, seed: int) -> RankReport:
    if preparation.total_weight < FEWEST:
        raise RankError.needs(
            f"choosing from {preparation.total_weight:.6g} rows",
            f"{FEWEST} rows or more to tell noise from structure",
            Phrase(
                "ask fit for a number of components, or for a fraction such as {}",
                SetOption("k", 0.95),
            ),
        )
    workspace = workspace_for(source, budget)
    look = look_for_rules(workspace.table(source, preparation), workspace, random_generator(seed))
    rules, unasked = [], {}
    for name, rule in rules_by_name().items():
        try:
            # Each from the same seed: what `fit` says by this rule alone is then the same.
            rules.append(
                inform_rule(rule, source, preparation, workspace, random_generator(seed))[0]
            )
        except (ChunkError, RankError) as error:
            unasked[name] = (rule.question, str(error))
    if traits_of(source).remote or not traits_of(source).re_readable:
        return report_of(look.spectrum, rules, {}, {}, unasked, Meter(1, source.stored_bytes))
    checks = noise_checks(look)
    asked = [rule for rule in rules if rule.name in ASKED_OF_HALVES]
    halves = over_halves(source, preparation, asked, HALVES, workspace, random_generator(seed))
    return report_of(look.spectrum, rules, checks, halves, unasked, workspace.meter)


def rules_by_name() -> dict[str, Rule]:
    """All of them; ScreeNOT with whatever bracket the spectrum allows."""
    rules = {name: rule(name, None) for name, rule in RULES.items() if name != "auto"}
    return {**rules, "screenot": ScreeNOT(widest=None)}


def look_for_rules(
    table: TableOperator, workspace: Workspace, rng: np.random.Generator
) -> QuickSpectrum:
    """Enough eigenvalues for the rules to look at."""
    most = table.most_components
    fits = 24 * most**2 <= workspace.budget_bytes  # three matrices, as solvers of all need
    count = most if most <= WHOLE and fits else min(SOME, most)
    while True:
        look = spectrum_of_table(table, count, DIGITS, workspace, rng)
        if look.spectrum.blurred and not table.rows.precise:
            table.compute_in_double()  # float32 products may hide what the rules look for
            continue
        wanted = ScreeNOT().choose(look.spectrum) is None
        if not wanted or count >= min(most, MOST):
            return look
        count = min(2 * count, most)


def noise_checks(look: QuickSpectrum) -> Checks:
    spectrum = look.spectrum
    cut = Automatic(widest=None).choose(spectrum)
    if cut is not None and "rank" in cut.evidence:
        return {}  # no noise to check: the table has an exact rank
    rank = min(0 if cut is None else int(cut.value), max(spectrum.most - 2, 0))
    return checks_of(look.table, look.directions(rank), spectrum)
