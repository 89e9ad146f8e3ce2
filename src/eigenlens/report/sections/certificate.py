"""certificate: what is proven about the numbers on the page."""

from __future__ import annotations

from eigenlens.explain.eigenvalues import eigenvalues
from eigenlens.report.facts import Facts
from eigenlens.report.part import Section, listing

__all__ = ["section"]


def section(facts: Facts) -> Section:
    proof = facts.model.certificate
    table = eigenvalues(facts.model)
    parts = [
        listing(
            table,
            "Eigenvalues, between bounds that are proven to hold the true ones",
            most=60,
            code="eigenlens.explain.eigenvalues(model)",
            headings={"low": "proven from", "high": "proven to"},
        )
    ]
    return Section("certificate", "Certificate", list(proof.sentences), parts)
