"""A file that is read block by block, within a budget.

    python examples/larger_than_memory.py larger_than_memory.png

The rows stay on disk. The fit says how many passes over the file it has made and how many bytes
were read.
"""

import sys
import tempfile
from pathlib import Path

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "larger_than_memory.png") -> None:
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.npy"
        np.save(file, rng.standard_normal((40_000, 60)) * np.linspace(5, 1, 60))
        fits = [el.fit(file, 3, solver=name, memory="50MB") for name in ("krylov", "orthogonal")]
    for model in fits:
        proof, why = model.certificate, model.choices["stop"].reason
        print(f"{proof.passes} passes, {proof.bytes_read / 1e6:.0f} MB read: {why}")
    el.plots.convergence(*fits).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
