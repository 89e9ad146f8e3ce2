"""Small dense mathematics: each function by the equation in its docstring."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.orthonormal import (
    extend_basis,
    orthonormal_basis,
    thin_qr,
    triangle_of,
)
from eigenlens.algebra.ritz import (
    descending_eigh,
    fix_signs,
    ritz_of_eigenvectors,
    ritz_of_image,
    ritz_of_projection,
)
from tests.distances import assert_orthonormal

EPS = np.finfo(np.float64).eps
seeds = st.integers(0, 10_000)
sizes = st.integers(1, 30)


def block(seed, size, width, condition=0.0):
    """Random columns; the last ones smaller by up to 10^-condition."""
    drop = 10 ** -np.linspace(0, condition, width)
    return np.random.default_rng(seed).standard_normal((size, width)) * drop


def symmetric(seed, size):
    half = block(seed, size, size)
    return half @ half.T / size


@st.composite
def tall_blocks(draw):
    size = draw(st.integers(1, 40))
    width = draw(st.integers(1, size))
    return block(draw(seeds), size, width, draw(st.sampled_from([0, 3, 7, 12])))


@given(tall_blocks())
def test_qr_gives_back_the_block_from_orthonormal_columns(given_block):
    basis, triangle = thin_qr(given_block)

    slack = 10 * len(given_block) * EPS
    assert_orthonormal(basis, slack)
    lengths = np.linalg.norm(given_block, axis=0)
    assert np.all(np.abs(basis @ triangle - given_block) <= slack * lengths.max())
    assert np.all(np.tril(triangle, -1) == 0)


@given(st.integers(0, 2**32 - 1))
def test_no_column_loses_more_than_roundings_of_its_own_length(seed):
    """Also where columns of very different lengths are nearly dependent: residuals rest on it."""
    rng = np.random.default_rng(seed)
    size, width = int(rng.integers(6, 40)), int(rng.integers(2, 6))
    nearly = block(seed, size, width) * np.geomspace(1, 10 ** -rng.uniform(0, 7), width)
    turned = nearly @ orthonormal_basis(block(seed + 1, width, width))
    turned *= 10 ** rng.uniform(-3, 3, width)
    basis, triangle = thin_qr(turned)
    lost = np.linalg.norm(turned - basis @ triangle, axis=0)
    assert (lost <= 64 * EPS * np.linalg.norm(turned, axis=0)).all()


@given(tall_blocks())
def test_an_orthonormal_basis_spans_the_block_column_by_column(given_block):
    basis = orthonormal_basis(given_block)

    for count in range(1, given_block.shape[1] + 1):
        rest = given_block[:, :count] - basis[:, :count] @ (
            basis[:, :count].T @ given_block[:, :count]
        )
        assert np.abs(rest).max() <= 10 * len(basis) * EPS * np.abs(given_block).max() * count


@given(seeds, st.integers(2, 30), st.data())
def test_extending_a_basis_splits_a_block_into_old_and_new(seed, size, data):
    held = data.draw(st.integers(0, size - 1))
    width = data.draw(st.integers(1, size - held))
    basis = orthonormal_basis(block(seed, size, held)) if held else np.zeros((size, 0))
    added = block(seed + 1, size, width)

    new, inside, outside = extend_basis(basis, added, np.random.default_rng(seed + 2))

    slack = 20 * size * EPS
    assert new.shape == (size, width)
    assert_orthonormal(np.hstack([basis, new]), slack)
    assert np.abs(basis @ inside + new @ outside - added).max() <= slack * np.abs(added).max()


@given(seeds, st.integers(3, 30), st.data())
def test_columns_that_add_nothing_are_replaced_by_new_directions(seed, size, data):
    held = data.draw(st.integers(1, size - 2))
    basis = orthonormal_basis(block(seed, size, held))
    inside_already = basis @ block(seed, held, 2)

    new, _, outside = extend_basis(basis, inside_already, np.random.default_rng(seed + 2))

    assert_orthonormal(np.hstack([basis, new]), 20 * size * EPS)
    assert np.abs(outside).max() <= 100 * size * EPS * np.abs(inside_already).max()


@given(seeds, st.integers(2, 20), st.integers(1, 6))
def test_a_space_is_never_filled_beyond_its_size(seed, size, too_many):
    basis = orthonormal_basis(block(seed, size, size - 1))

    new, _, _ = extend_basis(
        basis, block(seed + 1, size, too_many), np.random.default_rng(seed + 2)
    )

    assert new.shape == (size, 1)
    assert_orthonormal(np.hstack([basis, new]), 20 * size * EPS)


@given(seeds, st.integers(1, 30), st.data())
def test_what_a_subspace_knows_of_a_matrix(seed, size, data):
    # C V = V H + Q F, so |C V - V diag(t)| column by column is the length of F S.
    matrix = symmetric(seed, size)
    span = orthonormal_basis(block(seed + 1, size, data.draw(st.integers(1, size))))

    ritz = ritz_of_image(span, matrix @ span)

    vectors = ritz.vectors(ritz.size)
    scale = np.linalg.norm(matrix, 2)
    slack = 20 * size * EPS * scale
    assert_orthonormal(vectors, 20 * size * EPS)
    np.testing.assert_allclose(
        vectors.T @ matrix @ vectors, np.diag(ritz.values), rtol=0, atol=slack
    )
    residuals = np.linalg.norm(matrix @ vectors - vectors * ritz.values, axis=0)
    np.testing.assert_allclose(ritz.residuals, residuals, rtol=0, atol=slack)


@given(seeds, st.integers(2, 30), st.data())
def test_ritz_values_interlace_from_below(seed, size, data):
    matrix = symmetric(seed, size)
    span = orthonormal_basis(block(seed + 1, size, data.draw(st.integers(1, size))))

    values = ritz_of_image(span, matrix @ span).values

    true = np.linalg.eigvalsh(matrix)[::-1]
    slack = 20 * size * EPS * true[0]
    assert np.all(values <= true[: len(values)] + slack)
    assert np.all(values >= true[size - len(values) :] - slack)


@given(seeds, st.integers(1, 30))
def test_a_whole_eigendecomposition_couples_to_nothing(seed, size):
    values, vectors = descending_eigh(symmetric(seed, size))

    ritz = ritz_of_eigenvectors(values, vectors)

    assert np.all(np.diff(values) <= 0)
    assert np.all(ritz.residuals == 0)
    assert ritz.vectors(1).shape == (size, 1)


def test_a_projection_and_an_image_say_the_same():
    matrix, span = symmetric(1, 12), orthonormal_basis(block(2, 12, 4))
    image = matrix @ span
    outside = image - span @ (span.T @ image)

    one = ritz_of_image(span, image)
    two = ritz_of_projection(span, span.T @ image, thin_qr(outside)[1])

    slack = 100 * EPS * np.linalg.norm(matrix, 2)
    np.testing.assert_allclose(one.values, two.values, rtol=0, atol=slack)
    np.testing.assert_allclose(one.residuals, two.residuals, rtol=0, atol=slack)


@given(seeds, sizes, sizes)
def test_the_largest_entry_of_each_column_becomes_positive(seed, size, count):
    vectors = block(seed, size, count)

    fixed = fix_signs(vectors)

    largest = np.argmax(np.abs(fixed), axis=0)
    assert np.all(fixed[largest, np.arange(count)] > 0)
    np.testing.assert_array_equal(np.abs(fixed), np.abs(vectors))
    np.testing.assert_array_equal(fix_signs(-vectors), fixed)


def test_the_first_of_equally_large_entries_decides():
    vectors = np.array([[-1.0, 1.0, 0.0], [1.0, -1.0, 0.0]])

    np.testing.assert_array_equal(fix_signs(vectors), [[1.0, 1.0, 0.0], [-1.0, -1.0, 0.0]])


def moments_of(rows):
    step = rows - rows.mean(axis=0)
    return Moments(len(rows), rows.mean(axis=0), np.square(step).sum(axis=0), step.T @ step)


@given(seeds, st.integers(1, 20), st.integers(1, 20), st.sampled_from([0.0, 1e8]))
def test_the_moments_of_a_union_are_those_of_all_rows(seed, few, many, far):
    rows = block(seed, few + many, 3) + far

    union = moments_of(rows[:few]).union(moments_of(rows[few:]))

    whole = moments_of(rows)
    size = np.abs(whole.scatter).max() + (far * EPS) ** 2 * len(rows) + far * EPS
    assert union.weight == whole.weight
    np.testing.assert_allclose(union.mean, whole.mean, rtol=8 * EPS, atol=8 * EPS)
    np.testing.assert_allclose(
        union.scatter,
        whole.scatter,
        rtol=0,
        atol=100 * len(rows) * EPS * size + 10 * far * EPS * np.sqrt(size * len(rows)),
    )
    np.testing.assert_allclose(union.squares, np.diag(union.scatter), rtol=1e-12, atol=1e-300)


def test_a_union_with_unknown_scatter_keeps_the_squares():
    known, bare = moments_of(block(1, 5, 3)), Moments(2.0, np.zeros(3), np.ones(3))

    union = known.union(bare)

    assert union.scatter is None
    assert union.weight == 7
    assert np.all(union.squares >= known.squares)


@given(seeds, st.integers(1, 12), st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_a_triangle_has_the_inner_products_of_all_blocks(seed, width, heights):
    blocks = [block(seed + i, height, width) for i, height in enumerate(heights)]

    triangle = triangle_of(iter(blocks))

    stacked = np.vstack(blocks)
    slack = 20 * (len(stacked) + width) * EPS * np.linalg.norm(stacked) ** 2
    assert triangle.shape == (width, width)
    assert np.all(np.tril(triangle, -1) == 0)
    np.testing.assert_allclose(triangle.T @ triangle, stacked.T @ stacked, rtol=0, atol=slack)


def test_a_triangle_keeps_singular_values_a_gram_matrix_would_lose():
    sizes = 10.0 ** -np.arange(0, 13, 3)
    rows = orthonormal_basis(block(1, 40, 5)) * sizes @ orthonormal_basis(block(2, 5, 5)).T

    singular = np.linalg.svd(triangle_of([rows[:15], rows[15:]]), compute_uv=False)

    np.testing.assert_allclose(singular, sizes, rtol=0, atol=100 * EPS)
    squared = np.linalg.eigvalsh(rows.T @ rows)[0]
    assert abs(squared - sizes[-1] ** 2) > sizes[-1] ** 2
