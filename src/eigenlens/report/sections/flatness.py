"""flatness: does a flat subspace suit the rows at all?"""

from __future__ import annotations

from eigenlens.document.page import Section, answer_section, show_table
from eigenlens.document.table import Table
from eigenlens.report.facts import Facts

__all__ = ["section"]

ANSWERS = {
    "flat": "Yes: the rows lie about a flat subspace, which is what these components describe.",
    "mild": "Nearly: the rows bend a little; the components describe them with that reservation.",
    "curved": "No: the rows lie on something curved, of which components show a shadow only.",
}
# The same where the model keeps no component that could describe anything.
NOT_OURS = {
    "flat": "Yes: the rows lie about a flat subspace, though no component of it is kept.",
    "mild": "Nearly: the rows bend a little.",
}


def section(facts: Facts) -> Section:
    verdict = facts.costly.flat.answer
    if verdict is None:
        return answer_section("flatness", "Is it flat?", [facts.costly.flat.why_not])
    numbers = {
        name: value for name, value in verdict.evidence.items() if isinstance(value, int | float)
    }
    reason = f"{verdict.reason[:1].upper()}{verdict.reason[1:]}."
    answer = ANSWERS.get(str(verdict.value), str(verdict.value))
    if not facts.model.n_components:
        answer = NOT_OURS.get(str(verdict.value), answer)
    says = [answer, reason]
    parts = [
        show_table(
            Table({"number": list(numbers), "value": list(numbers.values())}),
            "What the verdict rests on",
            code="eigenlens.flatness(data)",
            folded=True,
        )
    ]
    cautions = [facts.costly.asked_of] if facts.costly.asked_of else []
    return answer_section("flatness", "Is it flat?", says, parts, cautions)
