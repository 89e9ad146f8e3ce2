"""The worked 2 x 2 matrices of the lecture notes.

    python examples/two_by_two_matrices.py two_by_two_matrices.png

A covariance matrix stretches the unit circle into an ellipse. Its axes are the components, their
half lengths the eigenvalues.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "two_by_two_matrices.png") -> None:
    matrices = {
        "A": np.array([[2.0, -1.0], [-1.0, 2.0]]),
        "C": np.array([[1.0, 0.9], [0.9, 1.05]]),
    }
    turn = np.linspace(0, 2 * np.pi, 200)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.6), layout="constrained")
    for ax, (name, matrix) in zip(axes, matrices.items(), strict=True):
        model = el.fit_covariance(matrix, 2)
        values = model.eigenvalues
        squares = float((values**2).sum())
        print(f"{name}: eigenvalues {values.round(4).tolist()}, sum of their squares {squares:.4f}")
        ax.plot(*circle, color="0.7", label="unit circle")
        ax.plot(*(matrix @ circle), color="#0072B2", label=f"{name} times the circle")
        for value, vector in zip(values, model.components, strict=True):
            arrow = {"arrowstyle": "->", "color": "#D55E00"}
            ax.annotate("", value * vector, (0, 0), arrowprops=arrow)
            ax.text(*(1.08 * value * vector), f"{value:.4g}", color="#D55E00")
        ax.set(aspect="equal", title=f"{name} = {matrix.tolist()}")
        ax.legend(frameon=False, loc="lower right")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
