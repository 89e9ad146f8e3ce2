"""Stop rules: when each speaks, whether it is final, and from when a clock counts."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

import eigenlens as el
from eigenlens.solvers import (
    BlockKrylov,
    OrthogonalIteration,
    Passes,
    PowerIteration,
    Randomized,
    Tolerance,
    WallClock,
)
from eigenlens.solvers.step import Step
from tests.problems import make_table


@pytest.fixture
def clock(monkeypatch):
    """Time that passes only when told to."""
    told = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(time, "monotonic", lambda: told.now)
    return told


def step(passes=3, values=(2.0, 1.0), errors=(1e-3, 1e-3)):
    return Step(passes, np.array(values), np.array(errors), lambda: None)


def test_a_tolerance_speaks_when_every_error_is_small_and_is_not_final():
    assert Tolerance(1e-4)(step()) is None
    reason = Tolerance(2e-3)(step())
    assert "0.002" in reason.words
    assert not reason.final


def test_a_number_of_passes_is_final():
    assert Passes(4)(step()) is None
    reason = Passes(3)(step())
    assert "3 passes" in reason.words
    assert reason.final


def test_a_wall_clock_is_final_and_counts_from_when_it_is_started(clock):
    rule = WallClock(5)
    clock.now += 100

    running = rule.started()
    clock.now += 4.9
    assert running(step()) is None
    clock.now += 0.1
    reason = running(step())

    assert "5 seconds" in reason.words
    assert reason.final


def test_a_wall_clock_serves_one_fit_after_the_other(clock):
    rule = WallClock(5)
    first = rule.started()
    clock.now += 6

    second = rule.started()

    assert first(step()) is not None
    assert second(step()) is None
    assert rule == first == second


def test_a_clock_that_does_not_run_cannot_be_asked():
    with pytest.raises(el.OptionError, match=r"Ask WallClock\(seconds=5\).started\(\)"):
        WallClock(5)(step())


def test_rules_without_a_clock_are_the_same_when_started():
    for rule in (Tolerance(1e-3), Passes(3)):
        assert rule.started() is rule


def test_a_combined_rule_starts_the_clocks_within(clock):
    rule = Tolerance(1e-9) | Passes(30) | WallClock(5)
    clock.now += 6

    running = rule.started()

    assert running(step()) is None
    clock.now += 6
    assert "5 seconds" in running(step()).words
    assert rule.started()(step()) is None


def test_rules_combined_speak_when_any_of_them_does():
    rule = Tolerance(1e-9) | Passes(3) | WallClock(3600).started()

    assert rule(step(passes=2)) is None
    assert "3 passes" in rule(step()).words


def test_a_final_reason_wins_over_one_that_is_not():
    early, late = Tolerance(1) | Passes(3), Passes(3) | Tolerance(1)

    assert early(step()).final
    assert late(step()).final


@pytest.mark.parametrize(
    ("make", "name"), [(Tolerance, "tolerance"), (Passes, "max_passes"), (WallClock, "seconds")]
)
def test_a_stop_rule_without_room_fails_at_birth(make, name):
    with pytest.raises(el.OptionError, match=f"{name}=0 must be a number greater than 0"):
        make(0)


@pytest.mark.parametrize("make", [BlockKrylov, OrthogonalIteration, PowerIteration, Randomized])
def test_a_fit_stops_when_its_time_is_up(make):
    rows = make_table(60, 40, 1, decay="slow")
    solver = make(stop=WallClock(1e-9))

    for _ in range(2):  # one rule serves several fits
        with pytest.warns(el.NotCertified):
            model = el.fit(rows, 3, solver=solver, tolerance=1e-12)
        assert "1e-09 seconds were allowed" in model.choices["stop"].reason


def test_a_fit_that_has_time_left_does_not_mind_the_clock():
    rows = make_table(60, 20, 1, decay="fast")

    timed = el.fit(rows, 3, solver=BlockKrylov(stop=WallClock(3600)), tolerance=1e-6)

    plain = el.fit(rows, 3, solver=BlockKrylov(), tolerance=1e-6)
    np.testing.assert_array_equal(timed.components, plain.components)
