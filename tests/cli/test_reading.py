"""How a table is read: from any file or pipe, its rows by name, its columns by what they are."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from tests.cli.typed import NAMES, csv_text, document, numbers, typed

FIRST = el.fit(numbers(), 1).eigenvalues[0]


def first_eigenvalue(*arguments, **more):
    found = document("fit", *arguments, "-k", "1", "--no-summary", **more)
    return found["result"]["eigenvalues"][0]["eigenvalue"]


def odd_names(*arguments):
    """What the rows at the ends of PC1 are called."""
    return " ".join(typed("fit", *arguments, "-k", "1").stdout.split())


# -- files and pipes -----------------------------------------------------------------------


def as_bytes(ending, folder):
    frame, path = pd.DataFrame(numbers(), columns=NAMES), folder / f"rows.{ending}"
    text = csv_text(numbers(), ids=False, kinds=False)
    writers = {
        "csv": lambda: path.write_text(text),
        "tsv": lambda: path.write_text(text.replace(",", "\t")),
        "csv.gz": lambda: path.write_bytes(gzip.compress(text.encode())),
        "parquet": lambda: frame.to_parquet(path),
        "arrow": lambda: frame.to_feather(path),
        "npy": lambda: np.save(path, numbers()),
        "npz": lambda: np.savez(path, numbers()),
    }
    writers[ending]()
    return path.read_bytes()


ENDINGS = ["csv", "tsv", "csv.gz", "parquet", "arrow", "npy", "npz"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_pipe_is_told_by_its_first_bytes(here, ending):
    assert np.isclose(first_eigenvalue("-", input=as_bytes(ending, here)), FIRST)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_by_another_name_is_what_it_is_said_to_be(here, ending):
    (here / "rows.dat").write_bytes(as_bytes(ending, here))

    assert np.isclose(first_eigenvalue("rows.dat", "--format", ending), FIRST)


def test_several_files_and_patterns_are_one_table(here):
    for part, rows in enumerate(np.split(numbers(), 4)):
        (here / f"part{part}.csv").write_text(csv_text(rows, ids=False, kinds=False))

    assert np.isclose(first_eigenvalue(*(f"part{part}.csv" for part in range(4))), FIRST)
    assert np.isclose(first_eigenvalue("part*.csv"), FIRST)


def test_messages_name_what_was_named_and_not_what_stands_in_for_it(here):
    (here / "rows.dat").write_text("a,b\n1,2\n3\n")

    piped = typed("fit", "-", input=b"a,b\n1,2\n3\n")
    forced = typed("fit", "rows.dat", "--format", "csv")

    assert (piped.exit_code, forced.exit_code) == (3, 3)
    assert "'standard input', line 3" in piped.stderr
    assert "'rows.dat', line 3" in forced.stderr


def test_a_model_of_a_pipe_says_so(here):
    typed("fit", "-", "-k", "1", "-o", "m.eigenlens", "-q", "--no-summary",
          input=as_bytes("csv", here))  # fmt: skip

    assert el.load("m.eigenlens").provenance["data"] == "standard input"


def test_nothing_in_a_pipe_is_an_error():
    result = typed("fit", "-", input=b"")

    assert result.exit_code == 3
    assert "'standard input' is empty" in result.stderr


def test_a_pipe_stands_alone(data):
    assert typed("fit", "-", data, input=b"a\n1\n").exit_code == 2


def test_an_unknown_format_lists_the_known_ones(data):
    result = typed("fit", data, "--format", "xlsx")

    assert result.exit_code == 2
    assert "'parquet'" in result.stderr


# -- text ----------------------------------------------------------------------------------


def test_what_stands_between_entries_can_be_said(here):
    text = csv_text(numbers(), ids=False, kinds=False)
    (here / "pipes.csv").write_text(text.replace(",", "|"))
    (here / "tabs.csv").write_text(text.replace(",", "\t"))

    assert np.isclose(first_eigenvalue("pipes.csv", "--delimiter", "|"), FIRST)
    assert np.isclose(first_eigenvalue("tabs.csv", "--delimiter", "tab"), FIRST)


def test_whether_there_is_a_header_can_be_said(here):
    text = csv_text(numbers(), ids=False, kinds=False)
    (here / "bare.csv").write_text(text.partition("\n")[2])
    (here / "years.csv").write_text(text.replace(",".join(NAMES), "2001,2002,2003,2004,2005"))

    bare = document("show", saved("bare.csv", "--no-header"))["result"]
    years = document("show", saved("years.csv", "--header"))["result"]

    assert (bare["feature_names"], len(bare["variables"])) == (None, 5)
    assert years["feature_names"] == ["2001", "2002", "2003", "2004", "2005"]


def saved(*arguments):
    path = f"{arguments[0]}.eigenlens"
    typed("fit", *arguments, "-k", "1", "-o", path, "-q", "--no-summary")
    return path


# -- names of rows -------------------------------------------------------------------------


def test_text_that_differs_in_every_row_names_the_rows(data):
    assert "Highest: 'r" in odd_names(data)
    assert "Highest:" not in odd_names(data, "--id", "")


@pytest.mark.parametrize("head", ["rownames", ""])
def test_a_first_column_that_counts_the_rows_names_them_and_is_not_analyzed(here, head):
    lines = csv_text(numbers(), ids=False, kinds=False).splitlines()
    numbered = [f"{place},{line}" for place, line in enumerate(lines)]
    numbered[0] = f"{head},{lines[0]}"
    (here / "numbered.csv").write_text("\n".join(numbered))

    found = document("fit", "numbered.csv", "-k", "1")

    assert found["data"]["columns"] == 5
    assert np.isclose(found["result"]["eigenvalues"][0]["eigenvalue"], FIRST)
    assert "Highest:" in odd_names("numbered.csv")
    assert "(row names)" in typed("fit", "numbered.csv").stdout


def test_a_name_spelled_like_a_missing_value_is_a_name(here):
    text = csv_text(numbers()).replace("r0,", "NA,").replace("r1,", "None,")
    (here / "countries.csv").write_text(text)
    typed("fit", "countries.csv", "-k", "1", "--tables", "out", "-q", "--no-summary")

    rows = (here / "out" / "scores.csv").read_text().splitlines()

    assert rows[1].startswith('"NA",')
    assert rows[2].startswith('"None",')


def test_numbers_can_name_rows_as_they_are_written(here):
    frame = pd.DataFrame(numbers(), columns=NAMES).assign(code=[f"{i:04}" for i in range(40)])
    frame.to_csv("codes.csv", index=False)

    typed("fit", "codes.csv", "--id", "code", "-k", "1", "--tables", "out", "-q", "--no-summary")

    assert (here / "out" / "scores.csv").read_text().splitlines()[8].startswith('"0007",')


# -- columns -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (("-c", "height,rooms"), ["height", "rooms"]),
        (("-c", "width:income"), ["width", "age", "income"]),
        (("-c", "*e*t,age"), ["height", "age"]),
        (("-x", "income:rooms"), ["height", "width", "age"]),
        (("-c", "@numeric", "-x", "age"), ["height", "width", "income", "rooms"]),
        (("--sup-cols", "@text,rooms"), ["height", "width", "age", "income"]),
        (("-c", "1:2"), ["height", "width"]),
    ],
)
def test_columns_are_chosen_in_words(data, options, names):
    found = document("show", saved(data, *options))

    assert found["result"]["feature_names"] == names


def test_an_unknown_column_is_answered_with_the_nearest(data):
    result = typed("fit", data, "-c", "heigth")

    assert result.exit_code == 2
    assert "Did you mean 'height'?" in result.stderr


def test_a_column_of_words_is_no_column_of_numbers(data):
    result = typed("fit", data, "-c", "kind,age")

    assert result.exit_code == 3
    assert "column 'kind' holds 'a'" in result.stderr


def test_no_column_left_is_an_error(data):
    result = typed("fit", data, "-x", "@numeric")

    assert result.exit_code == 3
    assert "--columns" in result.stderr


def test_columns_without_names_go_by_number(here):
    np.save("rows.npy", numbers())

    by_number = document("show", saved("rows.npy", "-c", "0:2"))["result"]
    by_table_name = document("show", saved("rows.npy", "-c", "x0:x2"))["result"]

    assert len(by_number["variables"]) == len(by_table_name["variables"]) == 3


def test_supplementary_rows_go_by_number_where_they_have_no_names(here):
    np.save("rows.npy", numbers())

    found = document("fit", "rows.npy", "-k", "1", "--sup-rows", "0:9,39", "--no-summary")

    assert found["data"]["rows"] == 29


def test_a_large_table_is_not_read_again_for_words(data, monkeypatch):
    monkeypatch.setattr("eigenlens.cli.fit_screen.MOST_ENTRIES", 10)

    result = typed("fit", data, "--json")

    assert "--summary reads it again for that" in result.stderr
    assert "findings" not in json.loads(result.stdout)["result"]
    assert "Outliers" in typed("fit", data, "--summary").stdout


def test_columns_that_are_no_measurements_are_named_with_their_reason(here):
    rows = numbers()
    lines = [
        f"{place + 1},{'ab'[place % 2]},{2000 + place % 3},{','.join(map(str, row))}"
        for place, row in enumerate(rows)
    ]
    (here / "roles.csv").write_text("\n".join([f"no,kind,year,{','.join(NAMES)}", *lines]) + "\n")

    found = document("fit", "roles.csv", "-k", "2")["result"]
    page = typed("fit", "roles.csv", "-k", "2").stdout

    assert set(found["not_analyzed"]) == {"no", "kind", "year"}
    assert found["not_analyzed"]["year"].startswith("code")
    assert np.allclose(
        [one["eigenvalue"] for one in found["eigenvalues"]], el.fit(rows, 2).eigenvalues
    )
    assert "Not analyzed: 'no' (row names), 'kind' (groups)" in page
    assert "'year' explains" in " ".join(page.split())
    chosen = document("fit", "roles.csv", "-k", "2", "-c", "year,height,age")
    assert chosen["data"]["columns"] == 3


def test_the_command_line_and_python_analyze_the_same_columns(here):
    table = "id,label,v,w\n" + "".join(
        f"{7 * i},{i % 2},{i * i % 11},{i % 5}.5\n" for i in range(30)
    )
    (here / "same.csv").write_text(table)

    typed("fit", "same.csv", "-k", "1", "-o", "same.eigenlens", "--no-summary")

    assert (
        el.load("same.eigenlens").feature_names == el.fit("same.csv", 1).feature_names == ("v", "w")
    )


# -- missing numbers where nothing was asked for -----------------------------------------------


def few_missing(here, missing, count=100):
    rows = np.random.default_rng(0).standard_normal((count, 3)).round(3).astype(str)
    rows[:missing, 1] = ""
    lines = [",".join(row) for row in rows]
    (here / "few.csv").write_text("\n".join(["a,b,c", *lines]) + "\n")


def test_few_rows_with_missing_numbers_are_left_out_with_a_warning(here):
    few_missing(here, 2)

    result = typed("fit", "few.csv", "-k", 1)

    assert result.exit_code == 0
    assert "98 rows and 3 columns" in result.stdout
    assert "2 of 100 rows have missing numbers and are left out; --missing auto" in result.stderr


def test_many_rows_with_missing_numbers_are_an_error(here):
    few_missing(here, 6)

    result = typed("fit", "few.csv", "-k", 1)

    assert result.exit_code == 3
    assert "--missing auto" in result.stderr


def test_no_row_is_left_out_of_what_is_transformed(here):
    few_missing(here, 2)
    assert typed("fit", "few.csv", "-k", 1, "-o", "m.eigenlens").exit_code == 0

    assert typed("transform", "m.eigenlens", "few.csv", "-o", "scores.csv").exit_code == 3
