"""caveats: what limits the answer, in one list, the most consequential first."""

from __future__ import annotations

from eigenlens.digest.digest import Digest

__all__ = ["list_caveats", "mixed_components"]


def list_caveats(digest: Digest) -> list[str]:
    """Ordered by how much they change the answer.

    Units decide what the components are. Columns that say the same pull them their way, outlying
    cells turn them. Components that are mixed are read together; order and number of the rows
    matter to how sure all this is.
    """
    return [
        *(digest.sentences("scale") or remarks_of(digest, "spread")),
        *remarks_of(digest, "duplicated", "dependent"),
        *(turned_by_outliers(digest) or heavy_tails(digest)),
        *mixed_components(digest),
        *digest.sentences("data"),
    ]


def remarks_of(digest: Digest, *checks: str) -> list[str]:
    """What the data check says of these, where it asks for attention."""
    lines = digest.checks.lines()
    return [line["remark"] for line in lines if line["check"] in checks and line["look"]]


def heavy_tails(digest: Digest) -> list[str]:
    """Columns with heavy tails, unless the components are known to be the same without them."""
    found = digest.model.choices.get("robust")
    compared = found is not None and found.value in ("agrees", "differs")
    return [] if compared or digest.model.robust is not None else remarks_of(digest, "heavy tails")


def turned_by_outliers(digest: Digest) -> list[str]:
    """Where the comparison with a robust fit found more than chance."""
    found = digest.model.choices.get("robust")
    if found is None or not found.evidence.get("differs"):
        return []
    return [f"{found.reason[:1].upper()}{found.reason[1:]}."]


def mixed_components(digest: Digest) -> list[str]:
    """Components that another sample would mix, in one sentence however many they are."""
    found = digest.about("degeneracy")
    if len(found) < 2:
        return [one.sentence for one in found]
    runs: list[list[int]] = []
    for first, second in (one.components for one in found):
        if runs and runs[-1][1] == first:
            runs[-1][1] = second
        else:
            runs.append([first, second])
    names = [f"PC{first} {'and' if last == first + 1 else 'to'} PC{last}" for first, last in runs]
    subject = names[0] if len(names) == 1 else f"some components ({'; '.join(names)})"
    angles = [one.number for one in found]
    return [
        f"With {digest.source.shape[0]:,} rows, {subject} cannot be separated reliably: another "
        f"sample would turn them by {min(angles):.0f}° to {max(angles):.0f}°. Read them together."
    ]
