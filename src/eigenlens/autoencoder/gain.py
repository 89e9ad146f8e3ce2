"""The gain: what the network saves of PCA's error on rows it was not trained on, or *no gain*.

    gain = 1 - sum |x - network(x)|^2 / sum |x - PCA(x)|^2

Both errors are of the same row, so rows are drawn again in pairs (bootstrap, 1000 times, 95 %). PCA
was fitted to all rows, the network never saw these: what favor there is, is PCA's.

Flat rows   a network can fold a sheet through flat noise and save error there too, the more the
            fewer dimensions are left over. Where the rows are not curved, the same network is
            therefore trained on three clouds that are flat by construction and have the same
            spectrum (`geometry/surrogate.py`; of rows of shares, shares whose parts depend on each
            other by the total alone); only what exceeds their gain counts, and what they differ by
            among themselves, the luck of a training, widens the interval. Of a large
            table a part is compared, by a network trained on that part. Where nothing was
            compared, as after Ctrl-C, the reason says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict

__all__ = ["CloudComparison", "HeldOutErrors", "judge_gain"]

BOOTSTRAP_DRAWS = 1000
CONFIDENCE_PERCENT = 95.0
DRAWN_AT_ONCE = 1 << 20
RULE = "held-out rows"


@dataclass(frozen=True, eq=False)
class HeldOutErrors:
    """Squared errors of the rows judged by, one by one."""

    pca: Float64Array
    network: Float64Array

    @property
    def gain(self) -> float:
        total = float(self.pca.sum())
        return 1 - float(self.network.sum()) / total if total > 0 else 0.0

    def redrawn(self, rng: np.random.Generator) -> Float64Array:
        """The gain on rows drawn with replacement, DRAWS times."""
        n = len(self.pca)
        gains = []
        at_once = max(1, DRAWN_AT_ONCE // n)
        for start in range(0, BOOTSTRAP_DRAWS, at_once):
            rows = rng.integers(n, size=(min(at_once, BOOTSTRAP_DRAWS - start), n))
            below = self.pca[rows].sum(axis=1)
            saved = below - self.network[rows].sum(axis=1)
            gains.append(np.divide(saved, below, out=np.zeros(len(below)), where=below > 0))
        return np.concatenate(gains)


@dataclass(frozen=True, eq=False)
class CloudComparison:
    """Errors of a network, and of one like it on each flat cloud; `part`: rows, if not all."""

    errors: HeldOutErrors
    clouds: Sequence[HeldOutErrors]
    part: int | None = None


def percentile_interval(draws: Float64Array) -> tuple[float, float]:
    low, high = np.percentile(draws, [50 - CONFIDENCE_PERCENT / 2, 50 + CONFIDENCE_PERCENT / 2])
    return float(low), float(high)


def judge_gain(
    errors: HeldOutErrors,
    flatness: Verdict | None,
    compared: Callable[[], CloudComparison | str],
    rng: np.random.Generator,
) -> Verdict:
    """`compared` trains on flat clouds, or says why not; it is asked where that matters."""
    draws, gain = errors.redrawn(rng), errors.gain
    low, high = percentile_interval(draws)
    shape = None if flatness is None else str(flatness.value)
    evidence: dict[str, Any] = {
        "rows": len(errors.pca),
        "pca_error": float(errors.pca.mean()),
        "error": float(errors.network.mean()),
        "gain": gain,
        "flatness": shape,
    }
    found = compared() if low > 0 and shape != "curved" else None
    if isinstance(found, str):
        evidence["not_compared"] = found
    if not isinstance(found, CloudComparison):
        return Verdict(gain, RULE, gain_sentence(evidence, low, high), evidence, low, high)
    if found.part is not None:
        gain, draws = found.errors.gain, found.errors.redrawn(rng)
        evidence |= {"part": found.part, "gain_on_part": gain}
    flat = float(np.mean([one.gain for one in found.clouds]))
    evidence["gain_on_flat_clouds"] = flat
    low, high = gain_beyond_clouds(gain - flat, draws, found.clouds, rng)
    return Verdict(gain - flat, RULE, gain_sentence(evidence, low, high), evidence, low, high)


def gain_beyond_clouds(
    value: float, draws: Float64Array, clouds: Sequence[HeldOutErrors], rng: np.random.Generator
) -> tuple[float, float]:
    """An interval around what exceeds the clouds' mean gain: rows redrawn, and other trainings."""
    from scipy.stats import t as student

    low, high = percentile_interval(draws - np.mean([one.redrawn(rng) for one in clouds], axis=0))
    count = len(clouds)
    luck = float(np.std([one.gain for one in clouds], ddof=1)) * np.sqrt(1 + 1 / count)
    reach = float(student.ppf(0.5 + CONFIDENCE_PERCENT / 200, count - 1)) * luck
    return value - float(np.hypot(value - low, reach)), value + float(np.hypot(high - value, reach))


def gain_sentence(evidence: Mapping[str, Any], low: float, high: float) -> str:
    rows, gain, shape = evidence["rows"], evidence["gain"], evidence["flatness"]
    if evidence["pca_error"] == 0:
        return f"no gain: PCA gives all {rows} rows not trained on back exactly"
    said = f"on {rows} rows not trained on the network saves {gain_percent(gain)} of PCA's error"
    flat, part = evidence.get("gain_on_flat_clouds"), evidence.get("part")
    if part is not None:
        said += f", trained on {part} rows alone {gain_percent(evidence['gain_on_part'])}"
    if flat is not None:
        said += f", and {gain_percent(flat)} on clouds that are flat with the same spectrum"
    if low > 0:
        found = f"a gain between {gain_percent(low)} and {gain_percent(high)}"
        why = evidence.get("not_compared")
        doubt = "" if why is None else f"; not compared with what flat clouds give, as {why}"
        return f"{said}: {found}{EXPECTED.get(str(shape), '')}{doubt}"
    ends = f"({gain_percent(low)} to {gain_percent(high)})"
    return f"no gain: {said} {ends}{ADVICE.get(str(shape), '')}"


def gain_percent(share: float) -> str:
    """'36.9%', and '99.9995%' where the digits after nines are what is told."""
    return f"{share:.4%}" if 0.999 < share < 1 else f"{share:.1%}"


EXPECTED = {"curved": ", as the rows are curved"}
ADVICE = {
    "flat": "; the rows are flat, and PCA suits them",
    "mild": "; the rows are hardly curved: PCA will do",
    "curved": "; the rows are curved, though: try more of them, a larger hidden=, or kernel PCA",
}
