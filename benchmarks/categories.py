"""Multiple correspondence analysis beside prince: digits, seconds, memory.

Columns of levels that five hidden variables and noise decide; k = 5. Every fit runs in a process
of its own, which says its wall seconds and by how much its memory grew beyond the table. Digits are
the largest relative error of the five eigenvalues, against a fit certified to 1e-10. prince is run
with 3 (its default), 10, 30 and 100 iterations of its randomized SVD, up to the first that has six
digits; that one and ours are repeated in turns.

prince is installed for this page only: `pip install --target FOLDER prince`, and
`EIGENLENS_PRINCE=FOLDER python -m benchmarks.run --only categories`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import summary_table, table
from benchmarks.targets import Target

__all__ = [
    "DRY_CATEGORIES",
    "FULL_CATEGORIES",
    "CategorySizes",
    "categories_page",
    "categories_results",
    "categories_summary",
]

COMPONENTS = 5
ITERATIONS = (3, 10, 30, 100)
DIGITS = 1e-6
SPREADS = np.array([3.0, 2.5, 2.0, 1.5, 1.2])


@dataclass(frozen=True)
class Case:
    rows: int
    columns: int
    levels: int
    memory: str | None = None
    beside_prince: bool = True


@dataclass(frozen=True)
class CategorySizes:
    cases: tuple[Case, ...]
    repeats: int


FULL_CATEGORIES = CategorySizes(
    (
        Case(10_000, 10, 20),
        Case(100_000, 10, 20),
        Case(1_000_000, 20, 1000, memory="500MB", beside_prince=False),
    ),
    repeats=2,
)
DRY_CATEGORIES = CategorySizes((Case(300, 3, 4),), repeats=1)


def draw(case: Case) -> Any:
    """A pandas frame of categories, the same for everybody."""
    import pandas

    rng = np.random.default_rng(case.rows)
    hidden = rng.standard_normal((case.rows, len(SPREADS))) * SPREADS
    names = [f"l{level:04d}" for level in range(case.levels)]
    columns = {}
    for place in range(case.columns):
        mix = rng.standard_normal(len(SPREADS))
        seen = hidden @ mix / np.linalg.norm(mix * SPREADS)
        seen += 0.7 * rng.standard_normal(case.rows)
        ranks = np.argsort(np.argsort(seen))
        columns[f"c{place}"] = pandas.Categorical.from_codes(
            ranks * case.levels // case.rows, names
        )
    return pandas.DataFrame(columns)


# -- in a process of its own -------------------------------------------------------------------


def fit_here(case: Case, peer: str, iterations: int, tolerance: float | None) -> dict[str, Any]:
    frame = draw(case)
    if peer == "prince":
        sys.path.insert(0, os.environ["EIGENLENS_PRINCE"])
        import prince

        def work() -> Any:
            return prince.MCA(COMPONENTS, n_iter=iterations, random_state=0).fit(frame).eigenvalues_
    else:
        import eigenlens as el

        options = {"memory": case.memory, "rare": 0, "tolerance": tolerance}

        def work() -> Any:
            model = el.fit(frame, COMPONENTS, categories=list(frame.columns), **options)
            certificate = model.certificate
            certified.update(error=certificate.relative_error, kind=certificate.kind)
            return model.eigenvalues

    certified: dict[str, Any] = {}
    before = memory_in_use("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    start = time.perf_counter()
    values = work()
    seconds = time.perf_counter() - start
    grown = memory_in_use("VmHWM") - before
    return {"values": list(map(float, values)), "seconds": seconds, "bytes": grown, **certified}


def memory_in_use(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    return 0


def fit_apart(
    case: Case, peer: str, iterations: int = 0, tolerance: float | None = None
) -> dict[str, Any]:
    asked = json.dumps([asdict(case), peer, iterations, tolerance])
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.categories", asked],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


# -- the page ----------------------------------------------------------------------------------


def categories_results(sizes: CategorySizes) -> list[dict[str, Any]]:
    lines = []
    for case in sizes.cases:
        exact = np.array(fit_apart(case, "eigenlens", tolerance=1e-10)["values"])
        runs: dict[str, list[dict[str, Any]]] = {"eigenlens": []}
        peers = [("eigenlens", 0)]
        if case.beside_prince and "EIGENLENS_PRINCE" in os.environ:
            for iterations in ITERATIONS:
                peers.append(("prince", iterations))
                first = fit_apart(case, "prince", iterations)
                runs[f"prince, {iterations} iterations"] = [first]
                if error_of(first, exact) <= DIGITS:
                    break
        for _ in range(sizes.repeats):
            for peer, iterations in dict.fromkeys((peers[0], peers[-1])):
                name = peer if peer == "eigenlens" else f"prince, {iterations} iterations"
                runs[name].append(fit_apart(case, peer, iterations))
        for name, found in runs.items():
            lines.append(
                {
                    **asdict(case),
                    "name": name,
                    "error": max(error_of(one, exact) for one in found),
                    "median_seconds": float(np.median([one["seconds"] for one in found])),
                    "bytes": max(one["bytes"] for one in found),
                    "certified": found[0].get("error"),
                    "kind": found[0].get("kind"),
                }
            )
    return lines


def error_of(run: dict[str, Any], exact: Any) -> float:
    return float(np.abs(np.array(run["values"]) / exact - 1).max())


def times_faster(rows: int) -> Callable[[list[dict[str, Any]]], float | None]:
    """Than prince with its first setting that has six digits."""

    def value(lines: list[dict[str, Any]]) -> float | None:
        here = {one["name"]: one for one in lines if one["rows"] == rows}
        ours = here.pop("eigenlens", None)
        good = [one for one in here.values() if one["error"] <= DIGITS]
        return good[0]["median_seconds"] / ours["median_seconds"] if ours and good else None

    return value


def megabytes_at(rows: int) -> Callable[[list[dict[str, Any]]], float | None]:
    return lambda lines: next((one["bytes"] / 1e6 for one in lines if one["rows"] == rows), None)


FASTER = "times faster than prince, 100 000 x 10 x 20 levels, six digits"
SMALLER = "MB beyond the table, 1 000 000 x 20 x 1000 levels"
TARGETS = (
    Target(FASTER, times_faster(100_000), 5.0),
    Target(SMALLER, megabytes_at(1_000_000), 500.0, at_least=False),
)


def categories_summary(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [target.line(lines) for target in TARGETS]


def categories_page(results: dict[str, Any]) -> list[str]:
    lines = results["fits"]
    body = [
        (
            f"{one['rows']:,} x {one['columns']} x {one['levels']}",
            one["name"],
            f"{one['median_seconds']:.2f}",
            f"{one['error']:.1e}",
            f"{one['bytes'] / 1e6:.0f}",
            "" if one["certified"] is None else f"{one['certified']:.1e}, {one['kind']}",
        )
        for one in lines
    ]
    return [
        "# Categories: MCA beside prince",
        "",
        "Rows x columns x levels, k = 5; `benchmarks/categories.py`. Memory is by what the process",
        'grew beyond the table; the fit with 1000 levels has `memory="500MB"`.',
        "",
        *summary_table(results["summary"]),
        *table(("table", "who", "seconds", "error", "MB", "certified"), body),
    ]


if __name__ == "__main__":
    given, peer, iterations, tolerance = json.loads(sys.argv[1])
    print(json.dumps(fit_here(Case(**given), peer, iterations, tolerance)))
