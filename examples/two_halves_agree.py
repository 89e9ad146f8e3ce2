"""Do two halves of the rows give the same components?

    python examples/two_halves_agree.py two_halves_agree.png

The angles between two subspaces say how far they agree: near 0 the same direction, near 90
degrees none in common.
"""

import sys

import matplotlib
import numpy as np
from sklearn.datasets import load_wine

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "two_halves_agree.png") -> None:
    rows = load_wine().data
    order = np.random.default_rng(0).permutation(len(rows))
    halves = [el.fit(rows[part], 5, scale="std") for part in (order[:89], order[89:])]
    print(el.explain.compare(*halves))
    cosines = np.linalg.svd(halves[0].components @ halves[1].components.T)[1]
    figure, ax = plt.subplots(figsize=(6, 3.8), layout="constrained")
    ax.bar(range(1, 6), np.degrees(np.arccos(np.clip(cosines, 0, 1))), color="#0072B2")
    ax.set(xlabel="principal angle", ylabel="degrees", title="Two halves of the wines")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
