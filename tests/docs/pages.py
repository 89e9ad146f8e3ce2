"""Pages of the documentation: their code, what it prints, their headings."""

import contextlib
import io
import re
import sys

from tests.architecture.source_tree import REPOSITORY

DOCS = REPOSITORY / "docs"
# A block of code, and the text after it that it prints, where there is one.
BLOCK = re.compile(r"^```python\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def run_page(text, name):
    """(what a block prints, what the page says that it prints) of every block, in one namespace."""
    namespace = {"__name__": "page"}
    for code, claimed in BLOCK.findall(text):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, name, "exec"), namespace)
        yield lines_of(said.getvalue()), lines_of(claimed)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def lines_of(text):
    return [line.rstrip() for line in text.rstrip().splitlines()]


def anchors_of(text):
    """The anchors that MyST gives to headings."""
    outside = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return {slug(heading) for heading in HEADING.findall(outside)}


def slug(heading):
    plain = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
