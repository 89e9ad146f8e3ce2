"""certificate: what is proven about the numbers on the page."""

from __future__ import annotations

from eigenlens.listing import Table
from eigenlens.model.page import rows
from eigenlens.report.facts import Facts
from eigenlens.report.part import Section, listing

__all__ = ["section"]

MOST = 60


def section(facts: Facts) -> Section:
    proof = facts.model.certificate
    lines = rows(facts.model, MOST)
    names = ("component", "eigenvalue", "proven", "share", "cumulative")
    if not lines:
        return Section("certificate", "Certificate", list(proof.sentences))
    columns = map(list, zip(*lines, strict=True))
    parts = [
        listing(
            Table(dict(zip(names, columns, strict=True))),
            "Eigenvalues, and how far the true ones can be from them",
            code="eigenlens.explain.eigenvalues(model)",
        )
    ]
    return Section("certificate", "Certificate", list(proof.sentences), parts)
