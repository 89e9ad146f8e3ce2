"""Later models on components: false gains on pure noise, and what few labels give.

    noise     classes, and numbers, that have nothing to do with the rows: how often "gain" is said
    labels    20 labels, 20 draws: digits and breast cancer, components of labeled rows and of all

`python -m benchmarks.downstream` prints the page and stores it in benchmarks/results/downstream.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

from eigenlens.explain import downstream

__all__ = ["downstream_page", "false_gains"]

SHAPES = ((50, 6, (2,)), (80, 20, (2, 5)), (200, 10, (1, 3)), (60, 40, (5,)))
RESULT = Path(__file__).parent / "results" / "downstream.md"


def false_gains(
    n: int, d: int, counts: tuple[int, ...], draws: int, numbers: bool
) -> dict[str, Any]:
    """How often components are said to help where there is nothing to learn."""
    said = []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        rows = rng.standard_normal((n, d))
        y = rng.standard_normal(n) if numbers else rng.integers(2, size=n)
        said.append(downstream(rows, y, counts, splits=10, seed=seed).verdict.value)
    gains = said.count("gain")
    return {"rows": n, "columns": d, "k": counts, "y": "numbers" if numbers else "classes",
            "draws": draws, "gain": gains}  # fmt: skip


def few_labels(splits: int) -> list[tuple[str, Any]]:
    tables = {
        "digits": load_digits(return_X_y=True),
        "breast cancer": load_breast_cancer(return_X_y=True),
    }
    return [
        (name, downstream(rows, y, (5, 10, 20), labels=20, splits=splits))
        for name, (rows, y) in tables.items()
    ]


def downstream_page(draws: int, splits: int) -> str:
    about = "How often `explain.downstream` says *gain* where y has nothing to do with the rows."
    lines = ["# Later models on components", "", "## Pure noise", "", about, ""]
    lines += ["| rows | columns | k | y | draws | gain |", "|---|---|---|---|---|---|"]
    for n, d, counts in SHAPES:
        for numbers in (False, True):
            one = false_gains(n, d, counts, draws, numbers)
            tried = ", ".join(map(str, counts))
            lines.append(f"| {n} | {d} | {tried} | {one['y']} | {draws} | {one['gain']} |")
    for name, report in few_labels(splits):
        lines += [
            "",
            f"## {name}: 20 labels, {splits} draws",
            "",
            f"**{report.verdict.value}**: {report.verdict.reason}.",
            "",
        ]
        lines += [report.table().to_markdown()]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.downstream")
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--splits", type=int, default=20)
    options = parser.parse_args()
    page = downstream_page(options.draws, options.splits)
    RESULT.write_text(page, encoding="utf-8")
    print(page)
