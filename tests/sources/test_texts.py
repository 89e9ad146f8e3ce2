"""A column of a file as text is what is written there, whatever else the file holds."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.errors import OptionError
from eigenlens.sources.text_columns import holds_texts, text_column

FRAME = pd.DataFrame(
    {
        "name": ["Ana", "NA", "naïve, 日本", "<b>"],
        "number": [1, 2, 3, 4],
        "kind": pd.Categorical(["a", None, "b", "a"]),
    }
)


def written(frame, folder, ending):
    path = folder / f"table{ending}"
    writers = {".csv": frame.to_csv, ".parquet": frame.to_parquet, ".feather": frame.to_feather}
    writers[ending](path, **({"index": False} if ending == ".csv" else {}))
    return el.open(path)


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".feather"])
def test_text_comes_as_it_is_written(tmp_path, ending):
    source = written(FRAME, tmp_path, ending)

    assert holds_texts(source)
    assert text_column(source, "name", missing=False).to_pylist() == list(FRAME["name"])
    assert text_column(source, "number").to_pylist() == ["1", "2", "3", "4"]
    assert text_column(source, "kind").to_pylist() == ["a", None, "b", "a"]


def test_spellings_of_a_missing_value_are_missing_unless_they_are_names(tmp_path):
    source = written(FRAME, tmp_path, ".csv")

    assert text_column(source, "name").to_pylist()[1] is None


def test_several_files_are_one_column(tmp_path):
    for name in ("a", "b"):
        FRAME.to_csv(tmp_path / f"{name}.csv", index=False)

    found = text_column(el.open([tmp_path / "a.csv", tmp_path / "b.csv"]), "name", missing=False)

    assert found.to_pylist() == 2 * list(FRAME["name"])


def test_a_file_of_numbers_only_holds_no_text(tmp_path):
    np.save(tmp_path / "a.npy", np.eye(3))
    source = el.open(tmp_path / "a.npy")

    assert not holds_texts(source)
    with pytest.raises(OptionError, match="CSV, Parquet or Arrow"):
        text_column(source, "name")
