"""Two circles: no line parts them, one component of an rbf kernel does.

    python examples/two_circles.py two_circles.png

Left, the rows, each ring in its own color, over what the model sees of the plane: the first
component as a landscape. Right, the same rows by their scores. Below, what was proven.
"""

import sys

import matplotlib
import numpy as np
from sklearn.datasets import make_circles

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt

COLORS, SHAPES = ("#0072B2", "#D55E00"), ("o", "s")


def main(path: str = "two_circles.png") -> None:
    rows, ring = make_circles(1000, factor=0.3, noise=0.05, random_state=0)
    kpca = el.KernelPCA(2, kernel="rbf", gamma=2.0, n_landmarks=80).fit(rows)
    scores = kpca.transform(rows)
    print(kpca.model_)

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 5.2), layout="constrained")
    side = np.linspace(-1.4, 1.4, 160)
    plane = np.stack(np.meshgrid(side, side), axis=-1)
    height = kpca.transform(plane.reshape(-1, 2))[:, 0].reshape(160, 160)
    left.contourf(side, side, height, levels=14, cmap="cividis", alpha=0.55)
    left.contour(side, side, height, levels=14, colors="white", linewidths=0.5)
    for part in (0, 1):
        mine = ring == part
        style = {"c": COLORS[part], "marker": SHAPES[part], "s": 9, "linewidths": 0}
        name = ("outer ring", "inner ring")[part]
        left.scatter(*rows[mine].T, **style, label=name)
        right.scatter(*scores[mine].T, **style, label=name)
    left.set(title="Rows, and the first component as a landscape", aspect="equal")
    left.set(xlim=(-1.4, 1.4), ylim=(-1.4, 1.4))
    shares = kpca.explained_variance_ratio_
    right.set(xlabel=f"PC1 ({shares[0]:.0%})", ylabel=f"PC2 ({shares[1]:.0%})")
    right.set_title("Scores: one number parts the rings")
    right.legend(frameon=False, loc="center")
    low, high = kpca.certificate_.captured_ratio_bounds
    figure.supxlabel(
        f"80 landmarks among 1000 rows; the two components are proven to capture {low:.5%} to "
        f"{high:.5%} of the variance",
        fontsize=9,
    )
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
