"""Panel: all rules are asked about the same data, each with what it needs.

data    the spectrum, whole for small tables, else as much as ScreeNOT wants to see; three digits
        and no proof, since what rules compare differs by percents; the noise left over is
        checked, halves of the rows are asked too
model   the eigenvalues it holds; rules that look at rows stay silent
"""

from __future__ import annotations

import numpy as np

from eigenlens.certificate.rounding import rounding_of_total
from eigenlens.errors import ChunkError, RankError
from eigenlens.fit import block_bytes, generator
from eigenlens.model.subspace import Subspace
from eigenlens.rank.catalogue import RULES, informed_rule
from eigenlens.rank.checks import Checks, checks_of
from eigenlens.rank.quick_spectrum import QuickSpectrum, Workspace, spectrum_of_table
from eigenlens.rank.report import RankReport, report_of
from eigenlens.rank.rule import Learner, Rule
from eigenlens.rank.screenot import ScreeNOT
from eigenlens.rank.spectrum import Spectrum, known_spectrum
from eigenlens.rank.stability import over_halves
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.meter import Meter
from eigenlens.table.preparation import Preparation
from eigenlens.table.table import Table

__all__ = ["panel_on_data", "panel_on_model"]

FEWEST = 10  # rows: fewer say nothing about noise
WHOLE = 3000  # tables with a side no longer than this show all their eigenvalues
SOME, MOST = 50, 400  # of the others so many are looked at, and at most so many
HALVES = 10
DIGITS = 1e-3
ASKED_OF_HALVES = ("screenot", "dpa", "gap")


def panel_on_model(model: Subspace) -> RankReport:
    if not model.n_components:
        raise RankError.needs(
            "choosing from a model of 0 components",
            "eigenvalues to choose from",
            "Pass the data, or a model fitted with a number of components such as k=30.",
        )
    silent = "needs the rows: pass the data instead of the model"
    unasked = {
        name: (rule.question, silent)
        for name, rule in named_rules().items()
        if isinstance(rule, Learner)
    }
    rules = [rule for name, rule in named_rules().items() if name not in unasked]
    return report_of(spectrum_of(model), rules, {}, {}, unasked, Meter())


def panel_on_data(source: Source, preparation: Preparation, budget: int, seed: int) -> RankReport:
    if preparation.total_weight < FEWEST:
        raise RankError.needs(
            f"choosing from {preparation.total_weight:.6g} rows",
            f"{FEWEST} rows or more to tell noise from structure",
            "Ask fit for a number of components, or for a fraction such as k=0.95.",
        )
    workspace = Workspace(budget, block_bytes(source, budget))
    look = seen(workspace.table(source, preparation), workspace, generator(seed))
    rules, unasked = [], {}
    for name, rule in named_rules().items():
        try:
            # Each from the same seed: what `fit` says by this rule alone is then the same.
            rules.append(informed_rule(rule, source, preparation, workspace, generator(seed))[0])
        except (ChunkError, RankError) as error:
            unasked[name] = (rule.question, str(error))
    if traits_of(source).remote or not traits_of(source).re_readable:
        return report_of(look.spectrum, rules, {}, {}, unasked, Meter(1, source.stored_bytes))
    checks = noise_checks(look)
    asked = [rule for rule in rules if rule.name in ASKED_OF_HALVES]
    halves = over_halves(source, preparation, asked, HALVES, workspace, generator(seed))
    return report_of(look.spectrum, rules, checks, halves, unasked, workspace.meter)


def named_rules() -> dict[str, Rule]:
    """All of them; ScreeNOT with whatever bracket the spectrum allows."""
    rules = {name: rule(name, None) for name, rule in RULES.items() if name != "auto"}
    return {**rules, "screenot": ScreeNOT(widest=None)}


def seen(table: Table, workspace: Workspace, rng: np.random.Generator) -> QuickSpectrum:
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


def spectrum_of(model: Subspace) -> Spectrum:
    """What a model knows, in the units it was computed in: squares of its own could overflow."""
    facts, ritz, unit = model.proof.facts, model.proof.ritz, model.proof.facts.unit**2
    return known_spectrum(
        ritz.values,
        facts.total_variance,
        facts.most_components,
        facts.weight,
        model.n_features,
        centered=model.mean is not None,
        variances=model.feature_variances / unit,
        rounding=rounding_of_total(facts, facts.total_variance),
        unit=unit,
        shown="model",
    )


def noise_checks(look: QuickSpectrum) -> Checks:
    spectrum = look.spectrum
    cut = ScreeNOT(widest=None).choose(spectrum)
    if cut is not None and "rank" in cut.evidence:
        return {}  # no noise to check: the table has an exact rank
    rank = min(0 if cut is None else int(cut.value), max(spectrum.most - 2, 0))
    return checks_of(look.table, look.directions(rank), spectrum)
