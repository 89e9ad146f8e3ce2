"""A source made of another one hands on what that one can do, changed alike."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import eigenlens as el
from eigenlens.errors import DataError
from eigenlens.missing.unstored import UnstoredSource
from eigenlens.sources.array import ArraySource
from eigenlens.sources.normalized import NormalizedSource
from eigenlens.sources.own_precision import unrounded_source
from eigenlens.sources.some_rows import SomeRows
from eigenlens.sources.sparse import SparseSource
from eigenlens.sources.traits import Traits
from eigenlens.sources.transposed import TransposedSource

ROWS = np.random.default_rng(3).normal(size=(12, 5))
KEPT = np.arange(12) % 3 != 0


class RoundedSource(ArraySource):
    """float32 for speed, where `ROWS` are the numbers."""

    @property
    def traits(self):
        return Traits(in_double=lambda: el.open(ROWS))


def rounded_source():
    return RoundedSource(ROWS.astype(np.float32), slice(0, 5))


@pytest.mark.parametrize(
    ("derive", "expected"),
    [
        (lambda source: SomeRows(source, KEPT), ROWS[KEPT]),
        (NormalizedSource, ROWS / np.linalg.norm(ROWS, axis=1, keepdims=True)),
        (TransposedSource, ROWS.T),
    ],
)
def test_the_unrounded_source_is_changed_as_the_rounded_one_is(derive, expected):
    derived = unrounded_source(derive(rounded_source()))
    assert derived.dtype == np.float64
    read = np.concatenate(list(derived.blocks(4)))
    np.testing.assert_allclose(read, expected, rtol=4e-16)


def test_unstored_entries_stay_missing_in_the_unrounded_source():
    table = csr_array(np.where(ROWS > 0, ROWS, 0))
    exact = SparseSource(table)
    rounded = SparseSource(table.astype(np.float32), Traits(in_double=lambda: exact))
    read = np.concatenate(list(unrounded_source(UnstoredSource(rounded)).blocks(4)))
    np.testing.assert_array_equal(np.isnan(read), ROWS <= 0)


def test_the_error_of_a_transposed_file_names_no_line_of_it(tmp_path):
    broken = ROWS.copy()
    broken[2, 4] = np.nan
    path = tmp_path / "broken.csv"
    np.savetxt(path, broken, delimiter=",", header="a,b,c,d,e", comments="")
    with pytest.raises(DataError, match="row 4, column 2"):
        el.fit(el.open(path, transpose=True), 1)
