"""Tensors of torch that numpy does not take as they are: bfloat16, gradients, sparse layouts."""

from __future__ import annotations

import sys
from typing import Any

from eigenlens.errors import UnsupportedData

__all__ = ["plain_tensor"]


def plain_tensor(data: Any) -> Any:
    """What numpy can read, sharing memory where it can; anything that is no tensor as it is.

    bfloat16 becomes float32, which holds every number of it: a copy of twice the size.
    """
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(data, torch.Tensor):
        return data
    if data.layout != torch.strided or data.is_meta:
        kind = "meta" if data.is_meta else str(data.layout).removeprefix("torch.")
        raise UnsupportedData.kind_of_tensor(kind)
    plain = data.detach() if data.requires_grad else data
    return plain.float() if plain.dtype == torch.bfloat16 else plain
