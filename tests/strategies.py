"""Tables and problems for tests: drawn by shape, seed, decay, offset, dtype, never by entries.

    draw_problems(count, seed)            a reproducible mix of all kinds and combinations
    tables(), problems()                  hypothesis strategies over the same builder
    make_problem(kind, n, d, seed, ...)   one problem by name, from `tests.problems`

Spectra are then realistic, and shrinking ends at a small seed and shape.
"""

import numpy as np
from hypothesis import strategies as st

from tests.problems import DECAYS, KINDS, ORDERS, Problem, lay_out, make_problem, make_table, store

__all__ = [
    "KINDS",
    "Problem",
    "draw_problems",
    "make_problem",
    "make_table",
    "nth_problem",
    "problems",
    "tables",
]


def choice(*values):
    """A draw from a few values."""
    return lambda rng: values[int(rng.integers(len(values)))]


# Option, how often it is set, and to what.
MIX = (
    ("decay", 0.3, choice(*DECAYS)),
    ("dtype", 0.3, choice("float32", "float64")),
    ("offset", 0.25, choice(1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7)),
    ("magnitude", 0.1, choice(1e-6, 1e-3, 1e3, 1e6)),
    ("ties", 0.1, choice(2, 3, 7)),
    ("order", 0.4, choice(*ORDERS)),
    ("density", 0.1, choice(0.05, 0.2, 0.5)),
    ("weights", 0.15, choice("integers", "fractions")),
    ("center", 0.15, choice(False)),
    ("scale", 0.15, choice("std", "given")),
)


def draw_shape(rng):
    """Mostly up to 60 x 60, some long or broad, a few larger."""
    corner = rng.random()
    if corner < 0.86:
        return int(rng.integers(3, 61)), int(rng.integers(1, 61))
    if corner < 0.98:
        return (200, 30) if corner < 0.92 else (30, 200)
    return 300, 120


def sensible(kind, options):
    """Drop what would undo the kind, drown every digit or leave the meaning open."""
    options = {name: value for name, value in options.items() if name != KINDS[kind]}
    stored = {"integers": "integers", "float32": "float32"}.get(kind, options.get("dtype"))
    if "offset" in options:
        # Farther away a float32 column, or one of bytes, would be constant.
        reach = {"integers": 1e1, "float32": 1e4}.get(stored, 1e7)
        options["offset"] = min(options["offset"], reach)
    if options.get("scale") == "std" and options.get("center") is False:
        del options["scale"]  # which deviation a raw table is divided by is a matter of taste
    return options


def nth_problem(index, seed=0):
    """Problem number `index` of the reproducible mix; kinds take turns, the rest is drawn."""
    rng = np.random.default_rng([13, seed, index])
    n, d = draw_shape(rng)
    options = {name: draw(rng) for name, chance, draw in MIX if rng.random() < chance}
    kind = list(KINDS)[index % len(KINDS)]
    return make_problem(kind, n, d, int(rng.integers(2**31)), **sensible(kind, options))


def draw_problems(count, seed=0):
    """The first `count` problems of the mix; a longer run begins with a shorter one."""
    return (nth_problem(index, seed) for index in range(count))


def tables(max_rows=40, max_columns=30, dtypes=("float64", "float32")):
    """Hypothesis: dense tables of at least two rows, with some variance, as plain arrays."""

    def build(n, d, seed, decay, offset, dtype, order):
        return lay_out(store(make_table(n, d, seed, decay=decay, offset=offset), dtype), order)

    return st.builds(
        build,
        n=st.integers(2, max_rows),
        d=st.integers(1, max_columns),
        seed=st.integers(0, 1000),
        decay=st.sampled_from(DECAYS),
        offset=st.sampled_from([0.0, 1.0, 100.0]),
        dtype=st.sampled_from(dtypes),
        order=st.sampled_from(ORDERS),
    )


def problems(kinds=tuple(KINDS), max_rows=40, max_columns=30, seeds=1000):
    """Hypothesis: problems of every kind, with everything else drawn as well."""
    optional = {
        "decay": st.sampled_from(DECAYS),
        "dtype": st.sampled_from(["float64", "float32"]),
        "offset": st.sampled_from([0.0, 1.0, 100.0, 1e4, 1e6]),
        "order": st.sampled_from(ORDERS),
        "ties": st.integers(1, 4),
        "weights": st.sampled_from([None, "integers", "fractions"]),
        "center": st.booleans(),
        "scale": st.sampled_from([None, "std", "given"]),
    }
    return st.builds(
        lambda kind, n, d, seed, options: make_problem(kind, n, d, seed, **sensible(kind, options)),
        kind=st.sampled_from(kinds),
        n=st.integers(2, max_rows),
        d=st.integers(1, max_columns),
        seed=st.integers(0, seeds),
        options=st.fixed_dictionaries({}, optional=optional),
    )
