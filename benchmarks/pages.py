"""Pages: what `make bench` measures, one page of results each, whole and as a dry run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks import accuracy, report
from benchmarks.autoencoder import DRY_CODERS, FULL_CODERS, coder_page, coder_results
from benchmarks.budget import DRY_BUDGET, FULL_BUDGET, BudgetSizes, budget_results
from benchmarks.calibration import (
    DRY_CALIBRATION,
    FULL_CALIBRATION,
    calibration_page,
    calibration_results,
)
from benchmarks.categories import (
    DRY_CATEGORIES,
    FULL_CATEGORIES,
    categories_page,
    categories_results,
    categories_summary,
)
from benchmarks.cluster import DRY_CLUSTER, FULL_CLUSTER, cluster_results
from benchmarks.cluster_page import cluster_markdown
from benchmarks.defaults import defaults_page, defaults_results
from benchmarks.dimension import (
    DRY_DIMENSION,
    FULL_DIMENSION,
    dimension_markdown,
    dimension_results,
)
from benchmarks.downstream import (
    DRY_DOWNSTREAM,
    FULL_DOWNSTREAM,
    downstream_page,
    downstream_results,
)
from benchmarks.drawing import DRY_DRAWING, FULL_DRAWING, drawing_page, drawing_results
from benchmarks.fields import DRY_FIELDS, FULL_FIELDS, fields_page, fields_results
from benchmarks.files import DRY_FILES, FULL_FILES, FileSizes, files_results
from benchmarks.flatness import flatness_markdown, flatness_results
from benchmarks.gpu import DRY_GPU, FULL_GPU, gpu_page, gpu_results
from benchmarks.kernel_page import DRY_KERNEL, FULL_KERNEL, kernel_markdown, kernel_results
from benchmarks.limits import DRY_LIMITS, FULL_LIMITS, limits_page, limits_results
from benchmarks.measure import THREADS
from benchmarks.missing import DRY_MISSING, FULL_MISSING, missing_page, missing_results
from benchmarks.rank import DRY_RANK, FULL_RANK, RankSizes, rank_page, rank_results
from benchmarks.reports import DRY_REPORTS, FULL_REPORTS, reports_page, reports_results
from benchmarks.robust import DRY_ROBUST, FULL_ROBUST, robust_page, robust_results
from benchmarks.single_cell import single_cell_page, single_cell_results
from benchmarks.small import DRY_SMALL, FULL_SMALL, small_page, small_results
from benchmarks.targets import (
    budget_summary,
    drawing_summary,
    files_summary,
    flatness_summary,
    limits_summary,
    reports_summary,
)
from benchmarks.transition import (
    DRY_TRANSITION,
    FULL_TRANSITION,
    transition_page,
    transition_results,
)

__all__ = ["PAGES", "Page"]

Results = dict[str, Any]


@dataclass(frozen=True)
class Page:
    """`measure(dry, repeats)` gives the results, `markdown` the lines that show them."""

    measure: Callable[[bool, int], Results]
    markdown: Callable[[Results], list[str]]
    required: tuple[str, ...]
    threads: int = THREADS  # of BLAS: on small tables two of them only wait for each other


def timed(results: Callable[[], Results]) -> Results:
    """With where it was measured, and how long that took."""
    start = time.perf_counter()
    found = results()
    return {
        "environment": report.environment(),
        **found,
        "seconds": time.perf_counter() - start,
    }


def accuracies(dry: bool, repeats: int) -> Results:
    far_rows, slow_shape, rank = (400, (300, 60), 3) if dry else (20_000, (3000, 1000), 20)
    return timed(
        lambda: {
            "far_from_origin": accuracy.far_table(far_rows),
            "slow_spectrum": accuracy.slow_table(slow_shape, rank, 1 if dry else min(repeats, 3)),
        }
    )


def defaults(dry: bool, repeats: int) -> Results:
    return timed(lambda: defaults_results(dry, 1 if dry else repeats))


def fields(dry: bool, repeats: int) -> Results:
    return timed(lambda: fields_results(DRY_FIELDS if dry else FULL_FIELDS))


def single_cells(dry: bool, repeats: int) -> Results:
    return timed(lambda: single_cell_results(dry, 1 if dry else repeats))


def files(dry: bool, repeats: int) -> Results:
    sizes: FileSizes = DRY_FILES if dry else FULL_FILES

    def results() -> Results:
        cases = files_results(sizes)
        return {"summary": files_summary(cases), "files": cases}

    return timed(results)


def budgets(dry: bool, repeats: int) -> Results:
    sizes: BudgetSizes = DRY_BUDGET if dry else FULL_BUDGET

    def results() -> Results:
        cases = budget_results(sizes, 2 if dry else None)
        return {"summary": budget_summary(cases), "budget": cases}

    return timed(results)


def ranks(dry: bool, repeats: int) -> Results:
    sizes: RankSizes = DRY_RANK if dry else FULL_RANK
    return timed(lambda: rank_results(sizes))


def smalls(dry: bool, repeats: int) -> Results:
    return timed(lambda: small_results(DRY_SMALL if dry else FULL_SMALL))


def dimensions(dry: bool, repeats: int) -> Results:
    return timed(lambda: dimension_results(DRY_DIMENSION if dry else FULL_DIMENSION))


def flatnesses(dry: bool, repeats: int) -> Results:
    def results() -> Results:
        sets = flatness_results(200, 1) if dry else flatness_results()
        return {"summary": flatness_summary(sets), "sets": sets}

    return timed(results)


def clusters(dry: bool, repeats: int) -> Results:
    return timed(lambda: cluster_results(DRY_CLUSTER if dry else FULL_CLUSTER))


def limits(dry: bool, repeats: int) -> Results:
    def results() -> Results:
        found = limits_results(DRY_LIMITS if dry else FULL_LIMITS)
        return {"summary": limits_summary(found["worst"]), **found}

    return timed(results)


def drawings(dry: bool, repeats: int) -> Results:
    def results() -> Results:
        found = drawing_results(DRY_DRAWING if dry else FULL_DRAWING)
        return {"summary": drawing_summary(found), "figures": found}

    return timed(results)


def categories(dry: bool, repeats: int) -> Results:
    def results() -> Results:
        found = categories_results(DRY_CATEGORIES if dry else FULL_CATEGORIES)
        return {"summary": categories_summary(found), "fits": found}

    return timed(results)


def reports(dry: bool, repeats: int) -> Results:
    def results() -> Results:
        cases = reports_results(DRY_REPORTS if dry else FULL_REPORTS)
        return {"summary": reports_summary(cases), "reports": cases}

    return timed(results)


def coders(dry: bool, repeats: int) -> Results:
    return timed(lambda: coder_results(DRY_CODERS if dry else FULL_CODERS))


def transitions(dry: bool, repeats: int) -> Results:
    return timed(lambda: transition_results(DRY_TRANSITION if dry else FULL_TRANSITION))


def missing_cells(dry: bool, repeats: int) -> Results:
    return timed(lambda: missing_results(DRY_MISSING if dry else FULL_MISSING))


def kernels(dry: bool, repeats: int) -> Results:
    if dry:
        return timed(lambda: kernel_results(DRY_KERNEL, 60, 1))
    return timed(lambda: kernel_results(FULL_KERNEL, 500, 5))


def calibrations(dry: bool, repeats: int) -> Results:
    return timed(lambda: calibration_results(DRY_CALIBRATION if dry else FULL_CALIBRATION))


def robusts(dry: bool, repeats: int) -> Results:
    return timed(lambda: robust_results(DRY_ROBUST if dry else FULL_ROBUST))


def gpus(dry: bool, repeats: int) -> Results:
    return timed(lambda: gpu_results(DRY_GPU if dry else FULL_GPU, dry))


def downstreams(dry: bool, repeats: int) -> Results:
    return timed(lambda: downstream_results(DRY_DOWNSTREAM if dry else FULL_DOWNSTREAM))


def flatness_page(results: Results) -> list[str]:
    return [
        "# Flat or curved",
        "",
        "How often the verdict is right, 20 draws of each set; `benchmarks/flatness.py`.",
        "",
        *report.summary_table(results["summary"]),
        *flatness_markdown(results["sets"]),
    ]


PAGES = {
    "defaults": Page(defaults, defaults_page, ("summary", "tables", "choices", "skipped")),
    "single_cell": Page(single_cells, single_cell_page, ("summary", "tables")),
    "accuracy": Page(accuracies, report.accuracy_page, ("far_from_origin", "slow_spectrum")),
    "files": Page(files, report.files_page, ("summary", "files")),
    "fields": Page(fields, fields_page, ("comparisons",)),
    "budget": Page(budgets, report.budget_page, ("summary", "budget")),
    "small": Page(smalls, small_page, ("summary", "tables", "exact", "intervals"), threads=1),
    "missing": Page(missing_cells, missing_page, ("summary", "draws", "peers"), threads=1),
    "rank": Page(ranks, rank_page, ("summary", "models", "brackets"), threads=1),
    "dimension": Page(
        dimensions, dimension_markdown, ("summary", "manifolds", "coverage", "time"), threads=1
    ),
    "flatness": Page(flatnesses, flatness_page, ("summary", "sets"), threads=1),
    "calibration": Page(calibrations, calibration_page, ("summary", "lines"), threads=1),
    "limits": Page(limits, limits_page, ("summary", "lines", "worst")),
    "categories": Page(categories, categories_page, ("summary", "fits")),
    "robust": Page(robusts, robust_page, ("summary", "lines", "alarms", "times")),
    "gpu": Page(gpus, gpu_page, ("device", "measured_on_gpu", "lines")),
    "downstream": Page(downstreams, downstream_page, ("noise", "labels"), threads=1),
    "drawing": Page(drawings, drawing_page, ("summary", "figures")),
    "cluster": Page(clusters, cluster_markdown, ("summary", "ours", "scaling", "streamed")),
    "reports": Page(reports, reports_page, ("summary", "reports")),
    "autoencoder": Page(coders, coder_page, ("summary", "sets")),
    "transition": Page(transitions, transition_page, ("summary", "curve", "ensembles")),
    "kernel": Page(
        kernels, kernel_markdown, ("summary", "scale", "file", "peer", "landmarks", "preimage")
    ),
}
