"""RankReport: what every rule says, whether it may be believed here, and no vote.

Three questions hide behind "how many?", and rules answer different ones:

    compression   how many hold most of the variance?
    detection     how many directions are not noise?
    denoising     how many come closest to what the data would be without noise?

For each question one rule is recommended: the first whose assumptions hold here, of those that are
trusted for tables of this shape. Fewer than 22 columns are too few to learn noise from, and other
rules come first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eigenlens.document.table import Table
from eigenlens.document.verdict import Verdict
from eigenlens.errors import RankError
from eigenlens.rank.checks import Checks
from eigenlens.rank.numerical_rank import numerical_rank
from eigenlens.rank.rule import Assumption, Rule
from eigenlens.rank.spectrum import Spectrum
from eigenlens.table.meter import Meter

__all__ = ["RankReport", "report_of", "spell_ranks"]

# By question, whom to ask first; the others are shown beside, for those who know them.
RECOMMENDED: Mapping[str, tuple[str, ...]] = {
    "denoising": ("screenot", "bcv"),
    "detection": ("dpa", "parallel", "gap"),
    "compression": ("fraction", "frobenius"),
}
# The same for tables of fewer than 22 columns: benchmarks/results/small.md.
TRUSTED_OF_SMALL: Mapping[str, tuple[str, ...]] = {
    "denoising": ("small_table", "bcv"),
    "detection": ("gap", "parallel", "dpa"),
    "compression": ("fraction", "frobenius"),
}
CLOSE = 0.05


@dataclass(frozen=True, eq=False)
class RankReport:
    """`k` is the answer recommended for denoising; None where no rule for it could answer.

    Attributes
    ----------
    rules : name -> Verdict, `low` and `high` where only a bracket is known
    question : name -> what the rule answers
    recommended : question -> Verdict, by the first rule for it whose assumptions hold
    trusted : question -> names of the rules that are trusted for this shape, the best first
    rank : the numerical rank of the table, a `Verdict`
    checks : assumption -> Verdict: does it hold here? Empty where the data were not at hand
    doubts : name -> why the rule should not be believed here
    silent : name -> why the rule could not answer
    halves : name -> its answers on random halves of the rows
    passes, bytes_read : how often, and how much, the data were read for all of it
    """

    k: int | None
    rules: Mapping[str, Verdict]
    question: Mapping[str, str]
    recommended: Mapping[str, Verdict]
    checks: Checks = field(default_factory=dict)
    doubts: Mapping[str, str] = field(default_factory=dict)
    silent: Mapping[str, str] = field(default_factory=dict)
    halves: Mapping[str, Sequence[int]] = field(default_factory=dict)
    passes: int = 0
    bytes_read: int = 0
    trusted: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: RECOMMENDED)
    rank: Verdict | None = None

    def table(self) -> Table:
        """One line per rule."""
        names = [*self.rules, *self.silent]
        answers = [self.rules.get(name) for name in names]
        remarks = [
            self.silent.get(name) or self.doubts.get(name) or self.remark(name) for name in names
        ]
        return Table(
            {
                "rule": names,
                "question": [self.question[name] for name in names],
                "k": [None if answer is None else int(answer.value) for answer in answers],
                "low": [interval_end(answer, "low") for answer in answers],
                "high": [interval_end(answer, "high") for answer in answers],
                "margin": [
                    None if answer is None else answer.evidence.get("margin") for answer in answers
                ],
                "applies": [self.applies(name) for name in names],
                "remark": remarks,
            }
        )

    def applies(self, name: str) -> bool | None:
        """Whether what the rule assumes holds here; None where nobody looked."""
        if name in self.silent:
            return False
        return name not in self.doubts if self.checks else None

    def remark(self, name: str) -> str:
        ranks = self.halves.get(name)
        return f"{spell_ranks(ranks)} on halves of the rows" if ranks else ""

    def sentences(self) -> list[str]:
        """What to make of it, one sentence per question, then the assumptions that fail."""
        lines = [] if self.rank is None else [f"R{self.rank.reason[1:]}."]
        lines += [
            self.sentence(question) if question in self.recommended else self.unanswered(question)
            for question in RECOMMENDED
        ]
        failed = [check.reason for check in self.checks.values() if not check.value]
        if failed:
            distinct = list(dict.fromkeys(failed))
            lines.append(f"The noise is not plain: {'; '.join(distinct)}.")
        return lines

    def sentence(self, question: str) -> str:
        best = self.recommended[question]
        others = [
            name
            for name in self.trusted[question]
            if name in self.rules and int(self.rules[name].value) != int(best.value)
        ]
        halves = self.halves.get(best.rule)
        stable = f"; {spell_ranks(halves)} on halves of the rows" if halves else ""
        text = f"{question.capitalize()}: {best.value}{best.interval} ({best.rule}{stable})."
        margin = best.evidence.get("margin")
        if question == "detection" and margin is not None and margin < CLOSE:
            text += f" A component lies within {margin:.1%} of its bar, so this may be one off."
        if others:
            text += f" But {'; '.join(map(self.said, others))}."
        if best.rule in self.doubts:
            text += f" Take it with care: {self.doubts[best.rule]}."
        return text

    def unanswered(self, question: str) -> str:
        """Why nobody whom one would ask could answer."""
        reasons = [
            f"{name}: {self.silent[name]}"
            if name in self.silent
            else f"{name}: {unclear(self.rules[name])}"
            for name in self.trusted[question]
            if name in self.silent or name in self.rules
        ]
        return f"{question.capitalize()}: no answer ({'; '.join(reasons)})."

    def said(self, name: str) -> str:
        doubtful = f", in doubt because {self.doubts[name]}" if name in self.doubts else ""
        return f"{name} says {self.rules[name].value}{doubtful}"

    def cost(self) -> list[str]:
        """How often the data were read for it; nothing for a model, which was not read again."""
        if not self.passes:
            return []
        return [f"The data were read {self.passes} times for this, {self.bytes_read:,} bytes."]

    def __str__(self) -> str:
        return "\n".join([str(self.table()), "", *self.sentences(), *self.cost()])

    def _repr_html_(self) -> str:
        from eigenlens.document.html import escape_text
        from eigenlens.document.notebook import notebook_html

        said = [*self.sentences(), *self.cost()]
        lines = "".join(f"<li>{escape_text(line)}</li>" for line in said)
        return notebook_html(f"{self.table()._repr_html_()}<ul>{lines}</ul>")


def report_of(
    spectrum: Spectrum,
    rules: Sequence[Rule],
    checks: Checks,
    halves: Mapping[str, Sequence[int]],
    unasked: Mapping[str, tuple[str, str]],
    meter: Meter,
) -> RankReport:
    """Every rule's answer from the spectrum; `unasked`: name -> question and why not asked."""
    answers: dict[str, Verdict] = {}
    question = {name: asked for name, (asked, _) in unasked.items()}
    silent = {name: why for name, (_, why) in unasked.items()}
    doubts: dict[str, str] = {}
    for rule in rules:
        question[rule.name] = rule.question
        try:
            verdict = rule.choose(spectrum)
        except RankError as error:
            silent[rule.name] = error.cause
            continue
        if verdict is None:
            silent[rule.name] = rule.out_of_reach(spectrum).cause
            continue
        answers[rule.name] = verdict
        failed = [checks[name].reason for name in rule.assumes if failed_checks(checks, name)]
        if failed:
            doubts[rule.name] = failed[0]
    trusted = TRUSTED_OF_SMALL if spectrum.is_small else RECOMMENDED
    recommended = recommendations(answers, doubts, trusted)
    k = int(recommended["denoising"].value) if "denoising" in recommended else None
    return RankReport(
        k,
        answers,
        question,
        recommended,
        checks,
        doubts,
        silent,
        halves,
        meter.passes,
        meter.bytes_read,
        trusted,
        numerical_rank(spectrum),
    )


def failed_checks(checks: Checks, name: Assumption) -> bool:
    return name in checks and not checks[name].value


def recommendations(
    answers: Mapping[str, Verdict],
    doubts: Mapping[str, str],
    trusted: Mapping[str, tuple[str, ...]],
) -> dict[str, Verdict]:
    """The first rule whose assumptions hold; where none's do, the first that answered."""
    found: dict[str, Verdict] = {}
    for question, names in trusted.items():
        able = [name for name in names if name in answers and not is_vague(answers[name])]
        if able:
            sound = [name for name in able if name not in doubts]
            found[question] = answers[(sound or able)[0]]
    return found


def is_vague(verdict: Verdict) -> bool:
    """An interval wider than what is certain in it, or a gap that does not stand out."""
    if verdict.evidence.get("stands_out") is False and verdict.value > 0:
        return True
    if verdict.low is None or verdict.high is None:
        return False
    return bool(verdict.high - verdict.low > max(2, verdict.low))


def unclear(verdict: Verdict) -> str:
    if verdict.evidence.get("stands_out") is False:
        return "no gap stands out"
    return f"anything{verdict.interval}, from so few eigenvalues"


def interval_end(verdict: Verdict | None, name: str) -> int | None:
    value = None if verdict is None else getattr(verdict, name)
    return None if value is None else int(value)


def spell_ranks(ranks: Sequence[int]) -> str:
    return f"{ranks[0]}" if ranks[0] == ranks[-1] else f"{ranks[0]} to {ranks[-1]}"
