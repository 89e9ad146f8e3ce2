"""transform: columns are found by name, rows are judged as what they are, text stays text."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from tests.cli.typed import NAMES, csv_text, document, numbers, typed


def lines_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_stdout_is_csv_with_scores_distances_and_quadrant(data, model):
    result = typed("transform", model, data)

    lines = lines_of(result.stdout)
    scores = el.load(model).project(data)
    assert list(lines[0]) == ["row", "PC1", "PC2", "T2", "Q", "quadrant"]
    assert [line["row"] for line in lines] == [f"r{row}" for row in range(40)]
    assert np.allclose([float(line["PC2"]) for line in lines], scores[:, 1], rtol=1e-12)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow"])
def test_the_ending_says_how_scores_are_written(data, model, ending):
    result = typed("transform", model, data, "-o", f"s.{ending}")

    readers = {"csv": pd.read_csv, "parquet": pd.read_parquet, "arrow": pd.read_feather}
    read = readers.get(ending, lambda path: pd.read_csv(path, sep="\t"))(f"s.{ending}")
    assert result.exit_code == 0
    assert len(read) == 40
    assert "wrote s." in result.stderr
    assert "Outliers" in result.stdout


def test_columns_in_another_order_are_matched_by_name_and_said(model, here):
    frame = pd.DataFrame(numbers(), columns=NAMES)
    frame[list(reversed(NAMES))].assign(more=1.0).to_csv("other.csv", index=False)

    result = typed("transform", model, "other.csv")

    assert "matched by name" in result.stderr
    assert "ignored: 'more'" in result.stderr
    found = [float(line["PC1"]) for line in lines_of(result.stdout)]
    assert np.allclose(found, el.load(model).project(frame)[:, 0])


def test_missing_columns_are_named_with_the_nearest(model, here):
    frame = pd.DataFrame(numbers(), columns=["hieght", *NAMES[1:]])
    frame.to_csv("other.csv", index=False)

    result = typed("transform", model, "other.csv")

    assert result.exit_code == 4
    assert result.stdout == ""
    assert "no column 'height'" in result.stderr
    assert "Did you mean 'hieght'?" in result.stderr


def test_columns_without_names_are_taken_in_order_or_refused(model, here):
    np.save("five.npy", numbers())
    np.save("four.npy", numbers()[:, :4])

    taken, refused = (typed("transform", model, f"{name}.npy") for name in ("five", "four"))

    assert taken.exit_code == 0
    assert "no column names" in taken.stderr
    assert refused.exit_code == 4
    assert "4 columns, but the model was fitted on 5" in refused.stderr
    assert typed("transform", model, "five.npy", "--strict").exit_code == 6


def test_new_rows_are_judged_by_the_limits_for_new_rows(model, here):
    (here / "new.csv").write_text(csv_text(numbers(30, seed=1) * 1.5))

    found = document("transform", model, "new.csv")

    odd = el.explain.outliers(el.load(model), "new.csv", new=True)
    assert found["result"]["new"] is True
    assert [line["quadrant"] for line in found["result"]["rows"]] == list(odd["quadrant"])
    assert found["result"]["limits"]["T2_limit_99"] == pytest.approx(odd["T2_limit_99"][0])
    assert sum(found["result"]["quadrants"].values()) == 30


def test_odd_rows_end_with_10_where_somebody_asked(model, here):
    (here / "new.csv").write_text(csv_text(numbers(30, seed=1) * 1.5))

    assert typed("transform", model, "new.csv", "--fail-on", "outliers").exit_code == 10
    assert typed("transform", model, "new.csv").exit_code == 0


def test_the_level_moves_the_limits(model, data):
    strict, lax = (
        document("transform", model, data, "--level", level)["result"]["limits"]
        for level in ("0.9", "0.999")
    )

    assert strict["T2_limit_90"] < lax["T2_limit_99.9"]


def test_rows_come_from_a_pipe_too(model, data, here):
    piped = typed("transform", model, "-", input=(here / data).read_bytes())

    assert piped.exit_code == 0
    assert len(lines_of(piped.stdout)) == 40


def test_markdown_holds_every_row(model, data):
    shown = typed("transform", model, data, "--md").stdout

    assert shown.count("| r") == 40 + 1  # the heading begins with the word row


def test_a_convention_renames_and_divides(data, here):
    typed("fit", data, "--scale", "-k", "2", "-o", "m.eigenlens", "-q", "--no-summary")

    ours = document("transform", "m.eigenlens", data)["result"]["rows"]
    theirs = document("transform", "m.eigenlens", data, "--convention", "factominer")
    theirs = theirs["result"]["rows"]

    assert theirs[0]["Dim.1"] == pytest.approx(ours[0]["PC1"] * np.sqrt(40 / 39))


def test_what_cannot_be_written_is_said_before_anything_is_read(model, data):
    unknown = typed("transform", model, data, "-o", "scores.xls")
    nowhere = typed("transform", model, data, "-o", "nowhere/scores.csv")

    assert unknown.exit_code == 2
    assert "'*.parquet'" in unknown.stderr
    assert nowhere.exit_code == 3
    assert "no folder 'nowhere'" in nowhere.stderr


def test_an_interruption_leaves_no_half_file(model, data, here, monkeypatch):
    from eigenlens.explain.row_stream import RowStream

    blocks = RowStream.blocks

    def interrupted(self):
        yield from blocks(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(RowStream, "blocks", interrupted)
    before = set(here.iterdir())

    result = typed("transform", model, data, "-o", "scores.csv")

    assert result.exit_code == 130
    assert set(here.iterdir()) == before


def test_json_is_one_document(model, data):
    assert json.loads(typed("transform", model, data, "--json", "-o", "s.csv").stdout)["result"][
        "limits"
    ]


def test_rows_are_named_as_in_the_fit(here):
    frame = pd.DataFrame(numbers(), columns=NAMES)
    frame.assign(first=[f"a{i}" for i in range(40)], code=[f"c{i}" for i in range(40)]).to_csv(
        "named.csv", index=False
    )
    typed("fit", "named.csv", "--id", "code", "-k", "2", "-o", "m.eigenlens", "-q", "--no-summary")

    assert lines_of(typed("transform", "m.eigenlens", "named.csv").stdout)[3]["row"] == "c3"
