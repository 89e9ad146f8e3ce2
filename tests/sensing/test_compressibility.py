"""Fixed or learned basis: which needs fewer numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from tests.problems import DECAYS, make_table


def bumps(n, size, seed):
    """Images with a short bar somewhere: sparse in wavelets, of no low rank."""
    rng = np.random.default_rng(seed)
    images = np.zeros((n, size, size))
    for image in images:
        row, column = 2 * rng.integers(0, size // 2, 2)
        image[row : row + 2, column : column + 2] = rng.uniform(1, 2)
    return images


def test_rows_of_a_plane_are_for_the_learned_basis():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((200, 3)) @ rng.standard_normal((3, 64))

    found = el.sensing.compressibility(rows, "dct")

    assert found.verdict.value == "learned"
    assert found.lines[2].components == 3
    assert found.lines[2].coefficients > 20


def test_small_things_anywhere_are_for_the_fixed_basis():
    found = el.sensing.compressibility(bumps(300, 16, 0), "haar")

    assert found.verdict.value == "fixed"
    assert found.lines[0].coefficients < 20 < found.lines[0].components
    assert "the fixed basis compresses these data better" in str(found)


def test_few_large_images_do_not_fool_the_comparison():
    rows = np.random.default_rng(0).standard_normal((12, 400))

    found = el.sensing.compressibility(rows, "dct")

    # Eleven components would hold every one of these rows; none of them holds the next row.
    assert [one.components for one in found.lines] == [None, None, None]
    assert "no number of components learned from 6 rows" in found.verdict.reason


@given(st.integers(10, 40), st.integers(2, 30), st.integers(0, 1000), st.sampled_from(DECAYS))
def test_no_orthonormal_basis_keeps_more_energy_than_the_components(n, d, seed, decay):
    rows = make_table(n, d, seed, decay=decay)
    model = el.fit(rows, min(n - 1, d))

    found = el.sensing.compressibility(rows, "dct")

    held = np.cumsum(model.explained_ratio)
    for line in found.lines:
        least = 1 + int((held < line.share * (1 - 1e-9)).sum())
        assert least <= line.same


@given(st.integers(4, 40), st.integers(1, 20), st.integers(0, 1000))
def test_more_energy_takes_more_numbers(n, d, seed):
    found = el.sensing.compressibility(make_table(n, d, seed), "dct")

    for column in ("coefficients", "same"):
        counts = found.table()[column]
        assert list(counts) == sorted(counts)
        assert counts[0] >= 0
        assert counts[-1] <= d


def test_counts_are_those_of_a_loop():
    rows = make_table(15, 8, 3)
    centered = rows - rows.mean(axis=0)
    counts = []
    for row in el.sensing.basis("dct", 8).analyze(centered):
        energies = sorted(row**2, reverse=True)
        s = 0
        while sum(energies[:s]) < 0.95 * sum(energies):
            s += 1
        counts.append(s)

    found = el.sensing.compressibility(rows, "dct")

    assert found.lines[1].coefficients == int(np.median(counts))


def test_a_file_and_an_array_are_alike(tmp_path):
    rows = make_table(40, 16, 1)
    np.save(tmp_path / "rows.npy", rows)
    basis = el.sensing.basis("haar", (4, 4))

    there = el.sensing.compressibility(tmp_path / "rows.npy", basis)

    assert there == el.sensing.compressibility(rows, basis)


def test_images_bring_their_shape():
    images = bumps(50, 8, 1)

    one = el.sensing.compressibility(images, "haar")
    two = el.sensing.compressibility(images.reshape(50, 64), el.sensing.basis("haar", (8, 8)))

    assert one == two


@pytest.mark.parametrize(
    ("rows", "basis", "words"),
    [
        (np.ones((3, 8)), "dct", ["3 rows", "4 or more"]),
        (np.ones((9, 8)), "dct", ["9 rows", "equal"]),
        (np.full((9, 8), np.nan), "dct", ["72 missing cells (NaN)"]),
        (np.ones((9, 8)), el.sensing.basis("dct", 7), ["(8,)", "(7,)"]),
        (np.ones((9, 7)), "haar", ["odd"]),
    ],
)
def test_a_mistake_is_told(rows, basis, words):
    with pytest.raises(el.EigenlensError) as caught:
        el.sensing.compressibility(rows, basis)

    assert [word for word in words if word not in str(caught.value)] == []


def test_a_basis_that_does_not_hold_the_energy_says_so():
    rows = np.random.default_rng(0).standard_normal((40, 20))
    few = el.sensing.basis(el.fit(rows, k=3))

    found = el.sensing.compressibility(rows, few)

    assert [one.coefficients for one in found.lines] == [None, None, None]
    assert [one.same for one in found.lines] == [None, None, None]
    assert "no number of coefficients" in found.verdict.reason
    assert found.verdict.value != "fixed"


def test_what_is_no_basis_is_refused():
    with pytest.raises(el.OptionError, match=r"sensing\.basis"):
        el.sensing.compressibility(np.eye(9), 3)
