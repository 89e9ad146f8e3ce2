"""What rrcov and cellWise publish about real tables."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.robust.directions import spatial_median, spherical_components
from eigenlens.robust.location import find_column_scales
from eigenlens.robust.wrap import learn_wrapping
from tests.robust.tables import read_messy, topgear

ROWS = {  # table, its columns, k: outlying rows, counted from 1
    "hbk": (slice(0, 3), 2, list(range(1, 15))),
    "octane": (slice(1, None), 2, [25, 26, 36, 37, 38, 39]),
    "milk": (slice(None), 3, [1, 2, 3, 11, 12, 13, 14, 15, 27, 41, 44, 47, 70, 74, 75, 77]),
    "bushfire": (slice(None), 2, [7, 8, 9, 10, 11, 31, 32, 33, 34, 35, 36, 37, 38]),
}
LOCATION = [
    10.19087024, 7.59551553, 5.14154920, 5.40200260, 8.90567482, 4.85035371,
    45.11476223, 1520.00139914, 4458.09991220, 1814.78258579, 1502.23760961,
]  # fmt: skip
SCALE = [
    0.602265001, 0.382777011, 0.587162436, 0.604831902, 3.512639210, 0.173640263,
    17.079519342, 381.022378840, 420.893736754, 91.949366088, 131.824694513,
]  # fmt: skip
FIRST_CAR = [
    9.91905052, 7.34489499, 4.60409550, 5.47239624, 11.6041522, 4.73144544,
    66.6007463, 1366.27567, 4333.37727, 1795.42254, 1457.86123,
]  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_the_published_rows_are_left_out(name):
    columns, k, outlying = ROWS[name]
    rows, _ = read_messy(name, columns)

    model = el.fit(rows, k, robust="rows")

    assert (np.flatnonzero(~model.robust.kept) + 1).tolist() == outlying
    assert model.choices["robust"].evidence["fixed_point"]


# rrcov ends its steps toward the spatial median where one is about 0.001 long, in the units of the
# data: its published centers are those after so many steps, and ours go on.


def test_the_spatial_median_and_the_spherical_component_of_bushfire():
    rows, _ = read_messy("bushfire")

    center = spatial_median(rows, most_steps=22)
    first = spherical_components(rows, center, 1)[:, 0]

    stored = [111.1921559, 147.6535413, 253.3273971, 213.6000189, 275.4922025]
    np.testing.assert_allclose(center, stored, rtol=0, atol=5e-8)
    stored = [-0.0941150685, -0.1135124136, 0.9225320288, 0.2751750921, 0.2268713520]
    np.testing.assert_allclose(first * np.sign(first[2]), stored, rtol=0, atol=5e-9)


def test_the_spatial_median_and_the_spherical_component_of_hbk():
    rows, _ = read_messy("hbk", slice(0, 3))

    center = spatial_median(rows, most_steps=5)
    first = spherical_components(rows, center, 1)[:, 0]

    np.testing.assert_allclose(center, [1.677825127, 2.141610095, 2.119790633], rtol=0, atol=5e-9)
    stored = [0.356572018, 0.499594491, 0.789469278]
    np.testing.assert_allclose(first * np.sign(first[0]), stored, rtol=0, atol=5e-7)


@pytest.mark.parametrize("name", ["bushfire", "hbk"])
def test_the_spatial_median_goes_on_to_the_smallest_sum_of_distances(name):
    rows, _ = read_messy(name, slice(0, 3))

    def total(center):
        return np.linalg.norm(rows - center, axis=1).sum()

    center = spatial_median(rows)

    for step in np.vstack([np.eye(3), -np.eye(3)]) * 1e-3:
        assert total(center) <= total(center + step)
    assert total(center) <= total(spatial_median(rows, most_steps=5))


def test_location_and_scale_of_the_cars():
    found = find_column_scales(topgear())

    np.testing.assert_allclose(found.location, LOCATION, rtol=0, atol=6e-9)
    np.testing.assert_allclose(found.scale, SCALE, rtol=0, atol=6e-10)


def test_the_first_car_wrapped_and_the_correlations_of_all():
    rows = topgear()

    wrapped = learn_wrapping(rows).apply(rows)

    np.testing.assert_allclose(wrapped[0], FIRST_CAR, rtol=1e-8)
    filled = np.where(np.isnan(wrapped), np.nanmean(wrapped, axis=0), wrapped)
    values = np.linalg.eigvalsh(np.corrcoef(filled.T))[::-1][:4]
    stored = [7.5225697960, 1.7637716933, 0.5322507419, 0.2733922488]
    np.testing.assert_allclose(values, stored, rtol=0, atol=5e-10)
