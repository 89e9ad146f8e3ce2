"""What a reader of the figures must know stands below them, and only where it holds."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.explain import (
    bootstrap,
    describe_axes,
    eigenvalues,
    outliers,
    rotate,
    supplementary_rows,
    variables,
)
from eigenlens.explain import rotation as rotation_file
from eigenlens.explain import rows as explain_rows
from eigenlens.explain.rotation_criteria import Orthomax
from tests.explain.classics import HALD

CEMENT = HALD.rows


def plane(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 2)) @ rng.standard_normal((2, d))


def noisy(n, d, seed=0):
    return plane(n, d, seed) + 0.1 * np.random.default_rng(seed + 1).standard_normal((n, d))


def test_an_ordinary_table_has_no_note():
    rows = noisy(40, 5)
    model = el.fit(rows, 2)

    assert outliers(model, rows).notes == ()
    assert eigenvalues(model).notes == ()
    assert variables(model).notes == ()
    assert describe_axes(model, rows).notes == ()
    assert bootstrap(model, rows, draws=50).notes == ()
    assert rotate(model).table().notes == ()


def test_all_components_kept_leave_q_without_a_limit():
    table = outliers(el.fit(CEMENT, 4), CEMENT)

    assert table.notes == (
        "All of the variance is kept, so Q is 0 for every row and has no limit.",
    )
    assert str(table).endswith(table.notes[0])


def test_a_flat_table_leaves_the_q_of_other_rows_without_a_limit():
    table = outliers(el.fit(plane(30, 5), 2), noisy(30, 5), new=True)

    assert table.notes[0].startswith("Q has no limit: the model leaves no variance out")
    assert set(table["quadrant"]) == {None}


def test_too_few_rows_leave_q_without_a_limit():
    (note,) = outliers(el.fit(noisy(6, 40), 4), noisy(3, 40, 7), new=True).notes

    assert note == "Q has no limit: 6 rows are too few to tell what is left out."


def test_without_components_t2_has_no_limit():
    noise = np.random.default_rng(0).standard_normal((200, 5))

    table = outliers(el.fit(noise, "screenot"), noise)

    assert table.notes == ("T2 has no limit: there are no components.",)


def test_a_limit_of_q_that_rests_on_an_assumption_says_so_until_the_rows_are_given():
    rows, others = noisy(50, 300), noisy(5, 300, 9)
    model = el.fit(rows, 2, solver="krylov")

    (note,) = outliers(model, others, new=True).notes

    assert "give the rows of the fit as reference" in note
    assert outliers(model, others, new=True, reference=rows).notes == ()


def test_bounds_that_are_not_proven_say_so():
    rows = np.random.default_rng(0).standard_normal((400, 200)) * np.arange(1, 201) ** -0.5

    model = el.fit(rows, 3, solver="krylov", certify="fast")

    assert eigenvalues(model).notes == (
        "low and high are a guess: certify='fast' asked for no proof.",
    )


def test_constant_variables_are_named():
    rows = np.column_stack([np.random.default_rng(1).standard_normal((20, 3)), np.full(20, 0.1)])

    assert variables(el.fit(rows, 2)).notes == ("Constant, so without a correlation: 'x3'.",)


def test_rows_of_a_weighted_fit_without_their_weights_say_how_they_are_counted():
    rows, weights = noisy(20, 4), np.arange(1, 21)
    model = el.fit(rows, 2, weights=weights)

    assert "count every row once" in explain_rows(model, rows).notes[0]
    assert explain_rows(model, rows, weights=weights).notes == ()
    assert supplementary_rows(model, rows).notes == ()


def test_where_nothing_goes_with_an_axis_that_is_said():
    rows = np.random.default_rng(3).standard_normal((10, 3))

    table = describe_axes(el.fit(rows, 1), rows, level=1e-12)

    assert len(table) == 0
    assert "Nothing goes with a component beyond chance at level=1e-12" in str(table)


def test_samples_of_many_columns_say_within_what_they_vary():
    rows = noisy(60, 250)

    (note,) = bootstrap(el.fit(rows, 2), rows, draws=50).notes

    assert note.startswith("With more than 200 columns, samples vary within the leading 52")


def test_a_rotation_that_was_given_up_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rotation_file, "ROTATION_METHODS", {"varimax": Orthomax(max_sweeps=1)})

    assert "given up" in rotate(el.fit(noisy(50, 6), 3)).table().notes[0]
