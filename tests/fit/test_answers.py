"""What a fit gives back: a model that does not change, its page, and scores in files."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import eigenlens as el
from tests.problems import make_table

ROWS = make_table(200, 6, 1, decay="slow", offset=2.0)
NAMES = ["height", "width", "depth", "mass", "age", "price"]


# -- the model -------------------------------------------------------------------------------


def test_arrays_of_a_model_are_closed_to_writing():
    model = el.fit(ROWS, 2, scale="std", solver="covariance")
    merged = el.fit(ROWS[:100], 2, solver="covariance").merge(
        el.fit(ROWS[100:], 2, solver="covariance")
    )

    for one in (model, model.truncate(1), merged):
        for name in ("components", "eigenvalues", "mean", "scale", "feature_variances"):
            array = getattr(one, name)
            if array is not None:
                with pytest.raises(ValueError, match="read-only"):
                    array[0] = 0


def test_a_model_does_not_change():
    model = el.fit(ROWS, 2)

    with pytest.raises(AttributeError):
        model.n_rows = 3


def test_a_model_knows_where_it_comes_from():
    model = el.fit(pl.DataFrame(ROWS, schema=NAMES), 2, seed=7)

    assert model.provenance["eigenlens"] == el.__version__
    assert model.provenance["shape"] == (200, 6)
    assert model.provenance["settings"]["seed"] == 7
    assert "polars" in model.provenance["data"]


def test_printing_a_model_shows_eigenvalues_certificate_and_choices():
    model = el.fit(ROWS, 3)

    page = str(model)

    assert "3 of 6 dimensions from 200 rows" in page
    for words in ("PC1", "PC3", "proportion", "proven", "solver", "k"):
        assert words in page
    assert model.summary() == page
    assert repr(model).startswith("Subspace(3 of 6 dimensions")


def test_a_notebook_shows_the_page_as_html():
    html = el.fit(pd.DataFrame(ROWS, columns=NAMES), 3)._repr_html_()

    assert html.count("<tr>") == 1 + 3
    assert "PC3" in html
    assert "<script" not in html


def test_a_long_table_of_eigenvalues_is_cut_short():
    model = el.fit(make_table(100, 40, 5), 30)

    assert "and 18 more" in str(model)


def test_a_certificate_speaks_in_four_sentences():
    certificate = el.fit(ROWS, 3).certificate

    assert len(certificate.sentences) == 4
    assert str(certificate).count(". ") >= 3
    assert "of the variance" in str(certificate)


# -- scores in files -------------------------------------------------------------------------


READERS = {
    ".npy": np.load,
    ".csv": lambda path: np.column_stack([c.to_numpy() for c in pa.csv.read_csv(path).columns]),
    ".parquet": lambda path: np.column_stack(
        [c.to_numpy() for c in pa.parquet.read_table(path).columns]
    ),
}


@pytest.mark.parametrize("ending", READERS)
def test_scores_are_written_to_a_file(ending, tmp_path):
    model, path = el.fit(ROWS, 3), tmp_path / f"scores{ending}"

    returned = model.project(ROWS, out=path)

    assert returned == path
    np.testing.assert_array_equal(READERS[ending](path), model.project(ROWS))
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_columns_of_scores_are_named(ending, tmp_path):
    path = tmp_path / f"scores{ending}"

    el.fit(ROWS, 2).project(ROWS, out=str(path))

    read = pa.csv.read_csv if ending == ".csv" else pa.parquet.read_table
    assert read(path).column_names == ["PC1", "PC2"]


def test_many_blocks_of_scores_make_one_file(tmp_path):
    rows = np.random.default_rng(0).standard_normal((30_000, 100))
    model = el.fit(rows, 2)

    model.project(rows, out=tmp_path / "scores.npy")

    np.testing.assert_allclose(
        np.load(tmp_path / "scores.npy"), (rows - model.mean) @ model.components.T, atol=1e-11
    )


def test_a_file_appears_only_when_it_is_complete(tmp_path):
    model = el.fit(ROWS, 2)
    path = tmp_path / "scores.npy"
    path.write_text("precious")

    with pytest.raises(el.DataError):
        model.project(ROWS[:, :3], out=path)

    assert path.read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_of_nan_is_not_written(tmp_path):
    rows = ROWS.copy()
    rows[7, 2] = np.inf

    with pytest.raises(el.DataError, match="row 7, column 2"), np.errstate(invalid="ignore"):
        el.fit(ROWS, 2).project(rows, out=tmp_path / "scores.csv")

    assert list(tmp_path.iterdir()) == []
