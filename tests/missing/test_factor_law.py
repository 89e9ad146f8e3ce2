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


def test_rows_are_completed_where_the_noise_is_next_to_nothing():
    # The spread of the factors has eigenvalues between 1e-13 and 1: its inverse is the safe side.
    rng = np.random.default_rng(1)
    law = FactorLaw(np.zeros(6), rng.standard_normal((6, 5)) * 10.0 ** np.arange(-4, 1), 1e-13)
    holes = rng.random((400, 6)) < 0.4
    rows = np.where(holes, 0.0, rng.standard_normal(holes.shape))

    found = law.complete(rows, holes, np.ones(len(rows)))

    assert np.isfinite(found.completed).all()
    assert np.linalg.eigvalsh(found.spread)[0] > 0
