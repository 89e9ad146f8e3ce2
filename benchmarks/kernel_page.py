"""The page of kernel PCA: targets, and the tables behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.kernel import DRY_KERNEL, FULL_KERNEL, KernelSizes, scale_results
from benchmarks.kernel_quality import RULES, landmark_results, preimage_results
from benchmarks.report import summary_table, table
from benchmarks.targets import Target

__all__ = ["DRY_KERNEL", "FULL_KERNEL", "KernelSizes", "kernel_markdown", "kernel_results"]

Results = dict[str, Any]

# What was measured before, on data of the same kind: relative residual trace by rpcholesky.
EARLIER = (0.0085, 0.0918, 0.272, 0.450, 0.099)


def kernel_results(sizes: KernelSizes, preimage_rows: int, draws: int) -> Results:
    found = scale_results(sizes)
    found["landmarks"] = landmark_results(sizes.quality_rows, sizes.quality_draws)
    found["preimage"] = preimage_results(preimage_rows, draws)
    return {"summary": [target.line([found]) for target in TARGETS], **found}


def of(*keys: str, unit: float = 1.0) -> Callable[[list[Results]], float | None]:
    def value(cases: list[Results]) -> float | None:
        found: Any = cases[0]
        for key in keys:
            found = found[key]
        return None if found is None else float(found) / unit

    return value


def worst(table: str, key: str) -> Callable[[list[Results]], float | None]:
    return lambda cases: max(float(case[key]) for case in cases[0][table])


def off_earlier(cases: list[Results]) -> float:
    """How far the residual trace is from what was measured before, over its spread, at worst."""
    rows = zip(cases[0]["landmarks"], EARLIER, strict=True)
    return max(
        abs(case["rules"]["rpcholesky"]["residual"] - before)
        / max(case["spread"]["rpcholesky"], 1e-9)
        for case, before in rows
    )


TARGETS = (
    Target("100 000 rows: time over the bare products", of("scale", "over_bare"), 2.5, False),
    Target("the same: memory, GB", of("scale", "memory_bytes", unit=1e9), 2.0, False),
    Target("1 000 000 rows, a file: memory, GB", of("file", "memory_bytes", unit=1e9), 1.0, False),
    Target("10 000 rows: times faster than scikit-learn", of("peer", "faster_than_default"), 10.0),
    Target("the same, than its fastest eigensolver", of("peer", "faster_than_fastest"), 10.0),
    Target("the same: share of its captured variance", of("peer", "captured_share"), 0.999),
    Target(
        "residual trace over uniform, at worst", worst("landmarks", "over_uniform"), 1.05, False
    ),
    Target("residual trace off earlier figures, over its spread", off_earlier, 1.0, False),
    Target("pre-image error over linear PCA's best", worst("preimage", "over_linear"), 1.0, False),
    Target("pre-image error over scikit-learn's best", worst("preimage", "over_peer"), 1.0, False),
)


def kernel_markdown(results: Results) -> list[str]:
    lines = ["# Kernel PCA", "", "`benchmarks/kernel.py`, `benchmarks/kernel_quality.py`.", ""]
    lines += summary_table(results["summary"])
    lines += ["## Scale", "", *scale_table(results)]
    lines += ["## Landmarks", "", *landmark_table(results["landmarks"])]
    return lines + [
        "## Pre-images of noisy closed curves",
        "",
        *preimage_table(results["preimage"]),
    ]


def scale_table(results: Results) -> list[str]:
    def line(name: str, seconds: str) -> tuple[str, ...]:
        case = results[name]
        memory = case.get("memory_bytes")
        shares = case.get("captured_ratio")
        held = f"{shares[0]:.2%} to {shares[1]:.2%}" if shares else f"{case['captured_share']:.3%}"
        return (
            f"{case['shape'][0]} x {case['shape'][1]}",
            str(case["landmarks"]),
            seconds,
            "–" if memory is None else f"{memory / 1e9:.2f}",
            held,
        )

    def told(seconds: dict[str, float]) -> str:
        return "; ".join(f"{name} {spent:.2f}" for name, spent in seconds.items())

    scale, file, peer = results["scale"], results["file"], results["peer"]
    body = [
        line("scale", told(scale["seconds"])),
        line("file", f"ours {file['seconds']:.1f}, {file['passes']} passes"),
        line("peer", told(peer["seconds"])),
    ]
    head = ("rows", "landmarks", "seconds", "memory, GB", "variance captured")
    return table(head, body)


def landmark_table(cases: list[Results]) -> list[str]:
    body = [
        (
            case["name"],
            str(case["landmarks"]),
            f"{case['best']:.4f}",
            f"{before:.4f}",
            *(seen(case, rule) for rule in RULES),
            f"{case['over_uniform']:.2f}",
        )
        for case, before in zip(cases, EARLIER, strict=True)
    ]
    head = ("rows, kernel", "landmarks", "best of that rank", "earlier", *RULES)
    return [
        "Relative residual trace, mean and spread over draws; share of the exact top-10 variance "
        "captured. Earlier: by rpcholesky, on data of the same kind.",
        "",
        *table((*head, "rpcholesky over uniform"), body),
    ]


def seen(case: Results, rule: str) -> str:
    one = case["rules"][rule]
    return f"{one['residual']:.4f} ± {case['spread'][rule]:.4f}; {one['captured']:.3f}"


def preimage_table(cases: list[Results]) -> list[str]:
    names = list(cases[0]["errors"])
    body = [
        (case["name"], f"{case['noisy']:.2f}", *(f"{case['errors'][who]:.3f}" for who in names))
        for case in cases
    ]
    return table(("curve", "noisy", *names), body)
