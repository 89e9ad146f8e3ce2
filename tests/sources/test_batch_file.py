"""What is written block by block can be read again, bit for bit, and text stays text."""

import io

import numpy as np
import pandas as pd
import pytest

from eigenlens.sources.files.batch_file import ENDINGS, column_file, column_stream

NUMBERS = np.random.default_rng(0).standard_normal(7) * 10.0 ** np.arange(-3, 4)
NAMES = ["plain", "a, b", 'say "hi"', "line\nbreak", "<b>", "日本", "="]


def blocks():
    for span in (slice(0, 3), slice(3, 7)):
        yield {"row": NAMES[span], "score, first": NUMBERS[span], "count": range(7)[span]}


def read(path, ending):
    readers = {
        ".csv": pd.read_csv,
        ".tsv": lambda path: pd.read_csv(path, sep="\t"),
        ".parquet": pd.read_parquet,
        ".arrow": pd.read_feather,
        ".feather": pd.read_feather,
    }
    return readers[ending](path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_written_is_read_again_bit_for_bit(tmp_path, ending):
    path = tmp_path / f"rows{ending}"
    with column_file(path, ending) as write:
        for block in blocks():
            write(block)

    found = read(path, ending)

    assert list(found.columns) == ["row", "score, first", "count"]
    assert list(found["row"]) == NAMES
    assert np.array_equal(found["score, first"].to_numpy(), NUMBERS)
    assert list(found["count"]) == list(range(7))


def test_what_is_missing_is_empty():
    sink = io.BytesIO()

    with column_stream(sink, ".csv") as write:
        write({"row": ["a", None], "x": np.array([np.nan, 1.5])})

    assert sink.getvalue().decode() == 'row,x\n"a",\n,1.5\n'
