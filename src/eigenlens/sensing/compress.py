"""compress: a picture by its largest coefficients in a fixed or learned basis, as JPEG-2000 does.

    c = analyze(picture),   the `keep` largest |c| stay, the others are 0,   synthesize(c)

In an orthonormal basis no other choice of as many coefficients leaves a smaller squared error.
A picture whose sides a wavelet cannot halve is mirrored at its edges first and cut back afterwards;
what is kept is counted by the pixels of the picture itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError, PictureError, SensingError
from eigenlens.errors.phrasing import SetOption
from eigenlens.model.subspace import Subspace
from eigenlens.sensing.basis import Basis, basis
from eigenlens.sensing.fixed_bases import flatten_signals

__all__ = ["Compression", "compress"]

MOST_HALVINGS = 5
SMALLEST_SIDE = 8  # pixels, of the coarsest picture


@dataclass(frozen=True, eq=False)
class Compression:
    """What `kept` of `total` numbers give back: a picture, and its `psnr` in decibels."""

    picture: Float64Array
    psnr: float
    kept: int
    total: int
    basis: str

    def __str__(self) -> str:
        share = self.kept / self.total
        return (
            f"{self.kept:,} of {self.total:,} numbers ({share:.1%}) in the basis {self.basis!r}: "
            f"PSNR {self.psnr:.1f} dB"
        )


def compress(image: npt.ArrayLike, name: Any = "db4", keep: float = 0.05) -> Compression:
    """The picture that the largest coefficients of `image` give back.

    Parameters
    ----------
    image : (h, w), or (h, w, c) with colors
    name : "dct", an orthogonal wavelet ("haar", "db4", ...), or a model fitted to pictures of this
        size, whose components are the basis
    keep : the share of the numbers to keep, in (0, 1]

    >>> import numpy as np
    >>> ramp = np.add.outer(np.arange(32.0), np.arange(32.0) ** 2)
    >>> small = compress(ramp, "dct", keep=0.05)
    >>> small.total, small.psnr > 30
    (1024, True)
    """
    if isinstance(keep, bool) or not isinstance(keep, Real) or not 0 < keep <= 1:
        raise SensingError.not_a_share(keep)
    picture = np.asarray(image)
    if picture.ndim not in (2, 3) or picture.size == 0:
        raise PictureError.not_a_picture(picture.shape)
    peak = 255.0 if picture.dtype == np.uint8 else float(np.ptp(picture.astype(np.float64)))
    channels = np.atleast_3d(picture.astype(np.float64)).transpose(2, 0, 1)
    if not np.isfinite(channels).all():
        raise PictureError.not_a_picture(picture.shape, int((~np.isfinite(channels)).sum()))
    count = max(1, round(float(keep) * picture.size))
    if isinstance(name, Subspace):
        back, kept = keep_components(name, picture, count)
    else:
        whole = mirror_edges(channels, str(name))
        system = basis(name, whole.shape[1:])
        # All of them give a mirrored picture back as it is, though they are more than its pixels.
        coefficients, kept = keep_largest_coefficients(
            system.analyze(whole), whole.size if keep == 1 else count
        )
        found = system.synthesize(coefficients)[:, : channels.shape[1], : channels.shape[2]]
        back = found.transpose(1, 2, 0).reshape(picture.shape)
    error = float(np.mean(np.square(back - picture)))
    ratio = peak**2 / error if error > 1e-28 * peak**2 else math.inf
    label = name if isinstance(name, str) else "components"
    return Compression(back, 10 * math.log10(ratio), kept, picture.size, label)


def keep_components(
    model: Subspace, picture: npt.NDArray[Any], count: int
) -> tuple[Float64Array, int]:
    """The largest coefficients along the components of a model of such pictures."""
    if picture.size != model.n_features:
        raise OptionError.needs(
            SetOption("name", "a model"),
            f"one of pictures with {picture.size} numbers; this one has {model.n_features}",
            "fit pictures of the same size",
        )
    system: Basis = basis(model, picture.shape)
    offset = np.zeros(picture.shape) if system.offset is None else system.offset
    coefficients, kept = keep_largest_coefficients(system.analyze(picture - offset), count)
    return system.synthesize(coefficients) + offset, kept


def mirror_edges(channels: Float64Array, name: str) -> Float64Array:
    """Sides that can be halved as often as is of use; cosines take any side."""
    if name in ("dct", "identity"):
        return channels
    shortest = min(channels.shape[1:])
    halvings = max(1, min(MOST_HALVINGS, int(math.log2(max(shortest / SMALLEST_SIDE, 2)))))
    step = 2**halvings
    more = [(0, 0), *((0, -side % step) for side in channels.shape[1:])]
    return np.pad(channels, more, mode="symmetric")


def keep_largest_coefficients(coefficients: Float64Array, count: int) -> tuple[Float64Array, int]:
    """All but the `count` largest set to 0, and how many are left."""
    flat = flatten_signals(coefficients, coefficients.shape).ravel()
    kept = np.zeros_like(flat)
    most = np.argsort(-np.abs(flat), kind="stable")[:count]
    kept[most] = flat[most]
    return kept.reshape(coefficients.shape), int(np.count_nonzero(kept))
