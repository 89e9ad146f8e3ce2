"""`eigenlens choose`: how many components, by every rule and for every question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from eigenlens.cli.command import Call, CommandAnswer, make_command
from eigenlens.cli.document import model_data
from eigenlens.cli.input_table import open_input
from eigenlens.cli.models import is_model_file, load_subspace
from eigenlens.cli.options import (
    BudgetOptions,
    DataFiles,
    OutsideOptions,
    PreparingOptions,
    ReadingOptions,
    Weighing,
    refuse_for_model,
)
from eigenlens.cli.run_fit import limiting_threads, read_scaling, warn_of_units
from eigenlens.document.json_values import plain_record
from eigenlens.document.page import Page, Section, list_sentences, show_table
from eigenlens.document.table import Table

if TYPE_CHECKING:
    from eigenlens.rank.report import RankReport

__all__ = ["EXAMPLES", "choose"]

EXAMPLES = (
    ("eigenlens choose data.csv --scale", "every rule, by the question it answers"),
    ("eigenlens choose run.eigenlens", "what a model alone can tell"),
    ("eigenlens choose data.csv --json", "for programs"),
)
QUESTIONS = {
    "denoising": "how many come closest to the data without noise?",
    "detection": "how many directions are not noise?",
    "compression": "how many hold most of the variance?",
}


@make_command
def choose(
    data: DataFiles,
    call: Call,
    reading: ReadingOptions,
    preparing: PreparingOptions,
    budget: BudgetOptions,
    weights: Weighing = None,
) -> CommandAnswer:
    """Ask every rule how many components to keep.

    Rules answer different questions and may all be right. No vote is taken: for each question the
    first rule is recommended whose assumptions hold here.
    """
    from eigenlens.fit import fit
    from eigenlens.questions import choose_rank

    if len(data) == 1 and is_model_file(data[0]):
        refuse_for_model(data[0], reading, preparing, OutsideOptions(weights=weights))
        model = load_subspace(data[0])
        return answer_of(choose_rank(model), data[0], model_data(model))
    beside = OutsideOptions(weights=weights)
    with limiting_threads(budget.threads), open_input(data, reading, call.talk, beside) as sheet:
        asked: dict[str, Any] = {
            "center": preparing.center,
            "scale": read_scaling(preparing),
            "weights": sheet.weights,
            "memory": budget.memory,
            "seed": budget.seed,
        }
        if preparing.scale is None:
            warn_of_units(fit(sheet.source, 1, certify="fast", **asked), call.talk)
        found = choose_rank(sheet.source, **asked)
        return answer_of(found, sheet.title, sheet.facts)


def answer_of(found: RankReport, title: str, data: Mapping[str, Any]) -> CommandAnswer:
    sections = [Section("Summary", [list_sentences(found.sentences())])]
    sections += [question_section(found, question) for question in QUESTIONS]
    result = {
        "k": found.k,
        "recommended": {name: plain_record(one) for name, one in found.recommended.items()},
        "rules": list(found.table().lines()),
        "sentences": found.sentences(),
        "checks": {name: plain_record(one) for name, one in found.checks.items()},
    }
    return CommandAnswer(Page(title, (), tuple(sections)), data, result)


def question_section(found: RankReport, question: str) -> Section:
    """The rules that answer this question, the recommended one first."""
    best = found.recommended.get(question)
    lines = [line for line in found.table().lines() if line["question"] == question]
    lines.sort(key=lambda line: best is None or line["rule"] != best.rule)
    between = [format_bracket(line["low"], line["high"]) for line in lines]
    table = Table(
        {
            "rule": [line["rule"] for line in lines],
            "k": [line["k"] for line in lines],
            **({"between": between} if any(between) else {}),
            "applies": [line["applies"] for line in lines],
            "remark": [line["remark"] for line in lines],
        }
    )
    told = "no answer" if best is None else f"{best.answer} [{best.rule}]"
    heading = f"{question.capitalize()}: {QUESTIONS[question]} {told}"
    return Section(heading, [show_table(table, most=len(table), sentences=("remark",))])


def format_bracket(low: int | None, high: int | None) -> str:
    if low == high:
        return ""
    return f"{'' if low is None else low} to {'' if high is None else high}"
