"""Small kinds of data: open arrays, sparse frames, tensors, cubes, archives, MATLAB files."""

import tracemalloc
import zipfile

import h5py
import numpy as np
import pytest
import scipy.io

import eigenlens as el
from eigenlens.errors import FileError, OptionError, UnsupportedData

ROWS = np.random.default_rng(0).standard_normal((50, 4))


# -- open arrays -----------------------------------------------------------------------------


def test_an_open_dataset_is_streamed(tmp_path):
    wide = np.random.default_rng(0).standard_normal((30_000, 100)).astype(np.float32)
    with h5py.File(tmp_path / "t.h5", "w") as file:
        held = file.create_dataset("x", data=wide, chunks=(500, 100))
        el.fit(held, k=2, memory="4MB", solver="covariance")  # imports are none of its memory

        tracemalloc.start()
        model = el.fit(held, k=2, memory="4MB", solver="covariance")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    assert peak < wide.nbytes / 2
    np.testing.assert_allclose(model.eigenvalues, el.fit(wide, k=2).eigenvalues, rtol=1e-5)


def test_an_open_array_of_zarr_is_streamed(tmp_path):
    zarr = pytest.importorskip("zarr")
    held = zarr.create_array(tmp_path / "x.zarr", data=ROWS, chunks=(9, 3))

    source = el.open(held, [2, 0])

    np.testing.assert_array_equal(np.vstack(list(source.blocks(7))), ROWS[:, [2, 0]])


# -- frames ----------------------------------------------------------------------------------


def test_a_sparse_frame_stays_sparse():
    pd = pytest.importorskip("pandas")
    plain = pd.DataFrame(np.where(ROWS > 0.5, ROWS, 0.0), columns=list("abcd"))
    frame = plain.astype(pd.SparseDtype(float, 0.0))

    source = el.open(frame)

    assert source.is_sparse
    assert source.names == ("a", "b", "c", "d")
    np.testing.assert_allclose(
        el.fit(frame, k=2).eigenvalues, el.fit(plain, k=2).eigenvalues, rtol=1e-9
    )
    mixed = frame.assign(e=ROWS[:, 0])
    assert el.fit(mixed, k=1).feature_names == ("a", "b", "c", "d", "e")


def test_names_of_several_levels_are_joined():
    pd = pytest.importorskip("pandas")
    levels = pd.MultiIndex.from_tuples(
        [("size", "mean"), ("size", "sd"), ("age", "mean"), ("n", "")]
    )

    model = el.fit(pd.DataFrame(ROWS, columns=levels), k=2)

    assert model.feature_names == ("size/mean", "size/sd", "age/mean", "n/")


# -- tensors ---------------------------------------------------------------------------------


def test_tensors_that_numpy_does_not_take():
    torch = pytest.importorskip("torch")
    plain = torch.from_numpy(ROWS)
    half = plain.to(torch.bfloat16)

    np.testing.assert_allclose(
        el.fit(half, k=2).eigenvalues, el.fit(half.float().numpy(), k=2).eigenvalues
    )
    tracked = plain.clone().requires_grad_()
    assert el.fit(tracked, k=2).n_rows == 50
    assert el.PCA(2).fit_transform(tracked).shape == (50, 2)
    assert el.PCA(2).fit_transform(half).shape == (50, 2)
    assert tracked.requires_grad
    with pytest.raises(UnsupportedData, match="sparse_coo"):
        el.fit(plain.to_sparse(), k=1)
    with pytest.raises(UnsupportedData, match="meta"):
        el.fit(plain.to("meta"), k=1)


# -- cubes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "shape"), [((0, 1), (20, 6)), (2, (6, 20)), ((2, 0), (24, 5)), (-1, (6, 20))]
)
def test_a_cube_is_cut_along_the_axes_of_its_rows(rows, shape):
    cube = np.random.default_rng(0).standard_normal((4, 5, 6))
    axes = (rows,) if isinstance(rows, int) else rows
    moved = np.moveaxis(cube, axes, range(len(axes))).reshape(shape)

    model = el.fit(cube, k=2, rows=rows)

    assert model.provenance["shape"] == shape
    np.testing.assert_allclose(model.eigenvalues, el.fit(moved, k=2).eigenvalues)


def test_axes_that_are_not_there_are_an_error():
    for rows in ((0, 0), 3, (0, 1, 2)):
        with pytest.raises(OptionError, match="rows="):
            el.fit(np.zeros((2, 3, 4)), k=1, rows=rows)


# -- files -----------------------------------------------------------------------------------


def test_a_zipped_csv_is_read(tmp_path):
    text = "a,b,c,d\n" + "\n".join(",".join(map(repr, row)) for row in ROWS.tolist())
    with zipfile.ZipFile(tmp_path / "t.csv.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", text)
        archive.writestr("__MACOSX/._t.csv", "x")

    source = el.open(tmp_path / "t.csv.zip")

    assert source.names == ("a", "b", "c", "d")
    np.testing.assert_array_equal(source.sample(np.arange(50)), ROWS)


def test_a_zip_of_several_files_is_an_error(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.csv.zip", "w") as archive:
        archive.writestr("a.csv", "1,2\n3,4\n")
        archive.writestr("b.csv", "1,2\n3,4\n")
    with pytest.raises(FileError, match="holds 2 files"):
        el.open(tmp_path / "t.csv.zip")
    (tmp_path / "u.csv.zip").write_bytes(b"no zip")
    with pytest.raises(FileError, match="zip"):
        el.open(tmp_path / "u.csv.zip")


def test_a_matrix_of_matlab_is_read(tmp_path):
    scipy.io.savemat(tmp_path / "t.mat", {"X": ROWS, "y": np.zeros((3, 3)), "name": "words"})
    with h5py.File(tmp_path / "new.mat", "w", userblock_size=512) as file:
        file["X"] = ROWS.T  # MATLAB counts dimensions from the other end

    np.testing.assert_array_equal(el.open(f"{tmp_path}/t.mat::X").sample(np.arange(50)), ROWS)
    np.testing.assert_array_equal(el.open(tmp_path / "new.mat").sample(np.arange(50)), ROWS)
    with pytest.raises(FileError, match="2 tables: 'X', 'y'"):
        el.open(tmp_path / "t.mat")
    (tmp_path / "bad.mat").write_bytes(b"x" * 200)
    with pytest.raises(FileError, match="MATLAB"):
        el.open(tmp_path / "bad.mat")


# -- scikit-learn ----------------------------------------------------------------------------


def test_weights_of_samples_are_repeated_rows():
    weights = np.random.default_rng(0).integers(0, 4, 50)
    repeated = el.PCA(2).fit(np.repeat(ROWS, weights, axis=0))

    weighted = el.PCA(2).fit(ROWS, sample_weight=weights)

    np.testing.assert_allclose(weighted.explained_variance_, repeated.explained_variance_)
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-9)
    np.testing.assert_allclose(
        el.PCA(2).fit_transform(ROWS, sample_weight=weights), weighted.transform(ROWS)
    )


def test_weights_are_routed_through_a_pipeline():
    from sklearn import config_context
    from sklearn.pipeline import make_pipeline

    weights = np.random.default_rng(0).random(50) + 1
    with config_context(enable_metadata_routing=True):
        chain = make_pipeline(el.PCA(2).set_fit_request(sample_weight=True))
        chain.fit(ROWS, sample_weight=weights)

    truth = el.PCA(2).fit(ROWS, sample_weight=weights)
    np.testing.assert_array_equal(chain[-1].components_, truth.components_)


@pytest.mark.parametrize("options", [{}, {"whiten": True}, {"scale": "std"}])
def test_a_pipeline_is_converted_by_skl2onnx(options):
    skl2onnx = pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    chain = make_pipeline(StandardScaler(), el.PCA(2, **options)).fit(ROWS)

    graph = skl2onnx.to_onnx(chain, ROWS[:1])
    session = runtime.InferenceSession(graph.SerializeToString())
    found = session.run(None, {session.get_inputs()[0].name: ROWS})[0]

    np.testing.assert_allclose(found, chain.transform(ROWS), atol=1e-9)
