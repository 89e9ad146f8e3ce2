"""What a kernel model tells of itself, and modes side by side on more rows than drawn problems."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.kernel.fit import fit_kernel
from eigenlens.solvers import BlockKrylov, Covariance, Lanczos
from tests.distances import subspace_distance
from tests.kernel.clouds import blobs, gaussian, roll

EPS = np.finfo(np.float64).eps


@pytest.fixture(scope="module")
def rows():
    return roll(1500, 3, np.random.default_rng(0))


@pytest.fixture(scope="module")
def whole(rows):
    """The leading values by LAPACK, all of them found."""
    return fit_kernel(rows, 6, kernel="rbf", gamma=0.01, solver=Covariance(all_below=2000))


@pytest.fixture(scope="module")
def seen(rows):
    return fit_kernel(rows, 6, kernel="rbf", gamma=0.01, n_landmarks=120)


# -- solvers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", [None, Lanczos(tolerance=1e-14), BlockKrylov()], ids=str)
def test_every_solver_finds_the_same_components(rows, whole, solver):
    model = fit_kernel(rows, 6, kernel="rbf", gamma=0.01, solver=solver)

    low, high = model.certificate.eigenvalue_bounds.T
    assert ((low <= whole.eigenvalues) & (whole.eigenvalues <= high)).all()
    # A solver that is not told otherwise stops at the sampling error: 1 % of sqrt(2 / n).
    loose = 0.01 * np.sqrt(2 / 1500) if isinstance(solver, BlockKrylov) else 1e-11
    np.testing.assert_allclose(model.eigenvalues, whole.eigenvalues, rtol=loose)
    if solver is None:
        np.testing.assert_allclose(model.project(rows), whole.project(rows), atol=1e-6)


def test_a_tolerance_is_certified(rows):
    model = fit_kernel(rows, 6, kernel="rbf", gamma=0.01, tolerance=1e-9)

    assert model.certificate.relative_error <= 1e-9


def test_a_fraction_of_the_variance_takes_as_many_components_as_it_needs(rows, whole):
    total = whole.total_variance
    for options in ({"method": "exact"}, {"n_landmarks": 300}):
        model = fit_kernel(rows, 0.8, kernel="rbf", gamma=0.01, **options)

        captured = np.cumsum(model.eigenvalues)
        assert captured[-1] >= 0.8 * total * (1 - 1e-12)
        assert captured[-2] < 0.8 * model.total_variance


@pytest.mark.parametrize("options", [{}, {"n_landmarks": 20}])
def test_no_number_means_all_components_that_vary(options):
    table = gaussian(200, 4, np.random.default_rng(0))

    model = fit_kernel(table, kernel="linear", **options)

    assert model.n_components == 4
    assert model.certificate.captured_ratio == pytest.approx(1)


def test_zeros_are_kept_where_a_number_was_asked_for_and_left_out_on_demand():
    table = gaussian(50, 3, np.random.default_rng(0))

    kept = fit_kernel(table, 5, kernel="linear")
    assert kept.eigenvalues[3:].tolist() == [0, 0]
    assert np.abs(kept.project(table)[:, 3:]).max() == 0
    assert fit_kernel(table, 5, kernel="linear", keep_zeros=False).n_components == 3


# -- landmarks beside the truth --------------------------------------------------------------


def test_landmarks_capture_nearly_all_that_all_rows_capture(whole, seen):
    proof = seen.certificate

    assert proof.captured <= whole.eigenvalues.sum() <= proof.captured_bounds[1]
    assert proof.captured > 0.99 * whole.eigenvalues.sum()
    assert proof.suboptimality >= 1 - proof.captured / whole.eigenvalues.sum()
    assert proof.total_bounds[0] <= np.mean(whole.certificate.total_bounds) <= proof.total_bounds[1]


def test_angles_to_the_true_scores_are_within_their_bounds(rows, whole):
    model = fit_kernel(rows, 6, kernel="rbf", gamma=0.01, n_landmarks=250)
    true, found = whole.directions, model.project(rows) / np.sqrt(model.eigenvalues)

    assert 1e-9 < subspace_distance(found, true) <= model.certificate.subspace_angle < 0.1
    alone = [subspace_distance(found[:, [i]], true[:, [i]]) for i in range(6)]
    assert (np.array(alone) <= model.certificate.angle_bounds).all()


def test_what_is_new_is_told_from_what_was_seen(rows, seen):
    among, far = rows[::7], rows[::7] + 100

    assert np.median(seen.novelty(among)) < 0.05
    assert seen.novelty(far).min() > 0.99


def test_outliers_are_new_to_a_model_that_has_not_seen_them():
    rng = np.random.default_rng(0)
    cloud = blobs(1000, 5, rng)
    inside = np.linalg.norm(cloud, axis=1) < 12
    model = fit_kernel(cloud[inside], 5, kernel="rbf", gamma=0.05, n_landmarks=200)

    outside = model.novelty(cloud[~inside])
    assert np.median(outside) > 10 * np.median(model.novelty(cloud[inside]))


# -- determinism -----------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bits_and_another_one_other_landmarks(rows):
    def fitted(seed):
        return fit_kernel(rows, 4, kernel="rbf", gamma=0.01, n_landmarks=60, seed=seed)

    one, again, other = fitted(3), fitted(3), fitted(4)

    np.testing.assert_array_equal(one.coefficients, again.coefficients)
    assert one.anchor_numbers.tolist() != other.anchor_numbers.tolist()


def test_the_data_are_only_read_and_the_model_never_changes(rows):
    given = rows.copy()
    model = fit_kernel(given, 3, kernel="rbf", gamma=0.01)
    before = model.project(rows)

    np.testing.assert_array_equal(given, rows)
    given[:] = 0

    np.testing.assert_array_equal(model.project(rows), before)
    with pytest.raises(ValueError, match="read-only"):
        model.coefficients[0] = 1


# -- words -----------------------------------------------------------------------------------


def test_the_page_of_landmarks_tells_what_they_leave_unseen(seen):
    page = str(seen)

    assert "6 components of the rbf kernel on 120 landmarks among 1500 rows" in page
    words = " ".join(page.split())
    assert "what 120 landmarks leave unseen" in words
    assert "landmarks 120: " in words
    assert "[rpcholesky]" in page
    assert "in 2 passes over the data" in words
    assert "proven without sampling" in page
    assert all(name in page for name in ("method", "gamma", "PC6"))


def test_the_page_of_all_rows_is_that_of_a_table(whole):
    page = str(whole)

    assert "6 components of the rbf kernel on 1500 rows" in page
    assert "exact: nothing is left out" in page
    assert "[memory]" in page
    assert whole.summary() == page


def test_a_model_shows_itself_in_a_notebook(seen):
    shown = seen._repr_html_()

    assert "<p><b>6 components of the rbf kernel" in shown
    assert ">PC1</td>" in shown
    assert repr(seen).startswith("KernelSubspace(6 components")
    assert repr(seen.certificate).startswith("KernelCertificate(deterministic")


def test_a_proof_that_rests_on_the_kernel_says_so(rows):
    few = rows[:60]

    model = fit_kernel(few, 2, kernel=lambda x, y: float(x @ y), n_landmarks=5)

    assert "rests on the kernel being positive semidefinite" in str(model.certificate)
    known = fit_kernel(few, 2, kernel="linear", n_landmarks=5)
    assert "rests on" not in str(known.certificate)


def test_every_figure_of_a_certificate_can_be_asked_for(seen, whole):
    for proof in (seen.certificate, whole.certificate):
        assert proof.kind == "deterministic"
        assert proof.failure_probability == 0
        assert proof.rounding.shape == proof.residuals.shape == (6,)
        assert proof.backward_error >= proof.residuals.max() * (1 - 1e-12)
        assert proof.sampling_share >= 0
        assert proof.bytes_read > 0
        assert proof.reconstruction_error >= 0
        assert proof.clusters == tuple(proof.clusters)


def test_eigenvalues_are_a_table_and_what_needs_columns_says_so(rows, seen, whole):
    for model in (seen, whole, el.KernelPCA(6, kernel="rbf", gamma=0.01).fit(rows)):
        table = el.explain.eigenvalues(model)

        own = getattr(model, "model_", model)
        np.testing.assert_array_equal(table["eigenvalue"], own.eigenvalues)
        np.testing.assert_array_equal(table["high"], own.certificate.eigenvalue_bounds[:, 1])
    with pytest.raises(el.OptionError, match="eigenvalues of a kernel matrix"):
        el.explain.eigenvalues(seen, convention="factominer")
    for question in (el.explain.variables, el.plots.circle):
        with pytest.raises(el.OptionError, match="made of columns"):
            question(seen)


def test_flat_and_curved_point_here():
    table = roll(1000, 3, np.random.default_rng(0))

    verdict = el.flatness(table)

    assert verdict.value == "curved"
    assert "eigenlens.KernelPCA" in verdict.reason
