"""The mean and the components of handwritten digits, as pictures.

    python examples/digits_as_pictures.py digits_as_pictures.png

Pictures go into fit as they are: (n, h, w). Red pixels rise with a score, blue ones fall.
"""

import sys

import matplotlib
from sklearn.datasets import load_digits

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "digits_as_pictures.png") -> None:
    model = el.fit(load_digits().images, 11)
    print(model.headline, "shape of a picture", model.column_shape)
    el.plots.images(model).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
