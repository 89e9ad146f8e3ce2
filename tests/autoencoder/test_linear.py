"""A linear autoencoder finds PCA's subspace; with an L2 penalty on both sides, its directions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.autoencoder import LinearAutoencoder
from eigenlens.autoencoder.linear_training import loss_and_gradient, train_pair
from eigenlens.errors import TrainingError
from tests.distances import clear_cuts, orthonormality_error, subspace_distance
from tests.problems import DECAYS, make_table
from tests.reference.autoencoder import differences, linear_loss

ANGLE = 1e-4
LOSS = 1e-8


def exact(rows):
    values, vectors = np.linalg.eigh(np.cov(rows, rowvar=False))
    return values[::-1], vectors[:, ::-1]


@settings(max_examples=30)
@given(
    st.integers(12, 60),
    st.integers(2, 20),
    st.integers(0, 1000),
    st.sampled_from(DECAYS),
    st.data(),
)
def test_it_spans_the_subspace_of_pca_and_loses_what_pca_does(n, d, seed, decay, data):
    rows = make_table(n, d, seed, decay=decay, offset=5.0)
    values, vectors = exact(rows)
    k = data.draw(st.sampled_from(clear_cuts(values, 1e-3) or [1]))

    coder = LinearAutoencoder(k, random_state=seed).fit(rows)

    dropped = values[k:].sum()
    # What cancels in the subtraction from the total is allowed for, and nothing else.
    assert abs(coder.loss_ - dropped) <= LOSS * dropped + 1e-14 * values.sum()
    if k in clear_cuts(values, 1e-3):
        assert subspace_distance(coder.components_.T, vectors[:, :k]) <= np.sin(ANGLE)


def test_it_does_so_on_digits():
    from sklearn.datasets import load_digits

    rows = load_digits().data
    values, vectors = exact(rows)

    coder = LinearAutoencoder(8).fit(rows)

    assert subspace_distance(coder.components_.T, vectors[:, :8]) <= 1e-6
    assert abs(coder.loss_ / values[8:].sum() - 1) <= 1e-10


def test_the_loss_is_that_of_the_rows_it_gives_back():
    rows = make_table(50, 6, 1)
    for l2 in (0.0, 1e-3):
        coder = LinearAutoencoder(2, l2=l2).fit(rows)
        again = coder.inverse_transform(coder.transform(rows))

        lost = np.square(rows - again).sum() / 49

        assert abs(coder.loss_ - lost) <= 1e-10 * lost


@settings(max_examples=20)
@given(st.integers(3, 12), st.integers(0, 1000), st.floats(0.05, 0.6), st.data())
def test_with_a_penalty_it_finds_the_directions_themselves(d, seed, share, data):
    rng = np.random.default_rng(seed)
    rows = (
        rng.standard_normal((200, d))
        * 1.5 ** -np.arange(d)
        @ np.linalg.qr(rng.standard_normal((d, d)))[0].T
    )
    values, vectors = exact(rows)
    k = data.draw(st.integers(1, d - 1))
    l2 = share * values[k - 1]
    apart = [
        i for i in range(k) if np.delete(np.abs(values - values[i]), i).min() > 0.1 * values[i]
    ]

    coder = LinearAutoencoder(k, l2=l2).fit(rows)

    lengths = np.linalg.svd(coder.decoder_, compute_uv=False)
    assert np.abs(lengths - np.sqrt(1 - l2 / values[:k])).max() <= 1e-5
    assert np.abs(coder.encoder_ - coder.decoder_.T).max() <= 1e-4
    for i in apart:
        assert abs(coder.components_[i] @ vectors[:, i]) >= np.cos(1e-3)


def test_without_a_penalty_the_directions_stay_open():
    rows = make_table(200, 6, 3, decay="linear")

    one, two = (LinearAutoencoder(3, random_state=seed).fit(rows) for seed in (1, 2))

    assert subspace_distance(one.components_.T, two.components_.T) <= ANGLE
    assert np.abs(np.abs(one.components_) - np.abs(two.components_)).max() > 0.01


@given(st.integers(2, 6), st.integers(0, 1000), st.sampled_from([0.0, 0.3]))
def test_the_gradient_is_what_differences_say(d, seed, l2):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((20, d))
    C = rows.T @ rows / 20
    encoder = rng.standard_normal((d - 1, d))
    total = float(np.trace(C))

    def value(moved):
        return loss_and_gradient(moved, lambda v: C @ v, total, l2 / total)[0]

    found, gradient, decoder = loss_and_gradient(encoder, lambda v: C @ v, total, l2 / total)

    assert abs(found * total - linear_loss(encoder, decoder, C, l2)) <= 1e-10 * total
    scale = max(1.0, np.abs(gradient).max())
    assert np.abs(gradient - differences(value, encoder)).max() <= 1e-5 * scale


@given(st.integers(2, 8), st.integers(0, 1000))
def test_no_start_gets_below_the_optimum(d, seed):
    rng = np.random.default_rng(seed)
    C = np.cov(rng.standard_normal((30, d)), rowvar=False)
    least = np.sort(np.linalg.eigvalsh(C))[: d - 1].sum()

    pair = train_pair(lambda v: C @ v, float(np.trace(C)), (1, d), 0.0, 3, rng)

    assert pair.loss >= least * (1 - 1e-12)


def test_files_and_sparse_rows_give_the_same(tmp_path):
    from scipy.sparse import csr_array

    rows = make_table(60, 8, 2)
    np.save(tmp_path / "rows.npy", rows)
    coder = LinearAutoencoder(2).fit(rows)

    for given_rows in (tmp_path / "rows.npy", csr_array(rows)):
        other = LinearAutoencoder(2).fit(given_rows)
        assert subspace_distance(other.components_.T, coder.components_.T) <= ANGLE
        assert np.abs(other.transform(given_rows) - other.transform(rows)).max() <= 1e-9


def test_many_columns_are_never_squared():
    rows = np.random.default_rng(0).standard_normal((40, 2500)) * np.linspace(1, 0.01, 2500) ** 4

    coder = LinearAutoencoder(2).fit(rows)

    model = el.fit(rows, 2)
    assert subspace_distance(coder.components_.T, model.components.T) <= ANGLE
    assert orthonormality_error(coder.components_.T) <= 1e-12


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"n_components": 0}, el.RankError, ["k=0"]),
        ({"n_components": 7}, el.RankError, ["7 components", "k=6 or fewer"]),
        ({"n_components": 2.5}, el.RankError, ["k=2.5"]),
        ({"l2": -1}, el.OptionError, ["l2=-1", "from 0 up"]),
        ({"l2": 1e6}, el.OptionError, ["l2=1000000.0", "leaves 0 of 2", "smaller l2="]),
        ({"max_iterations": 0}, el.OptionError, ["max_iterations=0"]),
        ({"max_iterations": 1}, TrainingError, ["after 1 steps", "larger max_iterations="]),
    ],
)
def test_a_mistake_is_told(options, error, words):
    rows = make_table(50, 6, 1)

    with pytest.raises(error) as caught:
        LinearAutoencoder(**{"n_components": 2, **options}).fit(rows)

    assert [word for word in words if word not in str(caught.value)] == []


def test_rows_and_codes_that_do_not_fit_are_told():
    coder = LinearAutoencoder(2).fit(make_table(50, 6, 1))

    with pytest.raises(el.DataError, match="2 component"):
        coder.inverse_transform(np.ones((3, 5)))
    with pytest.raises(el.DataError, match="equal"):
        LinearAutoencoder(1).fit(np.ones((30, 4)))
    with pytest.raises(ValueError, match="NaN"):
        LinearAutoencoder(1).fit(np.full((30, 4), np.nan))
