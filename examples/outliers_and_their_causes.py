"""Which rows are outliers, and which columns are to blame.

    python examples/outliers_and_their_causes.py outliers_and_their_causes.png

T2 looks within the subspace, Q at the distance to it. One number was changed by hand, and it is
found.
"""

import sys

import matplotlib
from sklearn.datasets import load_wine

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "outliers_and_their_causes.png") -> None:
    rows = load_wine(as_frame=True).data.copy()
    rows.loc[7, "ash"] = 9.0
    model = el.fit(rows, 4, scale="std")
    blame = el.explain.contributions(model, rows, 7).to_pandas()
    print(blame.sort_values("Q_contribution").tail(3).to_string(index=False))
    el.plots.outliers(model, rows).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
