"""Dask collections without a cluster: the threads of this process do the work."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask import delayed
from scipy import sparse

import eigenlens as el
from tests.dask_cluster.rows import CHUNKINGS, COLUMNS, ROWS, SAME, K, table
from tests.distances import assert_same_subspace, relative_error

WHOLE = table()


@pytest.mark.parametrize("name", CHUNKINGS)
@pytest.mark.parametrize("solver", ["covariance", "svd", "krylov"])
def test_chunking_is_invisible(name, solver):
    expected = el.fit(WHOLE, K, solver=solver, tolerance=1e-10)

    found = el.fit(CHUNKINGS[name](WHOLE), K, solver=solver, tolerance=1e-10)

    assert relative_error(found.eigenvalues, expected.eigenvalues) <= 1e-10
    assert_same_subspace(found.components.T, expected.components.T, 1e-5)
    assert relative_error(found.mean, expected.mean) <= SAME
    assert found.n_rows == ROWS


@pytest.mark.parametrize("solver", ["dual", "lanczos", "power", "orthogonal", "randomized"])
@pytest.mark.filterwarnings("ignore::eigenlens.NotCertified")
def test_every_solver_runs_on_chunks(solver):
    rows = table(120)
    collection = da.from_array(rows, chunks=(50, 9))

    found = el.fit(collection, 2, solver=solver)

    exact = el.fit(rows, 2, solver="svd").eigenvalues
    bounds = found.certificate.eigenvalue_bounds
    assert (bounds[:, 0] <= exact).all()
    assert (exact <= bounds[:, 1]).all()


@pytest.mark.parametrize("options", [{"scale": "std"}, {"center": False}, {"weighted": True}])
def test_preparation_is_the_same_as_in_memory(options):
    options = dict(options)
    if options.pop("weighted", False):
        options["weights"] = np.random.default_rng(1).integers(0, 4, ROWS)

    found = el.fit(CHUNKINGS["both"](WHOLE), K, solver="svd", **options)

    expected = el.fit(WHOLE, K, solver="svd", **options)
    assert relative_error(found.eigenvalues, expected.eigenvalues) <= SAME
    assert relative_error(found.total_variance, expected.total_variance) <= SAME


def test_float32_chunks_are_multiplied_in_float32():
    low = WHOLE.astype(np.float32)

    found = el.fit(da.from_array(low, chunks=(700, COLUMNS)), K, solver="covariance")

    expected = el.fit(low, K, solver="covariance")
    bounds = found.certificate.eigenvalue_bounds
    assert (bounds[:, 0] <= expected.eigenvalues * (1 + 1e-5)).all()
    assert found.provenance["dtype"] == "float32"


def test_sparse_chunks_stay_sparse():
    whole = sparse.random_array((2000, 30), density=0.05, format="csr", rng=0)
    chunks = da.from_array(whole.toarray(), chunks=(300, 30)).map_blocks(sparse.csr_array)

    found = el.fit(chunks, 3, solver="covariance")

    assert el.open(chunks).is_sparse
    expected = el.fit(whole, 3, solver="covariance")
    assert relative_error(found.eigenvalues, expected.eigenvalues) <= SAME


def test_a_data_frame_keeps_its_names_and_is_read_once_more_to_count_its_rows():
    frame = pd.DataFrame(WHOLE, columns=[f"c{i}" for i in range(COLUMNS)])
    collection = dd.from_pandas(frame, npartitions=4)

    found = el.fit(collection, K, solver="covariance")

    assert found.feature_names == tuple(frame.columns)
    assert found.certificate.passes == el.fit(WHOLE, K, solver="covariance").certificate.passes + 1


def test_columns_are_chosen_by_name():
    frame = pd.DataFrame(WHOLE, columns=[f"c{i}" for i in range(COLUMNS)]).assign(word="a")
    chosen = ["c7", "c2", "c11"]

    found = el.fit(dd.from_pandas(frame, npartitions=3), 2, columns=chosen)

    expected = el.fit(WHOLE[:, [7, 2, 11]], 2)
    assert relative_error(found.eigenvalues, expected.eigenvalues) <= SAME


def test_projection_stays_lazy_and_keeps_its_chunks():
    model = el.fit(WHOLE, K)
    collection = CHUNKINGS["both"](WHOLE)

    scores = model.project(collection)

    assert isinstance(scores, da.Array)
    assert scores.chunks == (collection.chunks[0], (K,))
    assert np.abs(scores.compute() - model.project(WHOLE)).max() <= 1e-12


def test_projection_of_a_data_frame_is_lazy_too():
    frame = pd.DataFrame(WHOLE, columns=[f"c{i}" for i in range(COLUMNS)])
    model = el.fit(frame, K)

    scores = model.project(dd.from_pandas(frame, npartitions=3))

    assert np.abs(scores.compute() - model.project(frame)).max() <= 1e-12


def test_the_estimator_takes_and_returns_dask_arrays():
    collection = CHUNKINGS["rows"](WHOLE)

    estimator = el.PCA(n_components=K).fit(collection)
    scores = estimator.transform(collection)

    assert isinstance(scores, da.Array)
    expected = el.PCA(n_components=K).fit(WHOLE)
    assert estimator.n_features_in_ == COLUMNS
    assert relative_error(estimator.explained_variance_, expected.explained_variance_) <= SAME
    assert np.abs(scores.compute() - expected.transform(WHOLE)).max() <= 1e-10


def test_auto_counts_components_from_the_spectrum():
    rng = np.random.default_rng(0)
    signal = rng.standard_normal((900, 2)) @ rng.standard_normal((2, 40))
    collection = da.from_array(rng.standard_normal((900, 40)) + signal, chunks=(200, 40))

    found = el.fit(collection, "auto")

    assert found.n_components == 2
    assert el.choose_rank(collection).rules["dpa"].value == 2


def test_a_rule_that_needs_rows_says_how_to_have_them():
    with pytest.raises(el.EigenlensError, match=r"data\[::100\].compute\(\)"):
        el.fit(CHUNKINGS["rows"](WHOLE), "bcv")


def test_nan_is_found_where_it_lies():
    spoiled = WHOLE.copy()
    spoiled[1500, 3] = np.nan

    with pytest.raises(el.DataError, match=r"row 1500, column 3 \(first found in chunk 2\)"):
        el.fit(da.from_array(spoiled, chunks=(700, 10)), K)


def test_a_chunk_of_another_width_is_refused():
    def cut(block, block_info=None):
        return block[:, :-1] if block_info[0]["chunk-location"][0] == 1 else block

    collection = CHUNKINGS["rows"](WHOLE).map_blocks(cut, dtype=float)

    with pytest.raises(el.DataError, match="23 columns of float64, dense, but the others have"):
        el.fit(collection, K)


def test_a_chunk_of_another_dtype_is_refused():
    def lowered(block, block_info=None):
        first = block_info[0]["chunk-location"][0] == 0
        return block if first else block.astype(np.float32)

    collection = CHUNKINGS["rows"](WHOLE).map_blocks(lowered, dtype=float)

    with pytest.raises(el.DataError, match="float32, dense, but the others have"):
        el.fit(collection, K)


def test_parts_with_other_names_are_refused():
    first = pd.DataFrame(WHOLE[:, :3], columns=list("abc"))
    parts = [delayed(first), delayed(first.rename(columns={"b": "x"}))]
    collection = dd.from_delayed(parts, meta=first.iloc[:0], verify_meta=False)

    with pytest.raises(el.DataError, match=r"missing \['b'\], extra \['x'\]"):
        el.fit(collection, 1)


def test_empty_chunks_change_nothing():
    collection = CHUNKINGS["rows"](WHOLE)
    thinned = collection[collection[:, 0] > 12.0]
    lengths = thinned.compute_chunk_sizes().chunks[0]
    with_empty = da.concatenate([thinned, collection[collection[:, 0] > 1e9]])

    found = el.fit(with_empty, K, solver="covariance")

    expected = el.fit(WHOLE[WHOLE[:, 0] > 12.0], K, solver="covariance")
    assert found.n_rows == sum(lengths)
    assert relative_error(found.eigenvalues, expected.eigenvalues) <= SAME


def test_an_empty_collection_is_refused():
    collection = CHUNKINGS["rows"](WHOLE)

    with pytest.raises(el.DataError, match="0 rows"):
        el.fit(collection[collection[:, 0] > 1e9], K)


def test_a_cluster_for_rows_in_memory_is_refused():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
        pytest.raises(el.errors.ClusterError, match="are in the memory of this process"),
    ):
        el.fit(WHOLE, K, cluster=client)
