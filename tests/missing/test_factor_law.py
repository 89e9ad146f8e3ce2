"""A normal law of low rank, by itself."""

import numpy as np

from eigenlens.missing.factor_law import FactorLaw


def test_distances_that_round_below_zero_are_zero():
    # Rows in the span of the loadings, with next to no noise: nearly all of a length is explained.
    rng = np.random.default_rng(0)
    loadings = rng.standard_normal((5, 2))
    law = FactorLaw(np.zeros(5), loadings, 1e-16)
    rows = rng.standard_normal((200, 2)) @ loadings.T
    scores, _, _ = law.score(rows, np.ones(rows.shape, dtype=bool))
    raw = (rows**2).sum(axis=1) / law.noise - ((rows @ loadings / law.noise) * scores).sum(axis=1)

    distances = law.measure_distances(rows, scores)

    assert (raw < 0).any()
    assert (distances >= 0).all()
