"""Forged model files: a true one taken apart, changed, and sealed again as if nothing had happened.

Written without the package's own writer, so that a mistake there is not repeated here.
"""

import copy
import hashlib
import io
import json
import zipfile
from dataclasses import dataclass, replace

import numpy as np

import eigenlens as el

__all__ = ["Forge", "array_of", "forged", "member_of", "sealed", "taken_apart", "true_model"]

SEAL = b"eigenlens-model/1 sha256:"


def true_model():
    """Small, with all that a file may hold: names, scale, scatter, evidence of every sort."""
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((40, 6)) * [9, 5, 3, 1, 1, 1] + 2
    model = el.fit(named(rows), 3, scale="std", solver="covariance")
    evidence = {"curve": np.array([1.0, np.nan]), "pair": (1, -0.0), "nested": {"a": [None, True]}}
    odd = el.Verdict(2, "test", "a rule", evidence, low=1, high=float("inf"))
    return replace(model, choices={**model.choices, "odd": odd})


def named(rows):
    import pandas as pd

    return pd.DataFrame(rows, columns=[f"column {letter}" for letter in "abcdeé"])


@dataclass
class Forge:
    """The parts of a file: the record as JSON has it, and the bytes of every other member."""

    record: dict
    members: dict

    def copy(self):
        return Forge(copy.deepcopy(self.record), dict(self.members))

    def with_array(self, name, array):
        """Another array under that name, declared and hashed as it should be."""
        raw = member_of(array)
        self.members[f"{name}.npy"] = raw
        self.record["arrays"][name] = {
            "dtype": array.dtype.newbyteorder("<").str,
            "shape": list(array.shape),
            "fortran_order": bool(array.flags.f_contiguous and not array.flags.c_contiguous),
            "sha256": hashlib.sha256(raw).hexdigest(),
        }
        return self

    def bytes(self, text=None, method=zipfile.ZIP_STORED):
        text = json.dumps(self.record).encode() if text is None else text
        return forged({"model.json": text, **self.members}, method)


def taken_apart(raw):
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return Forge(json.loads(members.pop("model.json")), members)


def array_of(forge, name):
    entry = forge.record["arrays"][name]
    raw = forge.members[f"{name}.npy"]
    count = int(np.prod(entry["shape"]))
    order = "F" if entry["fortran_order"] else "C"
    flat = np.frombuffer(raw[-8 * count :], entry["dtype"]) if count else np.zeros(0)
    return flat.reshape(entry["shape"], order=order).copy(order="K")


def member_of(array):
    """As numpy writes it, with the header padded as ours is."""
    fortran = bool(array.flags.f_contiguous and not array.flags.c_contiguous)
    text = f"{{'descr': {array.dtype.str!r}, 'fortran_order': {fortran}, 'shape': {array.shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    head = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()
    return head + array.tobytes(order="A")


def forged(members, method=zipfile.ZIP_STORED):
    """A sealed zip of these members: a dict, or pairs where a name may come twice."""
    pairs = members.items() if isinstance(members, dict) else members
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, raw in pairs:
            archive.writestr(zipfile.ZipInfo(name), raw, compress_type=method)
        archive.comment = SEAL + b"0" * 64
    return sealed(file.getvalue())


def sealed(raw):
    """The same bytes under a seal that is true again."""
    return raw[:-64] + hashlib.sha256(raw[:-64]).hexdigest().encode()
