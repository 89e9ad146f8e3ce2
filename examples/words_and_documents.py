"""Topics of documents: a sparse table that is never filled.

    python examples/words_and_documents.py words_and_documents.png

Counts of 2000 words in 1500 drawn documents, nearly all zero. The raw second moments
(center=False) are what information retrieval uses.
"""

import sys

import matplotlib
import numpy as np
from scipy import sparse

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "words_and_documents.png") -> None:
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.full(2000, 0.02), 4)
    mixture = rng.dirichlet(np.full(4, 0.1), 1500)
    counts = sparse.csr_array(rng.poisson(60 * mixture @ topics).astype(float))
    model = el.fit(counts, 4, center=False)
    print(f"{counts.nnz / np.prod(counts.shape):.1%} of the entries are not zero")
    print(model)
    scores = model.project(counts)
    figure, ax = plt.subplots(figsize=(6, 4.6), layout="constrained")
    points = ax.scatter(scores[:, 1], scores[:, 2], c=mixture.argmax(axis=1), cmap="tab10", s=8)
    ax.legend(*points.legend_elements(), title="topic", frameon=False)
    ax.set(xlabel="PC2", ylabel="PC3")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
