"""A table in a file, and a model of it."""

import pytest

from tests.cli.typed import csv_text, numbers, typed


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def data(here):
    (here / "data.csv").write_text(csv_text(numbers()))
    return "data.csv"


@pytest.fixture
def model(data):
    result = typed("fit", data, "-k", "2", "-o", "run.eigenlens", "-q", "--no-summary")
    assert result.exit_code == 0, result.stderr
    return "run.eigenlens"
