"""Every kind of data with the same rows gives the same model."""

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import eigenlens as el
from eigenlens.sources.categories.open import CategoryRequest, open_categories
from tests.categories.test_fit import draw

FRAME = draw(300)


def dictionaries():
    table = pa.Table.from_pandas(FRAME, preserve_index=False)
    return table.set_column(1, "group", table["group"].dictionary_encode())


def parquet(folder):
    pa.parquet.write_table(dictionaries(), folder / "t.parquet", row_group_size=70)
    return folder / "t.parquet"


def arrow(folder):
    pa.feather.write_feather(dictionaries(), folder / "t.feather")
    return folder / "t.feather"


def csv(folder):
    FRAME.to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


def several(folder):
    FRAME[:120].to_csv(folder / "a.csv", index=False)
    FRAME[120:].to_csv(folder / "b.csv", index=False)
    return [folder / "a.csv", folder / "b.csv"]


def dask(folder, known):
    frame = pytest.importorskip("dask.dataframe")
    if known:
        return frame.from_pandas(FRAME.astype({"group": "category"}), npartitions=3)
    whole = frame.from_pandas(FRAME, npartitions=3)
    return whole.assign(group=whole["group"].astype("category"))


def polars_categories():
    return pl.from_pandas(FRAME).with_columns(pl.col("group").cast(pl.Categorical))


KINDS = {
    "pandas categories": lambda _: FRAME.astype({"group": "category", "word": "category"}),
    "polars": lambda _: pl.from_pandas(FRAME),
    "polars categories": lambda _: polars_categories(),
    "arrow dictionaries": lambda _: dictionaries(),
    "parquet": parquet,
    "arrow file": arrow,
    "csv": csv,
    "several files": several,
    "dask, known": lambda folder: dask(folder, True),
    "dask, unknown": lambda folder: dask(folder, False),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_model(kind, tmp_path):
    data, reference = KINDS[kind](tmp_path), el.fit(FRAME, 3, categories="auto")

    model = el.fit(data, 3, categories="auto")

    assert model.categories == reference.categories
    np.testing.assert_allclose(model.eigenvalues, reference.eigenvalues, rtol=1e-12)
    np.testing.assert_allclose(model.components, reference.components, atol=1e-11)
    np.testing.assert_allclose(
        np.asarray(reference.project(data)), reference.project(FRAME), atol=1e-9
    )


def test_a_file_of_text_only(tmp_path):
    FRAME[["group", "word"]].to_csv(tmp_path / "t.csv", index=False)

    model = el.fit(tmp_path / "t.csv", 2, categories="auto")

    reference = el.fit(FRAME[["group", "word"]], 2, categories="auto")
    np.testing.assert_allclose(model.eigenvalues, reference.eigenvalues, rtol=1e-12)


def test_a_large_table_is_read_from_its_codes_block_by_block():
    from eigenlens.sources.categories import indicator

    whole = el.fit(FRAME, 2, categories="auto", solver="krylov")
    before, indicator.KEPT_BYTES = indicator.KEPT_BYTES, 0
    try:
        parts = el.fit(FRAME, 2, categories="auto", solver="krylov")
    finally:
        indicator.KEPT_BYTES = before

    np.testing.assert_allclose(parts.eigenvalues, whole.eigenvalues, rtol=1e-12)


@pytest.mark.parametrize("rows_per_block", [1, 7, 299, 300])
@pytest.mark.parametrize("numbers", [True, False])
def test_blocks_panels_and_samples_are_the_same_rows(rows_per_block, numbers, tmp_path):
    data = FRAME if numbers else FRAME[["group", "word"]]
    source = open_categories(data, None, CategoryRequest("auto"))
    whole = source.sample(np.arange(300))

    parts = [block.toarray() for block in source.blocks(rows_per_block)]
    later = [block.toarray() for block in source.blocks(rows_per_block, 41)]
    panels = [panel.toarray() for panel in source.panels(3)]

    np.testing.assert_array_equal(np.concatenate(parts), whole)
    np.testing.assert_array_equal(np.concatenate(later), whole[41:])
    np.testing.assert_array_equal(np.hstack(panels), whole)
