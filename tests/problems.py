"""One problem from a few words: kind, shape, seed, and options; never from single entries.

A kind fixes what its name says and leaves everything else to the caller:

    tall wide square              the shape (n and d are swapped or cut to fit)
    rank_deficient                rank a third of the possible, exactly (repeated columns) or
                                  up to rounding (a product of thin matrices)
    tied                          eigenvalues equal in groups of three
    slow fast flat                eigenvalues 1/sqrt(i); 0.5^i; white noise (default: 1/i)
    offset                        column means 1000 (float32) or 1e6 (float64) deviations away
    float32 float64 integers      the stored type
    sparse weighted               scipy sparse in any format; row weights, some of them zero

Spectra are those of the centered unweighted table. Every problem has some variance.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import scipy.sparse

# Every kind, and the option it is about (None: it is about the shape or the rank).
KINDS = {
    "tall": None,
    "wide": None,
    "square": None,
    "rank_deficient": None,
    "tied": "ties",
    "slow": "decay",
    "fast": "decay",
    "flat": "decay",
    "offset": "offset",
    "float32": "dtype",
    "float64": "dtype",
    "sparse": "density",
    "weighted": "weights",
    "integers": "dtype",
}
DECAYS = ("linear", "slow", "fast", "flat")
ORDERS = ("C", "F", "strided", "reversed", "read_only")
FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")
INTEGERS = ("int8", "uint8", "int16", "int32", "int64", "bool")
FAR = {"float32": 1e3, "float64": 1e6}


@dataclass(frozen=True, eq=False)
class Problem:
    """What to decompose: rows (n, d), dense or sparse, and how they are to be prepared.

    `recipe` is the call that makes this problem again; it is also what a failing test prints.
    """

    rows: object
    weights: np.ndarray | None = None
    center: bool = True
    scale: str | np.ndarray | None = None
    story: str = ""
    recipe: str = "Problem(...)"

    def __repr__(self):
        return self.recipe

    @property
    def max_rank(self):
        """Most components a fit may be asked for: min(n - 1, d) centered, min(n, d) raw."""
        n, d = self.rows.shape
        return min(n - 1, d) if self.center else min(n, d)


def spectrum(decay, count, ties=1):
    """Eigenvalues of the given decay; with ties > 1, equal in groups of that size."""
    i = np.arange(count) // ties + 1.0
    return {"linear": 1 / i, "slow": i**-0.5, "fast": 0.5**i, "flat": np.ones(count)}[decay]


def make_table(n, d, seed, *, decay="linear", rank=None, ties=1, offset=0.0, magnitude=1.0):
    """A float64 table whose sample covariance has the chosen eigenvalues, means added after.

    `offset` counts in units of the leading standard deviation; flat is plain white noise.
    """
    rng = np.random.default_rng([7, seed])
    possible = max(1, min(n - 1, d))
    rank = min(rank or possible, possible)
    if decay == "flat" and rank == possible:
        table = rng.standard_normal((n, d))
    else:
        left = rng.standard_normal((n, rank))
        left = np.linalg.qr(left - left.mean(axis=0))[0]
        right = np.linalg.qr(rng.standard_normal((d, rank)))[0]
        table = left * np.sqrt((n - 1) * spectrum(decay, rank, ties)) @ right.T
    return magnitude * (table + offset * rng.uniform(0.5, 1, d) * rng.choice([-1, 1], d))


def repeat_columns(table, rank, rng):
    """Keep `rank` columns and repeat them: a rank deficiency that no rounding can blur."""
    pick = np.concatenate([np.arange(rank), rng.integers(0, rank, table.shape[1] - rank)])
    return table[:, rng.permutation(pick)]


def store(table, dtype):
    """The table in the asked type; integers count quarter deviations, booleans their sign."""
    if np.issubdtype(dtype, np.floating):
        return table.astype(dtype)
    steps = np.rint(4 * table / table.std(axis=0).max())
    if dtype == "bool":
        return steps > 0
    steps = steps - steps.min() if dtype == "uint8" else steps
    limits = np.iinfo(dtype)
    return np.clip(steps, limits.min, limits.max).astype(dtype)


def lay_out(table, order):
    """The same numbers in another memory order."""
    if order == "strided":
        wide = np.zeros((2 * table.shape[0], 2 * table.shape[1]), table.dtype)
        wide[::2, ::2] = table
        return wide[::2, ::2]
    if order == "reversed":
        return np.ascontiguousarray(table[::-1, ::-1])[::-1, ::-1]
    if order == "read_only":
        table = table.copy()
        table.flags.writeable = False
        return table
    return np.array(table, order=order)


def sparsify(table, density, rng, form):
    """Drop all but `density` of the entries; `form` is a scipy format, array or matrix class."""
    kept = np.where(rng.random(table.shape) < density, table, np.zeros((), table.dtype))
    keep_variance(kept, 2)
    name, kind = form.split("_")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", scipy.sparse.SparseEfficiencyWarning)  # dia of anything
        return getattr(scipy.sparse, f"{name}_{kind}")(kept)


def keep_variance(table, among):
    """Flip one entry if the first rows (those sure to have weight) are all the same."""
    if (table[:among] == table[0]).all():
        table[0, 0] = table[0, 0] == 0


def draw_weights(n, style, rng):
    """Row weights, some of them zero but never the first two: "integers" or "fractions"."""
    weights = rng.integers(0, 5, n).astype(float) if style == "integers" else rng.exponential(2, n)
    weights[rng.random(n) < 0.1] = 0
    weights[:2] = np.maximum(weights[:2], 1)
    return weights


def fit_shape(kind, n, d):
    """The shape a kind insists on, made of the asked one; never fewer than two rows."""
    if kind == "square":
        return max(2, min(n, d)), max(2, min(n, d))
    if (kind == "tall" and n < d) or (kind == "wide" and n > d):
        return max(2, d), n
    return n, d


def insist(kind, options, rng):
    """Fill in what the kind is about, where the caller did not say otherwise."""
    if kind in ("slow", "fast", "flat"):
        options.setdefault("decay", kind)
    elif kind in ("float32", "float64"):
        options.setdefault("dtype", kind)
    elif kind == "integers":
        options.setdefault("dtype", str(rng.choice(INTEGERS)))
    elif kind == "tied":
        options.setdefault("ties", 3)
    elif kind == "weighted":
        options.setdefault("weights", str(rng.choice(["integers", "fractions"])))
    elif kind == "sparse":
        options.setdefault("density", float(rng.choice([0.05, 0.15, 0.4])))
    elif kind == "offset":
        options.setdefault("offset", FAR.get(options.get("dtype", "float64"), 0.0))
    return options


def make_problem(kind, n, d, seed, **options):
    """One problem of a kind. Options, all optional, each overriding what the kind would choose:

    decay (DECAYS), dtype, offset, magnitude, rank, ties, order (ORDERS, dense only), density,
    form ("csr_array", "coo_matrix", ...), weights ("integers" or "fractions"), center (bool),
    scale ("std", or "given" for an array of random scales). Needs n >= 2 and d >= 1.
    """
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r} is not one of {', '.join(KINDS)}")
    said = "".join(f", {name}={value!r}" for name, value in sorted(options.items()))
    recipe = f"make_problem({kind!r}, {n}, {d}, {seed}{said})"
    rng = np.random.default_rng([11, seed])
    n, d = fit_shape(kind, n, d)
    options = insist(kind, dict(options), rng)
    rows = make_rows(kind, n, d, seed, options, rng)
    weights = draw_weights(n, options["weights"], rng) if options.get("weights") else None
    scale = {"given": 10 ** rng.uniform(-1, 1, d)}.get(options.get("scale"), options.get("scale"))
    if isinstance(scale, str) and has_constant_column(rows, weights):
        scale = None  # under "std" a constant column is an error, and here nothing may be
    center = options.get("center", True)
    details = [f"{name} {value}" for name, value in options.items() if value]
    story = ", ".join([f"{kind} {n} x {d} {rows.dtype}", *details, *([] if center else ["raw"])])
    return Problem(rows, weights, center, scale, story, recipe)


def make_rows(kind, n, d, seed, options, rng):
    """The stored table of a problem, dense or sparse."""
    rank = options.get("rank")
    repeat = False
    if kind == "rank_deficient" and rank is None:
        rank, repeat = max(1, min(n - 1, d) // 3), bool(rng.random() < 0.5)
    names = ("decay", "ties", "offset", "magnitude")
    chosen = {name: options[name] for name in names if name in options}
    table = make_table(n, d, seed, rank=None if repeat else rank, **chosen)
    if repeat:
        table = repeat_columns(table, rank, rng)
    table = store(table, options.get("dtype", "float64"))
    keep_variance(table, 2)
    if options.get("density"):
        default = f"{rng.choice(FORMATS)}_{rng.choice(['array', 'matrix'])}"
        return sparsify(table, options["density"], rng, options.get("form", default))
    return lay_out(table, options.get("order", "C"))


def has_constant_column(rows, weights):
    """True if some column takes one value only on the rows that have weight."""
    values = rows.toarray() if scipy.sparse.issparse(rows) else rows
    values = values if weights is None else values[weights > 0]
    return bool((values == values[0]).all(axis=0).any())
