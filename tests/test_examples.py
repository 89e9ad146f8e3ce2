"""Every example runs as its first lines say, prints something, and leaves its picture."""

import os
import runpy
import subprocess
import sys

import pytest

from tests.architecture.source_tree import REPOSITORY, SOURCE

EXAMPLES = sorted((REPOSITORY / "examples").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_draws(path, tmp_path, monkeypatch, capsys):
    picture = tmp_path / "picture.png"
    monkeypatch.setattr(sys, "argv", [str(path), str(picture)])

    runpy.run_path(str(path), run_name="__main__")
    sys.modules["matplotlib.pyplot"].close("all")

    said = capsys.readouterr()
    assert said.out.strip()
    assert said.err == ""
    assert picture.stat().st_size > 5000
    assert f"python examples/{path.name}" in path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_example_runs_from_a_shell(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "OMP_NUM_THREADS": "1"}
    path, picture = REPOSITORY / "examples" / "wine_biplot.py", tmp_path / "picture.png"

    done = subprocess.run(
        [sys.executable, str(path), str(picture)], env=environment, capture_output=True, text=True
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert picture.exists()


def test_there_is_a_gallery_of_examples():
    assert len(EXAMPLES) >= 24


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_opens_with_its_idea(path):
    text = path.read_text(encoding="utf-8")

    assert len(text.splitlines()) <= 110
    assert text.startswith('"""')
    assert len(text.splitlines()[0]) <= 100
