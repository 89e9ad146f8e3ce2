"""Addresses: fetched block by block, each once, read like files, and removed with the source."""

import functools
import gc
import http.server
import pickle
import tempfile
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import eigenlens as el
from eigenlens.errors import FieldError, FileError
from eigenlens.sources.files import address, fetched

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


# -- block by block --------------------------------------------------------------------------

BLOCK = 1 << 14


@pytest.fixture
def small_blocks(monkeypatch):
    for module in (address, fetched):
        monkeypatch.setattr(module, "FETCHED_BYTES", BLOCK)


def long_table(count=20_000):
    numbers = np.random.default_rng(1).standard_normal((count, 8))
    return numbers, pa.table({f"c{i}": column for i, column in enumerate(numbers.T)})


def write_long(system, place, kind):
    numbers, table = long_table()
    with system.open(place, "wb") as file:
        if kind == "npy":
            np.save(file, numbers)
        elif kind == "parquet":
            pyarrow.parquet.write_table(table, file, compression="none", use_dictionary=False)
        else:
            pyarrow.feather.write_feather(table, file, compression="uncompressed", chunksize=2000)
    return numbers, system.size(place)


def test_of_a_parquet_file_only_the_columns_asked_for_are_fetched(store, small_blocks):
    numbers, size = write_long(store, "/long/x.parquet", "parquet")

    model = el.fit("memory://long/x.parquet", k=1, columns=["c1", "c4"])

    told = model.choices["fetched"]
    assert told.evidence["size_bytes"] == size
    assert told.value < 0.4 * size
    assert "of 1.28 MB at 'memory://long/x.parquet' were fetched" in told.reason
    np.testing.assert_allclose(model.mean, numbers[:, [1, 4]].mean(axis=0))


@pytest.mark.parametrize("kind", ["npy", "parquet", "arrow"])
def test_every_block_is_fetched_once_however_many_passes_are_made(store, small_blocks, kind):
    numbers, size = write_long(store, f"/long/x.{kind}", kind)
    source = el.open(f"memory://long/x.{kind}")
    opening = source.traits.decided["fetched"].value

    model = el.fit(source, k=2)

    assert opening < size / 2
    assert model.choices["fetched"].value <= size
    np.testing.assert_allclose(np.vstack(list(source.blocks(3000))), numbers)
    assert source.traits.decided["fetched"].value <= size


def test_rows_of_an_array_are_fetched_up_to_the_last_one_asked_for(store, small_blocks):
    numbers, _ = write_long(store, "/long/x.npy", "npy")
    source = el.open("memory://long/x.npy")

    first = next(source.blocks(100))

    np.testing.assert_array_equal(first, numbers[:100])
    assert source.traits.decided["fetched"].value == BLOCK


def test_a_file_that_changes_over_there_before_it_is_here_is_an_error(store, small_blocks):
    write_long(store, "/long/x.npy", "npy")
    source = el.open("memory://long/x.npy")
    next(source.blocks(10))
    with store.open("/long/x.npy", "wb") as file:
        np.save(file, np.zeros((20_000, 8)))

    with pytest.raises(FileError, match="changed"):
        next(source.blocks(10))


def test_what_goes_to_another_process_is_complete(store, small_blocks):
    numbers, _ = write_long(store, "/long/x.npy", "npy")
    path = el.open("memory://long/x.npy").reader.path

    again = pickle.loads(pickle.dumps(path))

    np.testing.assert_array_equal(np.load(again), numbers)


def test_a_store_that_fails_midway_says_so(store, small_blocks, monkeypatch):
    write_long(store, "/long/x.npy", "npy")
    source = el.open("memory://long/x.npy")
    monkeypatch.setattr(type(store), "cat_file", lambda *a, **k: 1 / 0)

    with pytest.raises(
        FieldError, match=r"'memory://long/x\.npy' cannot be read as a file: division"
    ):
        el.fit(source, k=1)


class PartsOfFiles(http.server.SimpleHTTPRequestHandler):
    """A host that knows parts of files, as nearly all do."""

    log_message = lambda *_: None  # noqa: E731
    sent = 0

    def do_GET(self):
        data = Path(self.translate_path(self.path)).read_bytes()
        first, _, last = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
        part = data[int(first) : int(last or len(data)) + 1]
        type(self).sent += len(part)
        self.send_response(206 if "Range" in self.headers else 200)
        self.send_header("Content-Length", str(len(part)))
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.end_headers()
        self.wfile.write(part)


@pytest.mark.parametrize("knows_parts", [True, False])
def test_a_host_is_asked_for_parts_of_files(tmp_path, small_blocks, knows_parts):
    pytest.importorskip("aiohttp")
    _, table = long_table()
    options = {"compression": "none", "use_dictionary": False}
    pyarrow.parquet.write_table(table, tmp_path / "x.parquet", **options)
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *a: None})
    handler = functools.partial(PartsOfFiles if knows_parts else quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        where = f"http://127.0.0.1:{server.server_port}/x.parquet"
        told = el.fit(where, k=1, columns=["c2", "c3"]).choices["fetched"]
        server.shutdown()

    size = (tmp_path / "x.parquet").stat().st_size
    assert told.value < size / 2 if knows_parts else told.value == size
