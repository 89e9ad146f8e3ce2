"""Before training the network is PCA, bit for bit; its numpy and torch sides agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.autoencoder import Autoencoder
from eigenlens.autoencoder.network import apply_layers, network_errors, network_of_pca
from tests.autoencoder.sets import flat_gaussian, lecture_curve
from tests.problems import DECAYS, make_table
from tests.reference.autoencoder import passed_by_loops

EPS = np.finfo(np.float64).eps


@settings(max_examples=25)
@given(
    st.integers(20, 60),
    st.integers(2, 12),
    st.integers(0, 1000),
    st.sampled_from(DECAYS),
    st.sampled_from(["float64", "float32"]),
    st.sampled_from([None, "std"]),
    st.data(),
)
def test_epoch_0_is_pca_bit_for_bit(n, d, seed, decay, dtype, scale, data):
    rows = make_table(n, d, seed, decay=decay, offset=3.0).astype(dtype)
    k = data.draw(st.integers(1, d - 1))
    model = el.fit(rows, k, scale=scale)

    coder = Autoencoder(k, max_epochs=0, scale=scale).fit(rows)

    scores = model.project(rows)
    assert np.array_equal(coder.transform(rows), scores)
    assert np.array_equal(coder.inverse_transform(scores), model.reconstruct(scores))
    assert coder.gain_.value == 0
    assert "no gain" in coder.gain_.reason


def test_epoch_0_is_the_class_pca_too():
    rows = flat_gaussian(0)
    pca = el.PCA(3).fit(rows)

    coder = Autoencoder(3, max_epochs=0).fit(rows)

    assert np.array_equal(coder.transform(rows), pca.transform(rows))
    assert np.array_equal(coder.model_.components, pca.model_.components)


def trained_network(seed=0):
    return (
        Autoencoder(1, hidden=(7, 5), max_epochs=1, random_state=seed).fit(lecture_curve()).network_
    )


def test_layers_are_passed_as_a_loop_would():
    net, rng = trained_network(), np.random.default_rng(0)
    rows = rng.standard_normal((4, 3))

    for layers, inputs in ((net.encoder, rows), (net.decoder, rows[:, :1])):
        found = apply_layers(layers, inputs, np.tanh)
        slow = np.array([passed_by_loops(layers, row) for row in inputs])
        assert np.abs(found - slow).max() <= 64 * EPS * max(1, np.abs(slow).max())


def test_torch_and_numpy_say_the_same():
    import torch

    net, rows = trained_network(), lecture_curve(50, seed=9)
    there = net.with_parameters([torch.tensor(one) for one in net.parameters])
    there = type(net)(
        there.encoder, there.decoder, torch.tensor(net.basis), torch.tensor(net.spread), net.unit
    )

    found = network_errors(there, torch.tensor(rows), torch.tanh).numpy()

    assert np.abs(found - network_errors(net, rows, np.tanh)).max() <= 1e-12


def test_residuals_are_those_of_what_comes_back():
    rows = lecture_curve()
    for scale in (None, "std"):
        coder = Autoencoder(1, hidden=8, max_epochs=2, scale=scale).fit(rows)
        again = coder.inverse_transform(coder.transform(rows))
        unit = 1 if scale is None else coder.model_.scale

        expected = np.square((rows - again) / unit).sum(axis=1)

        assert np.abs(coder.residual(rows) - expected).max() <= 1e-12


def test_far_away_the_network_leaves_pca_by_a_constant_only():
    coder = Autoencoder(1, hidden=8, max_epochs=3).fit(lecture_curve())
    model, far = coder.model_, 1e6 * np.ones((1, 3))

    differ = np.abs(coder.transform(far) - model.project(far)).max()
    farther = np.abs(coder.transform(10 * far) - model.project(10 * far)).max()

    assert abs(farther - differ) <= 1e-6 * differ


def test_a_component_without_variance_is_not_divided_by():
    rows = np.column_stack([np.arange(40.0), np.arange(40.0) ** 2, np.zeros(40), np.zeros(40)])
    model = el.fit(rows, 3)

    net = network_of_pca(model, (4,), np.random.default_rng(0))

    assert np.isfinite(network_errors(net, rows, np.tanh)).all()
    assert (net.spread > 0).all()


@pytest.mark.parametrize("hidden", [5, (5,), [6, 4], (), np.int64(3)])
def test_hidden_layers_are_as_wide_as_asked(hidden):
    coder = Autoencoder(1, hidden=hidden, max_epochs=0).fit(lecture_curve())

    widths = [weights.shape[1] for weights, _ in coder.network_.encoder[:-1]]

    assert widths == (list(hidden) if isinstance(hidden, tuple | list) else [hidden])
