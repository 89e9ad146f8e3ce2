"""Files are short, open by saying what they are for, and have names one can point at."""

import ast

import pytest

from tests.architecture.source_tree import MODULES, imports_of, short

MAX_LINES = 300
MAX_FUNCTION_LINES = 60  # of code: docstring, comments and empty lines do not count

# What version 0.1 can do, in so much code. What came later is counted by itself: files and folders
# are named here by subject, so that growth is a decision and not an accident.
MAX_FILES, MAX_SOURCE_LINES = 450, 56_900
MAX_IMPORT_SHARE = 0.10
LATER: dict[str, tuple[str, ...]] = {  # subject -> paths below src/eigenlens, folders with a slash
    "fields": (
        "errors/fields.py",
        "estimators/onnx_operators.py",
        "fields/",
        "model/export/layers.py",
        "model/kept_columns.py",
        "sources/annotated.py",
        "sources/arrow_stream.py",
        "sources/dense_copy.py",
        "sources/files/address.py",
        "sources/files/fetched.py",
        "sources/files/list_columns.py",
        "sources/files/list_lengths.py",
        "sources/files/mat_file.py",
        "sources/files/plink_file.py",
        "sources/files/table_log.py",
        "sources/files/tenx_file.py",
        "sources/files/tenx_names.py",
        "sources/genotypes.py",
        "sources/list_frame.py",
        "sources/normalized.py",
        "sources/open_arrays.py",
        "sources/own_precision.py",
        "sources/reading.py",
        "sources/transposed.py",
        "table/few_columns.py",
    ),
    "everyday files": (
        "cli/input_rows.py",
        "cli/text_options.py",
        "digest/group_order.py",
        "errors/row_place.py",
        "errors/text_files.py",
        "sources/files/csv_numbers.py",
        "sources/files/number_style.py",
        "sources/files/preamble.py",
        "sources/files/quoted_rows.py",
        "sources/files/text_format.py",
    ),
    "caveats": (
        "cli/next_commands.py",
        "digest/caveats.py",
        "explain/dependent_columns.py",
        "explain/row_order.py",
        "plots/axis_units.py",
    ),
    "categories": (
        "sources/categories/",
        "errors/categories.py",
        "model/file/categories_record.py",
        "cli/category_options.py",
        "estimators/correspondence.py",
        "explain/adjusted.py",
        "explain/categories.py",
        "explain/count_columns.py",
        "explain/level_findings.py",
        "explain/mixed_rotation.py",
        "plots/categories.py",
        "report/sections/categories.py",
        "rank/permuted_columns.py",
    ),
    "narrow Krylov blocks": (
        "solvers/block_size.py",
        "solvers/check_times.py",
        "table/sparse_chunks.py",
    ),
    "devices": (
        "errors/device.py",
        "machine/torch_device.py",
        "model/device_answers.py",
        "sources/device/",
        "table/device_algebra.py",
        "table/device_eigen.py",
        "table/device_memory.py",
        "table/device_rows.py",
    ),
    "read-out in float64": ("search/read_out.py",),
    "lecture notes": (
        "sources/layout.py",
        "fit_matrix.py",
        "sources/symmetric_matrix.py",
        "errors/covariance.py",
        "errors/inputs.py",
        "cli/fit_matrix.py",
        "solvers/watch.py",
        "solvers/start.py",
        "plots/iteration.py",
        "plots/images.py",
        "plots/picture_grid.py",
        "plots/rebuilt.py",
        "plots/projection.py",
        "plots/log_scree.py",
        "sensing/compress.py",
        "explain/downstream.py",
        "explain/later_models.py",
        "document/notebook.py",
    ),
    "outliers": (
        "robust/",
        "explain/cells.py",
        "explain/classical.py",
        "plots/cells.py",
        "report/sections/cells.py",
        "cli/outlier_options.py",
        "model/file/robust_record.py",
        "model/file/optional_parts.py",
    ),
    "missing cells": (
        "missing/",
        "estimators/imputer.py",
        "explain/incomplete.py",
        "explain/incomplete_sampling.py",
        "explain/missing.py",
        "explain/missing_patterns.py",
        "explain/missing_shift.py",
        "model/completion.py",
        "model/completed_levels.py",
        "model/file/missing_record.py",
        "model/missing_cells.py",
        "plots/missing.py",
        "report/sections/missing.py",
    ),
}
LATER_PATHS = tuple(f"eigenlens/{path}" for paths in LATER.values() for path in paths)
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


def code_lines(node, lines):
    """Lines of a function that hold code."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    if not body:
        return 0
    text = lines[node.lineno - 1 : body[0].lineno - 1] if body is node.body else []
    text += lines[body[0].lineno - 1 : node.end_lineno]
    return sum(1 for line in text if line.strip() and not line.strip().startswith("#"))


def long_functions(text):
    lines = text.splitlines()
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    return [node.name for node in functions if code_lines(node, lines) > MAX_FUNCTION_LINES]


def import_lines(text):
    statements = (ast.Import, ast.ImportFrom)
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, statements)]
    return sum(node.end_lineno - node.lineno + 1 for node in found)


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_a_function_has_at_most_60_lines_of_code(path):
    assert long_functions(path.read_text(encoding="utf-8")) == []


def test_a_long_function_is_seen():
    body = "    x = 1\n"

    assert long_functions("def short():\n" + body * 59) == []
    assert long_functions('def short():\n    """Words."""\n' + body * 60) == []
    assert long_functions("def long():\n" + body * 61) == ["long"]


def test_the_package_stays_within_its_size():
    texts = [
        path.read_text(encoding="utf-8")
        for path in MODULES
        if not short(path).startswith(LATER_PATHS)
    ]
    lines = sum(len(text.splitlines()) for text in texts)

    assert len(texts) <= MAX_FILES
    assert lines <= MAX_SOURCE_LINES
    assert sum(map(import_lines, texts)) <= MAX_IMPORT_SHARE * lines


@pytest.mark.parametrize("path", LATER_PATHS)
def test_what_came_later_is_there(path):
    assert any(short(module).startswith(path) for module in MODULES)
