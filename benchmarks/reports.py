"""Reports: how large a page is, how long it takes, and the most memory its writing holds.

    digits     1 797 x 64, the handwritten digits of scikit-learn, with their labels as groups
    many       100 000 x 50 with a name per row, all of them on the map
    very many  1 000 000 x 50 in a .npy file: a sample on the map, over a density of all rows

Each is written by a fresh process; the time is that of `eigenlens.report` alone, what it imports
included, the fit before it not. Memory is anonymous resident bytes at their highest.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.files import STATUS, highest_while
from benchmarks.measure import limited_threads
from benchmarks.report import summary_table, table
from benchmarks.tables import REPOSITORY

__all__ = ["DRY_REPORTS", "FULL_REPORTS", "ReportSizes", "reports_page", "reports_results"]

COMPONENTS = 10
CHUNK = 50_000
HEADINGS = ("", "rows × columns", "seconds", "of the processor", "page, MB", "memory, MB")


@dataclass(frozen=True)
class ReportSizes:
    """`many` and `very_many` rows of `columns` columns; None leaves a case out."""

    many: int
    very_many: int | None
    columns: int
    digits: bool = True


FULL_REPORTS = ReportSizes(100_000, 1_000_000, 50)
DRY_REPORTS = ReportSizes(300, None, 5, digits=False)


def reports_results(sizes: ReportSizes) -> list[dict[str, Any]]:
    cases = []
    with TemporaryDirectory() as folder:
        if sizes.digits:
            cases.append(case("digits", digits_in(Path(folder)), "0.95"))
        rank = str(min(COMPONENTS, sizes.columns))
        many = rows_in(Path(folder) / "many.npy", sizes.many, sizes.columns)
        cases.append(case("many", many, rank))
        many.unlink()
        if sizes.very_many is not None:
            path = rows_in(Path(folder) / "very_many.npy", sizes.very_many, sizes.columns)
            cases.append(case("very many", path, rank))
    return cases


def digits_in(folder: Path) -> Path:
    from sklearn.datasets import load_digits

    np.save(folder / "digits.npy", load_digits().data)
    return folder / "digits.npy"


def rows_in(path: Path, n: int, d: int) -> Path:
    """Three clusters in eight directions, noise in all, and one row in a thousand far off."""
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((8, d)) * np.linspace(3, 1, 8)[:, None]
    table = np.lib.format.open_memmap(path, "w+", dtype=np.float32, shape=(n, d))
    for start in range(0, n, CHUNK):
        count = min(CHUNK, n - start)
        scores = rng.standard_normal((count, 8))
        cluster = rng.integers(0, 3, count)
        scores[:, 0] += 3 * (cluster == 1)
        scores[:, 1] += 3 * (cluster == 2)
        rows = scores @ directions + rng.standard_normal((count, d))
        rows[rng.random(count) < 0.001] += 15
        table[start : start + count] = rows
    table.flush()
    return path


def case(name: str, path: Path, rank: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.reports", name, str(path), rank]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the report of {name} failed:\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return {"name": name, **found}


def child(name: str, path: str, rank: str) -> dict[str, Any]:
    """In the fresh process."""
    import eigenlens

    model = eigenlens.fit(path, float(rank) if "." in rank else int(rank))
    target = Path(path).with_suffix(".html")
    given: dict[str, Any] = {}
    if name == "many":
        given["labels"] = [f"row-{place:06d}" for place in range(model.n_rows)]

    def work() -> None:
        eigenlens.report(model, path, target, **given)

    start, busy = time.perf_counter(), time.process_time()
    work()
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    # Once more to be watched: looking every few milliseconds takes its own time.
    highest = highest_while(work) if STATUS.exists() else None
    return {
        "rows": model.n_rows,
        "columns": model.n_features,
        "seconds": seconds,
        "processor_seconds": busy,
        "page_bytes": target.stat().st_size,
        "memory_bytes": highest,
    }


def reports_page(results: dict[str, Any]) -> list[str]:
    body = [
        (
            one["name"],
            f"{one['rows']:,} × {one['columns']}",
            f"{one['seconds']:.1f}",
            f"{one['processor_seconds']:.1f}",
            f"{one['page_bytes'] / 1e6:.2f}",
            "–" if one["memory_bytes"] is None else f"{one['memory_bytes'] / 1e6:.0f}",
        )
        for one in results["reports"]
    ]
    return [
        "# Reports",
        "",
        "One page per table, each by a fresh process; `benchmarks/reports.py`.",
        "",
        *summary_table(results["summary"]),
        *table(
            ("", "rows × columns", "seconds", "of the processor", "page, MB", "memory, MB"), body
        ),
    ]


if __name__ == "__main__":
    with limited_threads():
        print(json.dumps(child(*sys.argv[1:])))
