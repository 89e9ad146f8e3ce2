"""The results as JSON, for machines and later comparisons, and as Markdown, for people.

Times belong to one machine and one hour; the ratios are what may be quoted.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

__all__ = [
    "accuracy_page",
    "budget_page",
    "checked",
    "environment",
    "files_page",
    "small",
    "speed_page",
    "summary_table",
    "table",
    "with_foot",
    "write",
]

REQUIRED_OF_CASE = ("name", "shape", "tolerance", "entrants", "fastest", "memory", "bare_seconds")
REQUIRED_OF_ENTRANT = ("name", "median_seconds", "seconds", "variance_error", "eigenvalue_error")
PACKAGES = ("eigenlens", "numpy", "scipy", "scikit-learn")


def environment() -> dict[str, Any]:
    """What a reader needs to know about the machine; nothing that names it."""
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
        "cpu_count": os.cpu_count(),
        "blas": blas(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def blas() -> list[str]:
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return ["unknown: threadpoolctl is not installed"]
    keys = ("internal_api", "version", "architecture")
    found = {
        " ".join(str(one[key]) for key in keys if one.get(key)) + f", {one['num_threads']} threads"
        for one in threadpool_info()
        if one.get("user_api") in ("blas", "openmp")
    }
    return sorted(found)


def write(name: str, results: dict[str, Any], text: str, folder: Path) -> Path:
    """Write both forms and return the JSON's path. A number that is not finite is refused."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(results, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    return path


def checked(path: Path, required: Iterable[str]) -> dict[str, Any]:
    """The results read back; an error says what is missing."""
    results = json.loads(path.read_text(encoding="utf-8"))
    need(results, ("environment", "seconds", *required), path.name)
    for case in results.get("cases", ()):
        need(case, REQUIRED_OF_CASE, case.get("name", "a case"))
        for one in case["entrants"]:
            need(one, REQUIRED_OF_ENTRANT, f"{case['name']}: {one.get('name')}")
    return results


def need(record: dict[str, Any], keys: Iterable[str], where: str) -> None:
    missing = [key for key in keys if key not in record]
    if missing:
        raise ValueError(f"{where} lacks {', '.join(missing)}")


def with_foot(lines: list[str], results: dict[str, Any]) -> str:
    """The whole page: its lines, and where and when they were measured."""
    facts = results["environment"]
    packages = ", ".join(f"{key} {value}" for key, value in facts["packages"].items())
    foot = (
        f"Measured in {results['seconds']:.0f} s on {facts['cpu_count']} cores "
        f"({facts['processor']}), {facts['system']}, Python {facts['python']}, {packages}; "
        f"{'; '.join(facts['blas'])}."
    )
    return "\n".join([*lines, foot, ""])


# -- speed ---------------------------------------------------------------------------------


def speed_page(results: dict[str, Any]) -> list[str]:
    lines = ["# Speed and memory", "", "Ratios are what to quote: above 1, ours is faster.", ""]
    lines += summary_table(results["summary"])
    lines += ["## Time to a captured variance within the tolerance of the best", ""]
    lines += case_table(results["cases"], "variance_error")
    lines += ["## Time to eigenvalues within the tolerance", ""]
    lines += eigenvalue_table(results["cases"])
    lines += ["## Everyone", ""]
    lines += [
        "Seconds (median), runs, relative shortfall of the captured variance, worst relative",
        "eigenvalue error. Who was too slow or too inaccurate to matter ran once. *auto* marks",
        "what scikit-learn chooses by itself.",
        "",
    ]
    lines += everyone(results["cases"])
    for words in results["skipped"]:
        lines += [words, ""]
    return lines


def case_table(cases: list[dict[str, Any]], criterion: str) -> list[str]:
    head = ("table", "tolerance", "ours, s", "fastest scikit-learn", "ratio", "over bare X'X")
    head += ("solver", "passes", "certificate", "missed", "memory traced", "resident")
    body = []
    for case in cases:
        mine, best = case["entrants"][0], case["fastest"][criterion]
        bare = case["bare_seconds"]
        memory = (case["memory"] or {}).get(mine["name"], {})
        body.append(
            (
                case["name"],
                f"{case['tolerance']:.0e}",
                f"{mine['median_seconds']:.3f}",
                rival(case, best["peer"]),
                shown(best["ratio"]),
                shown(mine["median_seconds"] / bare if bare else None),
                mine["solver"],
                str(mine["passes"]),
                mine["certificate"] + ("" if mine["certified"] else ", tolerance not certified"),
                small(mine[criterion]),
                shown(memory.get("traced")),
                shown(memory.get("resident")),
            )
        )
    return table(head, body)


def eigenvalue_table(cases: list[dict[str, Any]]) -> list[str]:
    head = ("table", "tolerance", "ours, s", "error", "certified", "fastest scikit-learn", "ratio")
    body = []
    for case in cases:
        mine, best = case["entrants"][0], case["fastest"]["eigenvalue_error"]
        body.append(
            (
                case["name"],
                f"{case['tolerance']:.0e}",
                f"{mine['median_seconds']:.3f}" if best["ours_reached"] else "not reached",
                small(mine["eigenvalue_error"]),
                small(mine["eigenvalue_bound"]),
                rival(case, best["peer"]),
                shown(best["ratio"]),
            )
        )
    return table(head, body)


def rival(case: dict[str, Any], name: str | None) -> str:
    if name is None:
        return "none reached it"
    found = next(one for one in case["entrants"] if one["name"] == name)
    return f"{name} {found['median_seconds']:.3f}"


def everyone(cases: list[dict[str, Any]]) -> list[str]:
    body = [
        (
            case["name"] if one is case["entrants"][0] else "",
            one["name"] + (" *auto*" if one["is_default"] else ""),
            f"{one['median_seconds']:.3f}",
            str(len(one["seconds"])),
            small(one["variance_error"]),
            small(one["eigenvalue_error"]),
        )
        for case in cases
        for one in case["entrants"]
    ]
    return table(("table", "who", "s", "runs", "missed", "eigenvalues"), body)


# -- accuracy ------------------------------------------------------------------------------


def accuracy_page(results: dict[str, Any]) -> list[str]:
    lines = ["# Accuracy", "", "## Far from the origin", ""]
    lines += [
        "Worst relative error of an eigenvalue; 1 means nothing is right. Normal columns with",
        "standard deviations 10 to 1 and a common mean; *auto* is scikit-learn's default.",
        "",
    ]
    far = results["far_from_origin"]
    names = list(far[0]["errors"])
    body = [
        (one["dtype"], f"{one['offset']:.0e}", *(small(one["errors"][name]) for name in names))
        for one in far
    ]
    lines += table(("dtype", "mean", *names), body)
    lines += ["## Slow spectra", ""]
    head = ("spectrum", "who", "s", "missed", "eigenvalues", "sine of the angle", "what it says")
    body = [
        (
            one["spectrum"],
            one["name"],
            f"{one['median_seconds']:.3f}",
            *(small(one[key]) for key in ("variance_error", "eigenvalue_error", "sine")),
            f"eigenvalues within {small(one['eigenvalue_bound'])}" if one["is_ours"] else "nothing",
        )
        for one in results["slow_spectrum"]
    ]
    return lines + table(head, body)


# -- files ---------------------------------------------------------------------------------


def files_page(results: dict[str, Any]) -> list[str]:
    lines = [
        "# Files",
        "",
        "A fit from disk beside what reading alone costs; `benchmarks/files.py`.",
    ]
    lines += ["", *summary_table(results["summary"])]
    body = [
        (
            case["name"],
            f"{case['shape'][0]} x {case['shape'][1]}",
            f"{case['file_bytes'] / 1e9:.2f}",
            *(f"{name} {seconds:.2f}" for name, seconds in list(case["seconds"].items())[:1]),
            "; ".join(f"{name} {s:.2f}" for name, s in list(case["seconds"].items())[1:]),
            shown(case["over_floor"]),
            f"{case['solver']}, {case['passes']} pass(es), {case['certificate']}",
        )
        for case in results["files"]
    ]
    head = ("file", "shape", "GB", "fit, s", "floor, s", "fit over floor", "how")
    return lines + table(head, body)


def budget_page(results: dict[str, Any]) -> list[str]:
    lines = [
        "# Memory of fits from files",
        "",
        "Memory at its highest, beyond the budget: anonymous, and with mapped pages of the file;"
        " `benchmarks/budget.py`.",
        "",
        *summary_table(results["summary"]),
    ]
    body = [
        (
            case["name"],
            f"{case['file_bytes'] / 1e6:.0f}",
            f"{case['budget_bytes'] / 1e6:.0f}",
            *beyond_budget(case),
        )
        for case in results["budget"]
        if case["refused"] or case["memory_over_budget_bytes"] is not None
    ]
    heads = ("format", "file, MB", "budget, MB", "beyond it, MB", "mapped pages included, MB")
    return lines + table(heads, body)


def beyond_budget(case: dict[str, Any]) -> tuple[str, str]:
    if case["refused"]:
        return "refused", "refused"
    anonymous, resident = case["memory_over_budget_bytes"], case["resident_over_budget_bytes"]
    return f"{anonymous / 1e6:.0f}", f"{resident / 1e6:.0f}"


# -- text ----------------------------------------------------------------------------------


def summary_table(summary: list[dict[str, Any]]) -> list[str]:
    body = [(one["words"], shown(one["value"]), one["target"], one["verdict"]) for one in summary]
    return table(("", "measured", "target", ""), body)


def table(head: tuple[str, ...], body: list[tuple[str, ...]]) -> list[str]:
    lines = [head, ("---",) * len(head), *body]
    return ["| " + " | ".join(line) + " |" for line in lines] + [""]


def shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def small(value: float) -> str:
    """A small error; what is below rounding, on either side of zero, is called zero."""
    return "0" if abs(value) < 1e-15 else f"{value:.1e}"
