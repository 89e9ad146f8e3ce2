"""search: the loop between a solver, a rule for k and the proof.

    take a step  ->  does it look done?  ->  prove it  ->  good enough?  ->  else ask for more

The solver never decides when to stop, the rule never computes, the proof never trusts the solver.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.orthonormal import extend
from eigenlens.algebra.ritz import Ritz, ritz_of_image
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.ceilings import Ceilings, find_ceilings
from eigenlens.certificate.rounding import rounding_of
from eigenlens.certificate.target import Target
from eigenlens.rank.catalogue import Rule
from eigenlens.rank.spectrum import Spectrum
from eigenlens.solvers.step import Ask, Solver, Step, Steps
from eigenlens.solvers.stopping import Passes, Reason, Tolerance
from eigenlens.table.sides import FeatureSide, RowSide, Side
from eigenlens.table.table import Table
from eigenlens.verdict import Verdict

__all__ = ["Found", "search"]

MOST_ATTEMPTS = 12


@dataclass(frozen=True)
class Found:
    """Exactly the components to return, what bounds them, and why there are so many."""

    ritz: Ritz
    ceilings: Ceilings
    rank: Verdict
    stop: Verdict
    met: bool
    matrix: Float64Array | None


def search(
    table: Table, solver: Solver, rule: Rule, target: Target, full: bool, rng: np.random.Generator
) -> Found:
    """The leading subspace of the table, as accurate as asked for or as the solver can."""
    hunt = Hunt(table, solver, rule, target, full, *rng.spawn(2))
    if not table.rows.precise and target.relative < table.roundoff:
        table.compute_in_double()
    while True:
        found = hunt.run()
        if found.met or table.rows.precise or not hunt.spoiled_by_rounding(found):
            return found
        table.compute_in_double()  # float32 products cannot carry the accuracy asked for


@dataclass
class Hunt:
    table: Table
    solver: Solver
    rule: Rule
    target: Target
    full: bool
    solver_rng: np.random.Generator
    probe_rng: np.random.Generator

    @property
    def side(self) -> Side:
        on_rows = self.solver.sided(self.table.shape)
        return RowSide(self.table) if on_rows else FeatureSide(self.table)

    def run(self) -> Found:
        most = self.table.most_components
        aim = self.target.relative / 2
        ask = Ask(self.rule.first_guess(most), aim)
        steps = self.solver.steps(self.side, ask, self.solver_rng)
        limit = Passes(getattr(self.solver, "max_passes", None) or 1 << 60)
        step: Step | None = next(steps)
        attempts = 0
        while True:
            if step is None:
                raise RuntimeError("a solver yields at least one step")
            verdict = self.rule.choose(self.spectrum(step.values[:most]))
            rank = min(most, 2 * ask.rank) if verdict is None else int(verdict.value)
            reason = (limit | Tolerance(aim))(step.leading(rank))
            if verdict is not None and reason is not None:
                found = self.proven(step, rank, reason)
                if found is not None and (found.met or reason.final or attempts == MOST_ATTEMPTS):
                    return found
                aim, attempts = aim / 10, attempts + 1
            elif verdict is None and reason is not None and reason.final:
                raise self.rule.out_of_reach(self.spectrum(step.values[:most]))
            ask = Ask(max(rank, ask.rank) if verdict is None else rank, aim)
            last, step = step, following(steps, ask)
            if step is None:
                return self.ended(last, "the solver has nothing more to add")

    def ended(self, step: Step, words: str) -> Found:
        verdict = self.rule.choose(self.spectrum(step.values[: self.table.most_components]))
        if verdict is None:
            raise self.rule.out_of_reach(self.spectrum(step.values))
        found = self.proven(step, int(verdict.value), Reason(words, final=True))
        if found is None:
            raise RuntimeError("a final step is always read out")
        return found

    def proven(self, step: Step, rank: int, reason: Reason) -> Found | None:
        """The step with its proof; None where trying to prove it would be a waste."""
        side, ritz = self.side, step.read_out()
        if not reason.final and not self.target.within_reach(ritz, rank):
            return None
        values = ritz.values[:rank]
        spread = float(np.linalg.norm(ritz.coupling[:, :rank], 2))

        def enough(ceilings: Float64Array, leftover: float) -> bool:
            return self.target.met(values, ceilings, spread)

        ceilings = find_ceilings(
            side, ritz, rank + 1, step.matrix, self.full, enough, self.probe_rng
        )
        verdict = self.rule.choose(self.spectrum(ritz.values, ceilings, ritz))
        if verdict is None or int(verdict.value) != rank:
            return None  # the bound on what is left changed the rule's mind
        met = self.target.met(values, ceilings.values, spread)
        stop = self.stopped(step.passes, reason, met)
        matrix = step.matrix if isinstance(side, FeatureSide) else None
        return Found(self.components(ritz, rank), ceilings, verdict, stop, met, matrix)

    def stopped(self, passes: int, reason: Reason, met: bool) -> Verdict:
        """Why no more passes were made, as a person would say it."""
        after = f"after {passes} {'pass' if passes == 1 else 'passes'}"
        if met:
            return Verdict(after, self.target.name, self.target.words, {"passes": passes})
        words = f"{reason.words}, and the accuracy asked for was not proven by then"
        return Verdict(after, "limit", words, {"passes": passes})

    def spectrum(
        self, values: Float64Array, ceilings: Ceilings | None = None, ritz: Ritz | None = None
    ) -> Spectrum:
        most = self.table.most_components
        leftover = None if ceilings is None else ceilings.leftover
        coupling = 0.0 if ritz is None else float(np.square(ritz.coupling).sum())
        values = np.maximum(values[:most], 0.0)
        return Spectrum(values, self.table.total_variance, most, leftover, coupling)

    def components(self, ritz: Ritz, rank: int) -> Ritz:
        """On the feature side, `rank` of them. From the row side: A'u, read out with one pass."""
        if isinstance(self.side, FeatureSide):
            kept = ritz.coupling[:, :rank]
            vectors = np.array(ritz.vectors(rank))
            return Ritz(vectors, None, ritz.values[:rank], kept, ritz.from_triangle)
        nothing = np.zeros((self.table.shape[1], 0))
        pulled = self.table.pull_back(ritz.vectors(rank))
        vectors = extend(nothing, pulled, self.solver_rng)[0]
        read = ritz_of_image(vectors, self.table.covariance_times(vectors))
        return Ritz(read.vectors(rank), None, read.values, read.coupling)

    def spoiled_by_rounding(self, found: Found) -> bool:
        allowance = rounding_of(FeatureSide(self.table), found.ritz, found.ritz.size).values
        return bool(np.any(allowance > self.target.relative / 4 * found.ritz.values))


def following(steps: Steps, ask: Ask) -> Step | None:
    try:
        return steps.send(ask)
    except StopIteration:
        return None
