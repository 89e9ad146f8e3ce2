"""Addresses: fetched once, read like files, and removed with the source."""

import gc
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import eigenlens as el
from eigenlens.errors import FieldError, FileError

fsspec = pytest.importorskip("fsspec")

ROWS = np.random.default_rng(0).standard_normal((40, 3))
TABLE = pa.table(dict(zip("abc", ROWS.T, strict=True)))


def leftovers():
    gc.collect()
    return sorted(Path(tempfile.gettempdir()).glob("eigenlens-*"))


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store in memory, and a temporary folder of our own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    system = fsspec.filesystem("memory")
    with system.open("/t/x.npy", "wb") as file:
        np.save(file, ROWS)
    with system.open("/t/x.csv", "wb") as file:
        file.write(("a,b,c\n" + "\n".join(",".join(map(repr, r)) for r in ROWS.tolist())).encode())
    for part in range(2):
        with system.open(f"/parts/{part}.parquet", "wb") as file:
            pyarrow.parquet.write_table(TABLE.slice(20 * part, 20), file)
    with system.open("/t/x.arrow", "wb") as file:
        pyarrow.feather.write_feather(TABLE, file)
    yield system
    system.rm("/", recursive=True)


@pytest.mark.parametrize(
    "address",
    ["memory://t/x.npy", "memory://t/x.csv", "memory://t/x.arrow", "memory://parts/*.parquet",
     "memory://parts"],
)  # fmt: skip
def test_an_address_is_read_like_its_files(store, address):
    source = el.open(address)

    np.testing.assert_array_equal(source.sample(np.arange(40)), ROWS)
    assert el.fit(source, k=2, solver="krylov").n_rows == 40
    assert len(leftovers()) == 1
    del source
    assert leftovers() == []


def test_a_store_of_zarr_is_fetched_with_its_chunks(store, tmp_path):
    zarr = pytest.importorskip("zarr")
    zarr.create_array(tmp_path / "x.zarr", data=ROWS, chunks=(9, 2))
    store.put(f"{tmp_path}/x.zarr/", "/z/x.zarr/", recursive=True)

    np.testing.assert_array_equal(el.open("memory://z/x.zarr").sample(np.arange(40)), ROWS)


def test_a_path_of_another_system_is_an_address(store):
    upath = pytest.importorskip("upath")

    source = el.open(upath.UPath("memory://t/x.npy"))

    np.testing.assert_array_equal(source.sample(np.arange(40)), ROWS)


def test_an_address_of_this_machine_is_a_path(tmp_path):
    np.save(tmp_path / "x.npy", ROWS)

    assert el.open(f"file://{tmp_path}/x.npy").files == (tmp_path / "x.npy",)


def test_a_host_on_this_machine_is_asked_for_its_file(tmp_path):
    """The only connection of these tests: to a server of their own."""
    pytest.importorskip("aiohttp")
    import functools
    import http.server
    import threading

    np.save(tmp_path / "x.npy", ROWS)
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *a: None})
    handler = functools.partial(quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        source = el.open(f"http://127.0.0.1:{server.server_port}/x.npy")
        server.shutdown()

    np.testing.assert_array_equal(source.sample(np.arange(40)), ROWS)


def test_mistakes_leave_nothing_behind(store):
    with pytest.raises(FileError, match=r"no file at the address 'memory://t/no\.npy'"):
        el.open("memory://t/no.npy")
    with pytest.raises(FileError, match="no file matches"):
        el.open("memory://none/*.csv")
    with pytest.raises(FieldError, match="nope"):
        el.open("nope://x.npy")
    store.touch("/t/x.what")
    with pytest.raises(FileError, match="not known"):
        el.open("memory://t/x.what")
    assert leftovers() == []


def test_an_address_that_needs_a_library_says_which(monkeypatch, store):
    modules = __import__("sys").modules
    monkeypatch.setitem(modules, "s3fs", None)
    with pytest.raises(FieldError, match="pip install s3fs"):
        el.open("s3://bucket/x.parquet")
    monkeypatch.setitem(modules, "fsspec", None)
    with pytest.raises(FieldError, match="pip install fsspec"):
        el.open("memory://t/x.npy")
    assert leftovers() == []
