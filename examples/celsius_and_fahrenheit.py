"""Two columns that say the same: one of them is free.

    python examples/celsius_and_fahrenheit.py celsius_and_fahrenheit.png

The same temperatures in two units depend on each other exactly. Standardized, they count twice;
the rank says that one column adds nothing.
"""

import sys

import matplotlib
import numpy as np

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "celsius_and_fahrenheit.png") -> None:
    rng = np.random.default_rng(0)
    celsius = 15 + 8 * rng.standard_normal(200)
    humidity = 60 - 0.8 * celsius + 6 * rng.standard_normal(200)
    table = np.column_stack([celsius, 32 + 1.8 * celsius, humidity])
    model = el.fit(table, 3, scale="std")
    print(f"eigenvalues {model.eigenvalues.round(4).tolist()}")
    print(f"rank {model.rank.value} of 3: {model.rank.reason}")
    el.plots.scree(model, log=True).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
