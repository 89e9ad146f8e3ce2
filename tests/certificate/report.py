"""How tight certificates are: python -m tests.certificate.report [trials]."""

import sys
from collections import Counter

import numpy as np

from tests.certificate.trial import nth_trial, run


def main(count):
    kinds, ratios, wrong = Counter(), [], 0
    for index in range(count):
        violated, model, ratio = run(nth_trial(index, seed=1))
        wrong += bool(violated)
        kinds[model.certificate.kind] += 1
        ratios.extend(ratio)
    low, middle, high = np.quantile(ratios, [0.25, 0.5, 0.75])
    text = [f"{count} problems, {wrong} with a statement that does not hold; kinds {dict(kinds)}"]
    text.append(
        f"eigenvalue bound over true error: median {middle:.3g}, quartiles {low:.3g}, {high:.3g} "
        f"({len(ratios)} eigenvalues with a visible error)"
    )
    sys.stdout.write("\n".join([*text, ""]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
