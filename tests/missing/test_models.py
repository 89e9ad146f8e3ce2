"""Fits of tables with missing cells, and what their models do with rows."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

import eigenlens as el
from tests.missing.drawn import draw_holes, draw_table

ROWS = draw_table(250, 8, seed=1, rank=2, offset=5.0)
HOLES = draw_holes(ROWS, 0.15, seed=2)


@pytest.fixture(scope="module")
def model():
    return el.fit(HOLES, 2, scale="std", missing="auto")


@pytest.mark.parametrize("options", [{}, {"scale": "std"}, {"center": False}, {"k": 0.9}])
def test_without_holes_every_bit_is_that_of_the_plain_fit(options):
    one = el.fit(ROWS, **({"k": 3} | options), missing="auto")
    other = el.fit(ROWS, **({"k": 3} | options))

    assert np.array_equal(one.components, other.components)
    assert np.array_equal(one.eigenvalues, other.eigenvalues)
    assert np.array_equal(one.certificate.eigenvalue_bounds, other.certificate.eigenvalue_bounds)


def test_dropping_rows_is_the_fit_of_the_complete_ones():
    complete = ~np.isnan(HOLES).any(axis=1)

    one, other = el.fit(HOLES, 2, missing="drop"), el.fit(HOLES[complete], 2)

    assert np.array_equal(one.components, other.components)
    assert one.choices["missing"].evidence["dropped_rows"] == int((~complete).sum())


def test_shares_are_those_of_the_complete_table(model):
    complete = el.fit(ROWS, 2, scale="std")

    assert model.explained_ratio.sum() == pytest.approx(complete.explained_ratio.sum(), abs=0.03)


def test_intervals_of_filled_cells_hold_the_truth(model):
    holes = np.isnan(HOLES)

    filled, errors = model.complete(HOLES, errors=True)

    assert np.array_equal(filled[~holes], HOLES[~holes])
    assert (errors[~holes] == 0).all()
    held = np.abs(filled - ROWS)[holes] <= 1.96 * errors[holes]
    assert 0.9 <= held.mean() <= 1.0


def test_scores_come_with_errors(model):
    scores, errors = model.project(HOLES, errors=True)

    apart = np.abs(scores - model.project(ROWS))
    lacking = np.isnan(HOLES).any(axis=1)
    assert (errors[~lacking] == 0).all()
    assert (apart[lacking] <= 1.96 * errors[lacking]).mean() >= 0.88


def test_draws_vary_as_much_as_the_errors_say(model):
    holes = np.isnan(HOLES)

    drawn = np.array([one[holes] for one in model.draws(HOLES, 60, seed=3)])

    _, errors = model.complete(HOLES, errors=True)
    assert np.median(drawn.std(axis=0) / errors[holes]) == pytest.approx(1.0, abs=0.1)


def test_a_saved_model_fills_the_same_cells(model, tmp_path):
    model.save(tmp_path / "m.eigenlens")

    again = el.load(tmp_path / "m.eigenlens")

    assert np.array_equal(again.complete(HOLES), model.complete(HOLES))
    assert again.missing.sentences() == model.missing.sentences()


def test_a_model_of_low_rank_is_saved_too(tmp_path):
    model = el.fit(HOLES, 2, missing="lowrank")
    model.save(tmp_path / "m.eigenlens")

    assert np.array_equal(el.load(tmp_path / "m.eigenlens").project(HOLES), model.project(HOLES))


def test_a_truncated_model_has_its_own_angle(model):
    one = model.truncate(1)

    assert 0 <= one.missing.angle <= 1
    assert np.array_equal(one.complete(HOLES), model.complete(HOLES))


@pytest.mark.parametrize("kind", ["masked", "frame", "none"])
def test_holes_are_alike_whatever_they_are_called(kind, model):
    import pandas as pd

    data = {
        "masked": np.ma.masked_invalid(HOLES),
        "frame": pd.DataFrame(HOLES).astype("Float64"),
        "none": [[None if np.isnan(x) else x for x in row] for row in HOLES.tolist()],
    }[kind]

    again = el.fit(data, 2, scale="std", missing="auto")

    assert again.eigenvalues == pytest.approx(model.eigenvalues, rel=1e-9)  # another memory order


def test_one_missing_cell_in_a_large_table_is_proven_to_hardly_matter():
    rows = draw_table(2000, 6, seed=4)
    rows[7, 2] = np.nan

    holes = el.fit(rows, 2, missing="auto").missing

    assert holes.worst_angle < 0.2


def test_t2_and_q_of_rows_with_holes_stay_within_the_usual_limits():
    rows = draw_table(2000, 10, seed=5, rank=3)
    lacking = draw_holes(rows, 0.2, seed=6)
    model = el.fit(lacking, 3, missing="auto")

    table = el.explain.outliers(model, lacking)

    some = np.isnan(lacking).any(axis=1)
    for name in ("T2", "Q"):
        beyond = np.array(table[name]) > np.array(table[f"{name}_limit_95"])
        assert 0.02 <= beyond[some].mean() <= 0.09, name


def test_rows_without_any_cell_are_left_out_and_counted():
    rows = HOLES.copy()
    rows[5] = np.nan

    model = el.fit(rows, 2, missing="auto")

    assert model.n_rows == 249
    assert model.missing.empty_rows == 1


def test_a_constant_column_without_holes_does_no_harm():
    rows = np.column_stack([HOLES, np.full(250, 7.0)])

    model = el.fit(rows, 2, missing="auto")

    assert (model.complete(rows)[:, 8] == 7).all()
    assert (model.components[:, 8] == 0).all()


def test_integer_weights_are_repeated_rows():
    times = np.arange(250) % 3 + 1

    one = el.fit(HOLES, 2, weights=times, missing=el.missing.Gaussian(prior=2, tolerance=1e-11))
    other = el.fit(
        np.repeat(HOLES, times, axis=0), 2, missing=el.missing.Gaussian(prior=2, tolerance=1e-11)
    )

    assert one.eigenvalues == pytest.approx(other.eigenvalues, rel=1e-7)


def test_explain_missing_names_what_the_holes_go_with():
    rows = ROWS.copy()
    model = el.fit(ROWS, 2, scale="std")
    high = np.argsort(model.project(ROWS)[:, 0])[-40:]
    rows[high, 3] = np.nan

    table = el.explain.missing(el.fit(rows, 2, scale="std", missing="auto"), rows)

    assert table["holes"] == [0, 0, 0, 40, 0, 0, 0, 0]
    assert abs(table["v_test"][3]) > 4
    assert any("rejected" in note for note in table.notes)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda rows: rows.__setitem__((slice(None), 2), np.nan), ["every cell is missing", "'2'"]),
        (lambda rows: rows.__setitem__((slice(1, None), 2), 7.0), ["equal", "'2'"]),
        (lambda rows: rows.__setitem__((4, 4), np.inf), ["infinite"]),
    ],
)
def test_hopeless_columns_and_infinities_are_refused_by_name(spoil, words):
    rows = HOLES.copy()
    rows[0, 2] = np.nan
    spoil(rows)

    with pytest.raises(el.DataError) as caught:
        el.fit(rows, 2, missing="auto")

    assert [word for word in words if word not in str(caught.value)] == []


def test_a_plain_model_cannot_fill_cells():
    with pytest.raises(el.OptionError, match="missing='auto'"):
        el.fit(ROWS, 2).complete(HOLES)


def test_models_with_missing_cells_are_not_merged(model):
    with pytest.raises(el.OptionError, match="all rows"):
        model.merge(model)


def test_pca_and_imputer_work_in_pipelines():
    target = ROWS[:, 0]

    for first in (el.Imputer(), el.PCA(2, missing="auto")):
        assert (
            make_pipeline(first, LinearRegression()).fit(HOLES, target).score(HOLES, target) > 0.7
        )


@pytest.mark.parametrize("engine", ["gaussian", "lowrank"])
def test_holes_are_predicted_as_their_conditional_law_says(engine):
    law = el.fit(HOLES, 2, missing=engine).missing.completer.law
    holes = np.isnan(HOLES[:60])
    deviations = np.where(holes, 0.0, HOLES[:60] - 5.0)

    expected, variances, distances = law.predict_holes(deviations, holes)

    for part in law.condition(deviations, holes):
        places = part.rows[:, None], part.columns
        assert expected[places] == pytest.approx(part.expected, abs=1e-10)
        assert variances[places] == pytest.approx(part.variances, abs=1e-10)
        assert distances[part.rows] == pytest.approx(part.distance, abs=1e-8)


def test_the_error_says_what_each_way_out_would_do_here():
    rows = ROWS.copy()
    rows[[3, 3, 9], [1, 2, 5]] = np.nan

    with pytest.raises(el.DataError) as caught:
        el.fit(rows, 2)

    assert "estimate the 3 missing cells with missing='auto'" in str(caught.value).lower()
    assert "leave out the 2 rows with them with missing='drop' (248 rows are left)" in str(
        caught.value
    )


def test_patterns_are_counted(model):
    table = el.explain.missing_patterns(model, HOLES, top=3)

    assert table["rows"][0] == int((~np.isnan(HOLES)).all(axis=1).sum())
    assert table["lacks"][0] == ""
    assert "patterns" in table.notes[0]


def test_a_report_has_a_section_on_what_is_missing(model, tmp_path):
    text = el.report(model, HOLES, tmp_path / "page.html").read_text(encoding="utf-8")

    assert 'id="missing"' in text
    assert "every cell a finite number" not in text


def test_more_components_than_the_model_keeps_are_those_of_the_expected_matrix(model):
    from eigenlens.digest.digest import digest_of

    wider = digest_of(model, HOLES).wider

    assert wider.eigenvalues[:2] == pytest.approx(model.eigenvalues, rel=1e-9)
    assert wider.total_variance == pytest.approx(8.0)


def test_few_rows_with_missing_cells_have_eigenvalues_beyond_their_number():
    rows = np.random.default_rng(0).standard_normal((5, 10))
    rows[[0, 1, 3], 2:8] = np.nan

    model = el.fit(rows, 4, scale="std", missing="gaussian")

    assert model.proof.facts.most_components == 10
    assert model.rank.value == 10
    assert model.certificate.captured_ratio < 0.9
    # Two complete rows tell little of ten columns: what is left is tied with the last component.
    assert model.certificate.subspace_angle == 1


@pytest.mark.parametrize("solver", ["krylov", "lanczos", "orthogonal"])
def test_rows_are_judged_alike_whatever_the_solver(solver):
    rows = np.random.default_rng(4).standard_normal((60, 6)) * [1, 5, 3, 2, 1, 2] + 7
    rows[[4, 9], [4, 1]] = np.nan

    one, other = (el.fit(rows, 2, missing="auto", solver=name) for name in ("covariance", solver))

    for column in ("T2", "Q"):
        first, second = (el.explain.outliers(model, rows)[column] for model in (one, other))
        np.testing.assert_allclose(first, second, rtol=1e-4)


def test_rows_are_judged_where_the_scatter_matrix_is_too_large_to_keep(monkeypatch):
    rows = np.random.default_rng(4).standard_normal((60, 6)) * [1, 5, 3, 2, 1, 2] + 7
    rows[[4, 9], [4, 1]] = np.nan
    kept = el.explain.outliers(el.fit(rows, 2, missing="auto"), rows)["Q"]

    monkeypatch.setattr("eigenlens.search.result.KEPT_SCATTER_BYTES", 0)
    found = el.explain.outliers(el.fit(rows, 2, missing="auto"), rows)["Q"]

    np.testing.assert_allclose(found, kept, rtol=0.2)
