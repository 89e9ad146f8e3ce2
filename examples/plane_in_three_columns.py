"""A plane through a cloud of rows in three columns.

    python examples/plane_in_three_columns.py plane_in_three_columns.png

Two components span the plane that lies nearest to the rows. The orange lines are what it leaves
out.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "plane_in_three_columns.png") -> None:
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((80, 2)) @ [[3, 1, 1], [0, 2, -1]]
    rows += 0.4 * rng.standard_normal((80, 3))
    model = el.fit(rows, 2)
    print(model)
    el.plots.projection(model, rows).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
