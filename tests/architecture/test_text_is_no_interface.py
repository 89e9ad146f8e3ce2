"""Text is never an interface: nothing is decided by the words of an error, finding or verdict.

Errors, findings and verdicts carry fields. A comparison, a search or a regular expression on their
text would break, silently, with the next better sentence.
"""

import ast

import pytest

from tests.architecture.source_tree import MODULES, short

SPEAKERS = {"error", "verdict", "finding", "warning", "failure", "refusal", "exception"}
SPOKEN = {"args", "reason", "message", "cause", "sentences"}  # attributes that hold words
SEARCHES = {
    "count", "endswith", "find", "index", "partition", "removeprefix", "removesuffix", "replace",
    "rfind", "rpartition", "rsplit", "split", "startswith",
}  # fmt: skip
MATCHES = {"findall", "finditer", "fullmatch", "match", "search", "sub", "subn"}


def decisions_by_text(source: str) -> list[str]:
    """Every place where the text of an error, finding or verdict is compared or searched."""
    found = []
    for scope in ast.walk(ast.parse(source)):
        if isinstance(scope, ast.FunctionDef | ast.Module):
            found += decisions_in(scope)
    return sorted(set(found))


def decisions_in(scope: ast.AST) -> list[str]:
    nodes = list(ast.walk(scope))
    speakers = SPEAKERS | {
        node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name
    }
    texts: set[str] = set()
    for node in nodes:  # words = str(error)
        if isinstance(node, ast.Assign) and is_text(node.value, speakers, texts):
            texts |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return [f"line {node.lineno}" for node in nodes if is_decision(node, speakers, texts)]


def is_text(node: ast.AST, speakers: set[str], texts: set[str]) -> bool:
    """`str(error)`, `error.args[0]`, `verdict.reason`, f"{error}", and names that hold these."""
    if isinstance(node, ast.Name):
        return node.id in texts
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Name) and called.id in {"str", "repr"} and node.args:
            return is_speaker(node.args[0], speakers)
        return isinstance(called, ast.Attribute) and called.attr == "say"
    if isinstance(node, ast.Attribute):
        return node.attr in SPOKEN and is_speaker(node.value, speakers)
    if isinstance(node, ast.Subscript):
        return is_text(node.value, speakers, texts)
    if isinstance(node, ast.JoinedStr):
        return any(
            is_speaker(part.value, speakers) or is_text(part.value, speakers, texts)
            for part in node.values
            if isinstance(part, ast.FormattedValue)
        )
    return False


def is_speaker(node: ast.AST, speakers: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in speakers
    return isinstance(node, ast.Attribute) and node.attr in speakers


def is_decision(node: ast.AST, speakers: set[str], texts: set[str]) -> bool:
    if isinstance(node, ast.Compare):
        return any(is_text(side, speakers, texts) for side in (node.left, *node.comparators))
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr in SEARCHES and is_text(node.func.value, speakers, texts):
        return True
    given = [*node.args, *(word.value for word in node.keywords)]
    return node.func.attr in MATCHES and any(is_text(one, speakers, texts) for one in given)


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_nothing_is_decided_by_the_words_of_a_message(path):
    assert decisions_by_text(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "if 'not installed' in str(caught): pass",
        "if str(caught) == str(other): pass",
        "if caught.args[0].startswith('no'): pass",
        "re.sub('k=', '-k ', str(caught))",
        "pattern.search(f'{caught}')",
        "words = str(caught)\n    if 'x' in words: pass",
        "shown = verdict.reason.partition(' by ')[0]",
        "if self.verdict.reason == 'x': pass",
        "if 'x' in caught.say(wording): pass",
    ],
)
def test_a_decision_by_text_is_seen(line):
    body = f"try:\n    work()\nexcept ValueError as caught:\n    {line}\n"

    assert decisions_by_text(body) != []


@pytest.mark.parametrize(
    "line",
    [
        "raise FileError.damaged(path, str(caught))",
        "shown = str(caught).rstrip('. ')",
        "if caught.errno == 2: pass",
        "if 'package' in caught.fields: pass",
        "if verdict.value == 'flat': pass",
        "if str(name) in names: pass",
    ],
)
def test_what_only_passes_words_on_is_no_decision(line):
    body = f"try:\n    work()\nexcept ValueError as caught:\n    {line}\n"

    assert decisions_by_text(body) == []
