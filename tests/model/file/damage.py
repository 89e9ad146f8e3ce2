"""Model files damaged as files: bytes changed, cut off, and zips that are not what they say.

Each family yields (what was done, the bytes of the file). Where the seal is left alone the damage
is blind; where the file is sealed again somebody meant it.
"""

import json
import struct
import warnings
import zipfile

from tests.model.file.forge import forged, sealed

__all__ = ["DAMAGE"]


# -- blind damage ------------------------------------------------------------------------------


def flipped_bits(raw, forge, rng):
    for place in rng.choice(len(raw), 300, replace=False):
        bit = int(rng.integers(8))
        yield f"bit {bit} of byte {place}", swapped(raw, place, raw[place] ^ (1 << bit))


def replaced_bytes(raw, forge, rng):
    for place in rng.choice(len(raw), 100, replace=False):
        yield f"byte {place}", swapped(raw, place, raw[place] ^ int(rng.integers(1, 256)))


def cut_off(raw, forge, rng):
    for length in [0, 1, 4, 21, 22, 30, 100, len(raw) - 1, len(raw) - 64, len(raw) - 90]:
        yield f"first {length} bytes", raw[:length]
    for length in rng.choice(len(raw), 50, replace=False):
        yield f"first {length} bytes", raw[:length]
        yield f"last {length} bytes", raw[-int(length) - 1 :]


def moved(raw, forge, rng):
    for place in rng.choice(len(raw), 20, replace=False):
        yield f"a byte more at {place}", raw[:place] + b"x" + raw[place:]
        yield f"a byte less at {place}", raw[:place] + raw[place + 1 :]
        yield f"64 zeros at {place}", raw[:place] + bytes(64) + raw[place + 64 :]
    yield "twice", raw + raw[:-1]
    yield "something behind", raw + b"\n"
    yield "something before", b"#!/bin/sh\n" + raw


def swapped(raw, place, byte):
    return raw[:place] + bytes([byte]) + raw[place + 1 :]


# -- the zip -----------------------------------------------------------------------------------


def odd_names(raw, forge, rng):
    names = [
        "../mean.npy", "../../../../tmp/mean.npy", "/etc/mean.npy", "a/mean.npy", "a\\mean.npy",
        "C:\\mean.npy", "mean.npy/", "MEAN.NPY", ".npy", "mean .npy", "mean.pkl", "mean.npy\n",
        "model.json/", "./model.json", "m" * 300 + ".npy", "mé.npy", "mean.npy.npy", "__init__.py",
    ]  # fmt: skip
    members = {"model.json": json.dumps(forge.record).encode(), **forge.members}
    for name in names:
        yield f"a member {name[:20]!r} more", forged({**members, name: b""})
        renamed = {name if key == "mean.npy" else key: held for key, held in members.items()}
        yield f"mean.npy called {name[:20]!r}", forged(renamed)


def odd_members(raw, forge, rng):
    members = {"model.json": json.dumps(forge.record).encode(), **forge.members}
    pairs = list(members.items())
    yield "no member", forged({})
    yield "only the record", forged({"model.json": members["model.json"]})
    for name, held in pairs:
        with_twice = [*pairs, (name, held)]
        yield f"{name} twice", forged_with_duplicates(with_twice)
        yield f"no {name}", forged({key: one for key, one in pairs if key != name})
        yield f"{name} is empty", forged({**members, name: b""})
        yield f"{name} is longer", forged({**members, name: held + b"x"})
        yield f"{name} is shorter", forged({**members, name: held[:-1]})
    yield "5000 members", forged({**members, **{f"more{n}.npy": b"" for n in range(5000)}})


def forged_with_duplicates(pairs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # zipfile says that a name comes twice
        return forged(pairs)


def packed(raw, forge, rng):
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        yield f"packed by method {method}", forge.bytes(method=method)
    for name in ("model.json", "components.npy", "more.npy"):
        bomb = dict(forge.members, **{"model.json": json.dumps(forge.record).encode()})
        bomb[name] = bytes(60 << 20)
        yield f"a bomb as {name}", forged(bomb, zipfile.ZIP_DEFLATED)
    members = {"model.json": json.dumps(forge.record).encode(), **forge.members}
    inner = forged(members)
    yield "a file within a file", forged({"model.json": members["model.json"], "a.npy": inner})


def lying_headers(raw, forge, rng):
    """Each number of the central directory and of the end made huge, zero, or one more."""
    start = raw.index(b"PK\x01\x02")
    for member in range(3):
        for offset, width in (
            (8, 2),
            (10, 2),
            (20, 4),
            (24, 4),
            (28, 2),
            (30, 2),
            (32, 2),
            (42, 4),
        ):
            for value in (2 ** (8 * width) - 1, 2 ** (8 * width - 1), 1):
                yield (
                    f"directory {member}, byte {offset}: {value}",
                    sealed(patched(raw, start + offset, width, value)),
                )
        start = raw.index(b"PK\x01\x02", start + 4)
    end = raw.rindex(b"PK\x05\x06")
    for offset, width in ((4, 2), (8, 2), (10, 2), (12, 4), (16, 4), (20, 2)):
        for value in (2 ** (8 * width) - 1, 2 ** (8 * width - 1), 0):
            if value != int.from_bytes(raw[end + offset : end + offset + width], "little"):
                yield (
                    f"end, byte {offset}: {value}",
                    sealed(patched(raw, end + offset, width, value)),
                )


def overlaps(raw, forge, rng):
    """Two members that begin at the same place: small files that read as large ones."""
    second = raw.index(b"PK\x01\x02", raw.index(b"PK\x01\x02") + 4)
    third = raw.index(b"PK\x01\x02", second + 4)
    place = raw[second + 42 : second + 46]
    yield "two members at one place", sealed(raw[: third + 42] + place + raw[third + 46 :])


def large_ends(raw, forge, rng):
    """The record that zips above 4 GB have, with numbers of its own."""
    end = raw.rindex(b"PK\x05\x06")
    _, _, _, _, count, size, start, _ = struct.unpack("<4s4H2LH", raw[end : end + 22])
    for name, numbers in {
        "count": (1 << 40, 1 << 40, size, start),
        "size": (count, count, 1 << 40, start),
        "start": (count, count, size, 1 << 40),
        "negative": (count, count, size, (1 << 64) - 1),
    }.items():
        large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, *numbers)
        signpost = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
        yield f"a large end with another {name}", sealed(raw[:end] + large + signpost + raw[end:])


def patched(raw, place, width, value):
    return raw[:place] + value.to_bytes(width, "little") + raw[place + width :]


DAMAGE = (
    flipped_bits, replaced_bytes, cut_off, moved, odd_names, odd_members, packed, lying_headers,
    overlaps, large_ends,
)  # fmt: skip
