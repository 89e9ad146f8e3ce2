"""The way back from scores to rows: exact where it can be, a denoised row where it cannot."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as Theirs

import eigenlens as el
from eigenlens.kernel.fit import fit_kernel
from eigenlens.kernel.preimage import FixedPointPreimage, LinearPreimage
from eigenlens.kernel.ridge import RidgePreimage, learn_ridge
from tests.kernel.clouds import roll

ALL = ["linear", "rbf", "exponential", "laplacian", "poly", "cosine"]


def noisy_curve(n, seed, bend):
    """A circle, or one that also waves, turned into 10 dimensions; clean rows and noisy ones."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    waves = [np.cos(angle), np.sin(angle), *([np.sin(2 * angle)] if bend else [])]
    frame = np.linalg.qr(rng.standard_normal((10, len(waves))))[0]
    clean = np.column_stack(waves) @ frame.T
    return clean, clean + 0.25 * rng.standard_normal(clean.shape)


def error(found, clean):
    return float(np.square(found - clean).sum(axis=1).mean())


def best_linear(clean, rows):
    back = (PCA(k).fit(rows) for k in range(1, 10))
    return min(error(one.inverse_transform(one.transform(rows)), clean) for one in back)


def denoised(one, rows):
    return one.inverse_transform(one.fit(rows).transform(rows))


# -- how well --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("bend", [False, True])
def test_noise_is_removed_better_than_by_any_flat_subspace_and_as_well_as_by_the_peer(bend):
    """Everybody with the best of the same kernels and numbers of components, mean of 3 draws."""
    linear, ours, theirs = [], {}, {}
    for seed in range(3):
        clean, rows = noisy_curve(300, seed, bend)
        linear.append(best_linear(clean, rows))
        typical = 1 / el.KernelPCA(2, kernel="rbf", gamma="median").fit(rows).gamma_
        for k in (2, 3, 4):
            for width in (1.0, 2.0):
                options = {"kernel": "rbf", "gamma": width / typical, "fit_inverse_transform": True}
                found = error(denoised(el.KernelPCA(k, **options), rows), clean)
                ours.setdefault((k, width), []).append(found)
                for alpha in (1.0, 0.1):
                    found = error(denoised(Theirs(k, alpha=alpha, **options), rows), clean)
                    theirs.setdefault((k, width, alpha), []).append(found)

    def best(found):
        return min(np.mean(errors) for errors in found.values())

    assert best(ours) < 0.9 * np.mean(linear)
    assert best(ours) <= best(theirs)


def test_the_exponential_kernel_does_not_stick_to_its_anchors():
    clean, rows = noisy_curve(300, 0, bend=False)

    found = denoised(
        el.KernelPCA(4, kernel="exponential", gamma="median", fit_inverse_transform=True), rows
    )

    assert error(found, clean) < 0.9 * best_linear(clean, rows)


def test_landmarks_give_the_way_back_that_all_rows_give():
    clean, rows = noisy_curve(400, 0, bend=False)
    options = {"kernel": "rbf", "gamma": "median", "fit_inverse_transform": True}

    exact = denoised(el.KernelPCA(3, method="exact", **options), rows)
    landmarks = denoised(el.KernelPCA(3, n_landmarks=80, **options), rows)

    assert error(landmarks, exact) < 0.1 * error(exact, clean)


@pytest.mark.parametrize("kernel", ["rbf", "exponential", "laplacian", "poly"])
@pytest.mark.parametrize("preimage", ["fixed_point", "ridge"])
def test_many_components_bring_rows_back(kernel, preimage):
    rows = roll(300, 3, np.random.default_rng(0))
    scale = {"gamma": "median"} if kernel != "poly" else {"gamma": 1e-3}

    model = fit_kernel(rows, 40, kernel=kernel, preimage=preimage, **scale)

    back = model.reconstruct(model.project(rows))
    assert np.linalg.norm(back - rows) < 0.1 * np.linalg.norm(rows - rows.mean(axis=0))


# -- the linear kernel -----------------------------------------------------------------------


@pytest.mark.parametrize("method", ["exact", "nystrom"])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_the_linear_kernel_restores_rows_and_their_mean(method, offset):
    rows = np.random.default_rng(0).standard_normal((50, 4)) + offset

    model = fit_kernel(rows, 4, kernel="linear", method=method, tolerance=1e-12, preimage="ridge")

    assert isinstance(model.preimage, LinearPreimage)
    back = model.reconstruct(model.project(rows))
    np.testing.assert_allclose(back, rows, rtol=1e-14, atol=1e-12)


def test_their_linear_kernel_loses_the_mean():
    """scikit-learn's issue 16654: here for comparison, so that a change there is noticed."""
    rows = np.random.default_rng(0).standard_normal((50, 4)) + 5.0

    back = denoised(Theirs(4, fit_inverse_transform=True), rows)

    assert np.abs(back - rows).max() > 1


# -- when it does not work out ---------------------------------------------------------------


def test_weights_that_cancel_fall_back_to_the_ridge():
    rows = np.random.default_rng(0).standard_normal((80, 3))
    # To so wide a kernel all anchors are alike, and their weights sum to 1 whatever their size.
    model = fit_kernel(rows, 3, kernel="rbf", gamma=1e-3, preimage="fixed_point")
    nowhere = -1e3 * model.project(rows)[:5]

    found = model.reconstruct(nowhere)

    assert isinstance(model.preimage, FixedPointPreimage)
    expected = model.preimage.ridge.rows_for(model, nowhere) + model.shift
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(found, expected)


def test_rows_climb_towards_their_image():
    """The way back ends nearer to the image than it began, for every row."""
    rows = np.random.default_rng(1).standard_normal((200, 3))
    model = fit_kernel(rows, 5, kernel="rbf", gamma=0.3, preimage="fixed_point")
    new = np.random.default_rng(2).standard_normal((50, 3))
    scores = model.project(new)
    weights = scores @ model.coefficients.T + model.mean_weights

    def height(found):
        points = found - model.shift
        apart = np.square(points[:, None] - model.anchors.rows).sum(axis=2)
        return (np.exp(-0.3 * apart) * weights).sum(axis=1)

    own = np.square(scores[:, None] - model.anchor_scores).sum(axis=2)
    start = model.anchors.rows[own.argmin(axis=1)] + model.shift
    assert (height(model.reconstruct(scores)) >= height(start) - 1e-12).all()


@pytest.mark.parametrize("kernel", ALL)
def test_no_scores_give_no_rows(kernel):
    rows = np.random.default_rng(0).standard_normal((30, 3)) + 2
    model = fit_kernel(rows, 2, kernel=kernel, preimage="fixed_point")

    assert model.reconstruct(np.empty((0, 2))).shape == (0, 3)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_sparse_rows_come_back_dense(kernel):
    rows = np.abs(np.random.default_rng(0).standard_normal((60, 5)))
    rows[rows < 0.7] = 0
    options = {"kernel": kernel, "gamma": 0.5, "fit_inverse_transform": True}

    dense = denoised(el.KernelPCA(3, **options), rows)
    sparse = denoised(el.KernelPCA(3, **options), sp.csr_array(rows))

    np.testing.assert_allclose(sparse, dense, atol=1e-6)


def test_a_truncated_model_has_no_way_back_it_has_not_learned():
    rows = np.random.default_rng(0).standard_normal((60, 3))

    assert fit_kernel(rows, 3, kernel="rbf", preimage="ridge").truncate(2).preimage is None
    linear = fit_kernel(rows, 3, kernel="linear", preimage="ridge").truncate(2)
    pca = el.fit(rows, 2)
    np.testing.assert_allclose(
        linear.reconstruct(linear.project(rows)), pca.reconstruct(pca.project(rows)), atol=1e-10
    )


# -- the ridge -------------------------------------------------------------------------------


def test_a_given_penalty_is_taken_and_none_is_chosen():
    rng = np.random.default_rng(0)
    scores = rng.uniform(-1, 1, (200, 2))
    rows = np.column_stack([np.sin(3 * scores[:, 0]), scores[:, 1] ** 2])

    noisy = rows + 0.5 * rng.standard_normal(rows.shape)

    assert learn_ridge(scores, noisy, 0.5).penalty == 0.5
    chosen, stiff = learn_ridge(scores, noisy, None), learn_ridge(scores, noisy, 100.0)
    assert error(chosen.rows_for(None, scores), rows) < 0.1
    assert error(stiff.rows_for(None, scores), rows) > 0.2


@pytest.mark.parametrize("penalty", [0.0, None])
def test_a_ridge_through_repeated_scores_is_finite(penalty):
    scores = np.repeat(np.random.default_rng(0).standard_normal((10, 2)), 3, axis=0)

    found = learn_ridge(scores, np.hstack([scores, scores]), penalty)

    assert isinstance(found, RidgePreimage)
    assert np.isfinite(found.weights).all()
