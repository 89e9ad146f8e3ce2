"""Model files whose arrays were changed by somebody who knows the format, and sealed again.

Each family yields (what was done, the bytes of the file).
"""

import json
import os
import pickle

import numpy as np

from tests.model.file.forge import array_of, forged, member_of

__all__ = ["FORGED_ARRAYS"]


def spoiled_numbers(raw, forge, rng):
    for name in forge.record["arrays"]:
        if name.startswith("value"):
            continue  # evidence may be NaN
        for value in (np.nan, np.inf, -np.inf):
            array = array_of(forge, name)
            array.flat[int(rng.integers(array.size))] = value
            yield f"{value} in {name}", forge.copy().with_array(name, array).bytes()


def wrong_shapes(raw, forge, rng):
    for name in forge.record["arrays"]:
        if name.startswith("value"):
            continue
        array = array_of(forge, name)
        if name == "ritz_coupling":
            continue  # how many rows of zeros it has changes nothing
        for other in (
            array[:-1], array[None], array.ravel()[: array.size - 1], np.float64(1.0) * np.ones(()),
            np.concatenate([array, array]), array.astype(np.float32), array.astype(np.int64),
            array > 0, np.zeros((0, *array.shape[1:])),
        ):  # fmt: skip
            other = np.ascontiguousarray(other) if other.ndim else other
            yield (
                f"{name} as {other.shape} {other.dtype}",
                forge.copy().with_array(name, other).bytes(),
            )


def declared_sizes(raw, forge, rng):
    for shape in (
        [1 << 40, 6], [3, 1 << 60], [2**31, 2**31], [-3, 6], [3, -6], [3], [], [18], [1] * 60,
        [3.0, 6], ["3", 6], [True, 6], [None], 3, None, "3, 6", {"0": 3}, [[3, 6]], [6, 3],
        [0, 1 << 62], [10**30, 6],
    ):  # fmt: skip
        one = forge.copy()
        one.record["arrays"]["components"]["shape"] = shape
        yield f"components declared as {shape}", one.bytes()
    for dtype in (
        "|O",
        "O",
        "<f4",
        ">f8",
        "<c16",
        "|V8",
        "<M8[s]",
        "|S8",
        "<U2",
        "f8",
        "<f80",
        "",
        8,
    ):
        one = forge.copy()
        one.record["arrays"]["components"]["dtype"] = dtype
        yield f"components declared as {dtype!r}", one.bytes()
    for digest in ("", "0" * 64, None, 5, []):
        one = forge.copy()
        one.record["arrays"]["mean"]["sha256"] = digest
        yield f"a hash of {digest!r}", one.bytes()


class Trap:
    """What pickle would build by making a folder."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


def pickled(raw, forge, rng, trap="sprung"):
    payload = pickle.dumps(Trap(trap))
    for protocol in range(5):
        objects = np.array([Trap(trap)], dtype=object)
        head = member_of(np.zeros(1)).replace(b"'<f8'", b"'|O' ")[:-8]
        one = forge.copy()
        one.members["mean.npy"] = head + pickle.dumps(objects, protocol)
        yield f"an array of objects, protocol {protocol}", one.bytes()
        lying = one.copy()
        lying.record["arrays"]["mean"] |= {"dtype": "|O", "shape": [1]}
        yield f"the same, declared, protocol {protocol}", lying.bytes()
    for name in ("mean.npy", "model.json", "data.pkl", "archive/data.pkl"):
        members = {"model.json": json.dumps(forge.record).encode(), **forge.members}
        yield f"a bare pickle as {name}", forged({**members, name: payload})
    yield "a bare pickle", payload
    for text in ("{'descr': '<f8', 'shape': __import__('os').mkdir('sprung')}", "(" * 5000):
        one = forge.copy()
        one.members["mean.npy"] = member_of(np.zeros(1))[:10] + text.encode()
        yield f"a header {text[:20]!r}", one.bytes()


FORGED_ARRAYS = (spoiled_numbers, wrong_shapes, declared_sizes, pickled)
