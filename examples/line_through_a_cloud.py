"""The first component and the regression line are two different lines.

    python examples/line_through_a_cloud.py line_through_a_cloud.png

PCA minimizes the distances at right angles to the line; regression minimizes those along the
vertical axis. Both lines pass through the mean.
"""

import sys

import matplotlib
import numpy as np
from sklearn.datasets import load_iris

import eigenlens as el

matplotlib.use("Agg")


def main(path: str = "line_through_a_cloud.png") -> None:
    iris = load_iris(as_frame=True).data
    rows = iris[["sepal length (cm)", "petal length (cm)"]].sample(40, random_state=1)
    model = el.fit(rows, 1)
    slope = model.components[0, 1] / model.components[0, 0]
    regression = np.polyfit(*rows.to_numpy().T, 1)[0]
    print(f"slope of the first component {slope:.2f}, of the regression {regression:.2f}")
    print(f"sum of squared distances to the component {model.certificate.reconstruction_error:.3f}")
    el.plots.projection(model, rows).figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
