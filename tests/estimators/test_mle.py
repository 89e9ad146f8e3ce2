"""'mle' means what it means in scikit-learn; k="minka" leaves out what holds nothing."""

import numpy as np
from sklearn.decomposition import PCA as Theirs

import eigenlens as el


def test_a_dependent_column_is_noise_of_no_variance_for_mle_and_nothing_for_minka():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, 10)) * [5, 5, 1, 1, 1, 1, 1, 1, 1, 1]
    rows[:, 2:] -= rows[:, 2:].mean(axis=1, keepdims=True)  # eight columns that sum to nothing

    assert el.PCA("mle").fit(rows).n_components_ == Theirs("mle").fit(rows).n_components_ == 9
    assert el.fit(rows, "minka").n_components == 2
