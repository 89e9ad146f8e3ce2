"""Climate grids: empirical orthogonal functions of an xarray object, as maps and time series.

    eof(da, 10, dim="time", weights="coslat")  ->  Dataset

| variable            | dimensions         | meaning                                             |
|---------------------|--------------------|-----------------------------------------------------|
| `components`        | mode, lat, lon     | EOFs of length 1 in the weighted grid, NaN if masked|
| `scores`            | mode, time         | principal components, of variance `eigenvalues`     |
| `eigenvalues`       | mode               | variances, divisor n - 1                            |
| `explained_ratio`   | mode               | share of the total variance                         |
| `eigenvalue_bounds` | mode, bound        | between which each is proven to lie                 |
| `north_error`       | mode               | North's rule of thumb: eigenvalue * sqrt(2 / n)     |
| `mean`              | lat, lon           | mean over time                                      |

Values are multiplied by the weights before the mean is taken away; "coslat" is the square root of
the cosine of latitude, so that variance counts by area. Cells that are missing at all times are
left out and come back as NaN. Objects of Dask stay lazy: one pass finds the mask.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.errors import FieldError, OptionError
from eigenlens.errors.phrasing import SetOption
from eigenlens.fit import fit
from eigenlens.model.subspace import Subspace

__all__ = ["eof"]

LATITUDES = ("lat", "latitude", "lats", "latitudes", "nav_lat", "rlat", "yt_ocean")


def eof(
    da: Any,
    k: Any = 10,
    dim: Hashable = "time",
    weights: Any = None,
    **options: Any,
) -> Any:
    """Empirical orthogonal functions of a DataArray, or of all variables of a Dataset together.

    Parameters
    ----------
    da : xarray.DataArray or Dataset, held by numpy or Dask; or the path of a `.nc` file
    k : how many modes, as in `eigenlens.fit`
    dim : the dimension of the samples; all others are space
    weights : "coslat", a DataArray over space, or None
    options : of `eigenlens.fit`; with `missing="auto"` values missing at some times are estimated

    Returns an xarray.Dataset; `attrs["certificate"]` says what is proven.
    """
    xr = import_xarray()
    if isinstance(da, str | os.PathLike):
        with xr.open_dataset(da) as opened:
            return eof(variables_over(opened, dim), k, dim, weights, **options)
    if not isinstance(da, xr.DataArray | xr.Dataset):
        kind = f"an object of type {type(da).__name__}"
        raise FieldError.not_readable(kind, "a grid", "pass an xarray DataArray or Dataset")
    variables = {None: da} if isinstance(da, xr.DataArray) else dict(da.data_vars)
    parts = [GridPart(name, one, dim, weights) for name, one in variables.items()]
    holes_allowed = options.get("missing", "error") != "error"
    masks = [part.mask(holes_allowed) for part in parts]
    if not any(mask.any() for mask in masks):
        raise FieldError.nothing_kept("the mask", f"{sum(mask.size for mask in masks)} cells")
    tables = [part.table(mask) for part, mask in zip(parts, masks, strict=True)]
    table = tables[0] if len(tables) == 1 else concatenate(tables)
    scale = np.concatenate([1 / part.weight[mask] for part, mask in zip(parts, masks, strict=True)])
    model = fit(table, k, scale=None if np.all(scale == 1) else scale, **options)
    return dataset_of(model, table, parts, masks, dim)


def import_xarray() -> Any:
    try:
        import xarray
    except ImportError:
        raise FieldError.needs_library("grids", "xarray") from None
    return xarray


class GridPart:
    """One variable: its samples along `dim`, its cells along all other dimensions."""

    def __init__(self, name: Hashable, data: Any, dim: Hashable, weights: Any) -> None:
        if dim not in data.dims:
            raise FieldError.no_dimension("dim", dim, data.dims)
        self.name = name
        self.space = tuple(one for one in data.dims if one != dim)
        self.data = data.transpose(dim, *self.space)
        self.dim = dim
        self.template = self.data.isel({dim: 0}, drop=True)
        self.weight = self.weights_of_cells(weights)

    @property
    def flat(self) -> Any:
        values = self.data.data
        return values.reshape(values.shape[0], -1)

    def weights_of_cells(self, weights: Any) -> Float64Array:
        """One per cell, flat; 0 leaves a cell out."""
        shape = self.template.shape
        if weights is None:
            return np.ones(int(np.prod(shape)))
        if isinstance(weights, str):
            if weights != "coslat":
                raise OptionError.unknown("weights", weights, ("coslat", None, "a DataArray"))
            latitude = self.template[find_latitude(self.template)]
            # In the precision of the coordinate, as eofs and xeofs have it.
            given = np.sqrt(np.cos(np.deg2rad(latitude)).clip(0.0, 1.0))
        elif hasattr(weights, "dims"):
            given = weights
        else:
            raise OptionError.needs(
                SetOption("weights", weights), '"coslat" or a DataArray over space', "pass one"
            )
        full = given.broadcast_like(self.template).transpose(*self.space)
        values = np.asarray(full.values, dtype=np.float64)
        if values.shape != shape or not np.isfinite(values).all() or (values < 0).any():
            raise FieldError.bad_mask(
                "weights", f"of shape {values.shape}", f"a number of 0 or more for each of {shape}"
            )
        return values.ravel()

    def mask(self, holes_allowed: bool) -> Any:
        """Cells that are there; those that are missing at some times only are an error."""
        holes = np.asarray(compute(count_missing(self.flat)))
        n = self.data.shape[0]
        partly = (holes > 0) & (holes < n)
        if partly.any() and not holes_allowed:
            first = np.unravel_index(int(partly.argmax()), self.template.shape)
            example = ", ".join(
                f"{dim} {self.label(dim, int(place))}"
                for dim, place in zip(self.space, first, strict=True)
            )
            total, values = int(holes.size), int(holes[partly].sum())
            raise FieldError.partly_missing(int(partly.sum()), total, values, example)
        return (holes < n) & (self.weight > 0)

    def label(self, dim: Hashable, place: int) -> str:
        return str(self.template[dim].values[place]) if dim in self.template.coords else str(place)

    def table(self, mask: Any) -> Any:
        flat = self.flat
        return flat if mask.all() else flat[:, np.flatnonzero(mask)]

    def on_grid(self, values: AnyArray, mask: Any, leading: Sequence[Hashable]) -> Any:
        """Values of the cells that are there as maps; cells of weight 0 are 0, others NaN."""
        xr = import_xarray()
        full = np.full((*values.shape[:-1], mask.size), np.nan)
        full[..., mask] = values
        shape = (*values.shape[:-1], *self.template.shape)
        coords = dict(self.template.coords.items())
        return xr.DataArray(
            full.reshape(shape), dims=(*leading, *self.space), coords=coords, attrs=self.data.attrs
        )


def variables_over(opened: Any, dim: Hashable) -> Any:
    """The variables of a file that have samples and cells; bounds of coordinates are none."""
    bounds = {
        one.attrs.get("bounds") or one.encoding.get("bounds") for one in opened.coords.values()
    }
    names = [
        name
        for name, one in opened.data_vars.items()
        if dim in one.dims and one.ndim > 1 and one.dtype.kind == "f" and name not in bounds
    ]
    if not names:
        raise FieldError.no_dimension("dim", dim, list(opened.sizes))
    return opened[names[0]] if len(names) == 1 else opened[names]


def find_latitude(template: Any) -> Hashable:
    for name in template.coords:
        one = template.coords[name]
        standard = str(one.attrs.get("standard_name", ""))
        if str(name).lower() in LATITUDES or standard == "latitude":
            found: Hashable = name
            return found
    raise FieldError.no_dimension("weights", "latitude", list(template.coords))


def is_lazy(values: Any) -> bool:
    return hasattr(values, "dask")


def count_missing(flat: Any) -> Any:
    if is_lazy(flat):
        import dask.array

        return dask.array.isnan(flat).sum(axis=0)
    return np.isnan(flat).sum(axis=0)


def compute(values: Any) -> Any:
    return values.compute() if is_lazy(values) else values


def concatenate(tables: Sequence[Any]) -> Any:
    if any(is_lazy(one) for one in tables):
        import dask.array

        return dask.array.concatenate([dask.array.asarray(one) for one in tables], axis=1)
    return np.concatenate(tables, axis=1)


def dataset_of(
    model: Subspace, table: Any, parts: Sequence[GridPart], masks: Sequence[Any], dim: Hashable
) -> Any:
    xr = import_xarray()
    modes = np.arange(1, model.n_components + 1)
    # A pass over the rows, block by block; a Dask array is projected chunk by chunk.
    scores = np.asarray(compute(model.project(table)))
    time = parts[0].data[dim] if dim in parts[0].data.coords else np.arange(scores.shape[0])
    held = {
        "scores": (("mode", dim), scores.T),
        "eigenvalues": ("mode", model.eigenvalues),
        "explained_ratio": ("mode", model.explained_ratio),
        "eigenvalue_bounds": (("mode", "bound"), model.certificate.eigenvalue_bounds),
        "north_error": ("mode", model.eigenvalues * np.sqrt(2 / model.n_rows)),
    }
    coords = {"mode": modes, dim: time, "bound": ["low", "high"]}
    found = xr.Dataset(held, coords=coords)
    start = 0
    for part, mask in zip(parts, masks, strict=True):
        stop = start + int(mask.sum())
        suffix = "" if part.name is None else f"_{part.name}"
        maps = part.on_grid(model.components[:, start:stop], mask, ("mode",))
        found[f"components{suffix}"] = maps.assign_coords(mode=modes)
        if model.mean is not None:
            found[f"mean{suffix}"] = part.on_grid(model.mean[start:stop], mask, ())
        start = stop
    found.attrs["certificate"] = str(model.certificate)
    found.attrs["total_variance"] = float(model.total_variance)
    found.attrs["solver"] = str(model.choices["solver"].value)
    return found
