"""fit: the first screen answers, files hold what their headers say, and nothing is lost."""

import json
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from tests.cli.test_terminal import COLOR
from tests.cli.typed import NAMES, csv_text, document, in_terminal, numbers, typed


def words(text):
    return " ".join(text.split())


def test_the_first_screen_shows_every_share_then_meaning_rows_and_proof(data):
    result = typed("fit", data, "-k", "1", "--id", "name", COLUMNS="80")

    screen = result.stdout.splitlines()
    starts = [
        next(place for place, line in enumerate(screen) if line.strip().startswith(heading))
        for heading in ("Explained variance", "Components", "Outliers", "Groups", "Proof", "Next")
    ]
    shares = [line.split()[0:2] for line in screen if line.startswith("  PC")][:5]
    assert result.exit_code == 0
    assert starts == sorted(starts)
    assert len(screen) <= 40
    assert [name for name, _ in shares] == [f"PC{place}" for place in range(1, 6)]
    assert [mark for _, mark in shares].count("kept") == 1


def test_a_narrow_screen_keeps_the_shares(data):
    (shown,) = in_terminal([("fit", data, "-k", "1")], columns=40)

    lines = COLOR.sub("", shown[1]).splitlines()
    assert ["component", "proportion", "cumulative"] in [line.split() for line in lines]
    assert max(map(len, lines)) <= 40


def test_intervals_of_all_components_are_in_the_document(data):
    found = document("fit", data, "-k", "2")["result"]

    expected = el.explain.sampling_intervals(el.fit(numbers(), 5), numbers())
    assert [one["kept"] for one in found["components"]] == [True] * 2 + [False] * 3
    assert np.allclose([one["low"] for one in found["components"]], expected["low"], rtol=1e-9)
    assert np.allclose(
        [one["proportion_high"] for one in found["components"]], expected["proportion_high"]
    )
    assert np.isclose(found["components"][-1]["cumulative"], 1.0)


def test_the_whole_certificate_is_printed_where_it_is_asked_for(data):
    short, full = typed("fit", data), typed("fit", data, "--certificate")

    assert "Choices" not in short.stdout
    assert "Choices" in full.stdout
    assert "The angle to the true subspace" in words(full.stdout)


@pytest.mark.parametrize("width", [80, 120])
def test_nothing_is_wider_than_the_screen(data, width):
    lines = typed("fit", data, COLUMNS=str(width)).stdout.splitlines()

    assert max(map(len, lines)) <= width


def test_the_model_saved_is_the_one_that_python_fits(data, model):
    saved, fitted = el.load(model), el.fit(data, 2, columns=list(NAMES))

    assert np.array_equal(saved.components, fitted.components)
    assert saved.feature_names == NAMES
    assert saved.provenance["data"] == data
    assert saved.provenance["command"].startswith("eigenlens fit data.csv")


def test_the_command_that_is_remembered_can_be_typed_again(data, model):
    line = el.load(model).provenance["command"]

    again = typed(*line.split()[1:], "--force")

    assert again.exit_code == 0
    assert line == "eigenlens fit data.csv -k 2 -o run.eigenlens --no-summary"
    assert el.load(model).provenance["command"] == f"{line} --force"


def test_tables_hold_what_their_headers_say(data, here):
    result = typed("fit", data, "-k", "2", "--tables", "out", "--group", "kind")

    model = el.fit(data, 2, columns=list(NAMES))
    held = {path.name for path in (here / "out").iterdir()}
    rows = pd.read_csv("out/rows.csv")
    assert result.exit_code == 0
    assert held == {
        "eigenvalues.csv", "variables.csv", "scores.csv", "rows.csv", "run.json",
        "supplementary_columns.csv",
    }  # fmt: skip
    assert np.array_equal(pd.read_csv("out/eigenvalues.csv")["eigenvalue"], model.eigenvalues)
    assert list(rows["row"]) == [f"r{row}" for row in range(40)]
    assert np.allclose(rows["PC1_score"], model.project(data)[:, 0], rtol=1e-12)
    assert np.isclose(rows["PC2_contribution"].sum(), 100.0)
    assert list(pd.read_csv("out/variables.csv")["variable"].unique()) == list(NAMES)
    assert json.loads((here / "out" / "run.json").read_text())["schema"] == "eigenlens.fit/1"


def test_transform_of_the_training_file_is_what_fit_wrote_to_the_last_digit(data, here):
    typed("fit", data, "-k", "3", "--scale", "-o", "m.eigenlens", "--tables", "out", "-q")

    result = typed("transform", "m.eigenlens", data, "-o", "scores.csv")

    assert result.exit_code == 0
    assert (here / "scores.csv").read_bytes() == (here / "out" / "scores.csv").read_bytes()
    assert "judged as rows of the fit" in result.stdout
    assert typed("transform", "m.eigenlens", data).stdout_bytes == (
        here / "scores.csv"
    ).read_bytes().replace(b"\r", b"")


def test_numbers_are_the_same_for_rows_of_another_file(data, here):
    typed("fit", data, "-k", "3", "-o", "m.eigenlens", "--tables", "out", "-q")
    (here / "copy.csv").write_text((here / data).read_text())

    typed("transform", "m.eigenlens", "copy.csv", "-o", "scores.csv")

    one, two = (
        [line.rpartition(",")[0] for line in (here / path).read_text().splitlines()]
        for path in ("out/scores.csv", "scores.csv")
    )
    assert one == two


def test_groups_supplementary_columns_and_rows_have_no_part_in_the_fit(data):
    found = document(
        "fit", data, "-k", "2", "--sup-cols", "rooms", "--group", "kind", "--sup-rows", "r3,r10:r12"
    )

    alone = np.delete(numbers()[:, :4], [3, 10, 11, 12], axis=0)
    expected = el.fit(alone, 2).eigenvalues
    assert found["data"] == {"rows": 36, "columns": 4, "dtype": "float64"}
    assert np.allclose([one["eigenvalue"] for one in found["result"]["eigenvalues"]], expected)
    assert any("'kind' explains" in line["finding"] for line in found["result"]["findings"])


def test_weights_count_as_repeated_rows(here):
    table = numbers(20)
    weighted = np.column_stack([table, np.arange(20) % 3])
    (here / "w.csv").write_text(csv_text(weighted, (*NAMES, "times"), kinds=False))

    found = document("fit", "w.csv", "-k", "1", "--weights", "times")

    repeated = np.repeat(table, np.arange(20) % 3, axis=0)
    assert np.isclose(
        found["result"]["eigenvalues"][0]["eigenvalue"], el.fit(repeated, 1).eigenvalues[0]
    )


def test_rows_with_missing_numbers_are_an_error_that_says_how_to_drop_them(here):
    table = numbers()
    table[[4, 7], 2] = np.nan
    (here / "gaps.csv").write_text(csv_text(table).replace("nan", ""))

    refused = typed("fit", "gaps.csv")
    dropped = typed("fit", "gaps.csv", "--missing", "drop", "--json")

    assert refused.exit_code == 3
    assert "--missing drop" in refused.stderr
    assert json.loads(dropped.stdout)["data"]["rows"] == 38
    assert "2 of 40 rows have missing numbers and are left out" in dropped.stderr


# -- units ---------------------------------------------------------------------------------


@pytest.fixture
def uneven(here):
    (here / "uneven.csv").write_text(csv_text(numbers() * [1, 1, 1, 40, 1]))
    return "uneven.csv"


def test_units_that_decide_are_said_in_one_line(uneven):
    result = typed("fit", uneven)

    told = [line for line in result.stderr.splitlines() if line.startswith("warning")]
    assert len(told) == 1
    assert "'income' varies" in told[0]
    assert "--scale" in told[0]


@pytest.mark.parametrize("decided", ["--scale", "--no-scale"])
def test_what_was_decided_is_not_questioned(uneven, decided):
    assert "warning" not in typed("fit", uneven, decided, "--no-summary").stderr


def test_a_warning_is_an_exit_code_under_strict_and_in_the_document(uneven):
    result = typed("fit", uneven, "--strict", "--json", "-q", "--no-summary")

    assert result.exit_code == 6
    assert result.stderr == ""
    assert "'income' varies" in json.loads(result.stdout)["warnings"][0]


# -- how it ends ---------------------------------------------------------------------------


def test_a_tolerance_that_was_not_reached_is_reported_with_the_result(data):
    result = typed("fit", data, "-k", "2", "--solver", "power", "--tolerance", "1e-30")

    assert result.exit_code == 5
    assert "--tolerance 1e-30 was requested" in result.stderr
    assert "PC2" in result.stdout


def test_odd_rows_fail_where_somebody_asked(here):
    table = numbers(60)
    calm = csv_text(table.round(1) * 0 + np.linspace(0, 1, 60)[:, None] + table * 1e-3)
    table[5, 3] += 40
    (here / "odd.csv").write_text(csv_text(table))
    (here / "calm.csv").write_text(calm)

    assert typed("fit", "odd.csv", "-k", "2", "--fail-on", "outliers").exit_code == 10
    assert typed("fit", "odd.csv", "-k", "2").exit_code == 0


def test_an_output_that_exists_is_not_replaced_unasked(data, model, here):
    before = (here / model).read_bytes()

    refused = typed("fit", data, "-k", "3", "-o", model)

    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert (here / model).read_bytes() == before
    assert typed("fit", data, "-k", "3", "-o", model, "--force").exit_code == 0
    assert (here / model).read_bytes() != before


def test_the_data_are_never_an_output(data, here):
    before = (here / data).read_text()

    result = typed("fit", data, "-o", data, "--force")

    assert result.exit_code == 3
    assert "which is being read" in result.stderr
    assert (here / data).read_text() == before


def test_quiet_says_nothing_but_errors(data, uneven):
    assert typed("fit", uneven, "-q", "-o", "q.eigenlens").stderr == ""
    assert typed("fit", "nothing.csv", "-q").stderr.startswith("error: ")


def test_a_table_without_structure_has_a_page_too(here):
    (here / "noise.csv").write_text(
        csv_text(np.random.default_rng(0).standard_normal((200, 5)), ids=False, kinds=False)
    )

    result = typed("fit", "noise.csv", "-o", "nothing.eigenlens", "--tables", "out")

    assert result.exit_code == 0
    assert "Kept: no components." in words(result.stdout)
    assert "PC1 kept" not in result.stdout
    assert typed("show", "nothing.eigenlens").exit_code == 0


def test_the_model_is_kept_before_anything_else_is_asked_of_it(data, monkeypatch):
    def interrupted(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("eigenlens.cli.fit.digest_of_sheet", interrupted)

    result = typed("fit", data, "-k", "2", "-o", "kept.eigenlens")

    assert result.exit_code == 130
    assert el.load("kept.eigenlens").n_components == 2


def test_an_interrupted_fit_says_where_its_state_is(data, here, monkeypatch):
    def interrupted(*given, **more):
        (here / "run.ckpt").write_bytes(b"state")
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("eigenlens.fit"), "fit", interrupted)

    result = typed("fit", data, "--checkpoint", "run.ckpt")

    assert result.exit_code == 130
    assert "run the same command to resume" in result.stderr


def test_one_column_is_spoken_of_as_one(here):
    (here / "one.csv").write_text("x\n" + "\n".join(map(str, range(20))) + "\n")

    assert "20 rows and 1 column, centered" in typed("fit", "one.csv").stdout


def test_missing_numbers_are_estimated_and_filled(here):
    rows = numbers()
    rows[5, 2] = rows[8, 0] = np.nan
    rows[11] = np.nan
    (here / "gaps.csv").write_text(csv_text(rows).replace("nan", ""))

    answer = typed(
        "fit", "gaps.csv", "-k", "1", "--missing", "auto", "--fill", "full.csv",
        "--fill-errors", "errors.csv", "--report", "page.html",
    )  # fmt: skip

    assert answer.exit_code == 0, answer.stderr
    assert "1 of 40 rows has no number and is left out" in answer.stderr
    assert "of the cells are missing" in words(answer.stdout)
    full = pd.read_csv(here / "full.csv").to_numpy()
    errors = pd.read_csv(here / "errors.csv").to_numpy()
    assert np.isfinite(full).all()
    assert (errors > 0).sum() == 2


def test_a_table_is_filled_only_where_cells_are_estimated(data):
    refused = typed("fit", data, "--fill", "full.csv")

    assert refused.exit_code == 2
    assert "--missing auto" in refused.stderr


def test_a_clean_table_does_not_fail_on_outliers_unless_the_level_is_lower(here):
    rows = np.random.default_rng(1).standard_normal((300, 6)) * [6, 4, 1, 1, 1, 1]
    (here / "clean.csv").write_text(csv_text(rows, tuple("abcdef"), ids=False, kinds=False))
    asked = ("clean.csv", "-k", "2", "--fail-on", "outliers")

    page = typed("fit", *asked, "-o", "clean.eigenlens")

    assert "No outliers" in page.stdout
    assert page.exit_code == 0
    assert typed("fit", *asked, "--level", "0.95").exit_code == 10
    assert typed("fit", *asked, "--level", "2").exit_code == 2
    judged = ("transform", "clean.eigenlens", "clean.csv", "--fail-on", "outliers")
    assert typed(*judged).exit_code == 0
    assert typed(*judged, "--level", "0.95").exit_code == 10


def test_one_component_is_drawn_beside_one_that_is_not_kept(data):
    typed("fit", data, "-k", "1", "-o", "one.eigenlens", "--no-summary")

    for kind in ("biplot", "scores", "circle"):
        drawn = typed("plot", "one.eigenlens", kind, "--data", data, "-o", f"{kind}.svg")
        assert drawn.exit_code == 0, drawn.stderr
