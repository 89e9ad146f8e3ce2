"""Stored values of other programs, and the files that are not part of the repository."""

import json
import os
from pathlib import Path

import pytest
import scipy.sparse as sp

HERE = Path(__file__).parent / "data"
REFERENCE = json.loads((HERE / "reference.json").read_text())


def pbmc68k():
    """Cells × genes, sparse, float32."""
    return sp.csr_array(sp.load_npz(HERE / "pbmc68k_raw.npz"))


def outside_file(name):
    folder = os.environ.get("EIGENLENS_FIELDS_DATA")
    path = None if folder is None else Path(folder) / name
    if path is None or not path.exists():
        pytest.skip(f"{name} is not part of the repository; set EIGENLENS_FIELDS_DATA")
    return path
