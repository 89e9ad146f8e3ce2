"""Every test of a picture closes it, and none may show or leave one that was given back closed."""

import pytest


@pytest.fixture(autouse=True)
def closed_figures():
    from matplotlib import pyplot

    pyplot.close("all")  # examples in docstrings leave theirs open
    yield
    pyplot.close("all")
