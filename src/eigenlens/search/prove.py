"""prove: from a step of a solver to a result with its proof, or to what the step lacks.

how many components does the rule want?   ->   Ritz pairs   ->   ceilings   ->   ask the rule
once more, now that what may be left outside is bounded   ->   target met?
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.orthonormal import extend_basis
from eigenlens.algebra.precision import EPS
from eigenlens.algebra.ritz import Ritz, power_sums, ritz_of_image
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.target import Noise, Target
from eigenlens.certificate.upper_bounds import (
    UpperBounds,
    bounds_by_trace,
    bounds_for_count,
    find_upper_bounds,
)
from eigenlens.document.verdict import Verdict
from eigenlens.rank.numerical_rank import numerical_rank
from eigenlens.rank.rule import Forecaster, Rule
from eigenlens.rank.spectrum import Spectrum, small_vectors, spectrum_of_values
from eigenlens.search.arithmetic import Arithmetic
from eigenlens.search.history import History
from eigenlens.solvers.step import Ask, Solver, Step
from eigenlens.solvers.stopping import Reason
from eigenlens.sources.traits import traits_of
from eigenlens.table.sides import FeatureSide, RowSide, Side, exposure_of
from eigenlens.table.table import TableOperator

__all__ = ["Prover", "SearchResult", "Shortfall", "components_sought"]

RIPE = 1e-3  # relative error: beside neighbors that differ by percents
DOUBT = 2.0  # times the solver's own guess at its error: so far a value may rise
SETTLED = 1e-6  # relative error: no rule is so close to its bar that this would matter


@dataclass(frozen=True)
class SearchResult:
    """Exactly the components to return, what bounds them, and why there are so many."""

    ritz: Ritz
    ceilings: UpperBounds
    rank: Verdict
    numerical_rank: Verdict
    stop: Verdict
    met: bool
    spoiled: bool  # no further work would meet the target: arithmetic stands in its way
    matrix: Float64Array | None
    interrupted: bool = False


class Shortfall(Enum):
    """Why a step could not be proven: what the solver is asked for more of."""

    ACCURACY = "accuracy"
    COLUMNS = "columns"
    PRECISION = "precision"  # float32 products cannot show what is asked for


@dataclass
class Prover:
    """One table, one rule for k, one target, and the solver whose steps are to be proven."""

    table: TableOperator
    rule: Rule
    target: Target
    full: bool
    solver: Solver
    probe_rng: np.random.Generator
    proofs: int = 0
    history: History = field(default_factory=History)

    @cached_property
    def side(self) -> Side:
        """Rows where the solver prefers them, and a file can be read by columns."""
        traits = traits_of(self.table.source)
        readable = self.solver.forms_matrix or not traits.is_stored or traits.by_columns
        on_rows = readable and self.solver.sided(self.table.shape)
        return RowSide(self.table) if on_rows else FeatureSide(self.table)

    @cached_property
    def arithmetic(self) -> Arithmetic:
        return Arithmetic(self.table, self.side, self.target)

    # -- how many components -----------------------------------------------------------------

    def count_components(self, step: Step, ask: Ask) -> tuple[int, bool]:
        """How many the step is to be read for, and whether the rule has decided on them."""
        ripe = self.count_ripe(step)
        verdict = self.judge(step.values[:ripe]) if ripe else None
        wavers = verdict is not None and self.wavers(step, verdict)
        if verdict is not None and not wavers:
            return components_sought(verdict), True
        # Where the rule waits for values to settle, more of them would be of no use to it.
        wanted = ask.rank
        if not wavers and ripe >= ask.rank:
            wanted *= 2
            if isinstance(self.rule, Forecaster):
                wanted = max(wanted, self.rule.forecast(self.spectrum(step.values[: ask.rank])))
        return min(self.table.most_components, wanted), False

    def count_ripe(self, step: Step) -> int:
        """How many leading values the rule may look at."""
        most = self.table.most_components
        if not self.rule.needs_settled:
            return min(len(step.values), most)
        settled = step.errors <= RIPE * step.values + EPS * step.values.max(initial=0.0)
        return min(int(np.cumprod(settled).sum()), most)

    def judge(
        self, values: Float64Array, ceilings: UpperBounds | None = None, ritz: Ritz | None = None
    ) -> Verdict | None:
        """What the rule says, unless it counts empty directions that have no vectors yet."""
        seen = self.spectrum(values, ceilings, ritz)
        if self.rule.question == "request" and len(seen.values) != len(values):
            # So many were asked for, whatever they hold.
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

    def spectrum(
        self, values: Float64Array, ceilings: UpperBounds | None = None, ritz: Ritz | None = None
    ) -> Spectrum:
        on_features = isinstance(self.side, FeatureSide)
        known = small_vectors(self.table, ritz) if ritz is not None and on_features else {}
        return spectrum_of_values(
            self.table,
            values,
            **known,
            leftover=None if ceilings is None else ceilings.leftover,
            coupling=0.0 if ritz is None else float(np.square(ritz.coupling).sum()),
            ceilings=None if ceilings is None else ceilings.values,
        )

    # -- the proof ---------------------------------------------------------------------------

    def prove(self, step: Step, count: int, reason: Reason) -> SearchResult | Shortfall:
        """The step with its proof, or what it lacks; a final step is proven or is an error."""
        side, ritz = self.side, step.read_out()
        count = min(count, ritz.size)
        noise = self.arithmetic.noise(ritz, count)
        if not reason.final and not self.target.within_reach(ritz, count, noise):
            return Shortfall.ACCURACY
        if not reason.final and self.arithmetic.needs_double(step, ritz, count, noise):
            return Shortfall.PRECISION
        ceilings = self.bound(side, step, ritz, count, noise, reason.final)
        ripe = ritz.values[: self.count_ripe(step)]
        verdict = self.judge(ripe, ceilings, ritz) if ripe.size else None
        if verdict is None:
            if reason.final:
                raise self.rule.out_of_reach(self.spectrum(ripe, ceilings, ritz))
            return Shortfall.COLUMNS  # what could hide outside would make the rule say otherwise
        if components_sought(verdict) != count:  # what may be left outside changed its mind
            count = components_sought(verdict)
            rounding = self.arithmetic.rounding_for_bounds(ritz, count)
            ceilings = bounds_for_count(side, ritz, ceilings, rounding, count + 1)
            noise = self.arithmetic.noise(ritz, count)
            verdict = self.judge(ripe, ceilings, ritz) or verdict
        met = self.target.met(ritz, ceilings.values, noise)
        proven = self.target.words(ritz, ceilings.values) if met else None
        course = self.course(step, ritz, ceilings)
        stop = self.target.stopped(course, reason.words, proven, ceilings.kind)
        matrix = step.matrix if isinstance(side, FeatureSide) else None
        spoiled = not met and self.arithmetic.spoils(ritz, count, noise)
        spoiled = spoiled or self.is_blurred(ripe, count, ceilings, ritz)
        kept, ceilings = self.leading(ritz, ceilings, int(verdict.value))
        rank = numerical_rank(self.spectrum(ritz.values))
        return SearchResult(kept, ceilings, verdict, rank, stop, met, spoiled, matrix)

    def bound(
        self, side: Side, step: Step, ritz: Ritz, count: int, noise: Noise, is_last: bool
    ) -> UpperBounds:
        """Ceilings on the leading eigenvalues, with no more work than the target asks for."""

        def enough(ceilings: Float64Array, leftover: float) -> bool:
            return self.target.met(ritz, ceilings, noise)

        rounding = self.arithmetic.rounding_for_bounds(ritz, count)
        ceilings = find_upper_bounds(
            side,
            ritz,
            count + 1,
            step.matrix,
            self.full,
            enough,
            self.probe_rng,
            rounding,
            is_last,
            step.outside,
        )
        self.proofs += 1
        return replace(ceilings, failure_probability=self.proofs * ceilings.failure_probability)

    def is_blurred(
        self, values: Float64Array, count: int, ceilings: UpperBounds, ritz: Ritz
    ) -> bool:
        """Whether rule or rank took for rounding what only float32 products cannot tell from it.

        Where a number of components was asked for, or a share of the variance, the rank matters
        only if they leave nothing that could be seen; else it is stated as a range.
        """
        if self.table.rows.precise:
            return False
        if self.rule.question in ("compression", "request"):
            kept = self.spectrum(values[:count])
            return kept.complete and kept.rank < kept.most
        return self.spectrum(values, ceilings, ritz).blurred

    def settle_for(self, step: Step, count: int) -> SearchResult:
        """The newest step with what is proven of it for nothing: the trace bounds what is left."""
        side, ritz = self.side, step.read_out()
        count = min(count, ritz.size, self.table.most_components)
        ceilings = bounds_by_trace(side, ritz, count + 1)
        verdict = self.judge(ritz.values, ceilings, ritz)
        if verdict is None or components_sought(verdict) != count:
            verdict = Verdict(count, "interrupted", f"{count} components were being sought")
        words = "the fit was interrupted, and this is what was proven by then"
        evidence = self.course(step, ritz, ceilings)
        stop = Verdict(f"after {step.passes} passes", "interrupted", words, evidence)
        kept, ceilings = self.leading(ritz, ceilings, int(verdict.value))
        rank = numerical_rank(self.spectrum(ritz.values))
        return SearchResult(
            kept, ceilings, verdict, rank, stop, False, False, None, interrupted=True
        )

    def course(self, step: Step, ritz: Ritz, ceilings: UpperBounds) -> dict[str, Any]:
        """Passes made, the errors after each of them by the newest proof, and power sums."""
        self.history.values[step.passes] = ritz.values
        side, roofs = self.side, ceilings.values[:-1]
        errors = self.history.errors(roofs, self.arithmetic.rounding(ritz, len(roofs)).values)
        if errors:
            self.table.watch.proven(errors[-1][1])
        sums = power_sums(ritz, side.size, side.trace, step.matrix)
        more = {} if sums is None else {"power_sums": sums}
        return {"passes": step.passes, "errors": errors, **more}

    # -- what to return ----------------------------------------------------------------------

    def leading(self, ritz: Ritz, ceilings: UpperBounds, rank: int) -> tuple[Ritz, UpperBounds]:
        """Exactly the components to return, which may be none, and one ceiling more."""
        return self.components(ritz, rank), replace(ceilings, values=ceilings.values[: rank + 1])

    def components(self, ritz: Ritz, rank: int) -> Ritz:
        """On the feature side, `rank` of them. From the row side: A'u, read out with one pass."""
        if isinstance(self.side, FeatureSide) or rank == 0:
            vectors = np.array(ritz.vectors(rank)) if rank else np.zeros((self.table.shape[1], 0))
            return ritz.leading(rank, vectors)
        nothing = np.zeros((self.table.shape[1], 0))
        pulled = self.table.pull_back(ritz.vectors(rank))
        vectors = extend_basis(nothing, pulled, self.probe_rng)[0]
        image = self.table.covariance_times(vectors)
        read = ritz_of_image(vectors, image, exposure_of(FeatureSide(self.table), vectors))
        return read.leading(rank)


def components_sought(verdict: Verdict) -> int:
    """How many components to look for: at least one, also to see that none is worth keeping."""
    return max(1, int(verdict.value))
