"""Tables with holes, drawn by shape, seed and share of holes."""

import numpy as np
from hypothesis import strategies as st

__all__ = ["draw_holes", "draw_table", "incomplete_tables"]


def draw_table(n, d, seed, rank=2, offset=0.0):
    rng = np.random.default_rng(seed)
    signal = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, d))
    return signal + 0.5 * rng.standard_normal((n, d)) + offset


def draw_holes(rows, share, seed, patterns=None):
    """Cells missing at random; with `patterns`, rows share that many patterns of holes."""
    rng = np.random.default_rng([seed, 1])
    holes = rng.random(rows.shape) < share
    if patterns is not None:
        holes = holes[rng.integers(patterns, size=len(rows))]
    holes[holes.all(axis=1), 0] = False
    holes[:3] = False  # every column keeps some cells
    return np.where(holes, np.nan, rows)


@st.composite
def incomplete_tables(draw):
    n, d = draw(st.integers(8, 60)), draw(st.integers(2, 12))
    rows = draw_table(n, d, draw(st.integers(0, 999)), offset=draw(st.sampled_from([0.0, 1e3])))
    shares = st.sampled_from([0.05, 0.2, 0.6])
    return draw_holes(
        rows, draw(shares), draw(st.integers(0, 999)), draw(st.sampled_from([None, 4]))
    )
