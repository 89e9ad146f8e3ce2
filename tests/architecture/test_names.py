"""A name says what it stands for, and stands for one thing.

What a module exports has a name that stands once in the package; no other top-level function name
stands in more than two modules; no class name stands in two packages. Functions are verb phrases:
a participle alone is not one. Nothing here is imported; files are only parsed.
"""

import ast
from collections import defaultdict
from graphlib import TopologicalSorter

import pytest

from tests.architecture.source_tree import MODULES, SOURCE, imports_of, package_of, short

# Names that several modules have because somebody else asks each of them: members of a protocol.
MEMBERS = {
    "accepts", "source_from",  # every kind of data: sources/open.py asks in order
    "ENDINGS", "reader_of",  # every kind of file: sources/files/path.py
    "EXAMPLES",  # every verb of the command line
    "HOMES",  # every package whose names are loaded on first use
}  # fmt: skip
# A table, the figure that draws it and the verb that prints it share their public name.
PUBLIC_PAIRS = {
    "categories", "cells", "compare", "contributions", "fit", "missing", "outliers",
    "reconstruction", "report",
}  # fmt: skip
# Words that are participles without ending like one; of the others, those that are not.
PARTICIPLES = {
    "brought", "built", "cut", "done", "dealt", "drawn", "found", "gone", "held", "kept", "known",
    "laid", "left", "lost", "made", "met", "said", "seen", "sent", "shown", "sought", "taken",
    "thrown", "told", "won", "worn", "written",
}  # fmt: skip
NOT_PARTICIPLES = {"embed", "feed", "listen", "need", "open", "seed", "shorten", "speed", "widen"}


def exported(tree):
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            entries = getattr(node.value, "elts", [])
            return [one.value for one in entries if isinstance(one, ast.Constant)]
    return []


def defined(tree, kinds=ast.FunctionDef | ast.ClassDef):
    """Names of top-level functions and classes; constants are asked about only where exported."""
    return [node.name for node in tree.body if isinstance(node, kinds)]


def constants(tree):
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if target is not None:
                yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def homes(trees, names_in):
    found = defaultdict(list)
    for path, tree in trees.items():
        for name in dict.fromkeys(names_in(tree)):
            found[name].append(short(path))
    return found


def repeated_names(trees):
    """Name -> where it stands: exported names that stand twice, functions that stand thrice."""
    everything = homes(trees, lambda tree: [*defined(tree), *constants(tree)])
    public = homes(trees, lambda tree: set(exported(tree)) & {*defined(tree), *constants(tree)})
    functions = homes(trees, lambda tree: defined(tree, ast.FunctionDef))
    twice = {name: everything[name] for name in public if len(everything[name]) > 1}
    thrice = {name: places for name, places in functions.items() if len(places) > 2}
    return {
        name: places
        for name, places in {**twice, **thrice}.items()
        if name not in MEMBERS | PUBLIC_PAIRS
    }


def shared_classes(trees):
    found = homes(trees, lambda tree: defined(tree, ast.ClassDef))
    packages = {name: {package_of(SOURCE / one) for one in found[name]} for name in found}
    return {name: found[name] for name in found if len(packages[name]) > 1}


def is_participle(name):
    word = name.strip("_")
    if "_" in word or word in NOT_PARTICIPLES:
        return False
    return word in PARTICIPLES or word.endswith(("ed", "en"))


def participles(trees):
    found = homes(trees, lambda tree: defined(tree, ast.FunctionDef))
    return {name: places for name, places in found.items() if is_participle(name)}


FAULTS = {
    "an exported name stands twice, or a function's thrice": repeated_names,
    "a class name stands in two packages": shared_classes,
    "a function is a participle": participles,
}


@pytest.fixture(scope="module")
def trees():
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


@pytest.mark.parametrize("fault", FAULTS)
def test_names_have_no_faults(trees, fault):
    assert FAULTS[fault](trees) == {}


def test_a_member_of_a_protocol_is_one(trees):
    everything = homes(trees, lambda tree: [*defined(tree), *constants(tree)])

    assert [name for name in MEMBERS | PUBLIC_PAIRS if len(everything[name]) < 2] == []


def test_there_is_no_cycle_of_packages():
    imported = defaultdict(set)
    for path in MODULES:
        own = package_of(path)
        imported[own] |= {one.package for one in imports_of(path)} - {own, None, ""}
    del imported[""]  # `eigenlens` itself, which names everything

    order = list(TopologicalSorter(imported).static_order())  # raises CycleError

    assert order.index("errors") < order.index("table") < order.index("cli")


def test_names_that_offend_are_seen():
    path = MODULES[0]
    tree = ast.parse("__all__ = ['told']\ndef told(): ...\nclass Look: ...\n")
    other = ast.parse("def told(): ...\n")

    assert repeated_names({path: tree, MODULES[1]: other}).keys() == {"told"}
    assert participles({path: tree}).keys() == {"told"}
    assert [is_participle(name) for name in ("written", "write_page", "seed", "gathered")] == [
        True, False, False, True,
    ]  # fmt: skip
    far = next(one for one in MODULES if package_of(one) != package_of(path))
    assert shared_classes({path: tree, far: tree}).keys() == {"Look"}
