"""Sixty pictures of 40 000 pixels: the dual route.

    python examples/few_large_pictures.py few_large_pictures.png

With few rows and many columns only inner products of rows are formed: a 60 x 60 problem instead
of one of 40 000 x 40 000.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "few_large_pictures.png") -> None:
    rng = np.random.default_rng(0)
    x, y = np.meshgrid(np.linspace(0, 1, 200), np.linspace(0, 1, 200))
    centers = rng.random((60, 2))
    views = np.stack([np.exp(-((x - a) ** 2 + (y - b) ** 2) / 0.05) for a, b in centers])
    views += 0.05 * rng.standard_normal(views.shape)
    model = el.fit(views, 7, solver="dual")
    print(model.headline)
    print(model.certificate)
    el.plots.images(model).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
