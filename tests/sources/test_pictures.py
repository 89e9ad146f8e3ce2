"""Pictures are rows of pixels, and what has a number per pixel is folded back into a picture."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.sources.layout import flatten_axes


def pictures(*shape):
    return np.random.default_rng(0).standard_normal(shape)


@pytest.mark.parametrize("shape", [(30, 4, 5), (30, 4, 5, 3), (5, 20, 20)])
def test_pictures_are_fitted_as_rows_of_pixels(shape):
    views = pictures(*shape)

    model, flat = el.fit(views, 2), el.fit(views.reshape(shape[0], -1), 2)

    assert np.array_equal(model.components, flat.components)
    assert model.column_shape == shape[1:]
    assert flat.column_shape == (flat.n_features,)


def test_new_pictures_are_projected():
    views = pictures(30, 4, 5)
    model = el.fit(views, 2)

    assert np.array_equal(model.project(views[:3]), model.project(views[:3].reshape(3, -1)))


def test_a_saved_model_knows_the_shape_of_its_pictures(tmp_path):
    model = el.fit(pictures(30, 4, 5, 3), 2)

    assert el.load(model.save(tmp_path / "m.eigenlens")).column_shape == (4, 5, 3)


def test_some_columns_of_pictures_have_no_shape():
    assert el.fit(pictures(30, 4, 5), 1, columns=[0, 3, 7]).column_shape == (3,)


def test_pictures_are_not_copied():
    views = pictures(30, 4, 5)

    assert np.shares_memory(flatten_axes(views), views)


@pytest.mark.parametrize("rows", [(0,), (0, 1), (2,), (-1, 0)])
def test_folding_undoes_flattening(rows):
    cube = pictures(3, 4, 5)

    table = flatten_axes(cube, rows)

    others = [axis for axis in range(3) if axis not in {axis % 3 for axis in rows}]
    order = [axis % 3 for axis in rows] + others
    whole = cube.transpose(order)
    assert np.array_equal(table.reshape(whole.shape), whole)
    assert len(table) == np.prod([cube.shape[axis] for axis in rows])


def test_pictures_of_unequal_sizes_are_refused_in_words():
    with pytest.raises(el.DataError, match=r"2 different sizes \(3 x 4, 4 x 4\).*resize") as caught:
        el.fit([np.zeros((3, 4)), np.zeros((4, 4))])

    assert caught.value.fields["sizes"] == [(3, 4), (4, 4)]


def test_five_axes_are_too_many():
    with pytest.raises(el.DataError, match=r"5 dimension.*height, width, colors"):
        el.fit(pictures(2, 2, 2, 2, 2))


@pytest.mark.parametrize("shape", [(20, 4, 6), (20, 4, 6, 3)])
def test_pictures_stored_pixel_by_pixel_are_ordered_block_by_block(shape):
    stored = np.asfortranarray(np.random.default_rng(0).standard_normal(shape))
    table = stored.reshape(20, -1)

    source, some = el.open(stored), el.open(stored, columns=[5, 2])

    assert np.shares_memory(source.array, stored)
    assert np.array_equal(next(source.blocks(7)), table[:7])
    assert np.array_equal(next(some.blocks(20)), table[:, [5, 2]])
    assert np.array_equal(source.sample(np.array([3, 1])), table[[3, 1]])
