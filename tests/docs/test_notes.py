"""The pages from the lecture notes print what they say, and every statement has its place."""

import re

import pytest

from tests.architecture.source_tree import REPOSITORY
from tests.docs.pages import DOCS, anchors_of, run_page

NOTES = DOCS / "notes"
PAGES = sorted(NOTES.glob("*.md"))
ITEMS = (NOTES / "items.md").read_text(encoding="utf-8")
LINE = re.compile(
    r"^\| (\d+) \| ([^|]+) \| (.+?) \| \[(.+?)\]\((.+?)\) \| `(.+?)` \| (.+?) \|$", re.M
)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_prints_what_it_says(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    for said, claimed in run_page(path.read_text(encoding="utf-8"), path.name):
        assert said == claimed


def test_a_false_number_is_seen():
    page = "```python\nprint(1.9253)\n```\n\n```text\n1.89\n```\n"

    assert list(run_page(page, "page")) == [(["1.9253"], ["1.89"])]


def test_all_106_statements_are_listed():
    assert [int(number) for number, *_ in LINE.findall(ITEMS)] == list(range(1, 107))


@pytest.mark.parametrize("line", LINE.findall(ITEMS), ids=lambda line: line[0])
def test_a_statement_is_complete_or_refused_and_its_link_leads_somewhere(line):
    _, _, _, _, link, _, state = line
    page, _, anchor = link.partition("#")
    target = (NOTES / page).resolve()

    assert state == "complete" or state.startswith("refused")
    assert target.exists()
    assert not anchor or anchor in anchors_of(target.read_text(encoding="utf-8"))


@pytest.mark.parametrize("line", LINE.findall(ITEMS), ids=lambda line: line[0])
def test_the_test_of_a_statement_exists(line):
    path, _, name = line[5].partition("::")

    assert (REPOSITORY / path).exists()
    if name:
        assert f"def {name}(" in (REPOSITORY / path).read_text(encoding="utf-8")


def test_the_worked_numbers_of_the_notes_are_printed():
    text = "".join(path.read_text(encoding="utf-8") for path in PAGES)

    for number in (
        "[3. 1.]",
        "10.0 of squared entries: 10.0",
        "[1.9253 0.1247]",
        "rank 10 of 1000",
    ):
        assert number in text


@pytest.mark.parametrize(
    "name", ["Pearson", "Hotelling", "Bishop", "Mohri", "Shalev-Shwartz", "Bengio"]
)
def test_the_sources_are_cited(name):
    assert name in (NOTES / "index.md").read_text(encoding="utf-8")
