"""The site can be built: every page has its place, every public name its example."""

import importlib
import re
import shutil
import sys

import pytest

from tests.architecture.source_tree import REPOSITORY
from tests.docs.pages import DOCS, run_page

SITE = DOCS / "website"
COMING_FROM = sorted((DOCS / "coming-from").glob("*.md"))


@pytest.fixture(scope="module")
def site():
    """The scripts of docs/website as modules."""
    sys.path.insert(0, str(SITE))
    yield lambda name: importlib.import_module(name)
    sys.path.remove(str(SITE))


@pytest.mark.parametrize("path", COMING_FROM, ids=lambda path: path.stem)
def test_the_python_for_people_from_elsewhere_runs(path):
    for _ in run_page(path.read_text(encoding="utf-8"), path.name):
        pass


@pytest.mark.slow
def test_every_public_name_has_words_and_an_example_that_runs(site, tmp_path):
    api = site("api")

    count = api.write_reference(tmp_path)

    text = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("*.md"))
    entries = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert count == len(entries) > 100
    assert [entry.splitlines()[0] for entry in entries if ">>> " not in entry] == []


def test_every_example_is_on_the_page_of_the_gallery(site):
    sections = site("gallery").SECTIONS
    listed = [name for names in sections.values() for name in names]

    assert sorted(listed) == sorted(path.stem for path in (REPOSITORY / "examples").glob("*.py"))


def test_every_page_is_listed_once(site, tmp_path):
    pages = tmp_path / "docs"
    shutil.copytree(DOCS, pages, ignore=shutil.ignore_patterns("website", "*.png", "*.svg"))

    site("contents").write_contents(pages)

    listed = re.findall(r"^\S+$", "".join(block_of(path) for path in pages.rglob("*.md")), re.M)
    for path in pages.glob("*.md"):
        if path.stem not in ("index", "tutorial", "questions"):
            assert listed.count(path.stem) >= 1


def block_of(path):
    found = re.findall(
        r"```\{toctree\}\n:hidden:\n\n(.*?)```", path.read_text(encoding="utf-8"), re.S
    )
    return "".join(found)


def test_nothing_of_the_site_comes_from_elsewhere():
    for path in [*SITE.glob("*.py"), *SITE.glob("static/*")]:
        assert not re.search(r"https?://", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.stem)
def test_every_picture_has_an_alternative_text(path):
    assert re.findall(r"!\[\s*\]\(", path.read_text(encoding="utf-8")) == []
