"""choose, show, compare, export, plot and report: their answers, and what they cannot do."""

import json

import numpy as np
import pytest

import eigenlens as el
from tests.cli.typed import csv_text, document, numbers, typed

# -- choose --------------------------------------------------------------------------------


def test_choose_shows_every_rule_by_its_question(data):
    result = typed("choose", data)

    report = el.choose_rank(data, columns=["height", "width", "age", "income", "rooms"])
    headings = [line for line in result.stdout.splitlines() if "how many" in line]
    assert [line.partition(":")[0] for line in headings] == [
        "Denoising",
        "Detection",
        "Compression",
    ]
    for rule in report.question:
        assert rule in result.stdout
    assert f"{report.k} [{report.recommended['denoising'].rule}]" in result.stdout


def test_choose_for_programs(data):
    found = document("choose", data, "--scale")["result"]

    assert set(found) == {"k", "recommended", "rules", "sentences", "checks"}
    assert {line["question"] for line in found["rules"]} == set(found["recommended"])


def test_choose_asks_a_model_what_it_can_tell(model):
    result = typed("choose", model)

    assert result.exit_code == 0
    assert "needs the rows" in result.stdout


def test_choose_says_that_units_decide(here):
    (here / "uneven.csv").write_text(csv_text(numbers() * [1, 1, 1, 40, 1]))

    assert "'income' varies 77.7 times as much" in typed("choose", "uneven.csv").stderr


# -- show, compare, export -----------------------------------------------------------------


def test_show_prints_where_a_model_comes_from_and_what_it_holds(model):
    result = typed("show", model)

    words = " ".join(result.stdout.split())
    held = el.load(model)
    assert "eigenlens fit data.csv -k 2" in words
    assert all(name in words for name in held.feature_names)
    assert all(sentence in words for sentence in held.certificate.sentences)


def test_show_for_programs(model):
    found = document("show", model)["result"]

    assert found["feature_names"] == ["height", "width", "age", "income", "rooms"]
    assert len(found["variables"]) == 10
    assert found["provenance"]["settings"]["k"] == 2


def test_compare_tells_angles_and_pairs(model, data):
    typed("fit", data, "-k", "2", "--scale", "-o", "other.eigenlens", "-q", "--no-summary")

    found = document("compare", model, "other.eigenlens")["result"]
    shown = typed("compare", model, "other.eigenlens").stdout

    expected = el.explain.compare(el.load(model), el.load("other.eigenlens"))
    assert found["principal_angles"] == expected.angles.tolist()
    assert [line["component"] for line in found["matched_axes"]] == ["PC1", "PC2"]
    assert "Only one of the models was scaled" in shown


def test_models_of_other_columns_do_not_fit_together(model, here):
    (here / "b.csv").write_text(csv_text(numbers(), list("abcde")))
    typed("fit", "b.csv", "-k", "2", "-o", "b.eigenlens", "-q", "--no-summary")

    result = typed("compare", model, "b.eigenlens")

    assert result.exit_code == 4
    assert "lacks 'height'" in result.stderr


@pytest.mark.parametrize("kind", ["json", "npz", "onnx"])
def test_export_is_named_after_the_model_and_says_where_it_is(model, here, kind):
    result = typed("export", model, "--to", kind)

    assert result.exit_code == 0
    assert result.stdout == f"run.{kind}\n"
    assert (here / f"run.{kind}").stat().st_size > 100
    assert typed("export", model, "--to", kind).exit_code == 2
    assert typed("export", model, "--to", kind, "--force").exit_code == 0


def test_the_numbers_exported_are_the_models(model):
    typed("export", model, "--to", "npz", "-o", "a.npz")

    with np.load("a.npz") as arrays:
        assert np.array_equal(arrays["components"], el.load(model).components)


def test_an_export_is_not_written_under_the_ending_of_another_kind(model, here):
    result = typed("export", model, "--to", "onnx", "-o", "x.json")

    assert result.exit_code == 2
    assert "needs the ending .onnx" in result.stderr
    assert not (here / "x.json").exists()


def test_an_unknown_export_lists_the_known_ones(model):
    result = typed("export", model, "--to", "onyx")

    assert result.exit_code == 2
    assert "Did you mean 'onnx'?" in result.stderr


# -- plot ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["scree", "circle", "contributions", "spectrum"])
def test_figures_of_the_model_need_no_data(model, here, kind):
    result = typed("plot", model, kind, "-o", f"{kind}.svg")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{kind}.svg\n"
    assert "<svg" in (here / f"{kind}.svg").read_text()


@pytest.mark.parametrize("kind", ["scores", "biplot", "outliers", "reconstruction", "pairs"])
def test_figures_of_rows_say_that_they_need_them(model, kind):
    result = typed("plot", model, kind, "-o", "a.svg")

    assert result.exit_code == 2
    assert "Name the rows with --data" in result.stderr


def test_rows_are_drawn_by_name_and_colored_by_words(model, data, here):
    options = ("--data", data, "--color", "kind", "--components", "2,1", "-o", "s.svg")
    result = typed("plot", model, "scores", *options)

    numbers_behind = document("plot", model, "scores", "--data", data, "--color", "kind")
    line = numbers_behind["result"]["numbers"][0]
    assert result.exit_code == 0, result.stderr
    assert (here / "s.svg").exists()
    assert (line["row"], line["kind"]) == ("r0", "a")


def test_a_picture_goes_through_a_pipe(model):
    assert typed("plot", model, "scree").stdout.lstrip().startswith("<?xml")


def test_contributions_of_a_row_by_its_name(model, data):
    found = document("plot", model, "contributions", "--data", data, "--row", "r7")

    assert len(found["result"]["numbers"]) == 5


def test_contributions_without_a_row_name_the_option(model, data):
    result = typed("plot", model, "contributions", "--data", data, "-o", "a.svg")

    assert result.exit_code == 2
    assert "--row" in result.stderr
    assert "contributions(" not in result.stderr


def test_options_that_a_figure_does_not_take_are_refused(model):
    result = typed("plot", model, "scree", "--color", "kind", "-o", "a.svg")

    assert result.exit_code == 2
    assert "--color needs another figure: 'scree' takes --top" in result.stderr


def test_an_unknown_figure_is_answered_with_the_nearest(model):
    assert "Did you mean 'scree'?" in typed("plot", model, "skree").stderr


# -- report --------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_page_of_a_table_is_named_after_it(data, here):
    result = typed("report", data, "-k", "2", "--id", "name", "--group", "kind")

    page = (here / "data.html").read_text()
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "data.html\n"
    assert "eigenlens report data.csv --id name --group kind -k 2" in page
    assert typed("report", data).exit_code == 2


@pytest.mark.slow
def test_a_page_of_a_model_needs_its_rows(model, data, here):
    refused = typed("report", model)
    result = typed("report", model, "--data", data, "-o", "page.html", "--json")

    assert refused.exit_code == 2
    assert "--data DATA" in refused.stderr
    assert json.loads(result.stdout)["result"]["path"] == "page.html"
    assert (here / "page.html").exists()


def test_data_without_a_model_before_it_are_refused(data):
    assert "report MODEL --data DATA" in typed("report", data, "--data", data).stderr


@pytest.mark.slow
def test_supplementary_rows_go_by_their_names_on_a_page(data, here):
    typed("report", data, "-k", "2", "--sup-rows", "r3,r17", "-q")

    page = (here / "data.html").read_text()
    assert "r17" in page


@pytest.mark.parametrize(
    "command",
    [
        ("choose", "run.eigenlens", "--scale"),
        ("report", "run.eigenlens", "--data", "data.csv", "-k", "5"),
    ],
)
def test_what_a_model_has_settled_cannot_be_asked_for_again(model, command):
    result = typed(*command)

    assert result.exit_code == 2
    assert "was decided in the fit" in result.stderr
