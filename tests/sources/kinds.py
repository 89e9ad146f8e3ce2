"""One small table as every kind of object that can be opened. A new kind is a row in `KINDS`."""

import warnings
from dataclasses import dataclass

import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp
import torch

from eigenlens.sources.device.tensor import TensorSource
from eigenlens.sources.device.uploaded import KeptBlocks, UploadedSource
from eigenlens.sources.open import open_source
from eigenlens.sources.some_rows import SomeRows
from tests.sources import files

N_ROWS, N_COLUMNS = 11, 6
NAMES = ("height", "width", "age", "income", "rooms", "floor")


def small_table():
    """Whole numbers below 100 with many zeros: exact in every dtype, and sparse enough."""
    rng = np.random.default_rng(0)
    table = rng.integers(1, 100, (N_ROWS, N_COLUMNS)) * (rng.random((N_ROWS, N_COLUMNS)) < 0.6)
    return table.astype(np.float64)


def by_name(table):
    return {name: table[:, j] for j, name in enumerate(NAMES)}


class HasArray:
    """Nothing but `__array__`."""

    def __init__(self, table):
        self.table = table

    def __array__(self, dtype=None, copy=None):
        return self.table


class OwnSource:
    """What an outsider would write: no base class, the eight names."""

    shape = (N_ROWS, N_COLUMNS)
    dtype = np.dtype(np.float64)
    names = NAMES
    is_sparse = False
    stored_bytes = 8 * N_ROWS * N_COLUMNS

    def __init__(self, table):
        self.table = table

    def blocks(self, rows_per_block):
        for start in range(0, N_ROWS, rows_per_block):
            yield self.table[start : start + rows_per_block]

    def panels(self, columns_per_panel):
        for start in range(0, N_COLUMNS, columns_per_panel):
            yield self.table[:, start : start + columns_per_panel]

    def sample(self, indices):
        return self.table[indices]


def memory_map(table, folder, dtype=np.float64, order="C"):
    path = folder / "table.bin"
    written = np.memmap(path, dtype=dtype, mode="w+", shape=table.shape, order=order)
    written[:] = table
    written.flush()
    return np.memmap(path, dtype=dtype, mode="r", shape=table.shape, order=order)


def read_only(table):
    table.flags.writeable = False
    return table


def with_gaps(table):
    roomy = np.full((2 * N_ROWS, N_COLUMNS + 3), -1.0)
    roomy[::2, 1:-2] = table
    return roomy[::2, 1:-2]


def skipping(table):
    roomy = np.full((N_ROWS, 2 * N_COLUMNS), -1.0)
    roomy[:, ::2] = table
    return roomy[:, ::2]


def misaligned(table):
    room = np.zeros(table.nbytes + 1, dtype=np.uint8)
    room[1:] = np.frombuffer(table.tobytes(), dtype=np.uint8)
    return room[1:].view(np.float64).reshape(table.shape)


def np_matrix(table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.matrix(table)


def wide_indices(table):
    matrix = sp.csr_array(table)
    matrix.indices, matrix.indptr = matrix.indices.astype("i8"), matrix.indptr.astype("i8")
    return matrix


def unsorted_with_duplicates(table, kind=sp.csr_array):
    """Each entry stored as two halves, the columns of every row in falling order."""
    tidy = kind(table)
    data, indices, indptr = [], [], [0]
    for start, stop in zip(tidy.indptr[:-1], tidy.indptr[1:], strict=True):
        order = np.arange(start, stop)[::-1].repeat(2)
        data.extend(tidy.data[order] / 2)
        indices.extend(tidy.indices[order])
        indptr.append(len(data))
    return kind((np.array(data), np.array(indices), np.array(indptr)), shape=table.shape)


def explicit_zeros(table):
    rows, columns = np.indices(table.shape)
    return sp.csr_array((table.ravel(), (rows.ravel(), columns.ravel())), shape=table.shape)


def longer_than_needed(table):
    matrix = sp.csr_array(table)
    matrix.data = np.concatenate([matrix.data, [np.nan] * 3])
    matrix.indices = np.concatenate([matrix.indices, [0] * 3]).astype(matrix.indices.dtype)
    return matrix


def mixed_pandas(table):
    kinds = ["Int64", "float32", "int8", "double[pyarrow]", "Float64", "uint16[pyarrow]"]
    return pd.DataFrame(by_name(table)).astype(dict(zip(NAMES, kinds, strict=True)))


def mixed_polars(table):
    kinds = [pl.Int8, pl.Float32, pl.Float64, pl.UInt32, pl.Decimal(10, 2), pl.Int64]
    frame = pl.DataFrame(by_name(table))
    return frame.cast(dict(zip(NAMES, kinds, strict=True)))


def among_others(table, opened):
    """Every second row, from the second on, of what `opened` makes of a table twice as long."""
    longer = np.full((2 * N_ROWS + 1, N_COLUMNS), np.nan)
    longer[1::2] = table
    return SomeRows(opened(longer), np.arange(len(longer)) % 2 == 1)


def in_chunks(table):
    parts = [pa.table(by_name(table[rows])) for rows in (slice(0, 4), slice(4, 5), slice(5, None))]
    return pa.concat_tables(parts)


@dataclass(frozen=True)
class Kind:
    make: object
    named: bool = False
    dtype: type = np.float64
    sparse: bool = False
    in_place: bool = False  # row blocks promise to be views of the caller's memory
    panels_in_place: bool = False
    ours: bool = True
    stored: bool = False  # in files, and the object is their path


def views(make, **more):
    return Kind(make, in_place=True, panels_in_place=True, **more)


def stored_as(stored, **more):
    return Kind(lambda table, _: table.astype(stored), **more)


def sparse(make, **more):
    return Kind(lambda table, _: make(table), sparse=True, **more)


def frame(make, **more):
    return Kind(lambda table, _: make(table), named=True, **more)


def stored(write, **more):
    """A file: its blocks are read into memory of their own."""
    return Kind(lambda table, folder: write(table, NAMES, folder), stored=True, **more)


SINGLE = {"dtype": np.float32}
SPARSE_FORMATS = ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"]

KINDS = {
    "C order": views(lambda table, _: table),
    "F order": views(lambda table, _: np.asfortranarray(table)),
    "transposed": views(lambda table, _: table.T.copy().T),
    "gaps between rows": views(lambda table, _: with_gaps(table)),
    "read-only": views(lambda table, _: read_only(table)),
    "float32": views(lambda table, _: table.astype(np.float32), **SINGLE),
    "memory map": views(memory_map),
    "memory map, F": views(lambda table, folder: memory_map(table, folder, order="F")),
    "memory map of integers": Kind(lambda table, folder: memory_map(table, folder, np.int16)),
    "matrix": views(lambda table, _: np_matrix(table)),
    "masked array, nothing masked": views(lambda table, _: np.ma.masked_array(table)),
    "__array__": views(lambda table, _: HasArray(table)),
    "skipping columns": Kind(lambda table, _: skipping(table)),
    "reversed": Kind(lambda table, _: table[::-1, ::-1].copy()[::-1, ::-1]),
    "misaligned": Kind(lambda table, _: misaligned(table)),
    "list": Kind(lambda table, _: table.tolist()),
    "tuple of integers": Kind(lambda table, _: tuple(map(tuple, table.astype(int).tolist()))),
    "list of arrays": Kind(lambda table, _: list(table)),
    "objects": stored_as(object),
    "float16": stored_as(np.float16, **SINGLE),
    "swapped bytes": stored_as(np.dtype(np.float64).newbyteorder("S")),
    "swapped bytes, single": stored_as(np.dtype(np.float32).newbyteorder("S"), **SINGLE),
    "some rows": Kind(lambda table, _: among_others(table, open_source), ours=False),
    "some rows of a file": Kind(
        lambda table, folder: among_others(
            table, lambda rows: open_source(files.npy(rows, NAMES, folder))
        ),
        ours=False,
    ),
    "some rows, csr": Kind(
        lambda table, _: among_others(table, lambda rows: open_source(sp.csr_array(rows))),
        ours=False,
        sparse=True,
    ),
    "own source": Kind(lambda table, _: OwnSource(table), named=True, ours=False),
    "tensor of the host": views(lambda table, _: torch.from_numpy(table)),
    "tensor, bfloat16": Kind(
        lambda table, _: TensorSource(torch.from_numpy(table).bfloat16()), ours=False, **SINGLE
    ),
    "tensor, F order": Kind(
        lambda table, _: TensorSource(torch.from_numpy(table).T.contiguous().T), ours=False
    ),
    "tensor, int16": Kind(
        lambda table, _: TensorSource(torch.from_numpy(table).to(torch.int16)), ours=False
    ),
    "copied to a device": Kind(
        lambda table, _: UploadedSource(open_source(table), torch.device("cpu"), KeptBlocks(99)),
        ours=False,
    ),
    **{np.dtype(kind).name: stored_as(kind) for kind in ("i1", "i2", "i4", "i8", "u1", "u8", "g")},
    **{
        f"{layout}_{family}": sparse(getattr(sp, f"{layout}_{family}"))
        for layout in SPARSE_FORMATS
        for family in ("array", "matrix")
    },
    "csr, single": sparse(lambda table: sp.csr_array(table.astype("f4")), **SINGLE),
    "csr, integers": sparse(lambda table: sp.csr_array(table.astype("i4"))),
    "csc, long double": sparse(lambda table: sp.csc_array(table.astype("g"))),
    "csr, 64-bit indices": sparse(wide_indices),
    "csr, duplicates": sparse(unsorted_with_duplicates),
    "csr, explicit zeros": sparse(explicit_zeros),
    "csr, room to spare": sparse(longer_than_needed),
    "pandas": frame(
        lambda table: pd.DataFrame(table, columns=NAMES), in_place=True, panels_in_place=True
    ),
    "pandas, single": frame(
        lambda table: pd.DataFrame(table.astype("f4"), columns=NAMES), in_place=True, **SINGLE
    ),
    "pandas, odd index": frame(
        lambda table: pd.DataFrame(table, columns=NAMES, index=[3] * N_ROWS), in_place=True
    ),
    "pandas, no names": Kind(lambda table, _: pd.DataFrame(table), in_place=True),
    "pandas, integers": frame(lambda table: pd.DataFrame(table.astype(int), columns=NAMES)),
    "pandas, mixed": frame(mixed_pandas),
    "pandas, Arrow": frame(lambda table: pd.DataFrame(by_name(table)).astype("double[pyarrow]")),
    "pandas, long double": frame(lambda table: pd.DataFrame(by_name(table.astype("g")))),
    "polars": frame(lambda table: pl.DataFrame(by_name(table))),
    "polars, single": frame(lambda table: pl.DataFrame(by_name(table.astype("f4"))), **SINGLE),
    "polars, mixed": frame(mixed_polars),
    "pyarrow table": frame(lambda table: pa.table(by_name(table))),
    "pyarrow table in chunks": frame(in_chunks),
    "pyarrow batch": frame(lambda table: pa.record_batch(by_name(table))),
    "pyarrow, half": frame(lambda table: pa.table(by_name(table.astype("f2"))), **SINGLE),
    "narwhals": frame(lambda table: narwhals.from_native(pl.DataFrame(by_name(table)))),
    ".npy": stored(files.npy),
    ".npy, F order": stored(files.npy_by_columns),
    ".npy, single": stored(lambda table, *rest: files.npy(table.astype("f4"), *rest), **SINGLE),
    ".npy, half": stored(lambda table, *rest: files.npy(table.astype("f2"), *rest), **SINGLE),
    ".npy, integers": stored(lambda table, *rest: files.npy(table.astype("i2"), *rest)),
    ".npy, swapped bytes": stored(lambda table, *rest: files.npy(table.astype(">f8"), *rest)),
    ".npz": stored(files.npz),
    ".npz, packed": stored(files.npz_packed),
    ".npz, packed, F order": stored(files.npz_packed_by_columns),
    ".npz, csr": stored(files.npz_sparse, sparse=True),
    ".npz, csr, unpacked": stored(
        lambda *given: files.npz_sparse(*given, compressed=False), sparse=True
    ),
    ".npz, coo": stored(lambda *given: files.npz_sparse(*given, kind=sp.coo_array), sparse=True),
    ".csv": stored(files.csv, named=True),
    ".tsv": stored(files.tsv, named=True),
    ".csv.gz": stored(files.csv_gz, named=True),
    ".csv.zst": stored(files.csv_zst, named=True),
    ".parquet": stored(files.parquet, named=True),
    "list of .parquet": stored(files.parquet_list, named=True),
    "folder of .parquet": stored(files.parquet_folder, named=True),
    ".arrow": stored(files.arrow_file, named=True),
    ".feather": stored(files.feather, named=True),
    ".h5": stored(files.hdf5),
    ".h5, packed": stored(files.hdf5_packed),
    ".h5ad": stored(files.anndata_dense, named=True),
    ".h5ad, csr": stored(files.anndata_sparse, named=True, sparse=True),
    ".h5ad, csc": stored(files.anndata_by_columns, named=True, sparse=True),
    ".zarr": stored(files.zarr),
    ".zarr, format 2": stored(files.zarr_2),
    ".zarr.zip": stored(files.zarr_zip),
    ".mtx": stored(files.matrix_market, sparse=True),
}
