"""Noise is left behind with the components that are not kept.

    python examples/denoising_digits.py denoising_digits.png

Noisy digits are projected on as many components as the rule "screenot" keeps, and given back. The
error falls by more than half.
"""

import sys

import matplotlib
import numpy as np
from sklearn.datasets import load_digits

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "denoising_digits.png") -> None:
    digits = load_digits().data
    noisy = digits + 4 * np.random.default_rng(0).standard_normal(digits.shape)
    model = el.fit(noisy, "screenot")
    clean = model.reconstruct(model.project(noisy))
    before, after = (np.sqrt(np.mean((one - digits) ** 2)) for one in (noisy, clean))
    print(f"{model.n_components} components kept: {model.choices['k'].reason}")
    print(f"error of a pixel {before:.2f} before, {after:.2f} after")
    lines = [one[:8].reshape(8, 8, 8) for one in (digits, noisy, clean)]
    figure, ax = plt.subplots(figsize=(8, 3.4), layout="constrained")
    ax.imshow(np.vstack([np.hstack(line) for line in lines]), cmap="gray", vmin=0, vmax=16)
    ax.set_yticks([3.5, 11.5, 19.5], ["digits", "with noise", "denoised"])
    ax.set_xticks([])
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
