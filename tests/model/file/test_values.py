"""Values of evidence and provenance: kept to the bit and to the type, or said to be text."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenlens import ModelFileError, Verdict
from eigenlens.model.file.record_text import parse_record_text, write_record_text
from eigenlens.model.file.values import MOST_NESTED, MOST_PAIRS, value_from_record, value_to_record
from tests.model.file.sameness import differences

HERE = Path("a.eigenlens")

floats = st.floats(allow_nan=False, allow_subnormal=True)  # what a NaN carries is not kept
leaves = st.none() | st.booleans() | st.integers() | floats | st.text() | st.just(2**70)
texts = st.text() | st.sampled_from(["~tuple", "~", "", "\ud800"])


def containers(children):
    verdicts = st.builds(Verdict, children, st.text(), st.text(), st.dictionaries(texts, children))
    lists = st.lists(children, max_size=3)
    keys = texts | st.integers() | st.tuples(st.integers(), st.text())
    return lists | lists.map(tuple) | st.dictionaries(keys, children, max_size=3) | verdicts


values = st.recursive(leaves, containers, max_leaves=12)


def through(value):
    """Written as text and read again."""
    shelf = {}
    record = {"value": value_to_record(value, shelf)}
    return value_from_record(parse_record_text(write_record_text(record, 0), 0, HERE), shelf, HERE)[
        "value"
    ]


@given(values)
def test_a_value_comes_back_bit_for_bit(value):
    assert differences(value, through(value)) == []


EDGES = [-0.0, 5e-324, np.inf, -np.inf, np.nan, 1.7976931348623157e308, 2**63, -(2**63), 10**5000]


@pytest.mark.parametrize("value", EDGES, ids=range(len(EDGES)))
def test_numbers_at_the_edge_come_back(value):
    assert differences(value, through(value)) == []


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float64(-0.0), -0.0),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.int16(-3), -3),
        (np.bool_(True), True),
        (np.str_("é"), "é"),
        (np.uint64(2**64 - 1), 2**64 - 1),
    ],
)
def test_a_scalar_of_numpy_comes_back_as_the_same_number_of_python(value, plain):
    assert differences(plain, through(value)) == []


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_goes_onto_the_shelf(dtype, order):
    shelf = {}
    array = np.asarray(np.arange(6).reshape(2, 3), dtype=dtype, order=order)

    kept = value_to_record({"a": array}, shelf)

    assert kept == {"a": {"~array": "value0"}}
    assert shelf == {"value0": array} or shelf["value0"] is array


def test_an_array_of_words_comes_back_as_a_list():
    assert through(np.array(["a", "bé"])) == ["a", "bé"]


@pytest.mark.parametrize("value", [1j, object, Path("x"), b"bytes", {1, 2}, np.datetime64("2020")])
def test_anything_else_comes_back_as_its_text(value):
    expected = value.item() if isinstance(value, np.generic) else value

    assert through(value) == repr(expected)


def test_what_is_nested_without_end_is_an_error_before_anything_is_written():
    endless = []
    endless.append(endless)

    with pytest.raises(ModelFileError, match=f"more than {MOST_NESTED} levels"):
        value_to_record(endless, {})


@pytest.mark.parametrize("wrap", [lambda x: [x], lambda x: (x,), lambda x: {1: x}])
def test_what_may_be_written_may_be_read(wrap):
    value = 1.5
    for _ in range(MOST_NESTED):
        value = wrap(value)

    assert differences(value, through(value)) == []


def test_many_keys_that_are_no_text_are_an_error():
    with pytest.raises(ModelFileError, match="1001 keys"):
        value_to_record({n: n for n in range(MOST_PAIRS + 1)}, {})


def test_more_than_a_file_may_hold_is_an_error_of_the_writer():
    with pytest.raises(ModelFileError, match="more than 100000 values"):
        write_record_text({"value": [0] * 100_001}, 0)
