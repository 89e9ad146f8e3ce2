"""Components turned so that each speaks of few columns.

    python examples/rotated_components.py rotated_components.png

Varimax keeps the subspace and turns its axes until every column belongs to one of them as far as
possible. Left the loadings of the components, right those of the rotated ones.
"""

import sys

import matplotlib
import numpy as np
from sklearn.datasets import load_wine

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "rotated_components.png") -> None:
    model = el.fit(load_wine(as_frame=True).data, 3, scale="std")
    rotation = el.explain.rotate(model, "varimax")
    print(rotation)
    before = model.components.T * np.sqrt(model.eigenvalues)
    figure, axes = plt.subplots(1, 2, figsize=(8, 4.8), sharey=True, layout="constrained")
    for ax, loadings, head in zip(axes, (before, rotation.loadings), ("PC", "RC"), strict=True):
        shown = ax.imshow(loadings, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
        ax.set_xticks(range(3), [f"{head}{place}" for place in (1, 2, 3)])
    axes[0].set_yticks(range(model.n_features), model.feature_names)
    figure.colorbar(shown, ax=axes, label="loading")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
