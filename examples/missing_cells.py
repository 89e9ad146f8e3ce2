"""A fifth of the cells is missing, and the components are found all the same.

    python examples/missing_cells.py missing_cells.png

Missing cells are estimated together with the covariance matrix. The filled cells are drawn
against what they were.
"""

import sys

import matplotlib
import numpy as np
from sklearn.datasets import load_wine

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "missing_cells.png") -> None:
    wine = load_wine(as_frame=True).data
    standardized = (wine - wine.mean()) / wine.std()
    holes = np.random.default_rng(0).random(wine.shape) < 0.2
    seen = standardized.mask(holes)
    model = el.fit(seen, 3, missing="auto")
    print(model.choices["missing"].reason)
    filled, errors = model.complete(seen, errors=True)
    truth, guess = standardized.to_numpy()[holes], np.asarray(filled)[holes]
    within = np.abs(truth - guess) <= 1.96 * np.asarray(errors)[holes]
    print(f"correlation with the truth {np.corrcoef(truth, guess)[0, 1]:.2f}")
    print(f"{within.mean():.1%} of the cells lie within their 95 % interval")
    figure, ax = plt.subplots(figsize=(5.2, 5), layout="constrained")
    ax.errorbar(truth, guess, 1.96 * np.asarray(errors)[holes], fmt="o", ms=3, lw=0.4, alpha=0.5)
    ax.axline((0, 0), slope=1, color="0.4", lw=1)
    ax.set(xlabel="what the cell was", ylabel="what is expected of it", aspect="equal")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
