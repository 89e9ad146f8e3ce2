"""Models to explain: drawn tables with their weights; and a fingerprint to compare them by."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import strategies as st

import eigenlens as el
from tests.problems import make_table

__all__ = ["explained", "fingerprint", "small"]


@st.composite
def explained(draw, whole=False):
    """A model, its rows and weights; `whole`: with all components."""
    n, d = draw(st.integers(4, 30)), draw(st.integers(2, 12))
    offset = draw(st.sampled_from([0.0, 1.0, 100.0]))
    rows = make_table(n, d, draw(st.integers(0, 1000)), decay="slow", offset=offset)
    weights = None
    if draw(st.booleans()):
        weights = np.random.default_rng(draw(st.integers(0, 99))).integers(1, 4, n).astype(float)
    scale = draw(st.sampled_from([None, "std", "given"]))
    given = 10 ** np.linspace(-1, 1, d) if scale == "given" else scale
    center = draw(st.booleans())
    most = min(n - 1, d) if center else min(n, d)
    k = most if whole else draw(st.integers(1, most))
    return el.fit(rows, k, center=center, scale=given, weights=weights), rows, weights


def small(k=2, **options):
    """Eight rows of three columns, and their model."""
    rows = make_table(8, 3, 5, decay="slow", offset=2.0)
    return el.fit(rows, k, **options), rows


def fingerprint(model):
    """The bytes that it is saved as: every number and every word of it."""
    with TemporaryDirectory() as folder:
        return model.save(Path(folder) / "model.eigenlens").read_bytes()
