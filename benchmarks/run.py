"""Run the benchmarks: `python -m benchmarks.run`, or `make bench`.

--dry          tiny tables, a few seconds: does everything run, is the JSON valid?
--only NAME    only tables whose name contains NAME, or one of the other pages (defaults, accuracy,
               single_cell, files, fields, budget, small, missing, rank, dimension, flatness,
               kernel, gpu, limits, downstream, drawing, reports, categories, cluster,
               autoencoder, transition); "noise" runs only when so asked for.
               Prints, and stores only with --out: a part never replaces the whole
--repeats N    rounds for those who can matter (5)
--out FOLDER   where to store (benchmarks/results); each page as soon as it is measured
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks import report, speed
from benchmarks.measure import limited_threads
from benchmarks.pages import PAGES, Page
from benchmarks.peers import competitors
from benchmarks.tables import DRY, FULL, NOISE, skipped, tables
from benchmarks.targets import summary

RESULTS = Path(__file__).parent / "results"


def main(arguments: list[str] | None = None) -> int:
    options = parsed(arguments)
    if options.dry:
        with limited_threads(1):  # on tiny tables threads only wait for each other
            return dry_run(options.only)
    folder = options.out or (None if options.only else RESULTS)
    for name, results in run(options.only, options.repeats):
        # At once: what was measured stays, whatever becomes of the pages after it.
        if folder is not None:
            report.write(name, results, text_of(name, results), folder)
        print(f"\n{text_of(name, results)}\n{name}: {results['seconds']:.0f} s", flush=True)
    return 0


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--dry", action="store_true", help="tiny tables, nothing stored")
    parser.add_argument("--only", metavar="NAME", help="only tables whose name contains NAME")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="rounds (5)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to store the results")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error(f"--repeats is {options.repeats}; give 1 or more")
    return options


def run(only: str | None, repeats: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every page of results, or the part of them that was asked for, one by one."""
    if only not in PAGES:
        with limited_threads():
            warm_up()
            speeds = speed_results(False, wanted_by(only), repeats)
        yield "speed", speeds
    for name, page in PAGES.items():
        if only in (None, name):
            with limited_threads(page.threads):
                results = page.measure(False, repeats)
            yield name, results


def dry_run(only: str | None) -> int:
    """Everything, small, stored in passing and read back; the exit status tells."""
    start = time.perf_counter()
    pages = {name: page for name, page in PAGES.items() if only in (None, name)}
    wanted = (lambda name: True) if only is None else wanted_by(only)
    speeds = {"cases": []} if pages and only else speed_results(True, wanted, 2)
    found = {name: page.measure(True, 1) for name, page in pages.items()}
    found |= {"speed": speeds} if speeds["cases"] else {}
    with TemporaryDirectory() as folder:
        for name, results in found.items():
            path = report.write(name, results, text_of(name, results), Path(folder))
            report.checked(path, SPEED.required if name == "speed" else PAGES[name].required)
    broken = [
        f"{case['name']}: certified to {case['tolerance']:.0e}, missed {ours['variance_error']:.1e}"
        for case in speeds["cases"]
        for ours in case["entrants"][:1]
        if ours["certified"] and ours["variance_error"] > case["tolerance"]
    ]
    for words in broken:
        print(words, file=sys.stderr)
    count, took = len(speeds["cases"]), time.perf_counter() - start
    print(f"dry run: {count} tables and {len(pages)} pages, valid JSON, {took:.1f} s")
    return 1 if broken else 0


def text_of(name: str, results: dict[str, Any]) -> str:
    page = SPEED if name == "speed" else PAGES[name]
    return report.with_foot(page.markdown(results), results)


def speed_results(dry: bool, wanted: Callable[[str], bool], repeats: int) -> dict[str, Any]:
    start = time.perf_counter()
    sizes = DRY if dry else FULL
    cases: list[dict[str, Any]] = []
    for table in tables(sizes, wanted):
        # A fresh process takes a second to start: a dry run has time for a dense and a sparse one.
        with_memory = not dry or not cases or table.group == "sparse"
        case = speed.measured_case(table, sizes.rank, repeats, with_memory)
        cases.append(case)
        if not dry:
            print(progress(case, time.perf_counter() - start), flush=True)
        del table
    return {
        "environment": report.environment(),
        "seconds": time.perf_counter() - start,
        "summary": summary(cases),
        "cases": cases,
        "skipped": skipped(wanted),
    }


SPEED = Page(
    lambda dry, repeats: speed_results(dry, wanted_by(None), repeats),
    report.speed_page,
    ("summary", "cases", "skipped"),
)


def progress(case: dict[str, Any], elapsed: float) -> str:
    mine, best = case["entrants"][0], case["fastest"]["variance_error"]
    versus = f"{best['ratio']:.2f} x {best['peer']}" if best["peer"] else "no peer reached it"
    return f"{elapsed:5.0f} s  {case['name']:36} {mine['median_seconds']:.3f} s  {versus}"


def wanted_by(only: str | None) -> Callable[[str], bool]:
    """Names that contain `only`, or all; noise only where it is asked for."""

    def wanted(name: str) -> bool:
        asked = only or ""
        return asked in name and (NOISE in asked or NOISE not in name)

    return wanted


def warm_up() -> None:
    """Everybody once on a tiny table: what is loaded or measured once per process is not timed."""
    rows = np.random.default_rng(0).standard_normal((200, 30))
    for one in competitors(rows, 3, 1e-6):
        one.fit(rows)


if __name__ == "__main__":
    sys.exit(main())
