"""The first screen: everything on it is true, whole, and in the right stream."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from eigenlens import __version__
from eigenlens.cli.demo import demo, load_wines, number_or_rule, python_call
from eigenlens.cli.main import app
from eigenlens.fit import fit

COLOR = re.compile(r"\x1b\[[0-9;]*[34][0-7]m")

SKLEARN_AFTER_DEMO = """
import sys
from eigenlens.cli.main import app
app(["demo", "--no-report"], standalone_mode=False)
print("sklearn" in sys.modules, file=sys.stderr)
"""


def run(*arguments, **environment):
    """The program in this process; no page is written unless one is asked for."""
    if arguments[:1] == ("demo",) and "--report" not in arguments:
        arguments = (*arguments, "--no-report")
    return CliRunner().invoke(app, arguments, env={"NO_COLOR": None, **environment})


def in_fresh_interpreter(*arguments, **environment):
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )


@pytest.fixture(scope="module")
def model():
    return fit(load_wines().frame(), 12, scale="std", solver="covariance")


def test_the_wines_are_those_of_scikit_learn():
    from sklearn.datasets import load_wine

    table, given = load_wines(), load_wine()

    assert np.array_equal(table.rows, given.data)
    assert [f"grower {code + 1}" for code in given.target] == table.growers


def test_published_shares_are_on_the_screen():
    # Of the standardized wines: 36.20, 19.21 and 11.12 percent.
    words = run("demo", "-k", "3").stdout

    for share in ("36.20%", "19.21%", "11.12%"):
        assert share in words


def test_the_screen_shows_eigenvalues_the_certificate_and_every_choice(model):
    result = run("demo", "-k", "12", "--solver", "covariance")

    words = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert f"{model.eigenvalues[0]:.5f}" in words
    for sentence in model.certificate.sentences:
        assert sentence in words
    for name, verdict in model.choices.items():
        assert f"{name} {verdict}" in words


def test_components_that_are_not_shown_are_counted():
    assert "… and 1 more" in run("demo", "-k", "13").stdout


@pytest.mark.parametrize("width", [80, 120])
def test_nothing_is_wider_than_the_screen_or_cut_off(width):
    lines = run("demo", COLUMNS=str(width)).stdout.splitlines()

    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
    assert not any(line != line.rstrip() for line in lines)


def test_a_file_is_never_narrower_than_80_columns():
    assert "cumulative" in run("demo", COLUMNS="30").stdout


def test_what_is_piped_has_no_colors():
    assert "\x1b" not in run("demo").stdout


def test_no_color_is_respected_where_colors_were_possible():
    with_color = run("demo", FORCE_COLOR="1", TERM="xterm-256color")
    without = run("demo", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")

    assert COLOR.search(with_color.stdout)
    assert not COLOR.search(without.stdout)


def test_json_is_one_document_with_the_same_numbers(model):
    result = run("demo", "-k", "12", "--solver", "covariance", "--json")

    found = json.loads(result.stdout)
    lines = found["result"]["eigenvalues"]
    assert found["schema"] == "eigenlens.demo/1"
    assert found["tool_version"] == __version__
    given = {"k": "12", "solver": "covariance", "no_report": True, "force": False}
    assert found["args"] == given
    assert found["data"] == {"rows": 178, "columns": 13, "dtype": "float64"}
    assert found["warnings"] == []
    assert [line["eigenvalue"] for line in lines] == model.eigenvalues.tolist()
    assert all(line["low"] <= line["eigenvalue"] <= line["high"] for line in lines)
    assert found["result"]["certificate"]["sentences"] == list(model.certificate.sentences)
    assert set(found["result"]["choices"]) == set(model.choices)


def test_a_number_of_components_out_of_range_is_a_usage_error():
    result = run("demo", "-k", "99")

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "99 components were requested" in result.stderr
    assert "-k 13 or fewer" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_misspelled_solver_is_answered_with_the_right_one():
    result = run("demo", "--solver", "krilov")

    assert result.exit_code == 2
    assert "Did you mean 'krylov'?" in result.stderr


def test_an_unknown_option_is_a_usage_error():
    assert run("demo", "--colour").exit_code == 2


def test_without_arguments_the_verbs_are_listed():
    result = run()

    assert "demo" in result.stdout + result.stderr


def test_help_shows_what_to_try():
    result = run("demo", "--help")

    assert result.exit_code == 0
    assert "eigenlens demo -k 10 --solver krylov" in result.stdout


def test_the_version_is_that_of_the_package():
    assert run("--version").stdout == f"eigenlens {__version__}\n"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [("7", 7), ("0.9", 0.9), ("auto", "auto"), ("frobenius:0.9", "frobenius:0.9")],
)
def test_components_are_a_number_a_fraction_or_a_rule(text, meaning):
    found = number_or_rule(text)

    assert found == meaning
    assert type(found) is type(meaning)


def test_the_call_shown_is_the_call_made():
    assert python_call("0.95", "auto") == "In Python: eigenlens.fit(X, k=0.95, scale='std')"
    assert python_call("3", "svd") == "In Python: eigenlens.fit(X, k=3, scale='std', solver='svd')"


def test_the_demo_needs_no_import_of_scikit_learn():
    done = in_fresh_interpreter("-c", SKLEARN_AFTER_DEMO)

    assert done.stderr.decode().split() == ["False"]


def test_the_module_runs_like_the_program_also_where_only_ascii_is_spoken():
    done = in_fresh_interpreter("-m", "eigenlens", "demo", "--no-report", PYTHONIOENCODING="ascii")

    text = done.stdout.decode("ascii")
    assert done.returncode == 0
    assert done.stderr == b""
    assert "+- " in text
    assert "####" in text
    assert "?" not in text


def test_a_reader_that_leaves_early_is_no_error():
    with subprocess.Popen(
        [sys.executable, "-m", "eigenlens", "demo", "--no-report"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        complaint = process.stderr.read()

    assert b"Traceback" not in complaint


def test_the_command_is_described_in_one_line():
    assert demo.__doc__.splitlines()[0].endswith(".")


# -- the page ------------------------------------------------------------------------------


def test_the_demo_writes_its_page_and_says_where(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    result = CliRunner().invoke(app, ["demo"])

    page = tmp_path / "demo" / "report.html"
    assert result.exit_code == 0
    assert "Report: demo/report.html" in result.stdout
    text = page.read_text(encoding="utf-8")
    assert "&#x27;grower&#x27; explains" in text
    assert "flavanoids" in text


def test_json_names_the_page_that_was_asked_for(tmp_path):
    target = tmp_path / "wines.html"

    found = json.loads(run("demo", "--json", "--report", str(target)).stdout)

    assert found["result"]["report"] == str(target)
    assert target.exists()


def test_a_page_of_that_name_is_replaced_only_by_force(tmp_path):
    target = tmp_path / "wines.html"
    target.write_text("mine")

    refused = run("demo", "--report", str(target))
    kept = target.read_text()
    forced = run("demo", "--report", str(target), "--force", "-q")

    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert kept == "mine"
    assert forced.exit_code == 0
    assert "&#x27;grower&#x27; explains" in target.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_made_is_an_error_after_the_screen(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").write_text("mine")

    result = CliRunner().invoke(app, ["demo"])

    assert result.exit_code == 3
    assert "'demo/report.html' could not be written" in result.stderr
    assert "cumulative" in result.stdout
    assert (tmp_path / "demo").read_text() == "mine"


@pytest.mark.parametrize("both", [("--json", "--md"), ("--report", "wines.html", "--no-report")])
def test_what_cannot_be_had_together_is_refused(both):
    result = CliRunner().invoke(app, ["demo", *both])

    assert result.exit_code == 2
    assert "one of them" in result.stderr
    assert result.stdout == ""


def test_a_page_that_cannot_be_written_is_an_error(tmp_path):
    result = run("demo", "--report", str(tmp_path / "gone" / "wines.html"))

    assert result.exit_code == 3
    assert "there is no folder" in result.stderr
    assert result.stdout == ""


def test_without_the_extra_the_screen_comes_with_what_to_install(tmp_path, monkeypatch):
    import eigenlens.report.write  # noqa: F401

    door = sys.modules["eigenlens.report.write"]
    monkeypatch.setattr(door, "find_spec", lambda name: None)
    monkeypatch.chdir(tmp_path)

    result = CliRunner().invoke(app, ["demo"])

    assert result.exit_code == 0
    assert "cumulative" in result.stdout
    assert "pip install 'eigenlens[report]'" in result.stderr
