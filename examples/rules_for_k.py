"""Every rule for the number of components, on one table.

    python examples/rules_for_k.py rules_for_k.png

Rules answer different questions: how much to keep for compression, what is detectable, what is
worth keeping under noise.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "rules_for_k.png") -> None:
    rng = np.random.default_rng(0)
    signal = rng.standard_normal((500, 4)) @ (rng.standard_normal((4, 40)) * 2)
    rows = signal + rng.standard_normal((500, 40)) * np.linspace(1, 2, 40)
    report = el.choose_rank(rows)
    print(report.table())
    el.plots.scree(el.fit(rows, 12), rules=report).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
