"""k = 0: pure noise has a model too. It keeps the mean, and nothing else."""

import numpy as np
import pytest
import scipy.sparse

import eigenlens as el

SOLVERS = ("covariance", "svd", "dual", "power", "orthogonal", "randomized", "krylov", "lanczos")


def noise(shape=(200, 30), seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("shape", [(200, 30), (30, 200)])
def test_every_solver_finds_that_nothing_is_worth_keeping(solver, shape):
    model = el.fit(noise(shape), solver=solver)

    assert model.n_components == 0
    assert "there may be no structure to find" in model.choices["k"].reason


def test_the_model_is_the_mean():
    data = noise() + 3.0

    model = el.fit(data)

    assert model.components.shape == (0, 30)
    assert model.project(data).shape == (200, 0)
    assert np.allclose(model.reconstruct(model.project(data)), data.mean(axis=0))
    centered = data - data.mean(axis=0)
    assert np.allclose(model.residual(data), np.square(centered).sum(axis=1))


def test_the_certificate_claims_what_is_true_of_nothing():
    data = noise()

    certificate = el.fit(data).certificate

    assert certificate.captured_ratio == 0
    assert certificate.eigenvalue_bounds.shape == (0, 2)
    assert certificate.suboptimality == 0
    total = np.square(data - data.mean(axis=0)).sum()
    assert certificate.reconstruction_error == pytest.approx(total, rel=1e-12)


def test_the_likelihood_is_that_of_a_round_cloud():
    data = noise()
    model = el.fit(data)

    found = model.log_likelihood(data)

    variance = np.square(data - data.mean(axis=0)).sum() / (199 * 30)
    squares = np.square(data - data.mean(axis=0)).sum(axis=1)
    expected = -0.5 * (30 * np.log(2 * np.pi * variance) + squares / variance)
    assert np.allclose(found, expected)


def test_the_page_says_it_in_words():
    page = str(el.fit(noise()))

    assert "0 of 30 dimensions" in page
    assert "No component is kept" in page
    assert "PC1" not in page
    assert "No component is kept" in el.fit(noise())._repr_html_()


def test_two_models_of_nothing_merge():
    one, two = (
        el.fit(noise(seed=1), solver="covariance"),
        el.fit(noise(seed=2), solver="covariance"),
    )

    merged = one.merge(two)

    assert merged.n_rows == 400


@pytest.mark.parametrize(
    "kind", ["sparse", "file", "frame", "float32", "weighted", "raw", "scaled"]
)
def test_every_kind_of_data_may_hold_nothing(kind, tmp_path):
    data, options = noise((300, 20)), {}
    if kind == "sparse":
        data = scipy.sparse.csr_array(np.where(np.abs(data) > 1, data, 0.0))
    if kind == "file":
        np.save(tmp_path / "noise.npy", data)
        data = tmp_path / "noise.npy"
    if kind == "frame":
        pandas = pytest.importorskip("pandas")
        data = pandas.DataFrame(data)
    if kind == "float32":
        data = data.astype(np.float32)
    if kind == "weighted":
        options["weights"] = np.ones(300)
    if kind == "raw":
        options["center"] = False
    if kind == "scaled":
        options["scale"] = "std"

    assert el.fit(data, **options).n_components == 0


def test_a_truncated_fit_of_noise_keeps_nothing():
    model = el.fit(noise((3000, 1200)), k="auto", solver="krylov")

    assert model.n_components == 0
    assert len(model.eigenvalues) == 0


def test_scikit_learns_face_takes_rules_too():
    data = noise()

    pca = el.PCA(n_components="screenot").fit(data)

    assert pca.n_components_ == 0
    assert pca.transform(data).shape == (200, 0)
