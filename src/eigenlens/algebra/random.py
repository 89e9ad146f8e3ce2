"""The one way from a seed to a generator: nothing random has a source of its own."""

from __future__ import annotations

import numpy as np

from eigenlens.errors import OptionError

__all__ = ["random_generator"]


def random_generator(seed: object) -> np.random.Generator:
    try:
        return np.random.default_rng(seed)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise OptionError.needs(
            f"seed={seed!r}", "a whole number from 0 up", "Pass for example seed=0."
        ) from None
