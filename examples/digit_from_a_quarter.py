"""Handwritten digits from a quarter of their pixels, by a fixed basis and by a learned one.

    python examples/digit_from_a_quarter.py [picture.png]

Sixteen of sixty-four pixels are seen. Cosines know that pictures are smooth; the components of
other people's digits know what digits look like, and guess the rest far better. Needs the extra
`plots`.
"""

import sys

import numpy as np
from sklearn.datasets import load_digits

import eigenlens as el

KEPT, SHAPE = 16, (8, 8)
SHOWN = 8


def main(path):
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.data))
    known, new = digits.data[order[:1500]], digits.data[order[1500:1540]]

    print(el.sensing.compressibility(digits.images, "dct"))
    bases = {
        "cosines": el.sensing.basis("dct", SHAPE),
        "components of other digits": el.sensing.basis(el.fit(known, k=60), SHAPE),
    }
    found = {name: recovered(new, basis) for name, basis in bases.items()}
    plain = np.square(new - known.mean(axis=0)).sum(axis=1).mean()
    for name, images in found.items():
        error = np.square(images - new).sum(axis=1).mean()
        print(f"{name}: {error / plain:.0%} of the error of the average digit")
    seen = np.array([pixels(row, number) for number, row in enumerate(new[:SHOWN])])
    draw(path, {"digits": new, "a quarter of the pixels": seen, **found})
    print(f"wrote {path}")


def camera(number):
    """Which pixels are seen differs from digit to digit."""
    return el.sensing.measurement("pixels", KEPT, SHAPE, seed=number)


def recovered(rows, basis):
    signals = []
    for number, row in enumerate(rows):
        A = camera(number)
        signals.append(el.sensing.recover(A, A @ row, basis).signal.ravel())
    return np.array(signals)


def pixels(row, number):
    A = camera(number)
    seen = A.T @ np.ones(KEPT) > 0
    return np.where(seen, row, np.nan)


def draw(path, lines):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.05 * SHOWN + 1.6, 1.15 * len(lines)), layout="constrained")
    axes = figure.subplots(len(lines), SHOWN)
    for line, (name, rows) in zip(axes, lines.items(), strict=True):
        for ax, row in zip(line, rows, strict=False):
            ax.imshow(row.reshape(SHAPE), cmap="gray_r", vmin=0, vmax=16)
            ax.set(xticks=[], yticks=[], facecolor="#DCE6F2")
        line[0].set_ylabel(name.replace(" of ", "\nof "), rotation=0, ha="right", va="center")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "digit_from_a_quarter.png")
