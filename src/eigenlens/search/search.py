"""search: the loop between a solver, a rule for k and the proof.

    take a step  ->  does it look done?  ->  prove it  ->  good enough?  ->  else ask for more

The solver never decides when to stop, the rule never computes, the proof never trusts the solver.
The records that one result goes through:

    Step           solvers       values after a pass, with the solver's guess at their errors
    └─ Ritz        algebra       V, H and F: what the subspace knows of the matrix
       └─ Ceilings certificate   proven upper bounds on the eigenvalues
    SearchResult   search        the components to return, their ceilings, k and why it stopped
    └─ Proof       model         Ritz, Ceilings and the facts of the table
       └─ Subspace model         the frozen answer; its certificate is computed from the proof
                                 when it is first asked for (`certificate/certify.py`)
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from eigenlens.certificate.rounding import least_relative
from eigenlens.certificate.target import Target
from eigenlens.rank.rule import Rule
from eigenlens.search.prove import Prover, SearchResult, Shortfall, components_sought
from eigenlens.search.read_out import is_worth_exploring, read_out_in_double
from eigenlens.solvers.step import Ask, Solver, Step, next_step
from eigenlens.solvers.stopping import Reason, Tolerance, limit_of
from eigenlens.table.table import TableOperator

__all__ = ["Search"]

SolverForMore: TypeAlias = Callable[[Solver, int], Solver | None]
MOST_ATTEMPTS = 12
SMALLEST_AIM = 1e-30


@dataclass
class Search:
    """One table, one rule for k, one target; `run` may be called with one solver after another.

    `keeps_matrix`: a matrix that is formed is kept with the model, so in full precision.
    `forgiving`: an interrupt ends the search with what is proven by then. `interrupted`: there was
    one already, and the first step is the last. `solver_for_more`: whom to go on with where the
    rule wants many more components than the solver was chosen for; None: nothing would change.
    """

    table: TableOperator
    rule: Rule
    target: Target
    full: bool
    forgiving: bool
    rng: np.random.Generator
    interrupted: bool = False
    keeps_matrix: bool = False
    solver_for_more: SolverForMore | None = None
    least: int = 0  # components that an earlier solver was not enough for
    proofs: int = 0  # each draws probes of its own, and each may fail
    newest: tuple[Step, int] | None = None  # the last step, and how many components it is for
    solver: Solver = field(init=False)
    prover: Prover = field(init=False)

    def run(self, solver: Solver) -> SearchResult:
        """The leading subspace, as accurate as asked for or as the solver can."""
        table = self.table
        self.solver, self.limit = solver, limit_of(solver)
        self.solver_rng, probe_rng = self.rng.spawn(2)
        self.prover = Prover(table, self.rule, self.target, self.full, solver, probe_rng)
        self.prover.proofs = self.proofs
        table.chained = table.chained or not solver.forms_matrix
        explore = not (self.keeps_matrix and solver.forms_matrix)
        if not table.rows.precise and not self.proves_in_single(explore):
            table.compute_in_double()
        while True:
            with nullcontext() if solver.forms_matrix else table.rows.undisturbed():
                found = self.iterate_or_give_up()
            self.proofs = self.prover.proofs
            if isinstance(found, SearchResult):
                if found.interrupted or table.rows.precise or not found.spoiled:
                    return found
            elif not isinstance(found, Shortfall):
                return self.run(found)
            # Float32 products cannot carry the accuracy asked for.
            if not explore or self.newest is None:
                table.compute_in_double()
            elif read := read_out_in_double(self.prover, found, *self.newest):
                return read

    def proves_in_single(self, explore: bool) -> bool:
        """Whether to begin with float32 products: they may be enough, or all but the read-out."""
        if self.target.rounding_relative > least_relative(self.table):
            return True
        rank = self.rule.first_guess(self.table.most_components)
        return explore and is_worth_exploring(self.table, self.target, self.solver, rank)

    def iterate_or_give_up(self) -> SearchResult | Shortfall | Solver:
        try:
            return self.iterate()
        except KeyboardInterrupt:
            if not self.forgiving or self.newest is None:
                raise
        return self.prover.settle_for(*self.newest)

    def iterate(self) -> SearchResult | Shortfall | Solver:
        """What is proven, why this precision cannot prove it, or the solver to begin with anew."""
        prover, most = self.prover, self.table.most_components
        first = max(self.rule.first_guess(most), self.least)
        ask = Ask(first, self.first_aim, *self.target.closeness)
        steps = self.solver.steps(prover.side, ask, self.solver_rng)
        step = next(steps)
        prover.history.values.clear()
        attempts = at_least = 0
        while True:
            count, decided = prover.count_components(step, ask)
            self.newest = step, count
            prover.history.values[step.passes] = step.values
            if self.interrupted:
                return prover.settle_for(step, count)
            accuracy = ask.accuracy
            reason = (self.limit | Tolerance(accuracy))(step.leading(count))
            if reason is not None and (decided or reason.final):
                outcome = prover.prove(step, count, reason)
                if isinstance(outcome, SearchResult):
                    done = outcome.met or reason.final or attempts == MOST_ATTEMPTS
                    if done or outcome.spoiled:
                        return outcome
                    count, attempts = components_sought(outcome.rank), attempts + 1
                if outcome is Shortfall.PRECISION:
                    return outcome
                if outcome is Shortfall.COLUMNS and ask.rank < most:
                    at_least = min(most, 2 * ask.rank)
                else:
                    accuracy = max(accuracy / 10, SMALLEST_AIM)
            wanted = max(count, at_least)
            larger = self.solver_for_more and self.solver_for_more(self.solver, wanted)
            if larger is not None:
                self.least = wanted
                return larger
            ask = Ask(wanted, accuracy, *self.target.closeness, attempts)
            after = next_step(steps, ask)
            if after is None:
                return self.prove_last(step, count)
            step = after

    @property
    def first_aim(self) -> float:
        """Half of what the target leaves beside rounding."""
        relative = self.target.relative
        if self.target.statistical:
            return relative / 2
        return max(relative - least_relative(self.table), relative / 20) / 2

    def prove_last(self, step: Step, count: int) -> SearchResult:
        reason = Reason("the solver has nothing more to add", final=True)
        outcome = self.prover.prove(step, count, reason)
        if not isinstance(outcome, SearchResult):
            raise RuntimeError("a final step is always read out")
        return outcome
