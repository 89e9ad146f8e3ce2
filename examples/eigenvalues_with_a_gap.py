"""A plane of dimension 10 in 1000 columns: the eigenvalues say so.

    python examples/eigenvalues_with_a_gap.py eigenvalues_with_a_gap.png

Ten eigenvalues are large, the others are rounding. On a logarithmic axis gap and rank cannot be
missed.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "eigenvalues_with_a_gap.png") -> None:
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, 10)) @ rng.standard_normal((10, 1000))
    model = el.fit(rows, 25)
    print(f"rank {model.rank.value}: {model.rank.reason}")
    print(f"variance in 10 components {el.fit(rows, 10).certificate.captured_ratio:.6%}")
    el.plots.scree(model, log=True).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
