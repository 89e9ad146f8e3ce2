"""Files are short, open by saying what they are for, and have names one can point at."""

import ast

import pytest

from tests.architecture.source_tree import MODULES, imports_of, short

MAX_LINES = 300
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "core"}
# Pickle runs what it reads; the network is nobody's business at run time.
REFUSED = {
    "pickle", "cloudpickle", "dill", "shelve", "marshal",
    "urllib", "http", "socket", "ftplib", "requests", "httpx",
}  # fmt: skip


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_a_file_has_at_most_300_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_a_file_opens_by_saying_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_a_name_says_something(path):
    for name in short(path).removesuffix(".py").split("/"):
        assert name not in EMPTY_NAMES
        assert not name.startswith("_") or name in {"__init__", "__main__"}


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_neither_pickle_nor_network_is_imported(path):
    assert [one.target for one in imports_of(path) if one.library in REFUSED] == []
