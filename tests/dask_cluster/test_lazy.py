"""Answers about Dask collections: Dask arrays with the same chunks of rows, not yet computed."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from tests.dask_cluster.rows import CHUNKINGS, COLUMNS, ROWS, K, table

WHOLE = table()
MODEL = el.fit(WHOLE, K)
SCORES = MODEL.project(WHOLE)
# Products of 24 numbers below 100 or so, in another order.
CLOSE = 1e-10


def answers(rows, scores):
    """Name, the lazy answer, and the one in memory."""
    return {
        "project": (MODEL.project(rows), SCORES),
        "reconstruct": (MODEL.reconstruct(scores), MODEL.reconstruct(SCORES)),
        "residual": (MODEL.residual(rows), MODEL.residual(WHOLE)),
        "log_likelihood": (MODEL.log_likelihood(rows), MODEL.log_likelihood(WHOLE)),
    }


@pytest.mark.parametrize("chunking", CHUNKINGS)
@pytest.mark.parametrize("name", ["project", "reconstruct", "residual", "log_likelihood"])
def test_a_model_answers_lazily_and_keeps_the_chunks(name, chunking):
    rows = CHUNKINGS[chunking](WHOLE)

    lazy, expected = answers(rows, da.from_array(SCORES, chunks=(700, 3)))[name]

    lengths = rows.chunks[0] if name != "reconstruct" else (700, 700, 700, 700, 200)
    assert isinstance(lazy, da.Array)
    assert str(lazy.chunks[0]) == str(lengths)  # unknown ones are NaN
    assert lazy.compute().shape == expected.shape
    assert np.abs(lazy.compute() - expected).max() <= CLOSE


@pytest.mark.parametrize("estimator", [el.PCA(K), el.IncrementalPCA(K), el.PCA(K, whiten=True)])
def test_an_estimator_answers_lazily(estimator):
    rows = CHUNKINGS["both"](WHOLE)
    estimator.fit(WHOLE)

    scores = estimator.transform(rows)
    back, densities = estimator.inverse_transform(scores), estimator.score_samples(rows)

    expected = estimator.transform(WHOLE)
    assert back.chunks == (rows.chunks[0], (COLUMNS,))
    assert densities.chunks == (rows.chunks[0],)
    assert np.abs(scores.compute() - expected).max() <= CLOSE
    assert np.abs(back.compute() - estimator.inverse_transform(expected)).max() <= CLOSE
    assert np.abs(densities.compute() - estimator.score_samples(WHOLE)).max() <= CLOSE
    assert abs(estimator.score(rows) - estimator.score(WHOLE)) <= CLOSE


@pytest.mark.parametrize("fitted", ["float32", "float64"])
@pytest.mark.parametrize("asked", ["float32", "float64", "int32"])
def test_the_dtype_that_is_said_is_the_one_that_comes(fitted, asked):
    estimator = el.PCA(2).fit(WHOLE.astype(fitted))

    scores = estimator.transform(da.from_array(WHOLE.astype(asked), chunks=(700, COLUMNS)))

    assert scores.dtype == scores.compute().dtype == estimator.transform(WHOLE.astype(asked)).dtype


def test_chunks_without_rows_have_no_scores():
    rows = CHUNKINGS["many"](WHOLE)
    few = rows[rows[:, 0] > 30.0]
    chosen = WHOLE[WHOLE[:, 0] > 30.0]

    scores, residuals = MODEL.project(few).compute(), MODEL.residual(few).compute()

    assert 0 < len(chosen) < 30 < len(rows.chunks[0])  # some chunks have none
    assert np.abs(scores - MODEL.project(chosen)).max() <= CLOSE
    assert residuals.shape == (len(chosen),)
    assert el.PCA(2).fit(WHOLE).transform(few).compute().shape == (len(chosen), 2)


def test_parts_of_a_frame_without_rows_have_no_scores():
    frame = pd.DataFrame(WHOLE, columns=[f"c{i}" for i in range(COLUMNS)])
    collection = dd.from_pandas(frame, npartitions=30)
    few = collection[collection.c0 > 30.0]

    scores = el.fit(frame, K).project(few).compute()

    assert scores.shape == (int((frame.c0 > 30.0).sum()), K)


def test_another_width_is_refused_before_anything_is_computed():
    with pytest.raises(el.MismatchError, match="have 5 columns, but the model was fitted on 24"):
        MODEL.project(CHUNKINGS["rows"](WHOLE)[:, :5])
    with pytest.raises(ValueError, match="5 features"):
        el.PCA(2).fit(WHOLE).transform(CHUNKINGS["rows"](WHOLE)[:, :5])


def test_missing_names_are_refused_before_anything_is_computed():
    frame = pd.DataFrame(WHOLE, columns=[f"c{i}" for i in range(COLUMNS)])
    collection = dd.from_pandas(frame.rename(columns={"c3": "other"}), npartitions=3)

    with pytest.raises(el.MismatchError, match="no column 'c3'"):
        el.fit(frame, K).project(collection)


def test_scores_of_another_number_of_components_are_refused():
    with pytest.raises(el.DataError, match=f"the model has {K} component"):
        MODEL.reconstruct(da.ones((ROWS, K + 1)))


def test_nan_is_said_with_its_chunk():
    spoiled = WHOLE.copy()
    spoiled[1500, 3] = np.nan
    lazy = MODEL.project(da.from_array(spoiled, chunks=(700, COLUMNS)))

    with pytest.raises(el.DataError, match=r"in chunk 2: .* row 100, column 3"):
        lazy.compute()


@pytest.mark.parametrize("what", ["vector", "column", "delayed"])
def test_what_is_no_table_is_said(what):
    from dask import delayed

    frame = dd.from_pandas(pd.DataFrame(WHOLE[:9, :2], columns=["a", "b"]), npartitions=2)
    given = {"vector": da.ones(9), "column": frame["a"], "delayed": delayed(WHOLE)}[what]

    for door in (MODEL.project, lambda rows: el.fit(rows, 1)):
        with pytest.raises(el.DataError):
            door(given)
