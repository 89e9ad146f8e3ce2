"""The public checks can fail: each is fed something wrong and must say what."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
import scipy.sparse as sp

import eigenlens as el
from eigenlens.algebra.ritz import Ritz, ritz_of_image
from eigenlens.solvers import Covariance, OrthogonalIteration
from eigenlens.solvers.step import make_step
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.testing import CheckFailed, check_adjoint, check_solver, check_source
from tests.problems import make_table

ROWS = make_table(30, 7, 1, offset=2.0)


def rng():
    return np.random.default_rng(5)


def test_a_failed_check_is_an_assertion_and_one_of_our_errors():
    assert issubclass(CheckFailed, AssertionError)
    assert issubclass(CheckFailed, el.EigenlensError)


# -- sources ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [ROWS, ROWS.astype("float32"), ROWS[::2, ::-1], np.eye(3, dtype=int), sp.csc_array(ROWS)],
    ids=["float64", "float32", "strided", "integers", "sparse"],
)
def test_our_own_sources_pass(data):
    check_source(data)


class Wrong:
    """A source of `ROWS` that does everything right; each variant below spoils one thing."""

    shape, dtype, names, is_sparse = ROWS.shape, np.dtype(np.float64), None, False
    stored_bytes = ROWS.nbytes

    def __init__(self):
        self.rows = ROWS.copy()

    def blocks(self, rows_per_block):
        for start in range(0, 30, rows_per_block):
            yield self.rows[start : start + rows_per_block].copy()

    def panels(self, columns_per_panel):
        for start in range(0, 7, columns_per_panel):
            yield self.rows[:, start : start + columns_per_panel].copy()

    def sample(self, indices):
        return self.rows[indices].copy()


class ForgetsTheLastBlock(Wrong):
    def blocks(self, rows_per_block):
        yield from list(super().blocks(rows_per_block))[: max(1, 30 // rows_per_block)]


class ShufflesPanels(Wrong):
    def panels(self, columns_per_panel):
        for panel in super().panels(columns_per_panel):
            yield panel[:, ::-1]


class SharesItsMemory(Wrong):
    def blocks(self, rows_per_block):
        for start in range(0, 30, rows_per_block):
            yield self.rows[start : start + rows_per_block]


class ChangesFromCallToCall(Wrong):
    def blocks(self, rows_per_block):
        self.rows += 1
        yield from super().blocks(rows_per_block)


class SortsItsSample(Wrong):
    def sample(self, indices):
        return super().sample(np.sort(indices))


class HasLowSamples(Wrong):
    def sample(self, indices):
        return super().sample(indices).astype(np.float32)


class HasWholeNumbers(Wrong):
    dtype = np.dtype(np.int64)


class HasTooFewNames(Wrong):
    names = ("a", "b")


class NamesTwoAlike(Wrong):
    names = tuple("abcdefa")


class ClaimsToBeSparse(Wrong):
    is_sparse = True


SOURCES = {
    ForgetsTheLastBlock: "blocks(",
    ShufflesPanels: "same columns as the blocks",
    SharesItsMemory: "not the source's own memory",
    ChangesFromCallToCall: "same rows as one block",
    SortsItsSample: "in the order asked for",
    HasLowSamples: "a sample is float64",
    HasWholeNumbers: "dtype is float32 or float64",
    HasTooFewNames: "2 names for 7 columns",
    NamesTwoAlike: "no name occurs twice",
    ClaimsToBeSparse: "scipy csr or csc",
}


def test_a_source_of_ones_own_passes_when_it_is_right():
    check_source(Wrong())


@pytest.mark.parametrize("kind", SOURCES, ids=lambda kind: kind.__name__)
def test_a_wrong_source_is_told_what_is_wrong(kind):
    with pytest.raises(CheckFailed) as failed:
        check_source(kind())

    assert SOURCES[kind] in str(failed.value)


# -- tables ----------------------------------------------------------------------------------


def table():
    source = open_source(ROWS)
    return build_table(source, prepare(source, True, None, None))


@pytest.mark.parametrize(
    "options", [{}, {"center": False}, {"scale": "std"}, {"weights": np.arange(30.0)}]
)
def test_our_own_tables_pass(options):
    check_adjoint(ROWS, rng(), **options)


TABLES = {
    "project": "<A v, u> = <v, A'u>",
    "pull_back": "<A v, u> = <v, A'u>",
    "covariance_times": "C V = A'(A V)",
    "inner_products_times": "K U = A(A'U)",
    "covariance": "C as formed",
    "inner_products": "K as formed",
    "triangle": "R'R = C",
    "dual_triangle": "R'R = K",
}


@pytest.mark.parametrize("verb", TABLES)
def test_a_wrong_product_is_told_from_a_right_one(verb, monkeypatch):
    broken = table()
    right = getattr(broken, verb)

    def wrong(*vectors):
        return right(*vectors) * (1 + 1e-9)

    wrong.__name__ = verb
    monkeypatch.setattr(broken, verb, wrong)

    with pytest.raises(CheckFailed) as failed:
        check_adjoint(broken, rng())

    assert TABLES[verb] in str(failed.value)


def test_a_pass_that_is_not_counted_is_noticed(monkeypatch):
    broken = table()
    broken.moments  # noqa: B018 - the first pass
    monkeypatch.setattr(broken.meter, "one_pass", lambda stored_bytes: None, raising=False)

    with pytest.raises(CheckFailed, match="counts as one pass"):
        check_adjoint(broken, rng())


# -- solvers ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spoiled:
    """A good solver whose every step is spoiled in one way."""

    how: str
    name = "spoiled"
    forms_matrix = False

    def sided(self, shape):
        return False

    def steps(self, side, ask, rng):
        inner = OrthogonalIteration(extra=2).steps(side, ask, rng)
        step = next(inner)
        while True:
            ask = yield getattr(self, self.how)(step, side)
            step = inner.send(ask)

    def right(self, step, side):
        return step

    def too_large(self, step, side):
        ritz = step.read_out()
        return replace(step, read_out=lambda: replace(ritz, values=ritz.values + side.trace))

    def not_orthogonal(self, step, side):
        ritz = step.read_out()
        vectors = ritz.vectors(ritz.size) + 1e-6
        return replace(step, read_out=lambda: Ritz(vectors, None, ritz.values, ritz.coupling))

    def ascending(self, step, side):
        ritz = step.read_out()
        turned = Ritz(
            ritz.vectors(ritz.size)[:, ::-1], None, ritz.values[::-1], ritz.coupling[:, ::-1]
        )
        return replace(step, read_out=lambda: turned)

    def hides_its_residual(self, step, side):
        ritz = step.read_out()
        return replace(step, read_out=lambda: replace(ritz, coupling=0 * ritz.coupling))

    def counts_nothing(self, step, side):
        return replace(step, passes=0)

    def counts_the_same(self, step, side):
        return replace(step, passes=1)

    def errors_missing(self, step, side):
        return replace(step, errors=step.errors[:1])

    def wrong_matrix(self, step, side):
        return replace(step, matrix=np.eye(side.size))


SOLVERS = {
    "too_large": "never exceed the true eigenvalues",
    "not_orthogonal": "V'V = I",
    "ascending": "descending",
    "hides_its_residual": "coupling",
    "counts_nothing": "at least one pass",
    "counts_the_same": "passes grow",
    "errors_missing": "as many errors as values",
    "wrong_matrix": "that of the side",
}


def test_a_solver_of_ones_own_passes_when_it_is_right():
    check_solver(Spoiled("right"))


@pytest.mark.parametrize("how", SOLVERS)
def test_a_wrong_solver_is_told_what_is_wrong(how):
    with pytest.raises(CheckFailed) as failed:
        check_solver(Spoiled(how))

    assert SOLVERS[how] in str(failed.value)


class WithoutName(Covariance):
    name = None


class Restless:
    """Right, but different every time."""

    name = "restless"
    forms_matrix = False
    clock = iter(range(10**9))

    def sided(self, shape):
        return False

    def steps(self, side, ask, rng):
        fresh = np.random.default_rng(next(self.clock))
        basis = np.linalg.qr(fresh.standard_normal((side.size, side.size)))[0]
        ritz = ritz_of_image(basis, side.apply(basis))
        yield make_step(ritz, ask, 1)


@pytest.mark.parametrize(
    ("solver", "words"), [(WithoutName(), "a name"), (Restless(), "the same seed")]
)
def test_a_solver_must_have_a_name_and_repeat_itself(solver, words):
    with pytest.raises(CheckFailed, match=words):
        check_solver(solver)
