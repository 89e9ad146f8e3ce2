"""Pictures of one rotating object: one degree of freedom, on a curve.

    python examples/rotating_object.py rotating_object.png

A rod is seen under 360 angles. The pictures lie on a closed curve: their dimension is one, but
flat components need many numbers. Two components of a kernel put the angle on a circle.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "rotating_object.png") -> None:
    angles = np.linspace(0, np.pi, 240, endpoint=False)
    x, y = np.meshgrid(np.linspace(-1, 1, 24), np.linspace(-1, 1, 24))
    across = np.sin(angles)[:, None, None] * x - np.cos(angles)[:, None, None] * y
    views = np.exp(-((across / 0.15) ** 2)) * (x**2 + y**2 < 0.9)
    flat = el.fit(views, 0.95)
    dimension = el.intrinsic_dimension(views)
    print(f"components for 95 % of the variance: {flat.n_components}")
    print(f"intrinsic dimension: {dimension.value:.2f}; flatness: {el.flatness(views).value}")
    kernel = el.KernelPCA(2, kernel="rbf", gamma=0.01).fit(views.reshape(240, -1))
    scores = kernel.transform(views.reshape(240, -1))
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
    left.imshow(np.hstack(views[::48]), cmap="gray")
    left.set(title="five of 240 views")
    left.axis("off")
    points = right.scatter(*scores.T, c=np.degrees(angles), cmap="twilight", s=14)
    right.set(aspect="equal", xlabel="kernel PC1", ylabel="kernel PC2", title="the angle, found")
    figure.colorbar(points, ax=right, label="angle of the rod")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
