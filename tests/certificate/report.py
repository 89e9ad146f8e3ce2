"""How tight certificates are: python -m tests.certificate.report [trials [processes]]."""

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from tests.certificate.trial import nth_trial, run

SHARE = 50  # trials handed to a process at a time


def outcome(index):
    """(whether a statement is false, kind of certificate, bounds over true errors)"""
    violated, model, ratios = run(nth_trial(index, seed=1))
    return bool(violated), model.certificate.kind, list(ratios)


def main(count, processes):
    with ProcessPoolExecutor(processes) as pool:
        outcomes = list(pool.map(outcome, range(count), chunksize=SHARE))
    false, kinds, ratios = zip(*outcomes, strict=True)
    found = np.concatenate(ratios)
    low, middle, high = np.quantile(found, [0.25, 0.5, 0.75])
    where = [index for index, violated in enumerate(false) if violated]
    text = [f"{count} problems, {len(where)} with a statement that does not hold: {where[:20]}"]
    text.append(f"kinds {dict(Counter(kinds))}")
    text.append(
        f"eigenvalue bound over true error: median {middle:.3g}, quartiles {low:.3g}, {high:.3g} "
        f"({len(found)} eigenvalues with a visible error)"
    )
    sys.stdout.write("\n".join([*text, ""]))


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    main(*[*given, *(2000, 1)[len(given) :]])
