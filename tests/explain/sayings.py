"""Rows to say something about, and what is said of them."""

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.explain.findings import findings
from eigenlens.rank.report import RankReport

__all__ = ["SILENT", "answers", "ordinary", "said"]

SILENT = RankReport(0, {}, {}, {})


def said(model, rows, topic, ranks=SILENT, **options):
    """(sentence, number) of every finding of the topic."""
    table = findings(model, rows, ranks=ranks, **options)
    return [(line["finding"], line["number"]) for line in table.lines() if line["topic"] == topic]


def answers(denoising, detection, compression=9):
    found = {"denoising": denoising, "detection": detection, "compression": compression}
    return RankReport(
        denoising, {}, {}, {name: Verdict(value, name, "") for name, value in found.items()}
    )


def ordinary(n=120, variances=(25, 9, 4, 1, 1, 1), seed=0, turn=True):
    """Normal rows; turned so that no variable is a component."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n, len(variances))) * np.sqrt(variances)
    axes = np.linalg.qr(rng.standard_normal((len(variances), len(variances))))[0]
    return rows @ axes if turn else rows
