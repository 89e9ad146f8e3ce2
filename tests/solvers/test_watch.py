"""Watching an iteration: its angles fall at the rates that theory predicts."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.solvers import OrthogonalIteration, PowerIteration, watch

OF_THE_NOTES = np.array([[2.0, -1.0], [-1.0, 2.0]])


def turned(values, seed=0):
    """A matrix with these eigenvalues."""
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.standard_normal((len(values), len(values))))[0]
    return (basis * values) @ basis.T, basis


@pytest.mark.parametrize("ratio", [0.1, 0.5, 0.9, 0.99])
def test_power_iteration_falls_by_the_ratio_of_two_eigenvalues(ratio):
    matrix, _ = turned([1.0, ratio, 1e-3 * ratio])

    table = watch(matrix, "power", passes=12)

    assert table["predicted_rate"][0] == pytest.approx(ratio)
    settled = [rate for rate in table["rate"][2:] if rate is not None]
    assert settled[0] == pytest.approx(ratio, rel=1e-2)


def test_the_tangent_never_exceeds_the_prediction_of_power_iteration():
    matrix, _ = turned([5.0, 3.0, 2.0, 1.0, 0.5], seed=3)

    table = watch(matrix, "power", passes=25)

    assert (np.array(table["angle"]) <= np.array(table["predicted_angle"]) * (1 + 1e-6)).all()


def test_the_matrix_of_the_notes_has_3_and_1():
    table = watch(OF_THE_NOTES, "power", k=2, passes=60)

    last = {line["component"]: line for line in table.lines()}
    assert last["PC1"]["eigenvalue"] == pytest.approx(3, abs=1e-12)
    assert last["PC2"]["eigenvalue"] == pytest.approx(1, abs=1e-12)
    assert last["PC2"]["angle"] < 1e-6


@pytest.mark.parametrize("solver", ["power", "orthogonal", "krylov", "randomized"])
def test_every_iteration_ends_at_the_truth(solver):
    matrix, _ = turned([8.0, 4.0, 1.0, 0.5, 0.2])

    table = watch(matrix, solver, k=2, passes=80)

    last = {line["component"]: line for line in table.lines()}
    assert max(line["angle"] for line in last.values()) < 1e-6
    assert last["PC1"]["eigenvalue"] == pytest.approx(8)


def test_krylov_needs_fewer_products_than_orthogonal_iteration():
    matrix, _ = turned(np.linspace(2, 1, 30))

    angles = {name: watch(matrix, name, passes=20)["angle"][-1] for name in ("krylov", "power")}

    assert angles["krylov"] < angles["power"] / 100


def test_rows_are_watched_as_their_covariance_matrix():
    rows = np.random.default_rng(0).standard_normal((50, 4)) * [4, 2, 1, 1]

    one = watch(rows, "power", passes=5, start=[1, 1, 1, 1])
    two = watch(np.cov(rows, rowvar=False), "power", passes=5, start=[1, 1, 1, 1])

    assert one["eigenvalue"] == pytest.approx(two["eigenvalue"])


def test_a_start_orthogonal_to_the_first_component_never_finds_it():
    table = watch(np.diag([1.0, 0.6, 0.1]), "power", passes=40, start=[0, 1, 1])

    assert table["angle"][-1] == pytest.approx(np.pi / 2)
    assert table["eigenvalue"][-1] == pytest.approx(0.6)


def test_of_a_tie_the_plane_is_found_and_said():
    table = watch(np.diag([1.0, 1.0, 0.1]), "power", passes=15)

    assert table["angle"][-1] < 1e-6
    assert "only their plane" in table.notes[0]


def test_an_object_runs_with_its_own_options():
    matrix, _ = turned(np.linspace(3, 1, 12))

    plain = watch(matrix, "orthogonal", passes=6)
    spare = watch(matrix, OrthogonalIteration(extra=5), passes=6)

    assert spare["predicted_rate"][0] < plain["predicted_rate"][0]
    assert spare["angle"][-1] < plain["angle"][-1]


def test_a_fit_begins_where_it_is_told_to():
    rows = np.random.default_rng(0).standard_normal((60, 5)) * [5, 3, 1, 1, 1]
    truth = el.fit(rows, 1)

    fits = [el.fit(rows, 1, solver=PowerIteration(start=v)) for v in (truth.components[0], None)]

    passes = [model.choices["stop"].evidence["passes"] for model in fits]
    assert passes[0] < passes[1]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"solver": "svd"}, "power"),
        ({"start": [1.0, 2.0, 3.0]}, "2 numbers"),
        ({"start": [0.0, 0.0]}, "none of them all 0"),
        ({"k": 3}, "2 x 2 matrix has at most 2"),
        ({"passes": 0}, "passes"),
    ],
)
def test_what_cannot_be_watched_is_refused(more, words):
    with pytest.raises(el.EigenlensError, match=words):
        watch(OF_THE_NOTES, **more)


def test_convergence_draws_theory_beside_what_was_found():
    pytest.importorskip("matplotlib")
    table = watch(OF_THE_NOTES, "power", passes=8, start=[1, 0])

    ax = el.plots.convergence(table)

    found, theory = ax.lines[0].get_ydata(), ax.lines[1].get_ydata()
    assert found == pytest.approx(table["angle"])
    assert theory == pytest.approx(table["predicted_angle"])
    assert ax.get_yscale() == "log"
