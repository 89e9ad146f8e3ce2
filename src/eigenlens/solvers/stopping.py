"""Stop rules: objects that look at a step and say why to stop there, or nothing.

    stop = Tolerance(1e-6) | Passes(30) | WallClock(60)

Combined with `|`, the first rule that speaks decides. A rule that is `final` ends the work; the
others only ask for a certificate, after which work may go on. A rule is a value, good for any
number of fits: each calls `started()` once when it begins, and asks what that returns.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Protocol

from eigenlens.algebra.precision import EPS
from eigenlens.errors import OptionError
from eigenlens.solvers.step import Solver, Step

__all__ = ["Either", "Passes", "Reason", "StopRule", "Tolerance", "WallClock", "limit_of"]


@dataclass(frozen=True)
class Reason:
    """Why to stop, in words; `final` when no more work may be done."""

    words: str
    final: bool


class StopRule(Protocol):
    def __call__(self, step: Step) -> Reason | None: ...

    def __or__(self, other: StopRule) -> Either: ...

    def started(self) -> StopRule:
        """The rule as it is at the beginning of a fit: itself, unless it has a clock to start."""


@dataclass(frozen=True)
class Tolerance:
    """Stop when every eigenvalue seems to be within this relative error."""

    relative: float

    def __post_init__(self) -> None:
        if not self.relative > 0:
            raise OptionError.not_positive("tolerance", self.relative)

    def __call__(self, step: Step) -> Reason | None:
        floor = EPS * step.values.max(initial=0.0)
        if (step.errors <= self.relative * step.values + floor).all():
            return Reason(f"estimated relative errors are below {self.relative:.1g}", final=False)
        return None

    def started(self) -> Tolerance:
        return self

    def __or__(self, other: StopRule) -> Either:
        return Either(self, other)


@dataclass(frozen=True)
class Passes:
    """Stop after so many building passes."""

    most: int

    def __post_init__(self) -> None:
        if not self.most > 0:
            raise OptionError.not_positive("max_passes", self.most)

    def __call__(self, step: Step) -> Reason | None:
        if step.passes >= self.most:
            return Reason(f"{self.most} passes were allowed", final=True)
        return None

    def started(self) -> Passes:
        return self

    def __or__(self, other: StopRule) -> Either:
        return Either(self, other)


@dataclass(frozen=True)
class WallClock:
    """Stop after so many seconds, counted from when a fit starts."""

    seconds: float
    since: float | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise OptionError.not_positive("seconds", self.seconds)

    def __call__(self, step: Step) -> Reason | None:
        if self.since is None:
            raise OptionError.needs(f"{self!r}", "a running clock", f"ask {self!r}.started()")
        if time.monotonic() - self.since >= self.seconds:
            return Reason(f"{self.seconds:g} seconds were allowed", final=True)
        return None

    def started(self) -> WallClock:
        return replace(self, since=time.monotonic())

    def __or__(self, other: StopRule) -> Either:
        return Either(self, other)


@dataclass(frozen=True)
class Either:
    """The first of two rules that speaks; a final reason wins over one that is not."""

    first: StopRule
    second: StopRule

    def __call__(self, step: Step) -> Reason | None:
        reasons = [reason for rule in (self.first, self.second) if (reason := rule(step))]
        return min(reasons, key=lambda reason: not reason.final, default=None)

    def started(self) -> Either:
        return Either(self.first.started(), self.second.started())

    def __or__(self, other: StopRule) -> Either:
        return Either(self, other)


def limit_of(solver: Solver) -> StopRule:
    """What the solver's own options allow, with any clock started now."""
    passes = Passes(getattr(solver, "max_passes", None) or 1 << 60)
    own: StopRule | None = getattr(solver, "stop", None)
    return passes if own is None else passes | own.started()
