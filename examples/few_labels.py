"""Twenty labels, many rows without: do components help?

    python examples/few_labels.py few_labels.png

Components are learned from all rows, the classifier from twenty. The gain is judged on rows held
out, again and again, with an interval.
"""

import sys

import matplotlib
from sklearn.datasets import load_breast_cancer

import eigenlens as el

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def main(path: str = "few_labels.png") -> None:
    rows, diagnosis = load_breast_cancer(return_X_y=True)
    report = el.explain.downstream(rows, diagnosis, k=(2, 5), labels=20, splits=8)
    print(report)
    lines = [line for line in report.table().lines() if line["gain"] is not None]
    figure, ax = plt.subplots(figsize=(7.6, 3.8), layout="constrained")
    for place, line in enumerate(lines):
        reach = [[line["gain"] - line["low"]], [line["high"] - line["gain"]]]
        ax.errorbar(line["gain"], place, xerr=reach, fmt="o", color="#0072B2", capsize=3)
    names = [f"{line['model']}, {line['k']} {line['features']}" for line in lines]
    ax.set_yticks(range(len(lines)), names)
    ax.axvline(0, color="0.5", lw=1)
    ax.set(xlabel="gain in accuracy over the columns themselves")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
