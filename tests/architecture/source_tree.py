"""The source as data: its modules, their packages and what each of them imports.

Nothing here is imported or run; files are only parsed, so a rule can be checked on any text.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCE = REPOSITORY / "src"
PACKAGE = SOURCE / "eigenlens"

MODULES = sorted(PACKAGE.rglob("*.py"))


@dataclass(frozen=True)
class Import:
    """One imported name. `runs_at_import` is false inside functions and under TYPE_CHECKING."""

    target: str
    line: int
    runs_at_import: bool

    @property
    def library(self):
        return self.target.partition(".")[0]

    @property
    def package(self):
        """The subpackage imported; None for other libraries, "" for `eigenlens` itself."""
        parts = self.target.split(".")
        if parts[0] != "eigenlens":
            return None
        return parts[1] if len(parts) > 1 else ""


def short(path):
    """The path as a person would name it, also used as the id of a parametrized test."""
    return path.relative_to(SOURCE).as_posix()


def dotted(path):
    """eigenlens/table/dense.py is eigenlens.table.dense; a folder's __init__.py is the folder."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(path):
    """The subpackage a file belongs to; "" for the __init__.py of `eigenlens`."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


def imports_of(path):
    package = dotted(path) if path.name == "__init__.py" else dotted(path).rpartition(".")[0]
    return imports_in(path.read_text(encoding="utf-8"), package)


def imports_in(text, package="eigenlens"):
    """Every import in `text`, a module of `package`; relative ones are made absolute."""
    return [
        Import(target, node.lineno, runs)
        for node, runs in _import_statements(ast.parse(text), runs=True)
        for target in _targets(node, package)
    ]


def _import_statements(node, runs):
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node, runs
        return
    for child, child_runs in _children(node, runs):
        yield from _import_statements(child, child_runs)


def _children(node, runs):
    deferred = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    if isinstance(node, ast.If) and _asks_type_checking(node.test):
        yield from ((child, False) for child in node.body)
        yield from ((child, runs) for child in node.orelse)
    else:
        runs = runs and not isinstance(node, deferred)
        yield from ((child, runs) for child in ast.iter_child_nodes(node))


def _asks_type_checking(test):
    return getattr(test, "id", getattr(test, "attr", None)) == "TYPE_CHECKING"


def _targets(node, package):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*above, base] if base else above)
    return [f"{base}.{alias.name}" for alias in node.names]
