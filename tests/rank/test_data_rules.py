"""Parallel analysis and bi-cross-validation: rules that look at the rows themselves."""

import numpy as np
import pytest
import scipy.sparse

import eigenlens as el
from eigenlens.rank.bcv import held_out_errors
from eigenlens.rank.quick_spectrum import raw_moments
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.workspace import Workspace

WORKSPACE = Workspace(1 << 30, 1 << 24)


def factors(count, shape=(300, 60), strength=0.7, seed=0):
    rng = np.random.default_rng(seed)
    signal = rng.standard_normal((shape[0], count)) @ rng.standard_normal((count, shape[1]))
    return strength * signal + rng.standard_normal(shape)


@pytest.mark.parametrize("rule", ["parallel", "parallel:permute", "parallel:gauss", "bcv"])
@pytest.mark.parametrize("shape", [(300, 60), (60, 300)])
def test_strong_factors_are_counted(rule, shape):
    assert el.fit(factors(4, shape), k=rule).n_components == 4


@pytest.mark.parametrize("rule", ["parallel", "bcv"])
def test_noise_keeps_nothing_and_says_so(rule):
    kept = [el.fit(factors(1, strength=0.0, seed=seed), k=rule) for seed in range(10)]

    assert sum(model.n_components == 0 for model in kept) >= 9
    empty = next(model for model in kept if model.n_components == 0)
    assert "there may be no structure to find" in empty.choices["k"].reason


@pytest.mark.parametrize("rule", ["parallel", "bcv"])
@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_units_do_not_matter(rule, scale):
    assert el.fit(factors(3) * scale, k=rule).n_components == 3


@pytest.mark.parametrize("rule", ["parallel", "bcv"])
def test_the_same_seed_gives_the_same_answer(rule):
    data = factors(2, strength=0.3)

    one, two = el.fit(data, k=rule, seed=3), el.fit(data, k=rule, seed=3)

    assert one.choices["k"] == two.choices["k"]


@pytest.mark.parametrize("rule", ["parallel", "bcv"])
def test_files_give_the_answer_of_arrays(rule, tmp_path, monkeypatch):
    data = factors(3)
    np.save(tmp_path / "rows.npy", data)

    in_memory = el.fit(data, k=rule)
    monkeypatch.setattr(
        "eigenlens.rank.derived_rows.KEPT_BYTES", 0
    )  # as for large files: read again
    from_file = el.fit(tmp_path / "rows.npy", k=rule, memory="2MB")

    assert from_file.n_components == in_memory.n_components == 3


@pytest.mark.parametrize("rule", ["parallel", "bcv"])
def test_sparse_tables_are_asked_too(rule):
    rng = np.random.default_rng(0)
    parts = rng.integers(0, 3, 400)
    chance = np.full((3, 60), 0.05)
    for part in range(3):
        chance[part, 20 * part : 20 * part + 20] = 0.4
    data = scipy.sparse.csr_array((rng.random((400, 60)) < chance[parts]).astype(float))

    assert el.fit(data, k=rule).n_components == 2  # three groups differ in two directions


@pytest.mark.parametrize("rule", ["parallel", "bcv"])
def test_a_stream_that_is_gone_is_an_error_with_the_way_out(rule):
    blocks = iter(np.array_split(factors(2), 5))

    with pytest.raises(el.RankError, match=r"the rows again.*k='dpa'"):
        el.fit(blocks, k=rule)


def test_an_unknown_null_is_named_with_those_possible():
    with pytest.raises(el.RankError, match=r"'flips'.*flip.*permute.*gauss"):
        el.fit(factors(1), k="parallel:flips")


def test_too_small_a_table_has_no_quarters():
    with pytest.raises(el.RankError, match=r"4 rows and 4 columns.*here are 12 x 3"):
        el.fit(factors(1, (12, 3)), k="bcv")


def test_held_out_errors_are_those_of_the_definition():
    data = factors(3, (40, 24))
    rng = np.random.default_rng(7)

    found = held_out_errors(
        build_table(open_source(data, None), raw_moments(40)), 5, WORKSPACE, rng
    )

    assert np.allclose(found, slow_errors(data, 5, np.random.default_rng(7)), rtol=1e-6)


def slow_errors(data, most, rng):
    """|A - B D_k^+ C|^2 by the book, quarter by quarter."""
    n, d = data.shape
    rows, columns = np.zeros(n, bool), np.zeros(d, bool)
    rows[rng.permutation(n)[: n // 2]] = True
    columns[rng.permutation(d)[: d // 2]] = True
    total = np.zeros(most + 1)
    for i in (rows, ~rows):
        for j in (columns, ~columns):
            A, B = data[np.ix_(i, j)], data[np.ix_(i, ~j)]
            C, D = data[np.ix_(~i, j)], data[np.ix_(~i, ~j)]
            U, s, Vt = np.linalg.svd(D, full_matrices=False)
            for k in range(most + 1):
                inverse = (Vt[:k].T / s[:k]) @ U[:, :k].T
                total[k] += np.square(A - B @ inverse @ C).sum()
    return total


def test_weights_count_as_repeated_rows_for_bcv_and_parallel():
    data = factors(3)
    weights = np.ones(len(data))

    for rule in ("parallel", "bcv"):
        assert el.fit(data, k=rule, weights=weights).n_components == 3


@pytest.mark.parametrize("solver", ["svd", "krylov", "randomized"])
def test_a_tie_with_its_twins_is_no_structure(solver):
    rows = np.vstack([np.eye(12), -np.eye(12)])

    assert el.fit(rows, k="parallel", solver=solver).n_components == 0
