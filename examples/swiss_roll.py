"""The Swiss roll, 20 000 rows: where on the roll is a row? Ask a straight line through scores.

    python examples/swiss_roll.py swiss_roll.png

Color is the position along the roll, which no method was told. Left, the roll from its side; in the
middle, two components of an rbf kernel seen from landmarks: no unrolled sheet, that is not what
kernel PCA makes, but the windings are apart. Right, how well least squares on the leading scores
tell the position of rows that were left out: flat components, of which there are three, cannot.
"""

import sys

import matplotlib
import numpy as np
from sklearn.datasets import make_swiss_roll

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt

COUNTS = (1, 2, 3, 5, 8, 12, 20, 30, 45, 60)
LANDMARKS = 400


def main(path: str = "swiss_roll.png") -> None:
    rows, position = make_swiss_roll(20_000, noise=0.2, random_state=0)
    print(el.flatness(rows))
    linear = el.fit(rows, 3).project(rows)
    seen = {
        kernel: el.KernelPCA(60, kernel=kernel, gamma="median", n_landmarks=LANDMARKS).fit(rows)
        for kernel in ("rbf", "exponential")
    }
    print(seen["rbf"].model_.truncate(2))

    figure, (side, plane, curve) = plt.subplots(1, 3, figsize=(13.5, 4.6), layout="constrained")
    shown, colors = slice(None, None, 4), {"cmap": "cividis", "s": 4, "linewidths": 0}
    side.scatter(rows[shown, 0], rows[shown, 2], c=position[shown], **colors)
    side.set(title="The roll, from its side", aspect="equal")
    scores = {kernel: kpca.transform(rows) for kernel, kpca in seen.items()}
    points = plane.scatter(*scores["rbf"][shown, :2].T, c=position[shown], **colors)
    shares = seen["rbf"].explained_variance_ratio_
    plane.set(xlabel=f"PC1 ({shares[0]:.0%})", ylabel=f"PC2 ({shares[1]:.0%})")
    plane.set_title(f"rbf kernel, {len(seen['rbf'].landmarks_)} landmarks")
    figure.colorbar(points, ax=plane, label="position along the roll")
    draw_curves(curve, {"linear PCA": linear, **scores}, position)
    figure.savefig(path, dpi=110)


def draw_curves(ax, scores, position) -> None:
    styles = zip(("#000000", "#0072B2", "#D55E00"), ("D", "o", "s"), strict=True)
    for (name, found), (color, marker) in zip(scores.items(), styles, strict=True):
        counts = [k for k in COUNTS if k <= found.shape[1]]
        told = [told_by_a_line(found[:, :k], position) for k in counts]
        ax.plot(counts, told, color=color, marker=marker, markersize=4, label=name)
        print(name, dict(zip(counts, np.round(told, 3).tolist(), strict=True)))
    ax.set(xscale="log", xlabel="components", ylim=(0, 1.02), title="Position told by a line")
    ax.set_xticks((1, 3, 10, 30, 60), labels=("1", "3", "10", "30", "60"), minor=False)
    ax.set_ylabel("share of its variance, rows left out")
    ax.legend(frameon=False)


def told_by_a_line(scores, position) -> float:
    """R squared of least squares on every other row, for the others."""
    table = np.column_stack([np.ones(len(scores)), scores])
    fitted = np.linalg.lstsq(table[::2], position[::2])[0]
    missed = np.square(position[1::2] - table[1::2] @ fitted).mean()
    return 1 - missed / position[1::2].var()


if __name__ == "__main__":
    main(*sys.argv[1:])
