"""Eigenvectors of a symmetric matrix on the device that the rows lie on, where that is worth it.

On a device with fast float64 units all eigenvectors of a 1024 x 1024 matrix take a tenth of the
time they take on the host (H200: 11 against 119 ms), and nothing is then left to bound. Errors are
those of LAPACK's methods, a thirtieth of what `certificate/rounding.py` allows or less.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.machine.torch_device import (
    TorchDevice,
    all_bytes,
    borrowed_device,
    from_host,
    has_fast_double,
    is_out_of_memory,
    to_host,
)
from eigenlens.sources.device.rows import is_on_device
from eigenlens.sources.protocol import Source

__all__ = ["decompose_on_device", "device_eigen_seconds", "device_for_eigenvectors"]

SMALLEST = 256  # columns: smaller ones are decomposed sooner than they are copied
COPIES, SHARE = 6, 0.25  # of the matrix, which the device needs while it works; of its memory
DEVICE_RATE, DEVICE_HALF, DEVICE_START = 2.5e12, 12_000, 5e-3  # measured on an H200


def device_eigen_seconds(size: int) -> float:
    """All eigenvectors, found on a data center GPU."""
    return DEVICE_START + size**2 * (size + DEVICE_HALF) / DEVICE_RATE


def device_for_eigenvectors(source: Source, size: int) -> TorchDevice | None:
    """The device that the rows lie on, where it decomposes a matrix of this size sooner."""
    if size < SMALLEST or not is_on_device(source) or not has_fast_double(source.device):
        return None
    fits = COPIES * 8 * size**2 <= SHARE * all_bytes(source.device)  # not what is free by chance
    return source.device if fits else None


def decompose_on_device(
    matrix: Float64Array, device: TorchDevice
) -> tuple[Float64Array, Float64Array]:
    """Eigenvalues in rising order and eigenvectors, from the lower triangle, as `eigh` of numpy."""
    import torch

    try:
        with borrowed_device(device):
            values, vectors = torch.linalg.eigh(from_host(matrix, device))
            return to_host(values), to_host(vectors)
    except RuntimeError as error:
        unconverged = isinstance(error, torch.linalg.LinAlgError)  # type: ignore[attr-defined]
        if not (unconverged or is_out_of_memory(error)):
            raise
        return np.linalg.eigh(matrix)
