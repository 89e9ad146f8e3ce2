"""Model files whose contents were changed by somebody who knows the format, and sealed again.

Each family yields (what was done, the bytes of the file).
"""

import json
import os
import pickle

import numpy as np

from tests.model.file.forge import forged, member_of

__all__ = ["FORGERIES"]

# -- arrays ------------------------------------------------------------------------------------


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


def array_of(forge, name):
    entry = forge.record["arrays"][name]
    raw = forge.members[f"{name}.npy"]
    count = int(np.prod(entry["shape"]))
    order = "F" if entry["fortran_order"] else "C"
    flat = np.frombuffer(raw[-8 * count :], entry["dtype"]) if count else np.zeros(0)
    return flat.reshape(entry["shape"], order=order).copy(order="K")


# -- model.json --------------------------------------------------------------------------------

WRONG = {
    int: ("7", 1.5, None, [], {}, True, -1, 10**19, {"~float": "nan"}),
    float: ("1.5", None, [], {}, True, {"~float": "nan"}, {"~float": "inf"}, 10**400),
    str: (5, None, [], {}, True, "another word"),
    bool: (0, "true", None, [], {}),
    list: (5, "text", {}, True, [[]], [{}]),
    dict: (5, "text", [], None, True),
    type(None): (5, "text", [{}], {}),
}
# What nobody can check: words, and values that may be anything.
FREE = {"provenance", "evidence", "value", "low", "high", "choices"}
ANY_WORD = {"rule", "reason", 0, 1}  # and names of columns


def wrong_types(raw, forge, rng):
    for place in places(forge.record):
        original = found(forge.record, place)
        for value in WRONG[type(original)]:
            if (isinstance(value, str) and place[-1] in ANY_WORD) or same(value, original):
                continue
            one = forge.copy()
            found(one.record, place[:-1])[place[-1]] = value
            yield f"{'.'.join(map(str, place))} = {value!r:.40}", one.bytes()


def missing_and_more(raw, forge, rng):
    for place in [(), *places(forge.record)]:
        held = found(forge.record, place)
        if not isinstance(held, dict):
            continue
        one = forge.copy()
        found(one.record, place)["unheard_of"] = 1
        yield f"something more in {place}", one.bytes()
        for key in [] if place[-1:] == ("choices",) else held:
            one = forge.copy()
            del found(one.record, place)[key]
            yield f"{place} without {key}", one.bytes()


def places(value, place=()):
    """Every place below, as a path of keys; not into what may be anything."""
    items = value.items() if isinstance(value, dict) else enumerate(value[:1])
    for key, held in items:
        if key in FREE:
            if key != "choices":
                continue
            yield (*place, key)
            for name, verdict in held.items():
                yield (*place, key, name)
                yield from places(verdict, (*place, key, name))
            continue
        yield (*place, key)
        if isinstance(held, dict | list):
            yield from places(held, (*place, key))


def found(value, place):
    for key in place:
        value = value[key]
    return value


def same(value, original):
    return type(value) is type(original) and value == original


def odd_texts(raw, forge, rng):
    text = json.dumps(forge.record)
    for what, other in {
        "nothing": "",
        "null": "null",
        "a list": "[]",
        "an empty record": "{}",
        "a record of records": '{"record": ' * 30 + "{}" + "}" * 30,
        "lists 100000 deep": "[" * 100_000,
        "closed lists 50000 deep": "[" * 50_000 + "]" * 50_000,
        "records 20000 deep": '{"a":' * 20_000 + "1" + "}" * 20_000,
        "two million lists": "[" + "[]," * 2_000_000 + "[]]",
        "two million numbers": "[" + "1," * 2_000_000 + "1]",
        "a number of a million digits": text.replace('"n_rows": 40', '"n_rows": ' + "9" * 10**6),
        "a number of 5000 digits": text.replace('"n_rows": 40', '"n_rows": ' + "9" * 5000),
        "1e999": text.replace('"n_rows": 40', '"n_rows": 1e999'),
        "NaN": text.replace('"n_rows": 40', '"n_rows": NaN'),
        "Infinity": text.replace('"n_rows": 40', '"n_rows": -Infinity'),
        "a key twice": text.replace('"n_rows": 40', '"n_rows": 40, "n_rows": 40'),
        "a comma more": text[:-1] + ",}",
        "something behind": text + "x",
        "two records": text + text,
        "a comment": "//\n" + text,
        "single quotes": text.replace('"', "'"),
        "no end of a string": text[:-1] + ', "a": "' + "x" * 10**6,
        "escapes without end": text[:-1] + ', "a": "' + "\\" * 999_999,
    }.items():
        yield what, forge.bytes(other.encode())
    yield "UTF-16", forge.bytes(text.encode("utf-16"))
    yield "a byte order mark", forge.bytes(b"\xef\xbb\xbf" + text.encode())
    yield "latin-1", forge.bytes(text.encode().replace(b"column a", b"column \xe9"))
    yield "zeros", forge.bytes(bytes(1000))


def odd_values(raw, forge, rng):
    """Values of evidence with tags that are never written."""
    for value in (
        {"~tuple": 5}, {"~tuple": {}}, {"~float": "1.5"}, {"~float": 5}, {"~float": []},
        {"~int": "zz"}, {"~int": 5}, {"~array": "mean.npy"}, {"~array": "../x"}, {"~array": []},
        {"~verdict": {}}, {"~verdict": 5}, {"~map": [[1]]}, {"~map": [[[1], 2]]}, {"~map": 5},
        {"~map": [[1, 1], [1, 2]]}, {"~map": [[{"~int": hex(n * (2**61 - 1))}, 0]
        for n in range(30_000)]}, {"~text": 5}, {"~code": "1"}, {"~": 1}, {"~tuple": [], "a": 1},
        {"a": 1, "~tuple": []}, {"~call": ["os.mkdir", "sprung"]}, {"~float": "nan", "~int": "1"},
    ):  # fmt: skip
        for place in ("choices", "provenance"):
            one = forge.copy()
            held = one.record["record"][place]
            (held["odd"]["evidence"] if place == "choices" else held)["more"] = value
            yield f"{value!r:.50} in {place}", one.bytes()


def other_statements(raw, forge, rng):
    """A certificate, eigenvalues or a proof that were edited, and sealed again."""
    record = forge.record["record"]
    for name, value in record["certificate"].items():
        one = forge.copy()
        one.record["record"]["certificate"][name] = edited(value)
        yield f"another {name}", one.bytes()
    for name in ("eigenvalues", "ritz_values", "ritz_coupling", "facts_diagonal", "ceilings"):
        array = array_of(forge, name) * 1.01 + 1e-3
        yield f"other {name}", forge.copy().with_array(name, array).bytes()
    for name in ("scale", "eigenvalues", "feature_variances", "moments_squares", "facts_diagonal"):
        array = array_of(forge, name)
        array.flat[0] = -1.0
        yield f"negative {name}", forge.copy().with_array(name, array).bytes()
    for name, value in (("unit", 1e200), ("unit", 1e-200), ("divisor", 1e308), ("weight", 1e-320)):
        one = forge.copy()
        one.record["record"]["proof"]["facts"][name] = value
        yield f"a {name} of {value}", one.bytes()


def edited(value):
    if isinstance(value, str):
        return "heuristic" if value != "heuristic" else "deterministic"
    if isinstance(value, list):
        return [edited(value[0]), *value[1:]]
    if isinstance(value, dict):
        return {"~tuple": [{"~tuple": [0, 1]}]}
    return value * 0.99 + (1 if isinstance(value, int) else 1e-3)


FORGERIES = (
    spoiled_numbers, wrong_shapes, declared_sizes, pickled, wrong_types, missing_and_more,
    odd_texts, odd_values, other_statements,
)  # fmt: skip
