"""No gap: any number of components would be arbitrary.

    python examples/eigenvalues_without_a_gap.py eigenvalues_without_a_gap.png

The eigenvalues fall evenly. The rule "gap" says that there is none, and the share of variance is
the only answer left.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "eigenvalues_without_a_gap.png") -> None:
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, 30)) * np.linspace(3, 1, 30)
    model = el.fit(rows, 30)
    report = el.choose_rank(rows)
    print("gap:", report.rules["gap"].reason)
    print("components for 95 % of the variance:", el.fit(rows, 0.95).n_components)
    el.plots.scree(model, log=True).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
