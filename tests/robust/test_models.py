"""Robust models: saved, loaded, cut, and what they say."""

import numpy as np
import pytest

import eigenlens as el
from tests.robust.tables import draw_clean, plant_cells

KINDS = ("wrap", "rows", "cells")
ROWS = plant_cells(draw_clean(200, 7, 9)[0], 0.04, 9)[0]


@pytest.fixture(scope="module", params=KINDS)
def model(request):
    return el.fit(ROWS, 2, robust=request.param, scale="std")


def test_a_saved_model_is_the_same(model, tmp_path):
    again = el.load(model.save(tmp_path / "one.eigenlens"))

    assert again.robust.kind == model.robust.kind
    assert np.array_equal(again.project(ROWS), model.project(ROWS))
    assert (
        again.save(tmp_path / "two.eigenlens").read_bytes()
        == (tmp_path / "one.eigenlens").read_bytes()
    )
    for name in ("kept", "screen", "wrapping"):
        assert (getattr(again.robust, name) is None) == (getattr(model.robust, name) is None)


def test_a_truncated_model_is_still_robust(model):
    assert model.truncate(1).robust is model.robust


def test_robust_models_are_not_merged(model):
    with pytest.raises(el.OptionError, match=r"(?i)fit both tables together"):
        model.merge(model)


def test_the_verdict_has_its_numbers(model):
    verdict = model.choices["robust"]

    assert verdict.value == model.robust.kind
    assert verdict.rule == "request"
    assert str(model).count("robust")
    assert all(value is not None for value in verdict.evidence.values())


@pytest.mark.parametrize("kind", KINDS)
def test_objects_are_options(kind):
    asked = {"wrap": el.robust.Wrap(), "rows": el.robust.Rows(0.6), "cells": el.robust.Cells(0.1)}

    assert el.fit(ROWS, 2, robust=asked[kind]).robust.kind == kind


@pytest.mark.parametrize("kind", KINDS)
def test_sparse_rows_are_refused_in_words(kind):
    from scipy.sparse import csr_array

    with pytest.raises(el.OptionError, match="dense"):
        el.fit(csr_array(ROWS), 2, robust=kind)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_are_read_once_are_refused_in_words(kind):
    with pytest.raises(el.OptionError, match="read again"):
        el.fit(iter([ROWS[:100], ROWS[100:]]), 2, robust=kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fill", [1e15, -1e20, 9.96921e36, -1e120])
def test_a_fill_value_of_any_size_is_an_outlier(kind, fill):
    # Sums of squares lost the digits of all other cells, and beside it no column seemed to vary.
    spoiled = ROWS.copy()
    spoiled[[3, 50, 51], [0, 2, 2]] = fill
    usual = ROWS.copy()
    usual[[3, 50, 51], [0, 2, 2]] = np.sign(fill) * 1e4

    found, like = (el.fit(rows, 2, robust=kind) for rows in (spoiled, usual))

    np.testing.assert_allclose(found.eigenvalues, like.eigenvalues, rtol=0.05)
    assert np.abs(found.components @ like.components.T).max(axis=1).min() > 0.995


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1e-200, 1e153, 1e300])
def test_sizes_that_have_no_squares_are_refused_in_words(kind, size):
    with pytest.raises(el.DataError, match="squares"):
        el.fit(ROWS * size, 2, robust=kind)
