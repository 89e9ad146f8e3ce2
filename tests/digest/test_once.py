"""Everything is asked once: the screen and the page of `fit --report` share a digest."""

import sys
from collections import Counter

import numpy as np
import pytest

from tests.cli.typed import typed

# Where the questions are bound, and under which name.
QUESTIONS = {
    "choose_rank": "eigenlens.digest.sampled_questions",
    "flatness": "eigenlens.digest.sampled_questions",
    "bootstrap": "eigenlens.digest.sampled_questions",
    "collect_findings": "eigenlens.digest.digest",
    "outliers": "eigenlens.digest.digest",
    "data_check": "eigenlens.digest.digest",
}


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((120, 2)) * [9, 5] @ rng.standard_normal((2, 5))
    rows += rng.standard_normal(rows.shape)
    kinds = rng.choice(["red", "blue"], 120)
    lines = [
        f"row{place},{kind}," + ",".join(map(str, row))
        for place, (kind, row) in enumerate(zip(kinds, rows, strict=True))
    ]
    (tmp_path / "data.csv").write_text("name,kind,a,b,c,d,e\n" + "\n".join(lines) + "\n")
    return "data.csv"


@pytest.fixture
def counts(monkeypatch):
    import importlib

    found = Counter()
    for name, module in QUESTIONS.items():
        count_calls(monkeypatch, importlib.import_module(module), name, found)
    dimension = importlib.import_module("eigenlens.geometry.flat")
    count_calls(monkeypatch, dimension, "report_of_neighbors", found)
    return found


def count_calls(monkeypatch, module, name, found):
    original = getattr(module, name)

    def counted(*given, **options):
        found[name] += 1
        return original(*given, **options)

    monkeypatch.setattr(module, name, counted)


def test_fit_with_a_report_asks_every_question_once(table, counts):
    result = typed("fit", table, "-k", "2", "--report", "page.html")

    assert result.exit_code == 0
    assert counts == dict.fromkeys(QUESTIONS, 1) | {"report_of_neighbors": 1}


def test_a_screen_asks_nothing_that_only_the_page_shows(table, counts):
    assert typed("fit", table, "-k", "2").exit_code == 0

    assert counts == {"choose_rank": 1, "collect_findings": 1, "outliers": 1, "data_check": 1}


def test_a_file_is_opened_once_by_the_whole_command(table, monkeypatch):
    from eigenlens.sources.files import csv_file

    opened = Counter()
    count_calls(monkeypatch, csv_file, "reader_of", opened)

    assert typed("fit", table, "-k", "2", "--report", "page.html").exit_code == 0

    assert opened["reader_of"] == 1


def test_a_screen_draws_nothing(table):
    import subprocess

    program = (
        "import sys\n"
        "from eigenlens.cli.main import app\n"
        "try:\n"
        f"    app(['fit', {table!r}, '-k', '2', '-q'])\n"
        "except SystemExit:\n"
        "    pass\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(loaded & {'matplotlib', 'bokeh', 'jinja2', 'pandas'}),\n"
        "      [name for name in sys.modules if name.startswith('eigenlens.report')],\n"
        "      [name for name in sys.modules if name.startswith('eigenlens.plots')])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.stdout.splitlines()[-1] == "[] [] []", done.stderr
