"""The front door in ordinary use: choices with reasons, counted passes, accuracy as asked for."""

import gc
import tracemalloc
import warnings

import numpy as np
import pytest

import eigenlens as el
from tests.problems import make_table

ROWS = make_table(200, 6, 1, decay="slow", offset=2.0)


# -- choices ---------------------------------------------------------------------------------


def test_every_choice_comes_with_its_reason():
    model = el.fit(ROWS)

    assert set(model.choices) == {"k", "rank", "solver", "stop", "centering", "robust"}
    for verdict in model.choices.values():
        assert isinstance(verdict, el.Verdict)
        assert verdict.rule
        assert len(verdict.reason.split()) >= 3


def test_a_choice_that_was_made_by_the_caller_says_so():
    model = el.fit(ROWS, 2, solver="krylov")

    assert model.choices["solver"].value == "krylov"
    assert model.choices["solver"].rule == "request"
    assert model.choices["k"].rule == "count"


def test_an_automatic_solver_shows_what_it_was_compared_with():
    verdict = el.fit(make_table(3000, 150, 1), 2).choices["solver"]

    assert {"svd", "covariance", "dual", "krylov"} <= set(verdict.evidence)
    assert all(seconds > 0 for seconds in verdict.evidence.values())


def test_how_rows_were_centered_is_a_choice_too():
    near, far = (el.fit(ROWS - ROWS.mean(axis=0) + step, 2) for step in (0.0, 1e4))

    assert near.choices["centering"].value == "corrected"
    assert far.choices["centering"].value == "shifted"
    assert "centering" not in el.fit(ROWS, 2, center=False).choices


def test_the_stop_says_after_how_many_passes_and_why():
    stop = el.fit(ROWS, 2, solver="orthogonal").choices["stop"]
    given = el.fit(ROWS, 2, solver="orthogonal", tolerance=1e-3).choices["stop"]

    assert stop.rule == "sampling error"
    assert given.rule == "tolerance"
    assert "0.001" in given.reason
    assert stop.evidence["passes"] >= 1


def test_small_tables_go_to_the_most_accurate_solver():
    assert el.fit(ROWS, 2).choices["solver"].value == "svd"


def test_explain_tells_the_choice_without_fitting():
    text = el.solvers.explain(np.zeros((20_000, 300), dtype=np.float32), 5)

    assert text.startswith("20000 x 300, 5 components")
    assert text.count("<- chosen") == 1
    for name in ("svd", "covariance", "dual", "krylov"):
        assert name in text


def test_a_budget_decides_the_choice():
    # Ten thousand inner products of rows by rows are 2.4 GB: not with 100 MB.
    table = np.zeros((10_000, 40), dtype=np.float32)

    text = el.solvers.explain(table, 5, memory="100MB")

    dual = next(line for line in text.splitlines() if line.strip().startswith("dual"))
    assert "does not fit the budget" in dual


# -- passes and data -------------------------------------------------------------------------


@pytest.mark.parametrize(("solver", "passes"), [("covariance", 1), ("svd", 2)])
def test_passes_are_counted(solver, passes):
    certificate = el.fit(ROWS, 2, solver=solver).certificate

    assert certificate.passes == passes
    assert certificate.bytes_read == passes * ROWS.nbytes


def test_standard_deviations_take_a_pass_of_their_own():
    assert el.fit(ROWS, 2, solver="covariance", scale="std").certificate.passes == 2


@pytest.mark.parametrize("solver", ["auto", "svd", "covariance", "dual", "krylov", "power"])
def test_the_data_are_never_modified(solver):
    rows = ROWS.astype(np.float32) + np.float32(1e4)
    before = rows.tobytes()

    model = el.fit(rows, 2, solver=solver)
    model.project(rows)
    model.residual(rows)

    assert rows.tobytes() == before


def peak_of_a_fit(rows):
    """Bytes beside the data; what is loaded and measured once per process is not counted."""
    el.solvers.explain(rows)
    el.fit(rows[:200, :5], 2, solver="krylov")
    gc.collect()
    tracemalloc.start()
    el.fit(rows, 5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("offset", [0.0, 100.0])
@pytest.mark.parametrize("shape", [(50_000, 100), (2_500, 2_000)])
def test_the_data_are_never_copied_whole(dtype, offset, shape):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal(shape, dtype=np.float32).astype(dtype) + np.dtype(dtype).type(offset)

    assert peak_of_a_fit(rows) < 0.7 * rows.nbytes


def test_a_40_mb_table_needs_at_most_three_tenths_of_itself():
    rows = np.random.default_rng(0).standard_normal((50_000, 100))
    assert rows.nbytes == 40e6

    assert peak_of_a_fit(rows) <= 0.3 * rows.nbytes


def test_a_memory_map_is_read_where_it_lies(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")

    one, two = el.fit(ROWS, 2), el.fit(mapped, 2)

    np.testing.assert_array_equal(one.components, two.components)


# -- accuracy --------------------------------------------------------------------------------


def test_a_tolerance_not_proven_is_warned_about_with_what_was():
    rows = np.random.default_rng(0).standard_normal((300, 80))
    solver = el.solvers.OrthogonalIteration(max_passes=2)

    with pytest.warns(el.NotCertified) as said:
        model = el.fit(rows, 5, solver=solver, tolerance=1e-6)

    (message,) = {str(one.message) for one in said}
    reached, passes = model.certificate.relative_error, model.certificate.passes
    assert "tolerance=1e-06 was requested" in message
    assert f"after {passes} passes" in message
    assert f"relative error of {reached:.3g}" in message
    assert reached > 1e-6
    assert said[0].filename == __file__


def test_what_rounding_alone_spoils_is_warned_about_too():
    # Eigenvalues over twelve orders of magnitude: the smallest drown in a covariance matrix.
    rows = make_table(100, 12, 2) * 10.0 ** -np.arange(0, 6, 0.5)

    with pytest.warns(el.NotCertified, match="solver='svd'"):
        el.fit(rows, 12, solver="covariance", tolerance=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = el.fit(rows, 12, solver="svd", tolerance=1e-6)

    assert model.certificate.relative_error <= 1e-6


def test_zero_eigenvalues_have_no_relative_error_to_warn_about():
    rows = make_table(100, 12, 2, rank=3)

    for solver in ("covariance", "svd", "krylov", "orthogonal", "lanczos", "power"):
        model = el.fit(rows, 6, solver=solver, tolerance=1e-6)

        assert model.certificate.relative_error <= 1e-6
        assert np.all(model.eigenvalues[3:] <= 1e-12 * model.eigenvalues[0])


def test_without_a_tolerance_nothing_is_warned_about_and_the_sampling_error_decides():
    rows = np.random.default_rng(0).standard_normal((2000, 300))

    model = el.fit(rows, 5, solver="krylov")

    assert model.certificate.sampling_share <= 0.01
    assert model.choices["stop"].rule == "sampling error"


@pytest.mark.parametrize("tolerance", [1e-2, 1e-5, 1e-9])
def test_a_smaller_tolerance_is_met_too(tolerance):
    rows = make_table(400, 120, 3, decay="slow")

    model = el.fit(rows, 5, solver="krylov", tolerance=tolerance)

    assert model.certificate.relative_error <= 2 * tolerance
    truth = np.arange(1, 6) ** -0.5
    np.testing.assert_allclose(model.eigenvalues, truth, rtol=tolerance)


def test_a_cheap_certificate_may_be_a_guess_and_says_so():
    rows = np.random.default_rng(0).standard_normal((3000, 400))

    fast = el.fit(rows, 5, solver="krylov", certify="fast")
    full = el.fit(rows, 5, solver="krylov")

    assert fast.certificate.kind == "heuristic"
    assert "promises nothing" in str(fast.certificate)
    assert full.certificate.kind == "probabilistic"
    assert "except with probability" in str(full.certificate)
    assert fast.certificate.passes <= full.certificate.passes


def test_float32_is_left_for_float64_where_the_tolerance_asks_for_it():
    rows = make_table(500, 20, 4, decay="slow").astype(np.float32)

    model = el.fit(rows, 3, tolerance=1e-10)

    assert model.certificate.relative_error <= 1e-10


@pytest.mark.parametrize("solver", ["randomized", "orthogonal", "lanczos"])
def test_a_seed_decides_everything_random(solver):
    rows = np.random.default_rng(0).standard_normal((400, 60))

    one, same, other = (el.fit(rows, 3, solver=solver, seed=seed) for seed in (1, 1, 2))

    np.testing.assert_array_equal(one.components, same.components)
    assert not np.array_equal(one.components, other.components)


def graded(n, d, smallest, seed=0):
    """Columns whose deviations fall from 1 to `smallest`, turned so that none stands alone."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return rng.standard_normal((n, d)) * np.geomspace(1, smallest, d) @ turn


def test_eigenvalues_that_squaring_would_hide_are_found_without_squaring():
    rows = graded(4000, 300, 1e-7)
    tolerance = 1e-4

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = el.fit(rows, 300, tolerance=tolerance)

    singular = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(model.eigenvalues, singular**2 / 3999, rtol=tolerance)
    assert model.choices["solver"].rule == "refinement"


def test_a_solver_asked_for_by_name_is_not_replaced():
    rows = graded(4000, 300, 1e-7)

    with pytest.warns(el.NotCertified) as caught:
        model = el.fit(rows, 300, tolerance=1e-4, solver="covariance")

    assert model.choices["solver"].value == "covariance"
    assert caught[0].filename == __file__


def test_a_warning_through_the_estimator_points_at_the_caller():
    rows = graded(4000, 300, 1e-7)

    with pytest.warns(el.NotCertified) as caught:
        el.PCA(300, svd_solver="covariance_eigh", tolerance=1e-4).fit(rows)

    assert caught[0].filename == __file__
