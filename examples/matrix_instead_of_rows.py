"""A correlation matrix from a paper, and nothing else.

    python examples/matrix_instead_of_rows.py matrix_instead_of_rows.png

Published tables often hold correlations only. With the number of rows, sampling errors and the
rules for k are there too.
"""

import sys

import matplotlib
from sklearn.datasets import load_wine

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "matrix_instead_of_rows.png") -> None:
    wine = load_wine(as_frame=True).data
    published = wine.corr().round(6)
    model = el.fit_covariance(published, "dpa", n_rows=len(wine))
    print(model)
    whole = el.fit_covariance(published, 13, n_rows=len(wine))
    el.plots.scree(whole, k=model.n_components).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
