"""One small table as every kind of file: each function writes it to `folder` and gives the path.

Rows with names get those of `names`. Writing is left to the libraries that people write with; the
AnnData files are laid out by hand, as that package documents them.
"""

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import scipy.io
import scipy.sparse as sp


def npy(table, names, folder, name="table.npy"):
    np.save(folder / name, table)
    return str(folder / name)


def npy_by_columns(table, names, folder):
    return npy(np.asfortranarray(table), names, folder)


def npz(table, names, folder):
    np.savez(folder / "table.npz", table=table)
    return str(folder / "table.npz")


def npz_packed(table, names, folder):
    np.savez_compressed(folder / "table.npz", table=table)
    return str(folder / "table.npz")


def npz_packed_by_columns(table, names, folder):
    return npz_packed(np.asfortranarray(table), names, folder)


def npz_sparse(table, names, folder, kind=sp.csr_array, compressed=True):
    sp.save_npz(folder / "table.npz", kind(table), compressed=compressed)
    return str(folder / "table.npz")


def arrow(table, names):
    return pa.table({name: table[:, j] for j, name in enumerate(names)})


def csv_bytes(table, names, separator=","):
    sink = pa.BufferOutputStream()
    options = pyarrow.csv.WriteOptions(delimiter=separator, quoting_style="none")
    pyarrow.csv.write_csv(arrow(table, names), sink, options)
    return sink.getvalue().to_pybytes()


def written(path, content):
    Path(path).write_bytes(content)
    return str(path)


def csv(table, names, folder):
    return written(folder / "table.csv", csv_bytes(table, names))


def tsv(table, names, folder):
    return written(folder / "table.tsv", csv_bytes(table, names, "\t"))


def csv_gz(table, names, folder):
    return written(folder / "table.csv.gz", gzip.compress(csv_bytes(table, names)))


def csv_zst(table, names, folder):
    packed = pa.Codec("zstd").compress(csv_bytes(table, names), asbytes=True)
    return written(folder / "table.csv.zst", packed)


def parquet(table, names, folder, name="table.parquet"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(arrow(table, names), path, row_group_size=4)
    return str(path)


def parquet_list(table, names, folder):
    parts = [table[:5], table[5:6], table[6:]]
    return [parquet(part, names, folder, f"part{i}.parquet") for i, part in enumerate(parts)]


def parquet_folder(table, names, folder):
    for half, part in enumerate([table[:4], table[4:]], 1):
        parquet(part, names, folder, f"table/half={half}/rows.parquet")
    return str(folder / "table")


def arrow_file(table, names, folder):
    path = folder / "table.arrow"
    whole = arrow(table, names)
    with pa.ipc.new_file(path, whole.schema) as file:
        file.write_table(whole, max_chunksize=4)
    return str(path)


def feather(table, names, folder):
    pyarrow.feather.write_feather(arrow(table, names), folder / "table.feather", chunksize=4)
    return str(folder / "table.feather")


def matrix_market(table, names, folder):
    scipy.io.mmwrite(folder / "table.mtx", sp.coo_array(table))
    return str(folder / "table.mtx")


def hdf5(table, names, folder, **layout):
    import h5py

    with h5py.File(folder / "table.h5", "w") as file:
        file.create_dataset("group/data", data=table, **layout)
    return str(folder / "table.h5")


def hdf5_packed(table, names, folder):
    return hdf5(table, names, folder, chunks=(3, 2), compression="gzip")


def named_variables(file, names):
    file["var/gene"] = list(names)
    file["var"].attrs["_index"] = "gene"


def anndata_dense(table, names, folder):
    import h5py

    with h5py.File(folder / "table.h5ad", "w") as file:
        file["X"] = table
        named_variables(file, names)
    return str(folder / "table.h5ad")


def anndata_sparse(table, names, folder, kind=sp.csr_array):
    import h5py

    matrix = kind(table)
    with h5py.File(folder / "table.h5ad", "w") as file:
        group = file.create_group("X")
        group.attrs.update({"encoding-type": f"{matrix.format}_matrix", "shape": matrix.shape})
        for part in ("data", "indices", "indptr"):
            group[part] = getattr(matrix, part)
        named_variables(file, names)
    return str(folder / "table.h5ad")


def anndata_by_columns(table, names, folder):
    return anndata_sparse(table, names, folder, sp.csc_array)


def zarr(table, names, folder, form=3):
    import zarr

    store = folder / "table.zarr"
    array = zarr.create_array(
        store, shape=table.shape, dtype=table.dtype, chunks=(4, 3), zarr_format=form, overwrite=True
    )
    array[:] = table
    return str(store)


def zarr_2(table, names, folder):
    return zarr(table, names, folder, form=2)


def zarr_zip(table, names, folder):
    import zarr

    path = folder / "table.zarr.zip"
    with zarr.storage.ZipStore(path, mode="w") as store:
        zarr.create_array(store, data=table, chunks=(4, 3))
    return str(path)
