"""AnnData in and out: the matrix that is meant, and what scanpy expects to find afterwards."""

import h5py
import numpy as np
import pytest
import scipy.sparse as sp

import eigenlens as el
from eigenlens.errors import FieldError, FileError, OptionError, UnsupportedData
from eigenlens.sources.some_rows import SomeRows
from tests.fields.stored import REFERENCE, pbmc68k

anndata = pytest.importorskip("anndata")
pd = pytest.importorskip("pandas")

N, D = 60, 8


def labels(letter, count):
    return pd.Index([f"{letter}{i}" for i in range(count)], dtype=object)


def cells(sparse=True, masked=False):
    rng = np.random.default_rng(0)
    counts = rng.poisson(1.0, (N, D)).astype(np.float32) + rng.random((N, D), np.float32)
    counts *= rng.random((N, D)) < 0.6
    made = anndata.AnnData(
        sp.csr_matrix(counts) if sparse else counts,
        obs=pd.DataFrame(index=labels("c", N)),
        var=pd.DataFrame(index=labels("g", D)),
    )
    made.layers["twice"] = 2 * counts
    made.obsm["other"] = rng.random((N, 3))
    if masked:
        made.var["highly_variable"] = np.arange(D) < 5
    return made


def dense(adata):
    return adata.X.toarray() if sp.issparse(adata.X) else adata.X


@pytest.mark.parametrize("sparse", [True, False])
def test_fit_takes_an_anndata_with_the_names_of_its_genes(sparse):
    model = el.fit(cells(sparse), k=3)

    assert model.feature_names == tuple(f"g{i}" for i in range(D))
    truth = el.fit(dense(cells()), k=3)
    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-5)
    np.testing.assert_allclose(
        model.project(cells(sparse)), truth.project(dense(cells())), atol=1e-4
    )


def test_highly_variable_genes_are_the_default_as_in_scanpy():
    assert el.fit(cells(masked=True), k=2).n_features == 5
    assert el.fit(cells(masked=True), k=2, mask_var=None).n_features == D
    assert el.fit(cells(), k=2, mask_var=np.arange(D) > 5).feature_names == ("g6", "g7")
    assert el.fit(cells(masked=True), k=2, columns=["g7", "g1"]).feature_names == ("g7", "g1")


def test_a_layer_and_a_table_of_obsm_are_read_and_remembered():
    adata = cells()

    model = el.fit(adata, k=2, layer="twice")
    other = el.fit(adata, k=2, obsm="other")

    np.testing.assert_allclose(model.eigenvalues, 4 * el.fit(adata, k=2).eigenvalues, rtol=1e-5)
    np.testing.assert_allclose(
        model.project(adata), 2 * el.fit(adata, k=2).project(adata), atol=1e-3
    )
    assert other.feature_names == ("other[0]", "other[1]", "other[2]")
    assert other.project(adata).shape == (N, 2)


def test_a_backed_anndata_is_read_from_its_file(tmp_path):
    cells(masked=True).write_h5ad(tmp_path / "a.h5ad")
    backed = anndata.read_h5ad(tmp_path / "a.h5ad", backed="r")

    model = el.fit(backed, k=2)
    view = el.fit(backed[5:30], k=2)
    turned = el.fit(backed[[9, 3, 20]], k=1, mask_var=None)
    backed.file.close()

    assert str(tmp_path) in model.provenance["data"]
    np.testing.assert_allclose(
        model.eigenvalues, el.fit(cells(masked=True), k=2).eigenvalues, rtol=1e-6
    )
    assert view.n_rows == 25
    assert turned.n_rows == 3


def test_a_view_of_a_backed_anndata_is_streamed(tmp_path):
    cells().write_h5ad(tmp_path / "a.h5ad")
    backed = anndata.read_h5ad(tmp_path / "a.h5ad", backed="r")

    from eigenlens.sources.reading import open_annotated

    source = open_annotated(backed[10:20, ["g1", "g5"]], None, None, None, None)

    assert isinstance(source, SomeRows)
    np.testing.assert_array_equal(source.sample(np.arange(10)), dense(cells())[10:20][:, [1, 5]])
    backed.file.close()


@pytest.mark.filterwarnings("ignore:Writing zarr v2")
@pytest.mark.parametrize("sparse", [True, False])
def test_an_anndata_store_of_zarr_is_read_like_its_file(tmp_path, sparse):
    pytest.importorskip("zarr")
    cells(sparse).write_zarr(tmp_path / "a.zarr")

    source = el.open(tmp_path / "a.zarr")
    layer = el.open(f"{tmp_path}/a.zarr::layers/twice")

    assert source.names == tuple(f"g{i}" for i in range(D))
    assert source.is_sparse == sparse
    np.testing.assert_array_equal(source.sample(np.arange(N)), dense(cells()))
    np.testing.assert_array_equal(layer.sample(np.arange(N)), 2 * dense(cells()))
    with pytest.raises(FileError, match="'X', 'layers/twice'"):
        el.open(f"{tmp_path}/a.zarr::layers/thrice")


@pytest.mark.parametrize("version", [2, 3])
def test_a_file_of_cell_ranger_is_cells_by_genes(tmp_path, version):
    counts = sp.csr_array(np.random.default_rng(0).poisson(0.3, (30, 6)))
    with h5py.File(tmp_path / "t.h5", "w") as file:
        group = file.create_group("matrix" if version == 3 else "GRCh38")
        for part in ("data", "indices", "indptr"):
            group[part] = getattr(counts, part)
        group["shape"] = [6, 30]
        group["barcodes"] = np.array([f"C{i}".encode() for i in range(30)])
        names = [f"G{i}".encode() for i in range(6)]
        for name in ("features/id", "features/name") if version == 3 else ("genes", "gene_names"):
            group[name] = names

    source = el.open(tmp_path / "t.h5")

    assert source.shape == (30, 6)
    assert source.names[0] == "G0"
    np.testing.assert_array_equal(source.sample(np.arange(30)), counts.toarray())


# -- what is written -------------------------------------------------------------------------


def test_pca_writes_what_scanpy_writes(tmp_path):
    adata = cells(masked=True)

    assert el.anndata.pca(adata, 3) is None
    adata.write_h5ad(tmp_path / "b.h5ad")
    again = anndata.read_h5ad(tmp_path / "b.h5ad")

    assert again.obsm["X_pca"].shape == (N, 3)
    assert again.obsm["X_pca"].dtype == np.float32
    assert again.varm["PCs"].shape == (D, 3)
    assert again.varm["PCs"].dtype == np.float32
    assert not again.varm["PCs"][5:].any()
    assert set(again.uns["pca"]) == {"params", "variance", "variance_ratio", "certificate"}
    params = again.uns["pca"]["params"]
    assert params["zero_center"]
    assert params["use_highly_variable"]
    assert params["mask_var"] == "highly_variable"
    low, high = again.uns["pca"]["certificate"]["eigenvalue_bounds"].T
    assert np.all((low <= again.uns["pca"]["variance"]) & (again.uns["pca"]["variance"] <= high))


def test_pca_has_options_of_scanpy_and_of_fit():
    adata = cells()

    copied = el.anndata.pca(adata, copy=True, key_added="mine", layer="twice", tolerance=1e-8)
    raw = el.anndata.pca(adata, 2, zero_center=False, copy=True, dtype="float64")
    scaled = el.anndata.pca(adata, 2, scale="std", copy=True)

    assert not list(adata.uns)
    assert copied.obsm["mine"].shape == (N, D - 1)
    assert copied.uns["mine"]["params"]["layer"] == "twice"
    assert copied.varm["mine"].shape == (D, D - 1)
    truth = np.linalg.svd(dense(adata).astype(float), compute_uv=False)[:2] ** 2 / N
    np.testing.assert_allclose(raw.uns["pca"]["variance"], truth, rtol=1e-5)
    assert raw.obsm["X_pca"].dtype == np.float64
    assert scaled.uns["pca"]["variance"][0] < D


def test_the_stored_pca_of_pbmc68k():
    """Closer to the dense truth than scanpy's own, which has six digits."""
    adata = anndata.AnnData(sp.csr_matrix(pbmc68k()))
    truth = REFERENCE["pbmc68k_raw"]

    el.anndata.pca(adata, 50, tolerance=1e-7)
    ours = adata.uns["pca"]["variance"]
    error = np.abs(ours / truth["variance_exact"] - 1).max()

    assert error < truth["scanpy_relative_error_of_variance"]
    np.testing.assert_allclose(ours, truth["variance_exact"], rtol=1e-6)
    np.testing.assert_allclose(
        adata.uns["pca"]["variance_ratio"], truth["variance_ratio_exact"], rtol=1e-6
    )


def test_scanpy_goes_on_from_there():
    scanpy = pytest.importorskip("scanpy")
    adata = anndata.AnnData(sp.csr_matrix(pbmc68k()))
    theirs = adata.copy()

    el.anndata.pca(adata, 20, tolerance=1e-7)
    scanpy.pp.pca(theirs, 20)
    scanpy.pp.neighbors(adata)

    assert "connectivities" in adata.obsp
    np.testing.assert_allclose(
        adata.uns["pca"]["variance"], theirs.uns["pca"]["variance"], rtol=1e-5
    )
    near = np.abs(adata.obsm["X_pca"][:, :5]) - np.abs(theirs.obsm["X_pca"][:, :5])
    assert np.abs(near).max() < 1e-2


# -- mistakes --------------------------------------------------------------------------------


def test_mistakes_are_said_in_the_words_of_the_field():
    empty = cells()
    empty.X = None
    with pytest.raises(FieldError, match=r"no X.*layer='twice'"):
        el.fit(empty, k=1)
    with pytest.raises(FieldError, match=r"no layer='thrice'\. It has 'twice'"):
        el.fit(cells(), k=1, layer="thrice")
    with pytest.raises(FieldError, match="no obsm='X_pca'"):
        el.fit(cells(), k=1, obsm="X_pca")
    with pytest.raises(FieldError, match="no mask_var='variable'"):
        el.anndata.pca(cells(), mask_var="variable")
    with pytest.raises(FieldError, match="8 truth values, one per gene"):
        el.fit(cells(), k=1, mask_var=[True, False])
    with pytest.raises(FieldError, match="leaves out all 8 genes"):
        el.fit(cells(), k=1, mask_var=np.zeros(D, dtype=bool))
    with pytest.raises(UnsupportedData, match="type ndarray"):
        el.anndata.pca(np.eye(3))
    with pytest.raises(OptionError, match="needs an AnnData"):
        el.fit(np.eye(3), k=1, layer="twice")
    with pytest.raises(TypeError, match="laier"):
        el.fit(np.eye(3), k=1, laier="twice")


def test_a_failed_pca_leaves_nothing_behind():
    adata = cells()
    adata.X[3, 3] = np.nan

    with pytest.raises(el.EigenlensError):
        el.anndata.pca(adata, 2)

    assert not list(adata.uns)
    assert "X_pca" not in adata.obsm
