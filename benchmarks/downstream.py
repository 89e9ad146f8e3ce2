"""Later models on components: false gains on pure noise, and what few labels give.

    noise     classes, and numbers, that have nothing to do with the rows: how often "gain" is said
    labels    20 labels, 20 draws: digits and breast cancer, components of labeled rows and of all

`python -m benchmarks.run --only downstream` measures it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

from eigenlens.explain import downstream

__all__ = ["DRY_DOWNSTREAM", "FULL_DOWNSTREAM", "downstream_page", "downstream_results"]

SHAPES = ((50, 6, (2,)), (80, 20, (2, 5)), (200, 10, (1, 3)), (60, 40, (5,)))
FULL_DOWNSTREAM, DRY_DOWNSTREAM = (100, 20), (1, 5)  # draws of noise, draws of labels


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


def downstream_results(sizes: tuple[int, int]) -> dict[str, Any]:
    draws, splits = sizes
    noise = [
        false_gains(n, d, counts, draws, numbers)
        for n, d, counts in SHAPES
        for numbers in (False, True)
    ]
    labels = [
        {
            "table": name,
            "verdict": str(found.verdict.value),
            "reason": found.verdict.reason,
            "lines": found.table().to_markdown(),
        }
        for name, found in few_labels(splits)
    ]
    return {"draws": draws, "splits": splits, "noise": noise, "labels": labels}


def downstream_page(results: dict[str, Any]) -> list[str]:
    about = "How often `explain.downstream` says *gain* where y has nothing to do with the rows."
    lines = ["# Later models on components", "", "## Pure noise", "", about, ""]
    lines += ["| rows | columns | k | y | draws | gain |", "|---|---|---|---|---|---|"]
    for one in results["noise"]:
        tried = ", ".join(map(str, one["k"]))
        lines.append(
            f"| {one['rows']} | {one['columns']} | {tried} | {one['y']} | {one['draws']} "
            f"| {one['gain']} |"
        )
    for one in results["labels"]:
        lines += ["", f"## {one['table']}: 20 labels, {results['splits']} draws", ""]
        lines += [f"**{one['verdict']}**: {one['reason']}.", "", one["lines"]]
    return [*lines, ""]
