"""Every example runs as its first lines say, and leaves its picture."""

import os
import subprocess
import sys

import pytest

from tests.architecture.source_tree import REPOSITORY, SOURCE

EXAMPLES = sorted((REPOSITORY / "examples").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_draws(path, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "OMP_NUM_THREADS": "1"}
    picture = tmp_path / "picture.png"

    done = subprocess.run(
        [sys.executable, str(path), str(picture)], env=environment, capture_output=True, text=True
    )

    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert picture.stat().st_size > 5000
    assert f"python examples/{path.name}" in path.read_text(encoding="utf-8")


def test_there_are_examples():
    assert len(EXAMPLES) >= 2
