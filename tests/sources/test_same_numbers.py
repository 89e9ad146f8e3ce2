"""What tells data apart, and blocks that a program writes over."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.sources.traits import fingerprint_of


@pytest.mark.parametrize("solver", ["svd", "krylov", "covariance"])
def test_a_callable_may_use_one_buffer_for_all_its_blocks(solver):
    parts = [np.random.default_rng(i).standard_normal((4000, 10)) * (i + 1) for i in range(6)]

    def blocks():
        buffer = np.empty((4000, 10))
        for part in parts:
            buffer[:] = part
            yield buffer

    found = el.fit(blocks, 3, solver=solver, tolerance=1e-8)

    right = el.fit(np.vstack(parts), 3)
    assert np.allclose(found.eigenvalues, right.eigenvalues, rtol=1e-8)


def test_one_number_tells_two_arrays_apart():
    rows = np.random.default_rng(0).standard_normal((5000, 7))
    other = rows.copy()
    other[1234, 3] += 1e-9

    assert fingerprint_of(el.open(rows)) != fingerprint_of(el.open(other))
    assert fingerprint_of(el.open(rows)) == fingerprint_of(el.open(np.asfortranarray(rows)))


def test_one_number_tells_two_callables_apart():
    rows = np.random.default_rng(0).standard_normal((500, 7))
    sources = []
    for changed in (0.0, 1e-9):
        given = rows.copy()
        given[400, 3] += changed
        sources.append(el.open(lambda given=given: np.array_split(given, 5)))

    assert fingerprint_of(sources[0]) != fingerprint_of(sources[1])


def test_other_columns_of_a_wide_table_are_other_data(tmp_path):
    np.save(tmp_path / "wide.npy", np.random.default_rng(0).standard_normal((20, 2500)))
    one = np.arange(0, 2500, 2)
    two = one.copy()
    two[10:1200] += 1

    first = el.open(tmp_path / "wide.npy", columns=one)
    assert fingerprint_of(first) != fingerprint_of(el.open(tmp_path / "wide.npy", columns=two))


def test_names_count_wherever_the_table_without_any_stands(tmp_path):
    rows = np.random.default_rng(0).standard_normal((30, 3)) * [5, 2, 1]
    np.save(tmp_path / "plain.npy", rows)
    (tmp_path / "abc.csv").write_text("a,b,c\n" + lines(rows))
    (tmp_path / "cba.csv").write_text("c,b,a\n" + lines(rows[:, ::-1]))
    paths = [tmp_path / name for name in ("abc.csv", "cba.csv", "plain.npy")]

    last, first = el.fit(paths, 2), el.fit([paths[2], paths[0], paths[1]], 2)

    assert np.allclose(first.eigenvalues, last.eigenvalues)


def lines(rows):
    return "\n".join(",".join(map(repr, row)) for row in rows.tolist())
