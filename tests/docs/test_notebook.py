"""The demo notebook runs, and what its cells end with shows itself as HTML in light and dark."""

import ast
import json
import re

import pytest

from eigenlens.document.notebook import STYLE
from tests.architecture.source_tree import REPOSITORY

NOTEBOOK = json.loads((REPOSITORY / "examples" / "demo.ipynb").read_text(encoding="utf-8"))
CODE = ["".join(one["source"]) for one in NOTEBOOK["cells"] if one["cell_type"] == "code"]


def run_cell(source, namespace):
    """What the cell ends with, as a notebook would show it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), namespace)
    return (
        None
        if last is None
        else eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
    )


@pytest.fixture(scope="module")
def shown():
    pytest.importorskip("matplotlib").use("Agg")
    namespace = {}
    results = [run_cell(source, namespace) for source in CODE]
    namespace["ax"].figure.clear()
    return [one for one in results if one is not None]


def test_the_demo_notebook_runs(shown):
    assert {type(one).__name__ for one in shown} == {
        "Subspace",
        "Certificate",
        "RankReport",
        "Table",
    }


def test_results_show_themselves(shown):
    for one in shown:
        markup = one._repr_html_()
        assert markup.startswith(f'<div class="eigenlens">{STYLE}')
        assert markup.count("<div") == markup.count("</div>")


def test_colors_are_those_of_the_notebook():
    colors = re.findall(r"(?:color|background):([^;}]+)", STYLE)

    assert set(colors) <= {"inherit", "none"}


def test_no_output_is_stored():
    assert all(one.get("outputs", []) == [] for one in NOTEBOOK["cells"])
