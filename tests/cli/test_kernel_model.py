"""A model that KernelPCA saved: it is shown, drawn, gives scores, and the rest says why not."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from tests.cli.typed import document, typed


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(np.random.default_rng(0).standard_normal((40, 3)), columns=list("abc"))
    frame.to_csv("rows.csv", index=False)
    return frame


@pytest.fixture(params=["exact", "nystrom"])
def kernel_model(rows, request):
    found = el.KernelPCA(2, kernel="rbf", method=request.param).fit(rows).model_
    found.save("kernel.eigenlens")
    return found


def test_show_tells_what_the_model_itself_tells(kernel_model):
    result = typed("show", "kernel.eigenlens")

    told = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert kernel_model.headline in told
    assert "Certificate" in told
    assert "gamma 0.333333: 1 / 3 columns" in told


def test_show_as_json_holds_eigenvalues_and_the_kernel(kernel_model):
    result = document("show", "kernel.eigenlens")["result"]

    found = [line["eigenvalue"] for line in result["eigenvalues"]]
    np.testing.assert_array_equal(found, kernel_model.eigenvalues)
    assert result["kernel"] == {"name": "rbf", "gamma": 1 / 3}


def test_scores_go_to_stdout_and_columns_are_matched_by_name(kernel_model, rows):
    rows[list("cab")].to_csv("turned.csv", index=False)

    result = typed("transform", "kernel.eigenlens", "turned.csv")

    lines = list(csv.DictReader(io.StringIO(result.stdout)))
    assert list(lines[0]) == ["row", "PC1", "PC2"]
    found = [[float(line["PC1"]), float(line["PC2"])] for line in lines]
    np.testing.assert_allclose(found, kernel_model.project(rows), atol=1e-13)


@pytest.mark.parametrize(("ending", "read"), [("csv", pd.read_csv), ("parquet", pd.read_parquet)])
def test_scores_go_to_a_file(kernel_model, rows, ending, read):
    result = typed("transform", "kernel.eigenlens", "rows.csv", "-o", f"s.{ending}")

    assert result.exit_code == 0
    np.testing.assert_allclose(read(f"s.{ending}")["PC2"], kernel_model.project(rows)[:, 1])


def test_scores_are_one_document(kernel_model, rows):
    result = document("transform", "kernel.eigenlens", "rows.csv")["result"]

    found = [line["PC1"] for line in result["rows"]]
    np.testing.assert_allclose(found, kernel_model.project(rows)[:, 0], atol=1e-13)


@pytest.mark.parametrize(
    "arguments",
    [
        ("plot", "kernel.eigenlens", "circle", "-o", "circle.png"),
        ("export", "kernel.eigenlens"),
        ("report", "kernel.eigenlens", "--data", "rows.csv", "-o", "page.html"),
        ("compare", "kernel.eigenlens", "kernel.eigenlens"),
    ],
)
def test_commands_about_columns_say_what_works_instead(kernel_model, arguments):
    result = typed(*arguments)

    assert result.exit_code == 2
    assert "made of columns" in result.stderr
    assert "eigenlens transform kernel.eigenlens DATA" in result.stderr


def test_limits_are_not_those_of_a_kernel_model(kernel_model):
    result = typed("transform", "kernel.eigenlens", "rows.csv", "--fail-on", "outliers")

    assert result.exit_code == 2
    assert "--fail-on outliers needs T2 and Q" in result.stderr


@pytest.mark.parametrize(
    "arguments", [("scree",), ("scores", "--data", "rows.csv"), ("pairs", "--data", "rows.csv")]
)
def test_figures_that_need_no_columns_are_drawn(kernel_model, arguments):
    result = typed("plot", "kernel.eigenlens", *arguments, "-o", "figure.png")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == "figure.png\n"
