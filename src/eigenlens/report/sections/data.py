"""data: what the rows and columns are like, and how many components are worth reading."""

from __future__ import annotations

from eigenlens.digest.digest import Digest
from eigenlens.document.page import Chart, Figures, Section, answer_section, show_table
from eigenlens.document.phrases import count_things, format_share
from eigenlens.document.table import Table
from eigenlens.explain.eigenvalues import eigenvalues
from eigenlens.plots.scree import scree
from eigenlens.rank.report import RankReport, spell_ranks
from eigenlens.report.drawing import chart

__all__ = ["count_section", "data_section"]


def data_section(digest: Digest) -> Section:
    table = digest.checks
    n, d = digest.source.shape
    flagged = sum(table["look"])
    cautions = digest.sentences("scale", "data")
    result = f"{flagged} of the {len(table)} checks need{'s' * (flagged == 1)} attention."
    if not flagged:
        result = "See the caveats below." if cautions else "No check found anything unusual."
    shape = f"{count_things(n, 'row')} and {count_things(d, 'column')}"
    cells = (
        "missing cells filled as expected" if digest.lacks_cells else "every cell a finite number"
    )
    says = [f"{shape}, {cells}. {result}"]
    shown = Table(
        {
            "check": table["check"],
            "value": table["value"],
            "verdict": ["check" if look else "ok" for look in table["look"]],
            "remark": table["remark"],
        }
    )
    parts = [
        show_table(
            shown,
            "Data check",
            code="eigenlens.explain.data_check(model, data)",
            sentences=("remark",),
        )
    ]
    return answer_section("data-check", "Data check", says, parts, cautions)


QUESTIONS = {
    "denoising": "How many come closest to the rows without noise?",
    "detection": "How many directions are not noise?",
    "compression": "How many hold most of the variance?",
}


def count_section(digest: Digest) -> Section:
    ranks = digest.sampled.ranks.answer
    says = digest.sentences("k") or ["No rule could be applied to these rows."]
    cautions = [one for one in (digest.sampled.sample_note, digest.sampled.ranks.why_not) if one]
    parts: list[Chart | Figures] = []
    if digest.wider.n_components:
        rules = False if ranks is None else ranks
        kept = digest.model.n_components
        parts.append(
            chart(
                "scree",
                "Explained variance of each component",
                describe_shares(digest),
                lambda theme: scree(digest.wider, k=kept, rules=rules, theme=theme),
                "eigenlens.plots.scree(model, rules=eigenlens.choose_rank(data))",
            )
        )
    if ranks is not None:
        parts.append(
            show_table(
                recommended_ranks(ranks),
                "Recommended numbers of components",
                headings={"k": "components"},
                sentences=("reason",),
            )
        )
        parts.append(
            show_table(
                ranks.table(),
                "All rules",
                code="eigenlens.choose_rank(data)",
                headings={"k": "components"},
                sentences=("remark",),
                folded=True,
            )
        )
        failed = dict.fromkeys(one.reason for one in ranks.checks.values() if not one.value)
        if failed:
            cautions.append(f"The noise is not plain: {'; '.join(failed)}.")
    parts.append(added_by_each(digest))
    return answer_section("how-many", "Number of components", says, parts, cautions)


def recommended_ranks(ranks: RankReport) -> Table:
    """One line per question."""
    best = ranks.recommended
    halves = {name: ranks.halves.get(one.rule) for name, one in best.items()}
    return Table(
        {
            "question": [QUESTIONS[name] for name in best],
            "k": [int(one.value) for one in best.values()],
            "on halves of the rows": [
                spell_ranks(sorted(one)) if one else "–" for one in halves.values()
            ],
            "rule": [one.rule for one in best.values()],
            "reason": [one.reason for one in best.values()],
        }
    )


def describe_shares(digest: Digest) -> str:
    held = ", ".join(
        f"PC{i + 1} {format_share(float(share), 1)}"
        for i, share in enumerate(digest.wider.explained_ratio[:6])
    )
    return f"Bars of the share of the variance along each component: {held}."


def added_by_each(digest: Digest) -> Figures:
    """What each further component adds."""
    table = eigenvalues(digest.wider)
    return show_table(
        Table(
            {
                "components kept": list(range(1, len(table) + 1)),
                "adds": [format_share(one, 2) for one in table["proportion"]],
                "cumulative": [format_share(min(one, 1.0), 2) for one in table["cumulative"]],
                "lost": [format_share(max(1 - one, 0.0), 2) for one in table["cumulative"]],
            }
        ),
        "Explained variance by number of components",
        most=30,
        folded=True,
    )
