"""Rows on a device: tensors where they lie, and rows of the host that are copied there by block.

Promises     every name of a `Source`, with numpy blocks for whoever needs them, and besides them
             the same rows as tensors on one device (`TensorRows`), for `table/device_rows.py`.
Knows        torch tensors; cupy and jax arrays through DLPack; how much of a table to keep there.
Knows not    products, precision, solvers: what anybody does with the tensors.
"""
