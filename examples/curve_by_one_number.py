"""A curve coded by one number: where PCA has to keep two, and an autoencoder need not.

    python examples/curve_by_one_number.py [picture.png]

The rows (t, t^2, t + t^2) lie in a plane: their covariance has rank 2. They lie on a curve in it:
one number says where on the curve a row is. Needs the extras `torch` and `plots`.
"""

import sys

import numpy as np

import eigenlens as el
from eigenlens.autoencoder import Autoencoder

SEED = 0


def rows_of(t):
    return np.column_stack([t, t**2, t + t**2])


def main(path):
    t = np.random.default_rng(SEED).uniform(-1, 1, 500)
    rows = rows_of(t)

    model = el.fit(rows, k=1)
    coder = Autoencoder(1, hidden=32, random_state=SEED).fit(rows)

    print(coder.flatness_)
    print(coder.gain_)
    lost = coder.residual(rows).sum() / model.residual(rows).sum()
    print(f"the code of one number loses {lost:.1e} of what one component loses")
    draw(path, rows, t, model, coder)
    print(f"wrote {path}")


def draw(path, rows, t, model, coder):
    from matplotlib.figure import Figure

    plane = el.fit(rows, k=2)  # only to look at it
    order = np.argsort(t)
    straight = plane.project(model.reconstruct(model.project(rows)))
    bent = plane.project(coder.inverse_transform(coder.transform(rows)))
    points, code = plane.project(rows), coder.transform(rows)[:, 0]

    figure = Figure(figsize=(9.6, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.scatter(*points.T, s=10, color="#C9CCD1", label="rows")
    left.plot(*straight[order].T, color="#D55E00", lw=2, label="one component")
    left.plot(*bent[order].T, color="#0072B2", lw=2, label="one number, autoencoder")
    left.set(xlabel="PC1", ylabel="PC2", title="What one number gives back")
    left.legend(frameon=False)
    right.scatter(t, code, s=8, color="#0072B2")
    right.set(
        xlabel="t, which the coder never saw", ylabel="its code", title="What the number says"
    )
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "curve_by_one_number.png")
