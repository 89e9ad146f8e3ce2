"""Grids of xarray: maps, time series and masks as the field has them."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.errors import FieldError, OptionError
from tests.fields.stored import REFERENCE, outside_file

xr = pytest.importorskip("xarray")

TIMES, LATS, LONS = 40, 6, 9


def field(seed=0, masked=True):
    rng = np.random.default_rng(seed)
    waves = rng.standard_normal((TIMES, 3)) @ rng.standard_normal((3, LATS * LONS))
    values = waves + 0.1 * rng.standard_normal((TIMES, LATS * LONS)) + 10
    if masked:
        values[:, [0, 7, 30]] = np.nan
    return xr.DataArray(
        values.reshape(TIMES, LATS, LONS),
        dims=("time", "lat", "lon"),
        coords={
            "time": np.arange(TIMES),
            "lat": np.linspace(-60, 80, LATS),
            "lon": np.linspace(0, 320, LONS),
        },
        attrs={"units": "K"},
        name="sst",
    )


def by_definition(da, weighted):
    """Dense: weights multiplied in, then centered, cells without values left out."""
    weight = np.sqrt(np.cos(np.deg2rad(da.lat)).clip(0, 1)) if weighted else 1.0
    table = (da * weight).values.reshape(TIMES, -1)
    there = ~np.isnan(table[0])
    centered = table[:, there] - table[:, there].mean(axis=0)
    return np.linalg.svd(centered, full_matrices=False), there


@pytest.mark.parametrize("weights", ["coslat", None])
@pytest.mark.parametrize("chunks", [None, {"time": 11}, {"time": 13, "lat": 3, "lon": 4}])
def test_modes_are_those_of_the_definition(weights, chunks):
    if chunks:
        pytest.importorskip("dask")
    da = field() if chunks is None else field().chunk(chunks)
    (left, values, right), there = by_definition(field(), weights == "coslat")

    found = el.xarray.eof(da, 3, weights=weights, tolerance=1e-10)

    assert found.components.dims == ("mode", "lat", "lon")
    assert found.scores.dims == ("mode", "time")
    np.testing.assert_array_equal(found.mode, [1, 2, 3])
    np.testing.assert_allclose(found.eigenvalues, values[:3] ** 2 / (TIMES - 1), rtol=1e-9)
    np.testing.assert_allclose(
        found.north_error, found.eigenvalues * np.sqrt(2 / TIMES), rtol=1e-14
    )
    maps = found.components.values.reshape(3, -1)
    assert np.isnan(maps[:, ~there]).all()
    np.testing.assert_allclose(np.abs(maps[:, there]), np.abs(right[:3]), atol=1e-8)
    np.testing.assert_allclose(
        np.abs(found.scores.values.T), np.abs(left[:, :3] * values[:3]), atol=1e-6
    )
    low, high = found.eigenvalue_bounds.values.T
    assert np.all((low <= found.eigenvalues.values) & (found.eigenvalues.values <= high))
    np.testing.assert_allclose(found["mean"].values[1, 2], field().values[:, 1, 2].mean())


def test_coordinates_attributes_and_order_are_kept():
    da = field().transpose("lon", "time", "lat").assign_coords(region=("lat", list("abcdef")))

    found = el.xarray.eof(da, 2)

    assert found.components.dims == ("mode", "lon", "lat")
    assert found.components.attrs["units"] == "K"
    assert list(found.components.region.values) == list("abcdef")
    np.testing.assert_array_equal(found.scores.time, da.time)
    assert "within" in found.attrs["certificate"]


def test_a_pole_has_no_area():
    da = field(masked=False).assign_coords(lat=np.linspace(-90, 90, LATS))

    found = el.xarray.eof(da, 2, weights="coslat")

    assert np.isfinite(found.components.values[:, 1:-1]).all()


def test_weights_may_be_a_map():
    weights = xr.DataArray(np.linspace(0.5, 2, LATS), dims="lat", coords={"lat": field().lat})

    found = el.xarray.eof(field(), 2, weights=weights, tolerance=1e-10)

    truth = el.xarray.eof(field() * weights, 2, tolerance=1e-10)
    np.testing.assert_allclose(found.eigenvalues, truth.eigenvalues, rtol=1e-9)


def test_several_variables_are_one_table():
    two = xr.Dataset({"sst": field(0), "slp": field(1, masked=False)})

    found = el.xarray.eof(two, 2)

    assert found.components_sst.dims == ("mode", "lat", "lon")
    assert np.isfinite(found.components_slp.values).all()
    length = np.nansum(found.components_sst.values**2 + found.components_slp.values**2, axis=(1, 2))
    length += (found.components_slp.values[:, np.isnan(found.components_sst.values[0])] ** 2).sum(1)
    np.testing.assert_allclose(length, 1, atol=1e-12)


def test_a_file_is_read_without_the_bounds_of_its_coordinates(tmp_path):
    pytest.importorskip("netCDF4")
    bounds = ("lat", "bound"), np.zeros((LATS, 2))
    xr.Dataset({"sst": field(), "bounds_lat": bounds}).to_netcdf(tmp_path / "x.nc")

    found = el.xarray.eof(tmp_path / "x.nc", 2)

    truth = el.xarray.eof(field(), 2)
    np.testing.assert_allclose(found.eigenvalues, truth.eigenvalues, rtol=1e-9)


def test_a_plain_table_is_fitted_as_it_is():
    rows = np.random.default_rng(0).standard_normal((30, 4))
    truth = el.fit(rows, k=2)

    np.testing.assert_allclose(el.fit(xr.DataArray(rows), k=2).eigenvalues, truth.eigenvalues)
    np.testing.assert_allclose(
        el.PCA(2).fit(xr.DataArray(rows)).explained_variance_, truth.eigenvalues
    )


def test_the_stored_modes_of_eofs():
    path = outside_file("climate/sst_ndjfm_anom.nc")
    truth = REFERENCE["climate/sst_ndjfm_anom.nc"]

    found = el.xarray.eof(path, 10, weights="coslat", tolerance=1e-10)

    # Stored with twelve digits.
    np.testing.assert_allclose(found.eigenvalues, truth["eigenvalues"], rtol=5e-12)
    np.testing.assert_allclose(found.north_error, truth["north_typical_error"], rtol=5e-12)
    stored = truth["pc_first_rows_sign_largest_map_entry_positive"]
    np.testing.assert_allclose(found.scores.values[:3, :3].T, stored, atol=1e-10)
    assert int(np.isfinite(found.components[0]).sum()) == truth["cells_used"]


# -- mistakes --------------------------------------------------------------------------------


def test_mistakes_are_said_in_the_words_of_the_field():
    holes = field()
    holes[3, 4, 5] = np.nan
    with pytest.raises(FieldError, match=r"1 of 54 cells .* \(1 values\), for example lat 52.0"):
        el.xarray.eof(holes, 2)
    assert el.xarray.eof(holes, 2, missing="auto").scores.shape == (2, TIMES)
    with pytest.raises(FieldError, match="all 54 cells"):
        el.xarray.eof(field() * np.nan, 2)
    with pytest.raises(FieldError, match=r"'tme'.*'time', 'lat', 'lon'"):
        el.xarray.eof(field(), 2, dim="tme")
    with pytest.raises(OptionError, match="'coslat'"):
        el.xarray.eof(field(), 2, weights="cos")
    with pytest.raises(FieldError, match="latitude"):
        el.xarray.eof(field().rename(lat="y"), 2, weights="coslat")


def test_an_array_without_coordinates_is_no_grid():
    with pytest.raises(FieldError, match="type ndarray cannot be read as a grid: pass an xarray"):
        el.xarray.eof(np.zeros((5, 3)), 1)
