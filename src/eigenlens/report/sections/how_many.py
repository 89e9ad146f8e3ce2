"""how_many: how many components are worth reading, rule by rule, without a vote."""

from __future__ import annotations

from eigenlens.document.page import Chart, Figures, Section, answer_section, show_table
from eigenlens.document.table import Table
from eigenlens.explain.eigenvalues import eigenvalues
from eigenlens.plots.scree import scree
from eigenlens.rank.report import RankReport
from eigenlens.report.drawing import chart
from eigenlens.report.facts import Facts

__all__ = ["section"]

QUESTIONS = {
    "denoising": "How many come closest to the rows without noise?",
    "detection": "How many directions are not noise?",
    "compression": "How many hold most of the variation?",
}


def section(facts: Facts) -> Section:
    ranks = facts.costly.ranks.answer
    says = facts.found("k") or ["No rule could be asked how many components there are."]
    cautions = [one for one in (facts.costly.asked_of, facts.costly.ranks.why_not) if one]
    parts: list[Chart | Figures] = []
    if facts.wider.n_components:
        rules = False if ranks is None else ranks
        kept = facts.model.n_components
        parts.append(
            chart(
                "scree",
                "How much each component holds",
                shares(facts),
                lambda theme: scree(facts.wider, k=kept, rules=rules, theme=theme),
                "eigenlens.plots.scree(model, rules=eigenlens.choose_rank(data))",
            )
        )
    if ranks is not None:
        parts.append(
            show_table(
                recommended(ranks),
                "Three questions, one recommended answer each",
                headings={"k": "components"},
                sentences=("because",),
            )
        )
        parts.append(
            show_table(
                ranks.table(),
                "What every rule says",
                code="eigenlens.choose_rank(data)",
                headings={"k": "components"},
                sentences=("remark",),
                folded=True,
            )
        )
        cautions += [one for one in ranks.sentences() if one.startswith("The noise")]
    parts.append(one_more_or_fewer(facts))
    return answer_section("how-many", "How many components", says, parts, cautions)


def recommended(ranks: RankReport) -> Table:
    """One line per question."""
    best = ranks.recommended
    halves = {name: ranks.halves.get(one.rule) for name, one in best.items()}
    return Table(
        {
            "question": [QUESTIONS[name] for name in best],
            "k": [int(one.value) for one in best.values()],
            "on halves of the rows": [
                "–" if not one else f"{min(one)} to {max(one)}" for one in halves.values()
            ],
            "by the rule": [one.rule for one in best.values()],
            "because": [one.reason for one in best.values()],
        }
    )


def shares(facts: Facts) -> str:
    held = ", ".join(
        f"PC{i + 1} {share:.1%}" for i, share in enumerate(facts.wider.explained_ratio[:6])
    )
    return f"Bars of the share of the variance along each component: {held}."


def one_more_or_fewer(facts: Facts) -> Figures:
    """What each further component adds."""
    table = eigenvalues(facts.wider)
    return show_table(
        Table(
            {
                "components kept": list(range(1, len(table) + 1)),
                "adds": [f"{one:.2%}" for one in table["proportion"]],
                "held together": [f"{min(one, 1.0):.2%}" for one in table["cumulative"]],
                "left out": [f"{max(1 - one, 0.0):.2%}" for one in table["cumulative"]],
            }
        ),
        "What one more, or one fewer, costs",
        most=30,
        folded=True,
    )
