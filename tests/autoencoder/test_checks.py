"""scikit-learn's checks of any estimator, on both autoencoders."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from eigenlens.autoencoder import Autoencoder, LinearAutoencoder

FIVE_ROWS = "it fits five rows; some must be trained on, some stopped by and some judged by"


def expected_failures(estimator):
    if isinstance(estimator, Autoencoder):
        return {"check_estimators_nan_inf": FIVE_ROWS}
    return {}


@parametrize_with_checks(
    [Autoencoder(1, hidden=4, max_epochs=1), LinearAutoencoder(1), LinearAutoencoder(1, l2=1e-3)],
    expected_failed_checks=expected_failures,
)
def test_every_other_check_of_scikit_learn_passes(estimator, check):
    check(estimator)


def test_the_check_left_out_is_about_too_few_rows():
    import numpy as np

    with pytest.raises(ValueError, match="n_samples=5"):
        Autoencoder(1).fit(np.random.default_rng(0).uniform(size=(5, 10)))
