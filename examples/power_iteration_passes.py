"""How many passes power iteration takes, beside theory.

    python examples/power_iteration_passes.py power_iteration_passes.png

The tangent of the angle to the first component falls by the ratio of the first two eigenvalues
with every product. A ratio of 0.99 takes about seventy times the passes of 0.5.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "power_iteration_passes.png") -> None:
    ratios, angle = (0.1, 0.5, 0.9, 0.99), 1e-6
    figure, ax = plt.subplots(figsize=(7.2, 4.6), layout="constrained")
    for place, ratio in enumerate(ratios):
        table = el.solvers.watch(np.diag([1.0, ratio]), "power", passes=1500, start=[1, 1])
        angles = np.array(table["angle"])
        found = int(np.argmax(angles < angle)) if (angles < angle).any() else len(angles)
        theory = np.log(angle / np.tan(angles[0])) / np.log(ratio)
        print(f"ratio {ratio}: {found} passes to an angle of {angle:g}, theory {theory:.1f}")
        color = f"C{place}"
        ax.semilogy(table["pass"], angles, "o", ms=3, color=color, label=f"ratio {ratio}")
        ax.semilogy(table["pass"], table["predicted_angle"], "--", lw=1, color=color)
    ax.plot([], [], "k--", lw=1, label="theory")
    ax.set(xlim=(0, 120), ylim=(1e-9, 2), xlabel="products with the matrix")
    ax.set(ylabel="angle to the first component", title="Power iteration")
    ax.legend(frameon=False)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
