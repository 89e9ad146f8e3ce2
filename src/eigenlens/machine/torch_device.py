"""Devices of torch: found by name, with their free memory, and left as they were found.

torch is imported here, inside functions, and only where a device is asked for or a tensor is at
hand. Everything made here names its dtype and device, so that torch's defaults are neither used nor
changed; `borrowed_device` surrounds all work, and restores what torch holds per thread.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from eigenlens.errors import DeviceError, OptionError
from eigenlens.errors.phrasing import SetOption
from eigenlens.machine.limits import available_memory

__all__ = [
    "Tensor",
    "TorchDevice",
    "all_bytes",
    "borrowed_device",
    "double_speedup",
    "find_device",
    "free_bytes",
    "from_host",
    "has_fast_double",
    "is_out_of_memory",
    "refuse_device",
    "to_host",
]

Tensor: TypeAlias = Any  # torch.Tensor, a library that not everybody has
TorchDevice: TypeAlias = Any  # torch.device

EMULATION = "CUBLAS_EMULATE_DOUBLE_PRECISION"
PINNED_FROM = 1 << 20  # bytes: smaller copies gain nothing from pinned memory
# Compute capabilities whose float64 units are not a token: P100, V100, A100, H100, B200.
FAST_DOUBLE = {(6, 0), (7, 0), (8, 0), (9, 0), (10, 0)}
FAST, SLOW = 400.0, 20.0  # times the products of one core: 20e12 and 1e12 beside 48e9


def find_device(name: str) -> TorchDevice:
    """The device of that name; an error in words where there is none."""
    try:
        import torch
    except ImportError:
        raise OptionError.needs_package(SetOption("device", name), "torch", "torch") from None
    try:
        device = torch.device(name)
    except RuntimeError:
        raise DeviceError.not_a_device(name) from None
    if device.type not in ("cpu", "cuda"):
        raise DeviceError.not_a_device(name)
    there = ["cpu", *(f"cuda:{index}" for index in range(count_cuda_devices()))]
    if device.type == "cuda" and len(there) > 1 and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    if device.type == "cuda" and str(device) not in there:
        built = "" if torch.version.cuda or torch.version.hip else "this torch is built without it"
        raise DeviceError.not_there(name, there, built)
    refuse_device(device)
    return device


def count_cuda_devices() -> int:
    import torch

    return torch.cuda.device_count() if torch.cuda.is_available() else 0


def refuse_device(device: TorchDevice) -> None:
    """An error where a device cannot make the products that a certificate supposes."""
    if device.type not in ("cpu", "cuda"):
        raise DeviceError.no_double(str(device))
    if device.type == "cuda" and os.environ.get(EMULATION, "0") not in ("", "0"):
        raise DeviceError.emulated(EMULATION)


def free_bytes(device: TorchDevice) -> int:
    """Memory that is free on a device, what torch holds in reserve included."""
    if device.type == "cpu":
        return available_memory()
    import torch

    free, _ = torch.cuda.mem_get_info(device)
    reserve = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return int(free + reserve)


def all_bytes(device: TorchDevice) -> int:
    """Memory of a device, free or not."""
    if device.type == "cpu":
        return available_memory()
    import torch

    return int(torch.cuda.mem_get_info(device)[1])


def double_speedup(device: TorchDevice) -> float:
    """About how many times as fast as one core a device makes float64 products: a fixed table."""
    if device.type == "cpu":
        return 1.0
    import torch

    return FAST if torch.cuda.get_device_capability(device) in FAST_DOUBLE else SLOW


def has_fast_double(device: TorchDevice) -> bool:
    """Whether float64 products are about as fast as those of float32."""
    return double_speedup(device) == FAST


@contextmanager
def borrowed_device(device: TorchDevice) -> Iterator[None]:
    """Around all work of torch: no gradients, no autocast, the current device as it was.

    Never around a `yield` of ours: what torch holds per thread would leak to the caller.
    """
    import torch

    with torch.no_grad(), torch.autocast(device.type, enabled=False):
        if device.type == "cuda":
            with torch.cuda.device(device):
                yield
        else:
            yield


def is_out_of_memory(error: BaseException) -> bool:
    import torch

    return isinstance(error, torch.cuda.OutOfMemoryError)


def from_host(array: npt.ArrayLike, device: TorchDevice, dtype: Any = np.float64) -> Tensor:
    """An array of the host as a tensor there; one of the processor shares its memory."""
    import torch

    held = np.ascontiguousarray(array, dtype=dtype)
    # torch warns about memory that is closed to writing; we only read it.
    tensor = torch.from_numpy(held if held.flags.writeable else open_view(held))
    if device.type == "cpu":
        return tensor
    if held.nbytes >= PINNED_FROM and not tensor.is_pinned():
        tensor = tensor.pin_memory()
    return tensor.to(device, non_blocking=True)


class OpenMemory:
    """Memory of an array without the mark that closes it to writing."""

    def __init__(self, held: npt.NDArray[Any]) -> None:
        self.held = held
        self.__array_interface__ = {**held.__array_interface__, "data": (held.ctypes.data, False)}


def open_view(held: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(OpenMemory(held))


def to_host(tensor: Tensor) -> npt.NDArray[Any]:
    """A tensor as a numpy array; large ones come through pinned memory."""
    import torch

    plain = tensor.detach()
    if plain.device.type == "cuda" and plain.numel() * plain.element_size() >= PINNED_FROM:
        held = torch.empty(plain.shape, dtype=plain.dtype, device="cpu", pin_memory=True)
        plain = held.copy_(plain)
    found: npt.NDArray[Any] = plain.cpu().numpy()
    return found
