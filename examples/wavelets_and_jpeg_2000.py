"""A photograph from a twentieth of its numbers.

    python examples/wavelets_and_jpeg_2000.py wavelets_and_jpeg_2000.png

Pictures are sparse in wavelets: JPEG-2000 keeps the largest coefficients. Cosines do nearly as
well, the pixels themselves do not.
"""

import sys

import matplotlib
from sklearn.datasets import load_sample_image

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "wavelets_and_jpeg_2000.png") -> None:
    photograph = load_sample_image("china.jpg")[::2, ::2].astype(float).mean(axis=2)
    figure, axes = plt.subplots(1, 4, figsize=(12, 2.6), layout="constrained")
    axes[0].imshow(photograph, cmap="gray")
    axes[0].set_title("original")
    for ax, name in zip(axes[1:], ("db4", "dct", "identity"), strict=True):
        found = el.sensing.compress(photograph, name, keep=0.05)
        print(found)
        ax.imshow(found.picture, cmap="gray", vmin=0, vmax=255)
        ax.set_title(f"{name}: {found.psnr:.1f} dB")
    for ax in axes:
        ax.axis("off")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
