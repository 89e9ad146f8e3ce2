"""The page of the cluster benchmark, in Markdown."""

from __future__ import annotations

from typing import Any

from benchmarks import report

__all__ = ["cluster_markdown"]


def cluster_markdown(results: dict[str, Any]) -> list[str]:
    sizes, ours = results["sizes"], results["ours"]
    return [
        "# On a cluster",
        "",
        f"{sizes['rows']:,} x {sizes['columns']} float64 with variances 1/i, {sizes['rank']} "
        "components, persisted on two workers of one thread each (processes on one machine, TCP); "
        "`benchmarks/cluster.py`. Peers run in environments of their own.",
        "",
        *report.summary_table(results["summary"]),
        "| who | seconds | relative error of eigenvalues |",
        "|---|---|---|",
        f"| eigenlens ({ours['solver']}, {ours['passes']} passes) | {ours['seconds']:.2f} "
        f"| certified {ours['certified']:.1e} |",
        *(peer_line(one) for one in results["peers"]),
        "",
        "Spark draws its own rows of the same law, so its error is not comparable; its method is "
        "the covariance matrix.",
        "",
        "## One pass on 1, 2 and 4 workers",
        "",
        f"Of {sizes['scaling_rows']:,} rows in memory, as many with one worker as with the other, "
        "beside what the model of `docs/methods/scale.md` foresees from rates measured in the same "
        "run. Four workers share the cores of this machine.",
        "",
        "| pass | workers | seconds | foreseen |",
        "|---|---|---|---|",
        *(
            f"| {line['pass']} | {line['workers']} | {line['seconds']:.3f} "
            f"| {line['foreseen']:.3f} |"
            for line in results["scaling"]
        ),
        "",
        *streamed_lines(results["streamed"]),
        "",
        "## Tables no machine here could hold",
        "",
        "By the same model, with threads like those measured and a network of 10 Gbit/s.",
        "",
        "| table | workers x threads | passes | seconds |",
        "|---|---|---|---|",
        *(
            f"| {one['table']} | {one['workers']} x {one['threads']} | {one['passes']} "
            f"| {one['seconds']:,.0f} |"
            for one in results["foreseen"]
        ),
        "",
    ]


def peer_line(one: dict[str, Any]) -> str:
    if "missing" in one:
        return f"| {one['name']} | not measured: {one['missing']} | |"
    error = "" if one["error"] is None else f"{one['error']:.1e}"
    return f"| {one['name']} | {one['seconds']:.2f} | {error} |"


def streamed_lines(streamed: dict[str, Any]) -> list[str]:
    return [
        "## More rows than memory",
        "",
        f"{streamed['bytes'] / 1e9:.1f} GB of rows x 256, made by two workers of 1 GB each as they "
        f"are needed and never stored: {streamed['seconds']:.0f} s, {streamed['solver']}, "
        f"{streamed['passes']} passes, certified within {streamed['certified']:.1e}; "
        f"{streamed['workers_alive']} workers alive at the end.",
    ]
