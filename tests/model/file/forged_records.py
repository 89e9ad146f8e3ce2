"""Model files whose record was changed by somebody who knows the format, and sealed again.

Each family yields (what was done, the bytes of the file).
"""

import json

import numpy as np

from tests.model.file.forge import array_of

__all__ = ["FORGED_RECORDS"]

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
    collisions = [[{"~int": hex(n * (2**61 - 1))}, 0] for n in range(30_000)]
    for value in (
        {"~tuple": 5}, {"~tuple": {}}, {"~float": "1.5"}, {"~float": 5}, {"~float": []},
        {"~int": "zz"}, {"~int": 5}, {"~int": "0x5"}, {"~int": "5"}, {"~array": "mean.npy"},
        {"~array": "../x"}, {"~array": []}, {"~verdict": {}}, {"~verdict": 5}, {"~map": [[1]]},
        {"~map": [[[1], 2]]}, {"~map": 5}, {"~map": [[1, 1], [1, 2]]}, {"~map": [["a", 1]]},
        {"~map": collisions}, {"~text": "x"}, {"~code": "1"}, {"~": 1}, {"~tuple": [], "a": 1},
        {"a": 1, "~tuple": []}, {"~call": ["os.mkdir", "sprung"]}, {"~float": "nan", "~int": "1"},
    ):  # fmt: skip
        for place in ("choices", "provenance"):
            one = forge.copy()
            held = one.record["record"][place]
            (held["odd"]["evidence"] if place == "choices" else held)["more"] = value
            yield f"{value!r:.50} in {place}", one.bytes()


def odd_provenances(raw, forge, rng):
    deep = 1
    for _ in range(60):
        deep = [deep]
    for value in (
        {"~tuple": []},
        {"~tuple": [1]},
        {"~array": "mean"},
        {"~float": "inf"},
        {"a": deep},
    ):
        one = forge.copy()
        one.record["record"]["provenance"] = value
        yield f"a provenance of {value!r:.50}", one.bytes()


def stowaways(raw, forge, rng):
    """Arrays that nothing refers to, or that belong to another kind of model."""
    for name in ("more", "value7", "ritz_span", "ritz_rotation", "mean_"):
        for array in (np.ones(3), np.ones((6, 3)), np.eye(3)):
            yield f"{name} {array.shape}", forge.copy().with_array(name, array).bytes()
    one = forge.copy()
    one.record["record"]["choices"]["odd"]["evidence"]["curve"] = 5
    yield "evidence that is no longer there", one.bytes()


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


FORGED_RECORDS = (
    wrong_types, missing_and_more, odd_texts, odd_values, odd_provenances, stowaways,
    other_statements,
)  # fmt: skip
