"""The documentation is true: its Python runs, its links lead somewhere, its verbs exist."""

import os
import re
import sys

import pytest

from tests.architecture.source_tree import REPOSITORY

# Pages for users. Their ```python blocks run from top to bottom in one namespace.
RUNNABLE = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
ALL_PAGES = [*sorted(REPOSITORY.glob("*.md")), *sorted((REPOSITORY / "docs").rglob("*.md"))]
VERBS = [
    "setup", "demo", "test", "quick", "lint", "types", "adversary", "gpu", "bench", "docs", "clean",
]  # fmt: skip

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def page_name(path):
    return path.relative_to(REPOSITORY).as_posix()


def dead_links(text, folder):
    """Relative links in `text` that lead to no file; addresses and anchors are not followed."""
    targets = [link.partition("#")[0] for link in LINK.findall(text) if "://" not in link]
    return [target for target in targets if target and not (folder / target).exists()]


@pytest.mark.parametrize("path", RUNNABLE, ids=page_name)
def test_the_python_on_a_page_runs(path, monkeypatch, tmp_path):
    blocks = PYTHON_BLOCK.findall(path.read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)

    namespace = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, page_name(path), "exec"), namespace)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.mark.parametrize("path", ALL_PAGES, ids=page_name)
def test_links_lead_somewhere(path):
    assert dead_links(path.read_text(encoding="utf-8"), path.parent) == []


def test_a_dead_link_is_seen(tmp_path):
    (tmp_path / "here.md").touch()

    text = "[a](here.md) [b](here.md#part) [c](https://example.org) [d](#part) [e](gone.md)"

    assert dead_links(text, tmp_path) == ["gone.md"]


def test_bare_make_prints_every_verb():
    text = (REPOSITORY / "Makefile").read_text(encoding="utf-8")

    assert re.findall(r"^([a-z-]+):.*## ", text, re.MULTILINE) == VERBS


def test_the_continuous_integration_runs_what_a_developer_runs():
    script = REPOSITORY / ".ci" / "run"

    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text(encoding="utf-8").splitlines()
