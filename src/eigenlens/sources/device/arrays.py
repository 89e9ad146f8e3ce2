"""Arrays of torch, cupy and jax: recognized without importing anything, and seen as tensors.

| array                                   | seen as                                            |
|-----------------------------------------|----------------------------------------------------|
| torch tensor in the memory of the host  | numpy, in place; bfloat16 as a tensor              |
| torch tensor on a CUDA device           | itself, without its history                        |
| cupy array, jax array on a device       | a tensor with the same memory (DLPack)             |

Tensors without numbers (meta), with integers for numbers (quantized), complex and sparse ones are
errors that say what to pass instead.
"""

from __future__ import annotations

import sys
from typing import Any

from eigenlens.errors import UnsupportedData
from eigenlens.machine.torch_device import Tensor, refuse_device, to_host

__all__ = [
    "array_like_tensor",
    "host_array",
    "is_device_array",
    "is_foreign_array",
    "is_tensor",
    "plain_tensor",
    "tensor_of",
]


def is_tensor(data: object) -> bool:
    torch = sys.modules.get("torch")  # a tensor cannot exist before torch is imported
    return torch is not None and isinstance(data, torch.Tensor)


def is_cupy(data: object) -> bool:
    cupy = sys.modules.get("cupy")
    return cupy is not None and isinstance(data, cupy.ndarray)


def is_jax(data: object) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(data, jax.Array)


def is_foreign_array(data: object) -> bool:
    """Whether it is of torch, cupy or jax, wherever it lies."""
    return is_tensor(data) or is_cupy(data) or is_jax(data)


def is_device_array(data: Any) -> bool:
    """Whether the numbers lie where numpy does not read them: on a device, or as bfloat16."""
    if is_tensor(data):
        torch = sys.modules["torch"]
        return data.device.type not in ("cpu", "meta") or data.dtype == torch.bfloat16
    if is_jax(data):
        on_host = {one.platform for one in data.devices()} == {"cpu"}
        return not on_host or str(data.dtype) == "bfloat16"
    return is_cupy(data)


def tensor_of(data: Any) -> Tensor:
    """The array as a tensor with the same memory, without its history."""
    if not is_tensor(data):
        from torch.utils.dlpack import from_dlpack

        data = from_dlpack(data)
    refuse_kind(data)
    refuse_device(data.device)
    return data.detach()


def host_array(data: Any) -> Any:
    """An array on a device as one of numpy, for what is worked on at home; all else as it is."""
    if is_device_array(data):
        return to_host(tensor_of(data).double())
    return plain_tensor(data)


def refuse_kind(tensor: Tensor) -> None:
    torch = sys.modules["torch"]
    if tensor.is_meta:
        raise UnsupportedData.kind_of_tensor("meta")
    if tensor.is_quantized:
        raise UnsupportedData.kind_of_tensor("quantized")
    if tensor.layout != torch.strided:
        raise UnsupportedData.kind_of_tensor(str(tensor.layout).removeprefix("torch."))
    if tensor.is_complex():
        raise UnsupportedData.complex_numbers(str(tensor.dtype).removeprefix("torch."))


def plain_tensor(data: Any) -> Any:
    """A tensor of the host as numpy can read it; anything that is no tensor as it is."""
    if not is_tensor(data):
        return data
    refuse_kind(data)
    plain = data.detach() if data.requires_grad else data
    plain = plain.resolve_conj().resolve_neg()
    of_a_byte = plain.is_floating_point() and plain.element_size() == 1  # numpy has no such numbers
    return plain.float() if of_a_byte or plain.dtype == sys.modules["torch"].bfloat16 else plain


def array_like_tensor(tensor: Tensor, like: Any) -> Any:
    """A tensor as an array of the library that `like` is of, with the same memory."""
    if is_cupy(like):
        return sys.modules["cupy"].from_dlpack(tensor)
    if is_jax(like):
        jax = sys.modules["jax"]  # which has no float64 unless asked for it
        return jax.numpy.from_dlpack(tensor if jax.config.jax_enable_x64 else tensor.float())
    return tensor
