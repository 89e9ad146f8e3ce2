"""Power, orthogonal and Krylov iteration on the same digits.

    python examples/iterations_compared.py iterations_compared.png

All three multiply by the covariance matrix. Krylov iteration keeps what it has seen and needs a
fraction of the products.
"""

import sys

import matplotlib
from sklearn.datasets import load_digits

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "iterations_compared.png") -> None:
    rows = load_digits().data
    names = ("power", "orthogonal", "krylov")
    tables = [el.solvers.watch(rows, name, passes=40) for name in names]
    for name, table in zip(names, tables, strict=True):
        print(f"{name}: angle {table['angle'][-1]:.1e} after {table['pass'][-1]} products")
    ax = el.plots.convergence(*tables, labels=names)
    ax.figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
