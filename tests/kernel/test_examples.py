"""The examples run, and draw what they say."""

import runpy

import pytest
from matplotlib import pyplot as plt

from tests.architecture.source_tree import REPOSITORY


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two_circles", "swiss_roll"])
def test_an_example_draws_its_picture(name, tmp_path, capsys):
    script = runpy.run_path(str(REPOSITORY / "examples" / f"{name}.py"))

    script["main"](str(tmp_path / "picture.png"))

    plt.close("all")
    assert (tmp_path / "picture.png").stat().st_size > 20_000
    assert "proven without sampling" in capsys.readouterr().out
