"""Wines and their chemistry in one picture.

    python examples/wine_biplot.py wine_biplot.png

Rows as points, columns as arrows: a wine lies in the direction of what it has more of.
"""

import sys

import matplotlib
from sklearn.datasets import load_wine

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "wine_biplot.png") -> None:
    wine = load_wine(as_frame=True)
    rows = wine.data.assign(cultivar=wine.target_names[wine.target])
    model = el.fit(wine.data, 3, scale="std")
    print(model)
    ax = el.plots.biplot(model, rows, color="cultivar")
    ax.figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
