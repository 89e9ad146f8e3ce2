"""Names from the data are text everywhere: they steer no terminal, make no tag, fill no screen."""

import re

import pyarrow as pa
import pyarrow.parquet
import pytest

from tests.cli.typed import in_terminal, numbers, typed

NAMES = [
    "<script>alert(1)</script>",
    "\x1b[31mred\x1b]0;title\x07",
    "\u202eright to left عربي",
    "x" * 10_000,
    "👩\u200d🔬 | `pipe` **bold**",
]
ROW_NAMES = ["\x1b[2J", "<img onerror=x>", "a\nb", "\u202e", "=1+1"]
SEEN = ("script", "\\x1b[31mred", "\\u202eright", "xxxxxxxx", "👩")


@pytest.fixture
def hostile(here):
    columns = dict(zip(NAMES, numbers().T, strict=True))
    rows = [f"{ROW_NAMES[row % 5]}{row}" for row in range(40)]
    groups = [("<b>one</b>", "\x1b[7mtwo")[row % 2] for row in range(40)]
    table = pa.table({"id\x1b[5m": rows, **columns, "group\x07": groups})
    pa.parquet.write_table(table, "hostile.parquet")
    return "hostile.parquet"


@pytest.fixture
def model(hostile):
    result = typed("fit", hostile, "-k", "2", "-o", "h.eigenlens", "-q", "--no-summary")
    assert result.exit_code == 0, result.stderr
    return "h.eigenlens"


def commands(hostile, model):
    return [
        ("fit", hostile, "-k", "2", "--group", "group\x07", "--sup-rows", "3,7"),
        ("show", model),
        ("choose", hostile),
        ("transform", model, hostile, "-o", "s.csv", "--force"),
        ("fit", hostile, "-c", "nothing"),
        ("fit", hostile, "--id", "id\x1b[5m", "-c", "id\x1b[5m"),
    ]


def test_pages_and_messages_steer_nothing(hostile, model):
    for command in commands(hostile, model):
        result = typed(*command)
        shown = result.stdout + result.stderr
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", shown), command
        assert "x" * 200 not in shown


def test_names_are_shown_as_text(model):
    shown = typed("show", model).stdout

    for part in SEEN:
        assert part in shown


def test_a_terminal_is_not_steered(hostile, model):
    seen = in_terminal([*commands(hostile, model), ("transform", model, hostile)])

    for _, stdout, stderr in seen:
        for text in (stdout, stderr):
            assert "\x1b[31mred" not in text
            assert "\x1b[2J" not in text
            assert "\x1b[7mtwo" not in text
            assert "\x07" not in text
            assert "\u202e" not in text


def test_markdown_has_no_tag_and_no_new_cell(hostile, model):
    for command in commands(hostile, model)[:3]:
        shown = typed(*command, "--md").stdout
        tables = [part for part in shown.split("\n\n") if part.startswith("|")]
        assert "<script" not in shown
        assert "<b>" not in shown
        assert "\x1b" not in shown
        for table in tables:
            cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
            assert len(cells) == 1


def test_a_pipe_gets_names_as_they_are(hostile, model, here):
    typed("transform", model, hostile, "-o", "s.parquet")

    rows = pa.parquet.read_table("s.parquet").column("row").to_pylist()

    assert rows[0] == "\x1b[2J0"
    assert rows[2] == "a\nb2"


def test_documents_hold_names_as_they_are(model):
    import json

    found = json.loads(typed("show", model, "--json").stdout)

    assert found["result"]["feature_names"] == NAMES


@pytest.mark.slow
def test_the_page_in_html_holds_no_tag_from_the_data(hostile, here):
    result = typed("report", hostile, "-k", "2", "-o", "page.html", "--title", "<script>x")

    page = (here / "page.html").read_text()
    assert result.exit_code == 0, result.stderr
    assert "<script>alert(1)" not in page
    assert "<script>x" not in page
    assert "<img onerror" not in page


def test_figures_show_names_as_text_and_complain_of_no_font(hostile, model, here):
    result = typed("plot", model, "biplot", "--data", hostile, "-o", "b.svg", "--strict")

    drawn = (here / "b.svg").read_text()
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "<script" not in drawn
    assert "\x1b" not in drawn
