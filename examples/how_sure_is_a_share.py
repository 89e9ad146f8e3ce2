"""How sure are the shares of variance of 150 flowers?

    python examples/how_sure_is_a_share.py how_sure_is_a_share.png

The certificate bounds the error of arithmetic. The sampling interval says how much the shares
would change with other flowers.
"""

import sys

import matplotlib
from sklearn.datasets import load_iris

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "how_sure_is_a_share.png") -> None:
    rows = load_iris(as_frame=True).data
    model = el.fit(rows, 4, scale="std")
    table = el.explain.sampling_intervals(model, rows)
    print(table)
    print(model.certificate)
    el.plots.scree(model).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
