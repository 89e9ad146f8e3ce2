"""certificate: what is proven about the numbers on the page."""

from __future__ import annotations

from eigenlens.document.page import Section, answer_section
from eigenlens.model.page import eigenvalue_figures
from eigenlens.report.facts import Facts

__all__ = ["section"]

MOST = 60


def section(facts: Facts) -> Section:
    model = facts.model
    caption = "Eigenvalues, and how far the true ones can be from them"
    parts = [eigenvalue_figures(model, MOST, caption)] if model.n_components else []
    return answer_section("certificate", "Certificate", model.certificate.sentences, parts)
