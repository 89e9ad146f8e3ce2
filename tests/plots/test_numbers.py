"""What a figure shows is what the tables of `explain` say."""

import numpy as np
import pytest

import eigenlens
from eigenlens import explain, plots
from eigenlens.explain.outliers import QUADRANTS
from eigenlens.plots.plane import values_along_components
from tests.explain.classics import EVENTS
from tests.plots.gallery import FIGURES, decathlon, model, plane_with_one_row_off

PERCENT = ("32.7%", "17.4%")  # of the decathlon's first two components, as published


def column(table, name):
    return np.asarray(table[name], dtype=float)


@pytest.mark.parametrize("name", ["scores", "biplot", "circle"])
def test_axes_that_are_components_carry_their_percent(name):
    ax = FIGURES[name]()

    assert ax.get_xlabel() == f"PC1 ({PERCENT[0]})"
    assert ax.get_ylabel() == f"PC2 ({PERCENT[1]})"


def test_every_outer_panel_of_pairs_carries_its_percent():
    ax = plots.pairs(model(), decathlon(), components=[1, 3])

    labels = {panel.get_xlabel() for panel in ax.child_axes} - {""}

    assert labels == {"PC1 (32.7%)", "PC3 (14.0%)"}


def test_bars_over_components_carry_their_percent():
    assert PERCENT[0] in FIGURES["contributions"]().get_xlabel()
    texts = [text.get_text() for ax in FIGURES["scree"]().figure.axes for text in ax.texts]
    assert set(PERCENT) <= set(texts)


def test_scree_is_the_table_of_eigenvalues():
    ax = plots.scree(model())

    shown = [bar.get_height() / 100 for bar in ax.patches[:5]]

    assert shown == pytest.approx(column(explain.eigenvalues(model()), "proportion"))
    assert column(plots.data(ax), "eigenvalue") == pytest.approx(model().eigenvalues)


def test_scree_shows_what_is_left_out_on_average():
    bar = plots.scree(model()).patches[5]

    assert bar.get_height() == pytest.approx(100 * (10 - model().eigenvalues.sum()) / 5 / 10)


def test_scree_names_the_rules_that_agree():
    report = eigenlens.choose_rank(decathlon()[list(EVENTS)], scale="std")

    ax = plots.scree(model(), rules=report)

    (key,) = ax.figure.legends
    words = [text.get_text().replace("\n", " ") for text in key.get_texts()]
    assert words[0] == "kept: 5"
    by_kaiser = int(report.rules["kaiser"].value)
    assert any(line.startswith(f"{by_kaiser}: ") and "kaiser" in line for line in words)


def test_scree_of_more_components_than_are_kept_says_that_none_is():
    ax = plots.scree(model(), k=0, rules=False)

    (key,) = ax.figure.legends
    assert key.get_texts()[0].get_text() == "kept: 0"


def test_scores_are_those_of_the_table_of_rows():
    ax = plots.scores(model(), decathlon(), components=("PC2", "PC4"))

    names, expected = values_along_components(
        explain.rows(model(), decathlon()), "row", "score", (1, 3)
    )
    table = plots.data(ax)
    assert list(table["row"]) == list(names)
    assert np.column_stack([table["PC2"], table["PC4"]]) == pytest.approx(expected)
    assert ax.collections[0].get_offsets().data == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scaling", "value"),
    [("rows", "eigenvector"), ("variables", "loading"), ("view", "correlation")],
)
def test_arrows_are_a_column_of_the_table_of_variables(scaling, value):
    ax = plots.biplot(model(), decathlon(), scaling=scaling)

    table = plots.data(ax)
    arrows = np.asarray(table["kind"]) == "variable"
    found = np.column_stack([table["PC1"], table["PC2"]])[arrows]
    assert found == pytest.approx(
        values_along_components(explain.variables(model()), "variable", value, (0, 1))[1]
    )


@pytest.mark.parametrize("scaling", ["rows", "variables"])
def test_a_row_times_an_arrow_gives_back_the_value(scaling):
    whole = model(10)
    plane = whole.truncate(2)

    table = plots.data(plots.biplot(plane, decathlon(), scaling=scaling))

    points = np.column_stack([table["PC1"], table["PC2"]])
    rows, arrows = (points[np.asarray(table["kind"]) == kind] for kind in ("row", "variable"))
    kept = plane.project(decathlon()[list(EVENTS)]) @ plane.components
    assert rows @ arrows.T == pytest.approx(kept)


def test_arrows_are_as_long_as_their_own_axis_says():
    ax = plots.biplot(model(), decathlon(), scaling="view", top=["400m"])

    ax.figure.canvas.draw()
    top = ax.child_axes[0]
    (arrow,) = [text for text in ax.texts if text.get_text() == "" and text.arrow_patch]
    factor = ax.get_xlim()[1] / top.get_xlim()[1]
    _, correlations = values_along_components(
        explain.variables(model()), "variable", "correlation", (0, 1)
    )
    assert np.array(arrow.xy) / factor == pytest.approx(correlations[EVENTS.index("400m")])


def test_the_top_arrows_contribute_most():
    ax = plots.biplot(model(), decathlon(), top=3, annotate=False)

    drawn = {text.get_text() for text in ax.texts} - {""}
    table = plots.data(ax)
    variables = np.asarray(table["kind"]) == "variable"
    order = np.argsort(-np.asarray(table["contribution"])[variables])
    assert drawn == set(np.asarray(table["item"])[variables][order[:3]])


def test_contributions_of_a_component_sum_to_100_around_their_average():
    ax = plots.contributions(model(), components=2)

    shown = column(plots.data(ax), "contribution")
    assert shown.sum() == pytest.approx(100)
    assert ax.lines[0].get_xdata()[0] == pytest.approx(10)
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == sorted(widths, reverse=True)


def test_contributions_of_a_row_are_those_of_explain():
    rows = plane_with_one_row_off()
    plane = eigenlens.fit(rows, 2)

    ax = plots.contributions(plane, rows, 7, statistic="Q")

    table = explain.contributions(plane, rows, 7)
    assert ax.get_yticklabels()[0].get_text() == table["variable"][0] == "x3"
    assert ax.patches[0].get_width() == pytest.approx(table["Q_contribution"][0])


def test_outliers_are_the_table_and_the_planted_row_is_named():
    rows = plane_with_one_row_off()
    plane = eigenlens.fit(rows, 2)

    ax = plots.outliers(plane, rows)

    table = explain.outliers(plane, rows)
    assert list(plots.data(ax)["quadrant"]) == list(table["quadrant"])
    counted = [f"{name} ({list(table['quadrant']).count(name)})" for name in QUADRANTS]
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == counted
    assert "7" in {text.get_text() for text in ax.texts}
    verticals = {float(line.get_xdata()[0]) for line in ax.lines if len(set(line.get_xdata())) == 1}
    assert table["T2_limit_95"][0] in verticals
    assert table["T2_limit_99"][0] in verticals


def test_reconstruction_is_the_share_lost():
    ax = plots.reconstruction(model(), decathlon())

    together = ax.lines[-1].get_ydata()
    assert together == pytest.approx(1 - np.append(0, np.cumsum(model().explained_ratio)))


def test_spectrum_tells_components_from_noise():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, 50))
    rows += 2 * rng.standard_normal((400, 3)) @ rng.standard_normal((3, 50))

    table = plots.data(plots.spectrum(eigenlens.fit(rows, 50)))

    assert sum(table["past_edge"]) == 3
    assert table["edge"][0] == pytest.approx((1 + np.sqrt(50 / 399)) ** 2, rel=0.1)


def test_noise_alone_has_nothing_past_the_edge_on_wide_tables_too():
    rows = np.random.default_rng(1).standard_normal((60, 400))

    table = plots.data(plots.spectrum(eigenlens.fit(rows, 59)))

    assert sum(table["past_edge"]) <= 1
    assert table["edge"][0] == pytest.approx(400 / 59 * (1 + np.sqrt(59 / 400)) ** 2, rel=0.15)


def test_convergence_is_what_the_fit_has_recorded():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((200, 60)) * np.geomspace(9, 0.1, 60)
    fits = [eigenlens.fit(rows, 3, solver=name) for name in ("krylov", "orthogonal")]

    table = plots.data(plots.convergence(*fits))

    for one in fits:
        chosen = np.asarray(table["solver"]) == one.choices["solver"].value
        errors = column(table, "certified_error")[chosen]
        assert errors.tolist() == [error for _, error in one.choices["stop"].evidence["errors"]]
        assert np.all(np.diff(errors) < 0)
        assert errors[-1] == pytest.approx(one.certificate.relative_error)


def test_convergence_of_merged_models_is_their_last_word():
    rows = decathlon()[list(EVENTS)].to_numpy()
    one, two = (eigenlens.fit(part, 9, solver="covariance") for part in (rows[:20], rows[20:]))
    merged = one.merge(two)

    table = plots.data(plots.convergence(merged))

    assert list(table["certified_error"]) == [merged.certificate.relative_error]


def test_what_is_not_proven_is_not_drawn_as_proven():
    rows = np.random.default_rng(0).standard_normal((400, 200)) * np.arange(1, 201) ** -0.5

    guessed = eigenlens.fit(rows, 3, solver="krylov", certify="fast")

    assert guessed.certificate.kind == "heuristic"
    assert set(plots.data(plots.convergence(guessed))["solver"]) == {"krylov (not proven)"}


def test_an_estimator_is_as_good_as_its_model():
    estimator = eigenlens.PCA(2).fit(decathlon()[list(EVENTS)])

    table = plots.data(plots.scores(estimator, decathlon()))

    assert table["PC1"] == pytest.approx(estimator.model_.project(decathlon()[list(EVENTS)])[:, 0])


# -- units ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", [plots.scores, plots.biplot])
@pytest.mark.parametrize(("longer", "equal"), [(5.0, True), (500.0, False)])
def test_axes_have_one_unit_unless_the_rows_would_be_a_line(draw, longer, equal):
    rows = np.random.default_rng(0).standard_normal((60, 3)) * [longer, 1.0, 0.5]

    ax = draw(eigenlens.fit(rows, 2), rows)

    assert (ax.get_aspect() == 1.0) == equal
    assert ("not to the same scale" in ax.get_title("right")) != equal


def test_angles_of_a_biplot_are_true_whatever_its_shape():
    rows = np.random.default_rng(0).standard_normal((60, 3)) * [500.0, 1.0, 0.5]

    ax = plots.biplot(eigenlens.fit(rows, 2), rows, scaling="variables")

    assert ax.get_aspect() == 1.0
