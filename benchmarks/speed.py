"""Speed: time to a given accuracy, and peak memory, of ours beside scikit-learn's solvers.

For each table: fit with everyone in turn, judge the answers in float64, and compare our median time
with that of the fastest scikit-learn solver among those that reached the accuracy we were asked
for. A solver that has not reached it has no time. On tall tables the bare product X'X is timed too:
nothing that forms the covariance matrix can be faster.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from benchmarks.judge import Mark, judged
from benchmarks.measure import Times, median, one_round, rounds_due
from benchmarks.memory import kept_in_file, peak_shares
from benchmarks.peers import OURS, Answer, Competitor, competitors
from benchmarks.tables import Table

__all__ = ["BARE", "measured_case"]

BARE = "bare product"
CRITERIA = ("variance_error", "eigenvalue_error")
COPIES = "randomized"  # the peer whose memory is shown beside ours on some tables


def measured_case(table: Table, rank: int, repeats: int, with_memory: bool) -> dict[str, Any]:
    """One table's line of the results."""
    field = competitors(table.rows, rank, table.tolerance)
    times, answers, marks = timed(table, field, repeats)
    entrants = [entry(one, times[one.name], marks[one.name], answers[one.name]) for one in field]
    mine = entrants[0]
    return {
        "name": table.name,
        "group": table.group,
        "shape": list(table.rows.shape),
        "dtype": str(table.rows.dtype),
        "rank": rank,
        "tolerance": table.tolerance,
        "stored_bytes": table.stored_bytes,
        "entrants": entrants,
        "bare_seconds": median(times[BARE]) if BARE in times else None,
        "fastest": {one: fastest(entrants, one, table.tolerance) for one in CRITERIA},
        "ratio_to_arpack": ratio(mine, named(entrants, "arpack")),
        "memory": memory_shares(table, rank) if with_memory else None,
    }


def timed(
    table: Table, field: list[Competitor], repeats: int
) -> tuple[Times, dict[str, Answer], dict[str, Mark]]:
    """Wall seconds, answers and marks by name; the answers of later rounds are the same."""
    rows, times = table.rows, Times()
    works = {one.name: lambda one=one: one.fit(rows) for one in field}
    if table.group == "tall":
        works[BARE] = lambda: rows.T @ rows
    fitted = one_round(works, times)
    answers = {one.name: one.answer(fitted[one.name]) for one in field}
    del fitted
    marks = judged(rows, answers, table.leading)
    reached = {
        one.name
        for one in field
        if not one.is_ours and marks[one.name].variance_error <= table.tolerance
    }
    due = rounds_due(times, reached, {OURS, BARE}, repeats)
    for done in range(1, repeats):
        one_round({name: work for name, work in works.items() if due[name] > done}, times)
    return times, answers, marks


def entry(one: Competitor, seconds: list[float], mark: Mark, answer: Answer) -> dict[str, Any]:
    return {
        "name": one.name,
        "is_default": one.is_default,
        "median_seconds": median(seconds),
        "seconds": seconds,
        **asdict(mark),
        **answer.claims,
    }


def fastest(entrants: list[dict[str, Any]], criterion: str, tolerance: float) -> dict[str, Any]:
    """The fastest peer that reached the tolerance, and how many times longer it took than ours."""
    mine, *peers = entrants
    able = [one for one in peers if one[criterion] <= tolerance]
    best = min(able, key=lambda one: one["median_seconds"], default=None)
    return {
        "peer": None if best is None else best["name"],
        "ratio": ratio(mine, best),
        "ours_reached": mine[criterion] <= tolerance,
    }


def ratio(mine: dict[str, Any], peer: dict[str, Any] | None) -> float | None:
    return None if peer is None else peer["median_seconds"] / mine["median_seconds"]


def named(entrants: list[dict[str, Any]], name: str) -> dict[str, Any] | None:
    return next((one for one in entrants if one["name"] == name), None)


def memory_shares(table: Table, rank: int) -> dict[str, Any]:
    names = [OURS]
    if table.group == "large" and table.name.endswith("1/i float64"):
        names.append(COPIES)
    with kept_in_file(table.rows) as path:
        return {
            name: peak_shares(path, table.stored_bytes, name, rank, table.tolerance)
            for name in names
        }
