"""On a terminal people read, in a pipe programs do; the streams and codes are the same."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest

from tests.cli.typed import csv_text, in_terminal, numbers, typed

COLOR = re.compile(r"\x1b\[[0-9;]*m")
# Each verb: what is typed, how it ends on a terminal, words of its stdout and of its stderr.
VERBS = {
    "fit": (("fit", "data.csv", "-k", "2", "-o", "fit.eigenlens"), 0, "Outliers", "wrote fit."),
    "transform": (("transform", "run.eigenlens", "data.csv"), 0, "row,PC1,PC2,T2,Q", ""),
    "choose": (("choose", "data.csv"), 0, "Denoising: how many", ""),
    "plot": (("plot", "run.eigenlens", "scree", "-o", "a.svg"), 0, "a.svg", ""),
    "plot on a screen": (("plot", "run.eigenlens", "scree"), 2, "", "Pass -o scree.svg"),
    "show": (("show", "run.eigenlens"), 0, "Certificate", ""),
    "compare": (("compare", "run.eigenlens", "run.eigenlens"), 0, "the same subspace", ""),
    "export": (("export", "run.eigenlens", "--to", "json"), 0, "run.json", ""),
    "a mistake": (("fit", "nothing.csv"), 3, "", "error: there is no file"),
    "a pipe that is none": (("fit", "-"), 3, "", "'standard input' is empty"),
    "demo": (("demo", "-k", "3", "--no-report"), 0, "Wines of three growers", ""),
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """Every verb on a screen of 100 columns, by one interpreter."""
    folder = tmp_path_factory.mktemp("terminal")
    (folder / "data.csv").write_text(csv_text(numbers()))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        made = typed("fit", "data.csv", "-k", "2", "-o", "run.eigenlens", "-q", "--no-summary")
        assert made.exit_code == 0
        found = in_terminal([command for command, *_ in VERBS.values()], columns=100)
    return dict(zip(VERBS, found, strict=True))


@pytest.mark.parametrize("verb", VERBS)
def test_a_terminal_shows_results_and_talk_apart(seen, verb):
    code, stdout, stderr = seen[verb]

    _, expected, result, talk = VERBS[verb]
    assert code == expected, stderr
    assert result in COLOR.sub("", stdout)
    assert talk in COLOR.sub("", stderr)
    if not result:
        assert stdout == ""
    if not talk:
        assert stderr == ""


def test_pages_are_colored_on_a_terminal(seen):
    assert COLOR.search(seen["show"][1])


def test_what_is_done_quickly_shows_no_progress(seen):
    assert "pass 1" not in seen["fit"][2]


@pytest.mark.parametrize("verb", ["fit", "show", "choose"])
def test_no_line_is_longer_than_the_screen(seen, verb):
    lines = COLOR.sub("", seen[verb][1]).splitlines()

    assert max(map(len, lines)) <= 100


def test_no_color_is_respected_on_a_terminal(model):
    (code, stdout, _), *_ = in_terminal([("show", model)], NO_COLOR="1")

    assert code == 0
    assert not re.search(r"\x1b\[[0-9;]*[34][0-7]m", stdout)


# -- pipes ---------------------------------------------------------------------------------


def piped(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "eigenlens", *arguments], capture_output=True, text=True, check=False
    )


def test_a_pipe_gets_csv_and_nothing_else(model, data):
    done = piped("transform", model, data)

    lines = list(csv.reader(io.StringIO(done.stdout)))
    assert done.returncode == 0
    assert done.stderr == ""
    assert {len(line) for line in lines} == {6}
    assert len(lines) == 41


@pytest.mark.parametrize(
    "command",
    [
        ("fit", "data.csv", "-k", "2"),
        ("fit", "data.csv", "-k", "2", "--no-summary"),
        ("transform", "run.eigenlens", "data.csv"),
        ("choose", "data.csv"),
        ("plot", "run.eigenlens", "scree"),
        ("show", "run.eigenlens"),
        ("compare", "run.eigenlens", "run.eigenlens"),
        ("export", "run.eigenlens", "--to", "npz"),
        ("demo", "-k", "3", "--no-report"),
    ],
    ids=lambda one: " ".join(one[:1] + one[3:]),
)
def test_every_verb_has_a_document_and_a_page_without_colors(model, command):
    told = json.loads(typed(*command, "--json").stdout)

    assert told["schema"] == f"eigenlens.{command[0]}/1"
    if command[0] not in ("export", "plot"):
        page, markdown = typed(*command), typed(*command, "--md")
        assert "\x1b" not in page.stdout
        assert markdown.stdout.startswith("# ")


def test_a_reader_that_leaves_early_is_no_error(here):
    (here / "long.csv").write_text(csv_text(numbers(5000)))
    typed("fit", "long.csv", "-k", "2", "-o", "m.eigenlens", "-q", "--no-summary")
    with subprocess.Popen(
        [sys.executable, "-m", "eigenlens", "transform", "m.eigenlens", "long.csv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        child.stdout.readline()
        child.stdout.close()
        complaint = child.stderr.read()

    assert complaint == b""
