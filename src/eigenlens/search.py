"""search: the loop between a solver, a rule for k and the proof.

    take a step  ->  does it look done?  ->  prove it  ->  good enough?  ->  else ask for more

The solver never decides when to stop, the rule never computes, the proof never trusts the solver.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from eigenlens.algebra.orthonormal import extend_basis
from eigenlens.algebra.power_sums import power_sums
from eigenlens.algebra.ritz import Ritz, ritz_of_image
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.ceilings import (
    Ceilings,
    ceilings_at_rest,
    ceilings_by_trace,
    find_ceilings,
    recounted,
)
from eigenlens.certificate.rounding import least_relative, rounding_of
from eigenlens.certificate.target import Noise, Target, noise_of
from eigenlens.certificate.trail import Trail
from eigenlens.rank.quick_spectrum import spectrum_of_values
from eigenlens.rank.rule import Rule
from eigenlens.rank.spectrum import Spectrum
from eigenlens.solvers.step import Ask, Solver, Step, following
from eigenlens.solvers.stopping import Reason, Tolerance, limit_of
from eigenlens.sources.traits import traits_of
from eigenlens.table.sides import FeatureSide, RowSide, Side
from eigenlens.table.table import Table
from eigenlens.verdict import Verdict

__all__ = ["Found", "Hunt"]

MOST_ATTEMPTS = 12
SMALLEST_AIM = 1e-30
RIPE = 1e-3  # relative error: beside neighbors that differ by percents
DOUBT = 2.0  # times the solver's own guess at its error: so far a value may rise
SETTLED = 1e-6  # relative error: no rule is so close to its bar that this would matter
NO_NOISE = Noise(np.zeros(1), 0.0)
EPS = float(np.finfo(np.float64).eps)

Lacking = Literal["accuracy", "columns"]


@dataclass(frozen=True)
class Found:
    """Exactly the components to return, what bounds them, and why there are so many."""

    ritz: Ritz
    ceilings: Ceilings
    rank: Verdict
    stop: Verdict
    met: bool
    spoiled: bool  # no further work would meet the target: arithmetic stands in its way
    matrix: Float64Array | None
    interrupted: bool = False


@dataclass
class Hunt:
    """One table, one rule for k, one target; `search` may be called with one solver after another.

    `forgiving`: an interrupt ends the search with what is proven by then. `hurried`: there was one
    already, and the first step is the last.
    """

    table: Table
    rule: Rule
    target: Target
    full: bool
    forgiving: bool
    rng: np.random.Generator
    hurried: bool = False
    proofs: int = 0  # each draws probes of its own, and each may fail
    last: tuple[Step, int] | None = None  # the newest step, and how many components it is for
    trail: Trail = field(default_factory=Trail)

    def search(self, solver: Solver) -> Found:
        """The leading subspace, as accurate as asked for or as the solver can."""
        self.solver, self.limit = solver, limit_of(solver)
        self.solver_rng, self.probe_rng = self.rng.spawn(2)
        table = self.table
        table.chained = table.chained or not solver.forms_matrix
        if not table.rows.precise and self.target.relative <= least_relative(table):
            table.compute_in_double()
        while True:
            with nullcontext() if solver.forms_matrix else table.rows.undisturbed():
                found = self.run_or_give_up()
            if found.interrupted or table.rows.precise or not found.spoiled:
                return found
            table.compute_in_double()  # float32 products cannot carry the accuracy asked for

    def run_or_give_up(self) -> Found:
        try:
            return self.run()
        except KeyboardInterrupt:
            if not self.forgiving or self.last is None:
                raise
        return self.interrupted(*self.last)

    @property
    def side(self) -> Side:
        """Rows where the solver prefers them, and a file can be read by columns."""
        source = self.table.source
        readable = (
            self.solver.forms_matrix
            or not traits_of(source).is_stored
            or traits_of(source).by_columns
        )
        on_rows = readable and self.solver.sided(self.table.shape)
        return RowSide(self.table) if on_rows else FeatureSide(self.table)

    def run(self) -> Found:
        most = self.table.most_components
        aim = max(self.target.relative - least_relative(self.table), self.target.relative / 20) / 2
        ask = Ask(self.rule.first_guess(most), aim)
        steps = self.solver.steps(self.side, ask, self.solver_rng)
        step: Step | None = next(steps)
        self.trail = Trail()
        attempts = least = 0
        while True:
            if step is None:
                raise RuntimeError("a solver yields at least one step")
            ripe = self.ripe(step)
            verdict = self.judged(step.values[:ripe]) if ripe else None
            wavers = verdict is not None and self.wavers(step, verdict)
            verdict = None if wavers else verdict
            # Where the rule waits for values to settle, more of them would be of no use to it.
            wanted = ask.rank if wavers or ripe < ask.rank else 2 * ask.rank
            rank = min(most, wanted) if verdict is None else sought(verdict)
            self.last = step, rank
            self.trail.values[step.passes] = step.values
            if self.hurried:
                return self.interrupted(step, rank)
            reason = (self.limit | Tolerance(aim))(step.leading(rank))
            if reason is not None and (verdict is not None or reason.final):
                found = self.proven(step, rank, reason)
                if isinstance(found, Found):
                    done = found.met or reason.final or attempts == MOST_ATTEMPTS
                    if done or found.spoiled:
                        return found
                    rank, attempts = sought(found.rank), attempts + 1
                if found == "columns" and ask.rank < most:
                    least = min(most, 2 * ask.rank)
                else:
                    aim = max(aim / 10, SMALLEST_AIM)
            ask = Ask(max(rank, least), aim)
            last, step = step, following(steps, ask)
            if step is None:
                return self.ended(last, rank)

    def interrupted(self, step: Step, rank: int) -> Found:
        """The newest step with what is proven of it for nothing: the trace bounds what is left."""
        side, ritz = self.side, step.read_out()
        rank = min(rank, ritz.size, self.table.most_components)
        ceilings = ceilings_by_trace(side, ritz, rank + 1)
        verdict = self.judged(ritz.values, ceilings, ritz)
        if verdict is None or sought(verdict) != rank:
            verdict = Verdict(rank, "interrupted", f"{rank} components were being sought")
        words = "the fit was interrupted, and this is what was proven by then"
        evidence = self.course(step, ritz, ceilings)
        stop = Verdict(f"after {step.passes} passes", "interrupted", words, evidence)
        kept, ceilings = self.answer(ritz, ceilings, int(verdict.value))
        return Found(kept, ceilings, verdict, stop, False, False, None, interrupted=True)

    def ended(self, step: Step, rank: int) -> Found:
        found = self.proven(step, rank, Reason("the solver has nothing more to add", final=True))
        if not isinstance(found, Found):
            raise RuntimeError("a final step is always read out")
        return found

    def proven(self, step: Step, rank: int, reason: Reason) -> Found | Lacking:
        """The step with its proof, or what it lacks; a final step comes back or is an error."""
        side, ritz = self.side, step.read_out()
        rank = min(rank, ritz.size)
        noise = noise_of(rounding_of(side, ritz, rank))
        if not reason.final and not self.target.within_reach(ritz, rank, noise):
            return "accuracy"
        if not self.table.rows.precise:
            noise = NO_NOISE  # what float32 cannot tell from zero, float64 may

        def enough(ceilings: Float64Array, leftover: float) -> bool:
            return self.target.met(ritz, ceilings, noise)

        ceilings = find_ceilings(
            side, ritz, rank + 1, step.matrix, self.full, enough, self.probe_rng
        )
        self.proofs += 1
        failure = self.proofs * ceilings.failure_probability
        ceilings = replace(ceilings, failure_probability=failure)
        ripe = ritz.values[: self.ripe(step)]
        verdict = self.judged(ripe, ceilings, ritz) if ripe.size else None
        if verdict is None:
            if reason.final:
                raise self.rule.out_of_reach(self.spectrum(ripe, ceilings, ritz))
            return "columns"  # so much could still hide outside that the rule wants to see more
        if sought(verdict) != rank:  # what may be left outside changed the rule's mind
            rank = sought(verdict)
            ceilings = recounted(side, ritz, ceilings, rank + 1)
            noise = noise_of(rounding_of(side, ritz, rank)) if noise is not NO_NOISE else noise
            verdict = self.judged(ripe, ceilings, ritz) or verdict
        met = self.target.met(ritz, ceilings.values, noise)
        course = self.course(step, ritz, ceilings)
        stop = self.target.stopped(course, reason.words, met, ceilings.kind)
        matrix = step.matrix if isinstance(side, FeatureSide) else None
        at_best = ceilings_at_rest(side, ritz, rank + 1)
        spoiled = not (met or self.target.met(ritz.at_rest(), at_best, noise))
        spoiled = spoiled or self.blurred(self.spectrum(ripe, ceilings, ritz))
        kept, ceilings = self.answer(ritz, ceilings, int(verdict.value))
        return Found(kept, ceilings, verdict, stop, met, spoiled, matrix)

    def ripe(self, step: Step) -> int:
        """How many leading values the rule may look at."""
        most = self.table.most_components
        if not self.rule.needs_settled:
            return min(len(step.values), most)
        settled = step.errors <= RIPE * step.values + EPS * step.values.max(initial=0.0)
        return min(int(np.cumprod(settled).sum()), most)

    def judged(
        self, values: Float64Array, ceilings: Ceilings | None = None, ritz: Ritz | None = None
    ) -> Verdict | None:
        """What the rule says, unless it counts empty directions that have no vectors yet."""
        seen = self.spectrum(values, ceilings, ritz)
        if self.rule.question == "request":  # so many were asked for, whatever they hold
            seen = replace(seen, values=values)
        verdict = self.rule.choose(seen)
        return None if verdict is not None and verdict.value > len(values) else verdict

    def wavers(self, step: Step, verdict: Verdict) -> bool:
        """Whether a rule that looks for noise may say otherwise once the values have settled."""
        if self.rule.needs_settled or self.rule.question in ("compression", "request"):
            return False
        unsettled = step.errors > SETTLED * step.values
        risen = step.values + np.where(unsettled, DOUBT * step.errors, 0.0)
        risen = np.minimum(np.sort(risen)[::-1], self.table.total_variance)
        again = self.rule.choose(self.spectrum(risen))
        return again is None or again.value != verdict.value

    def blurred(self, seen: Spectrum) -> bool:
        """Whether a rule took for rounding what only float32 products cannot tell from it."""
        if self.table.rows.precise or self.rule.question in ("compression", "request"):
            return False
        return seen.blurred

    def course(self, step: Step, ritz: Ritz, ceilings: Ceilings) -> dict[str, Any]:
        """Passes made, the errors after each of them by the newest proof, and what was seen."""
        self.trail.values[step.passes] = ritz.values
        side, roofs = self.side, ceilings.values[:-1]
        errors = self.trail.errors(roofs, rounding_of(side, ritz, len(roofs)).values)
        if errors:
            self.table.watch.proven(errors[-1][1])
        seen = power_sums(ritz, side.size, side.trace, step.matrix)
        more = {} if seen is None else {"power_sums": seen}
        return {"passes": step.passes, "errors": errors, **more}

    def spectrum(
        self, values: Float64Array, ceilings: Ceilings | None = None, ritz: Ritz | None = None
    ) -> Spectrum:
        return spectrum_of_values(
            self.table,
            values,
            leftover=None if ceilings is None else ceilings.leftover,
            coupling=0.0 if ritz is None else float(np.square(ritz.coupling).sum()),
            ceilings=None if ceilings is None else ceilings.values,
        )

    def answer(self, ritz: Ritz, ceilings: Ceilings, rank: int) -> tuple[Ritz, Ceilings]:
        """Exactly the components to return, which may be none, and one ceiling more."""
        return self.components(ritz, rank), replace(ceilings, values=ceilings.values[: rank + 1])

    def components(self, ritz: Ritz, rank: int) -> Ritz:
        """On the feature side, `rank` of them. From the row side: A'u, read out with one pass."""
        if isinstance(self.side, FeatureSide) or rank == 0:
            kept = ritz.coupling[:, :rank]
            vectors = np.array(ritz.vectors(rank)) if rank else np.zeros((self.table.shape[1], 0))
            return Ritz(vectors, None, ritz.values[:rank], kept, ritz.from_triangle)
        nothing = np.zeros((self.table.shape[1], 0))
        pulled = self.table.pull_back(ritz.vectors(rank))
        vectors = extend_basis(nothing, pulled, self.solver_rng)[0]
        read = ritz_of_image(vectors, self.table.covariance_times(vectors))
        return Ritz(read.vectors(rank), None, read.values, read.coupling)


def sought(verdict: Verdict) -> int:
    """How many components to look for: at least one, also to see that none is worth keeping."""
    return max(1, int(verdict.value))
