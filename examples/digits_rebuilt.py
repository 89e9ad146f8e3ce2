"""Digits from 1, 5 and 20 of 64 numbers.

    python examples/digits_rebuilt.py digits_rebuilt.png

Each line is what so many components give back. PCA is a lossy compression with the smallest
squared error.
"""

import sys

import matplotlib
from sklearn.datasets import load_digits

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "digits_rebuilt.png") -> None:
    digits = load_digits().images
    model = el.fit(digits, 20)
    ax = el.plots.rebuilt(model, digits, k=(1, 5, 20), rows=8)
    print(el.plots.data(ax))
    ax.figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
