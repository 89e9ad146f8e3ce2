"""Power iteration from a start without any part along the first component.

    python examples/start_at_a_right_angle.py start_at_a_right_angle.png

In exact arithmetic it would never find the first component. Rounding brings it in: the iteration
stays near the second eigenvalue, then leaves it.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "start_at_a_right_angle.png") -> None:
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(rng.standard_normal((5, 5)))[0]
    matrix = (basis * [4.0, 2.0, 1.0, 0.5, 0.2]) @ basis.T
    table = el.solvers.watch(matrix, "power", passes=110, start=basis[:, 1] + basis[:, 2])
    print("eigenvalue after 20 passes", round(table["eigenvalue"][19], 4))
    print("eigenvalue after the last", round(table["eigenvalue"][-1], 4))
    ax = el.plots.convergence(table)
    ax.figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
