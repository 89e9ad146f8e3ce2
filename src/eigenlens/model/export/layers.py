"""A model as one linear layer of another library: embeddings come in, shorter ones go out.

    y = W x + b        W = components / scale,   b = -W mean

Of a model with normalize="l2" the rows are divided by their length first, where the library has a
layer for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import FieldError, OptionError

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["to_faiss", "to_sentence_transformers", "to_torch"]


def weight_and_bias(model: Subspace) -> tuple[Float64Array, Float64Array]:
    weight = model.components if model.scale is None else model.components / model.scale
    mean = np.zeros(model.n_features) if model.mean is None else model.mean
    return np.array(weight), -(weight @ mean)


def to_torch(model: Subspace, dtype: Any = None) -> Any:
    """torch.nn.Linear, after a torch.nn.RMSNorm where rows are of unit length."""
    try:
        import torch
    except ImportError:
        raise FieldError.needs_library("a layer of torch", "torch") from None
    weight, bias = weight_and_bias(model)
    kind = torch.float32 if dtype is None else dtype
    layer = torch.nn.Linear(model.n_features, model.n_components, dtype=kind)
    normalized = "normalize" in model.reading
    # RMSNorm gives rows of length sqrt(d).
    size = np.sqrt(model.n_features) if normalized else 1.0
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(weight / size))
        layer.bias.copy_(torch.from_numpy(bias))
    if not normalized:
        return layer
    tiny = torch.finfo(kind).tiny
    norm = torch.nn.RMSNorm(model.n_features, eps=tiny, elementwise_affine=False, dtype=kind)
    return torch.nn.Sequential(norm, layer)


def to_sentence_transformers(model: Subspace) -> list[Any]:
    """Modules to append to a SentenceTransformer: Dense, after Normalize where it was asked for."""
    try:
        from sentence_transformers import models
    except ImportError:
        raise FieldError.needs_library("a module", "sentence-transformers") from None
    import torch

    weight, bias = weight_and_bias(model)
    dense = models.Dense(
        in_features=model.n_features,
        out_features=model.n_components,
        bias=True,
        activation_function=torch.nn.Identity(),
        init_weight=torch.from_numpy(weight).float(),
        init_bias=torch.from_numpy(bias).float(),
    )
    return [models.Normalize(), dense] if "normalize" in model.reading else [dense]


def to_faiss(model: Subspace) -> Any:
    """faiss.LinearTransform, trained; faiss's own PCAMatrix learns from a sample of the rows."""
    try:
        import faiss
    except ImportError:
        raise FieldError.needs_library("a transform", "faiss-cpu") from None
    if "normalize" in model.reading:
        raise OptionError.needs(
            "to_faiss() of a model with normalize='l2'",
            "rows of unit length, which a LinearTransform does not make",
            "normalize the rows yourself and fit without normalize",
        )
    weight, bias = weight_and_bias(model)
    transform = faiss.LinearTransform(model.n_features, model.n_components, True)
    faiss.copy_array_to_vector(weight.astype(np.float32).ravel(), transform.A)
    faiss.copy_array_to_vector(bias.astype(np.float32), transform.b)
    transform.is_trained = True
    transform.set_is_orthonormal()
    return transform
