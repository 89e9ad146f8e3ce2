"""Arguments that say how data are read: nothing that has no effect is taken without a word."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import eigenlens as el
from eigenlens.errors import OptionError
from eigenlens.sources.open import open_source

NAMES = ("layer", "obsm", "mask_var", "rows", "normalize")
GIVEN = {"layer": "counts", "obsm": "X_pca", "mask_var": "chosen", "rows": 0, "normalize": "l2"}


def rows_of_numbers():
    return np.random.default_rng(0).standard_normal((12, 3)) + 2


def file_of(folder, table):
    table.to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


def data_of_every_kind(folder):
    """Kind -> (data, the arguments that apply to it)."""
    rows = rows_of_numbers()
    frame = pd.DataFrame(rows, columns=["a", "b", "c"])
    torch, dask = pytest.importorskip("torch"), pytest.importorskip("dask.dataframe")
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    laid_out, plain = {"rows", "normalize"}, {"normalize"}
    return {
        "array": (rows, laid_out),
        "list": (rows.tolist(), laid_out),
        "tensor": (torch.from_numpy(rows), laid_out),
        "sparse": (scipy.sparse.csr_array(rows), plain),
        "pandas": (frame, plain),
        "polars": (polars.from_pandas(frame), plain),
        "arrow": (arrow.Table.from_pandas(frame), plain),
        "dask": (dask.from_pandas(frame, npartitions=2), plain),
        "file": (file_of(folder, frame), plain),
        "opened": (open_source(file_of(folder, frame)), plain),
        "callable": (lambda: iter([rows]), plain),
    }


@pytest.mark.parametrize("name", NAMES)
def test_an_argument_applies_or_is_refused(name, tmp_path):
    for kind, (data, applicable) in data_of_every_kind(tmp_path).items():
        if name in applicable:
            assert el.fit(data, 1, **{name: GIVEN[name]}).n_components == 1, kind
        else:
            with pytest.raises(OptionError, match=f"{name}=.* needs an"):
                el.fit(data, 1, **{name: GIVEN[name]})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["frame", "file", "dask"])
def test_no_argument_is_passed_by_where_columns_are_categories(name, kind, tmp_path):
    table = pd.DataFrame({"a": np.arange(12.0) ** 2, "g": list("uvwx") * 3})
    data = table if kind == "frame" else file_of(tmp_path, table)
    if kind == "dask":
        data = pytest.importorskip("dask.dataframe").from_pandas(table, npartitions=2)

    with pytest.raises(OptionError, match=f"{name}="):
        el.fit(data, 1, categories="auto", **{name: GIVEN[name]})


def test_profiles_of_counts_have_a_length_of_their_own():
    with pytest.raises(OptionError, match="categories= and normalize= exclude"):
        el.fit(np.arange(12).reshape(4, 3) + 1, 1, categories="counts", normalize="l2")


def test_axes_of_an_annotated_table_are_not_chosen():
    anndata = pytest.importorskip("anndata")

    with pytest.raises(OptionError, match="rows=0 needs an array"):
        el.fit(anndata.AnnData(rows_of_numbers()), 1, rows=0)


@pytest.mark.parametrize("rows", ["x", 1.5, (), (0, "a"), 7])
def test_axes_are_whole_numbers_that_the_array_has(rows):
    with pytest.raises(OptionError, match="axes from 0 to 2"):
        el.fit(np.zeros((2, 3, 4)), 1, rows=rows)


@pytest.mark.parametrize("categories", ["drop", "auto"])
def test_what_belongs_to_open_is_named_so(categories):
    with pytest.raises(OptionError, match=r"'transpose' is an argument of eigenlens\.open.*fit\("):
        el.fit(rows_of_numbers(), 1, transpose=True, categories=categories)


def test_a_name_that_no_argument_has_is_answered_with_the_nearest():
    table = pd.DataFrame({"a": np.arange(12.0) ** 2, "g": list("uvwx") * 3})

    for categories in ("drop", "auto"):
        with pytest.raises(OptionError, match=r"'solvr'.*Did you mean 'solver'"):
            el.fit(table, 1, categories=categories, solvr="svd")
