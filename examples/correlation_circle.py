"""Which columns make an axis, and how well they are shown.

    python examples/correlation_circle.py correlation_circle.png

The coordinates of a column are its correlations with the two components. Arrows that reach the
circle are shown completely.
"""

import sys

import matplotlib
from sklearn.datasets import load_wine

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "correlation_circle.png") -> None:
    model = el.fit(load_wine(as_frame=True).data, 2, scale="std")
    print(el.explain.variables(model))
    el.plots.circle(model).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
