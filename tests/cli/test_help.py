"""Help begins with examples that can be typed; completion knows the words."""

import re
from importlib import import_module

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from eigenlens.cli.main import app
from tests.architecture.source_tree import REPOSITORY
from tests.cli.typed import typed

VERBS = {name: import_module(f"eigenlens.cli.{name}") for name in get_command(app).commands}
PAGE = (REPOSITORY / "docs" / "command-line.md").read_text(encoding="utf-8")


def options_of(verb):
    return {
        name
        for one in get_command(app).commands[verb].params
        for name in (*one.opts, *one.secondary_opts)
    }


@pytest.mark.parametrize("verb", VERBS)
def test_help_begins_with_examples(verb):
    lines = [line.strip() for line in typed(verb, "--help", COLUMNS="80").stdout.splitlines()]

    after_usage = [line for line in lines if line and not line.startswith("Usage:")]
    assert after_usage[0] == "Examples:"
    for example, _ in VERBS[verb].EXAMPLES:
        assert example in lines


@pytest.mark.parametrize("verb", VERBS)
def test_examples_use_options_that_exist(verb):
    known = options_of(verb)

    for example, words in VERBS[verb].EXAMPLES:
        ours = re.search(rf"eigenlens {verb}\b([^|>]*)", example)
        assert ours, example
        used = re.findall(r"(?<= )(--?[a-z][\w-]*)", ours[1])
        assert [option for option in used if option not in known] == []
        assert len(example) <= 76
        assert len(words) <= 74


def test_exit_codes_are_in_the_help():
    words = " ".join(typed("fit", "--help", COLUMNS="200").stdout.split())

    for code in (
        "0 done",
        "2 usage",
        "3 data",
        "4 model",
        "5 not",
        "6 warn",
        "10 outliers",
        "130 int",
    ):
        assert code in words


def test_without_arguments_the_verbs_are_listed():
    result = typed()

    for verb in VERBS:
        assert f" {verb} " in result.stdout + result.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_on_the_page(verb):
    long = {name for name in options_of(verb) if name.startswith("--")}

    assert sorted(name for name in long if f"`{name}" not in PAGE) == []


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (("plot", "m.eigenlens", ""), {"scree", "biplot"}),
        (("fit", "a.csv", "--solver", ""), {"krylov", "auto"}),
        (("export", "m", "--to", ""), {"onnx", "npz"}),
        (("",), {"fit", "transform", "compare"}),
        (("fit", "--sup"), {"--sup-cols", "--sup-rows"}),
    ],
)
def test_a_shell_can_complete_what_is_typed(words, known):
    environment = {
        "_EIGENLENS_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(("eigenlens", *words)),
        "COMP_CWORD": str(len(words)),
    }

    result = CliRunner().invoke(app, [], prog_name="eigenlens", env=environment)

    assert known <= set(result.stdout.split())
