"""The market: named hard tables, each with its story. Every solver meets every one of them.

    MARKET    name -> function of no required arguments that returns a `Problem`
    REFUSED   those among them that must end in an error, and why
    FITTING   the others

A story says what breaks on this table if the code is naive. Sizes are small enough that the
slowest solver and the extended-precision reference take well under a second each.
"""

import numpy as np
import scipy.linalg
import scipy.sparse

from tests.problems import Problem, make_table

MARKET = {}
REFUSED = {
    "one_row": "a single row has no variance",
    "all_zero": "a constant table has no variance",
    "all_the_same": "a constant table has no variance",
    "one_nan": "not a number in row 17, column 3",
}


def stall(build):
    """Put a table on the market: `build` gives rows, or (rows, options), and its docstring."""

    def problem(*args, **options):
        made = build(*args, **options)
        rows, prepared = made if isinstance(made, tuple) else (made, {})
        said = ", ".join([*map(repr, args), *(f"{k}={v!r}" for k, v in options.items())])
        story = " ".join(build.__doc__.split())
        return Problem(rows, **prepared, story=story, recipe=f"market.{build.__name__}({said})")

    problem.__name__, problem.__doc__ = build.__name__, build.__doc__
    MARKET[build.__name__] = problem
    return problem


def normal(seed, *shape):
    """Standard normal numbers of a seed."""
    return np.random.default_rng([17, seed]).standard_normal(shape)


@stall
def far_from_origin(n=2000, dtype="float32", offset=1e4):
    """Ten columns with deviations 10 ... 1 around a mean of 10 000: sums of squares cancel."""
    return (normal(1, n, 10) * np.arange(10, 0, -1) + offset).astype(dtype)


@stall
def kelvin():
    """Eight thermometers near 290 K that differ by a tenth of a degree, in float32."""
    weather = 0.5 * normal(2, 1000, 1)
    return (290 + weather + 0.1 * normal(3, 1000, 8)).astype("float32")


@stall
def drifting():
    """Every row is farther out than the last: the mean of the first block shifts too little."""
    return normal(4, 3000, 6) + np.linspace(0, 1e5, 3000)[:, None] * np.arange(1, 7)


@stall
def sparse_with_large_means():
    """Sparse, but four columns are full and lie at 10 000 with deviation 1: no shift can help."""
    rng = np.random.default_rng(5)
    table = np.where(rng.random((400, 40)) < 0.05, rng.standard_normal((400, 40)), 0.0)
    table[:, :4] = 1e4 + rng.standard_normal((400, 4))
    return scipy.sparse.csr_array(table)


@stall
def one_outlier():
    """One row a million deviations out: it owns the first component, the rest is ordinary."""
    table = normal(6, 500, 12) * np.linspace(2, 1, 12)
    table[123] += 1e6 * np.linspace(-1, 1, 12)
    return table


@stall
def twins():
    """Eigenvalues exactly equal in twos, threes and fives: only the spans are determined."""
    return scipy.linalg.hadamard(64)[:, 1:11] * np.repeat([4.0, 2.0, 1.0], [2, 3, 5])


@stall
def nearly_twins():
    """The two leading eigenvalues differ by one part in 10^10: a gap no iteration can use."""
    sizes = np.array([4.0, 4.0 * (1 + 5e-11), 2.0, 1.0, 0.5, 0.25])
    rotation = scipy.linalg.qr(normal(7, 6, 6))[0]
    return scipy.linalg.hadamard(64)[:, 1:7] * sizes @ rotation


@stall
def identity():
    """One row per column and nothing else: 39 equal eigenvalues, no direction is better."""
    return np.eye(40)


@stall
def white_noise():
    """No structure at all: the spectrum is a smooth hill without a gap anywhere."""
    return normal(8, 300, 60)


@stall
def slow_decay():
    """Eigenvalues 1/sqrt(i): the tail outweighs the head and convergence crawls."""
    return make_table(250, 80, 9, decay="slow")


@stall
def false_gap():
    """A covariance where a gap taken from a Ritz value and its residual is too wide a claim.

    C = diag(15, 6, 5.99, 5) with C[0,3] = 1e-3 and C[2,3] = 5, raw, from four rows: the basis
    e1, e2, e3 has sine 1.58e-4 in its first vector where residual over that gap says 1.11e-4.
    """
    C = np.diag([15, 6, 5.99, 5])
    C[0, 3] = C[3, 0] = 1e-3
    C[2, 3] = C[3, 2] = 5
    return 2 * np.linalg.cholesky(C).T, {"center": False}


@stall
def one_row():
    """A single row: nothing varies."""
    return np.arange(5.0)[None, :]


@stall
def two_rows():
    """The least that has a variance: one component, and it joins the two points."""
    return np.array([[1.0, 2.0, 4.0], [2.0, 0.0, 7.0]])


@stall
def one_column():
    """A single column: the component is 1 and the eigenvalue is the variance."""
    return normal(10, 50, 1) + 3


@stall
def wide():
    """Far more columns than rows: the covariance matrix must not be formed."""
    return make_table(25, 1500, 11)


@stall
def square():
    """As many rows as columns: centering takes one dimension away and leaves a zero."""
    return normal(12, 40, 40)


@stall
def rank_two_in_a_thousand():
    """A thousand columns of small integers that span two dimensions, without any rounding."""
    rng = np.random.default_rng(13)
    return (rng.integers(-9, 10, (60, 2)) @ rng.integers(-9, 10, (2, 1000))).astype(float)


@stall
def constant_column():
    """A column of sevens and one of millions among ordinary ones: zero variance, large mean."""
    table = normal(14, 200, 8)
    table[:, 2], table[:, 5] = 7.0, 1e6
    return table


@stall
def doubled_columns():
    """Every column stands twice: half of the eigenvalues are zero to the last bit."""
    return np.repeat(normal(15, 120, 10), 2, axis=1)


@stall
def repeated_rows():
    """Twelve different rows, fifty times each: 600 rows, eleven dimensions."""
    return np.tile(normal(16, 12, 20), (50, 1))


@stall
def needle():
    """A direction that one row in 5000 carries alone, the strongest of all: samples miss it."""
    table = normal(17, 5000, 20)
    table[:, 13] = 0.0
    table[3333, 13] = 1e3
    return table


@stall
def all_zero():
    """Nothing but zeros."""
    return np.zeros((10, 4))


@stall
def all_the_same():
    """One row repeated, with a value that sums inexactly: rounding looks like variance."""
    return np.full((30, 4), 0.1)


@stall
def one_nan():
    """A good table but for one entry that is not a number."""
    table = normal(18, 40, 6)
    table[17, 3] = np.nan
    return table


@stall
def huge():
    """Numbers near 1e150: their squares fit a float64, the squares of those do not."""
    return 1e150 * make_table(80, 12, 19)


@stall
def tiny():
    """Numbers near 1e-150: their squares fit a float64, the squares of those vanish."""
    return 1e-150 * make_table(80, 12, 19)


@stall
def huge_and_tiny():
    """Columns near 1e150 beside columns near 1e-150."""
    return normal(20, 80, 6) * np.where(np.arange(6) % 2, 1e-150, 1e150)


@stall
def float32_overflow():
    """float32 numbers near 1e25: no trouble to store, but their squares are infinite in float32."""
    return (1e25 * make_table(80, 12, 21)).astype("float32")


@stall
def float32_underflow():
    """float32 numbers near 1e-30: their squares are zero in float32."""
    return (1e-30 * make_table(80, 12, 21)).astype("float32")


@stall
def graded():
    """Eigenvalues over 16 orders of magnitude, rotated: the small ones drown in a Gram matrix."""
    left = scipy.linalg.qr(normal(22, 100, 17) - normal(22, 100, 17).mean(0), mode="economic")[0]
    right = scipy.linalg.qr(normal(23, 17, 17))[0]
    return left * 10.0 ** (-np.arange(17) / 2) @ right


@stall
def integers():
    """16-bit counts up to 30 000: products overflow unless the block is widened first."""
    rng = np.random.default_rng(24)
    return rng.integers(-30_000, 30_001, (150, 9)).astype("int16")


@stall
def bytes_of_an_image():
    """Unsigned bytes, mostly 255 or 0: differences wrap around unless widened."""
    rng = np.random.default_rng(25)
    return rng.choice(np.array([0, 1, 254, 255], "uint8"), (150, 16), p=[0.4, 0.1, 0.1, 0.4])


@stall
def yes_and_no():
    """Booleans, each column more often true than the one before."""
    return np.random.default_rng(26).random((120, 8)) < np.linspace(0.1, 0.9, 8)


@stall
def sparse_with_empty_rows():
    """Two thirds of the rows and a quarter of the columns hold nothing; one entry is a stored 0."""
    rng = np.random.default_rng(27)
    table = np.where(rng.random((150, 40)) < 0.2, rng.poisson(3, (150, 40)), 0).astype(float)
    table[np.arange(150) % 3 > 0], table[:, ::4] = 0, 0
    stored = scipy.sparse.csr_array(table)
    stored.data[0] = 0
    return stored


@stall
def lopsided_weights():
    """Weights from 1e-6 to 1e6 and some zeros: few rows decide, zero rows must not count."""
    weights = 10 ** np.linspace(-6, 6, 200)
    weights[::10] = 0
    return normal(28, 200, 10) * np.linspace(3, 1, 10) + 5, {"weights": weights}


@stall
def repeated_by_weight():
    """Small whole weights: the same as writing every row that many times."""
    weights = np.random.default_rng(29).integers(0, 4, 90)
    return make_table(90, 15, 30, offset=10.0), {"weights": weights}


FITTING = {name: build for name, build in MARKET.items() if name not in REFUSED}
