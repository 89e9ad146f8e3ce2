"""measures: what the model says of every row, to color by: `color="T2"`, `"Q"` or `"cos2"`.

T2, Q   as in `explain.outliers`: how far out in the subspace, how far off it
cos2    share of a row's squared distance to the center that lies in the components shown
Cost    one more pass over the rows, made only if asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.distances import row_distances
from eigenlens.explain.left_out_spectrum import nothing_left
from eigenlens.explain.limits import keep_fewer_components
from eigenlens.explain.model_rows import scores_and_lengths
from eigenlens.kernel.subspace import KernelSubspace
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace

__all__ = ["row_measures"]


def row_measures(
    model: Subspace | KernelSubspace, data: Any, components: Iterable[int]
) -> Mapping[str, Callable[[], Float64Array]]:
    """Name -> how to compute it; of a kernel's components there are none."""
    if isinstance(model, KernelSubspace):
        return {}
    shown = list(components)

    def cos2() -> Float64Array:
        scores, lengths = scores_and_lengths(model, match_columns(model, data))
        inside = np.square(scores[:, shown]).sum(axis=1)
        return np.asarray(inside / np.where(lengths > 0, lengths, np.nan))

    def q() -> Float64Array:
        if nothing_left(model):
            raise RankError.needs(
                Phrase(
                    "{} with all of the variance in {} component(s)",
                    SetOption("color", "Q"),
                    model.n_components,
                ),
                "variance left out of the model",
                *keep_fewer_components(model, Phrase("pass {}", SetOption("color", "T2"))),
            )
        return row_distances(model, match_columns(model, data))[1]

    return {"T2": lambda: row_distances(model, match_columns(model, data))[0], "Q": q, "cos2": cos2}
