"""An error is fields and remedies; each front end says them in its own words."""

import copy
import pickle
import threading

import numpy as np
import pytest
import typer

from eigenlens import errors
from eigenlens.cli.main import app
from eigenlens.cli.wording import ShellWording
from eigenlens.errors import DataError, FileError, OptionError, RankError
from eigenlens.errors.phrasing import PYTHON, Option, Phrase, SetOption
from eigenlens.errors.remedies import PythonCode
from tests.errors.test_words import MESSAGES, name_of

GROUP = typer.main.get_command(app)
VERBS = {name: ShellWording(verb.params) for name, verb in GROUP.commands.items()}
EVERY = [make() for make, _, _ in MESSAGES]
OF_PYTHON = (
    "np.",
    "eigenlens.fit",
    "eigenlens.load",
    "eigenlens.open",
    "pandas.",
    "sklearn.",
    "model.",
    "data.",
    "lambda",
    "()",
    "=[",
    "=(",
)


@pytest.mark.parametrize("error", EVERY, ids=[name_of(make) for make, _, _ in MESSAGES])
def test_an_error_is_the_same_after_a_journey(error):
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.say(VERBS["fit"]) == error.say(VERBS["fit"])
        assert set(again.fields) == set(error.fields)


def test_what_cannot_be_pickled_travels_as_its_words():
    error = OptionError.unknown("solver", threading.Lock(), ["svd"])

    again = pickle.loads(pickle.dumps(error))

    assert str(again) == str(error)


def test_fields_say_what_the_words_say():
    error = RankError.too_large(12, (10, 5))

    assert (error.option, error.given, error.allowed) == ("k", 12, 5)
    assert error.remedies == (Phrase("pass {} or fewer", SetOption("k", 5)),)
    assert str(error).endswith("Pass k=5 or fewer.")
    assert error.say(VERBS["fit"]).endswith("Pass -k 5 or fewer.")


@pytest.mark.parametrize(
    ("part", "python", "shell"),
    [
        (SetOption("k", 4), "k=4", "-k 4"),
        (SetOption("k", np.int64(4)), "k=4", "-k 4"),
        (SetOption("k", "auto"), "k='auto'", "-k auto"),
        (SetOption("scale", "std"), "scale='std'", "--scale"),
        (SetOption("scale", None), "scale=None", "--no-scale"),
        (SetOption("center", False), "center=False", "--no-center"),
        (SetOption("out", "a b.csv"), "out='a b.csv'", "-o 'a b.csv'"),
        (SetOption("memory", "2GB"), "memory='2GB'", "--memory 2GB"),
        (Option("columns", "[...]"), "columns=[...]", "--columns"),
        (SetOption("max_passes", 9), "max_passes=9", "max passes 9"),
    ],
)
def test_options_are_spelled_as_the_command_has_them(part, python, shell):
    assert part.say(PYTHON) == python
    assert part.say(VERBS["fit"]) == shell


def test_an_argument_goes_by_its_own_name():
    assert SetOption("kind", "pie").say(VERBS["plot"]) == "KIND pie"
    assert Option("group").say(VERBS["plot"]) == "--color"


def test_a_remedy_that_cannot_be_typed_is_left_out():
    wording = ShellWording()
    error = OptionError.needs("this", "that", PythonCode("call it"), Phrase("pass {}", Option("k")))

    assert str(error) == "this needs that. Call it, or pass k=."
    assert error.say(wording) == "this needs that."


@pytest.mark.parametrize("verb", ["fit", "transform", "choose"])
def test_no_command_speaks_python(verb):
    """No remedy of any message names a call or an argument of Python."""
    spoken = {str(error): error.way_out(VERBS[verb]) for error in EVERY}

    assert [words for words in spoken.values() if any(sign in words for sign in OF_PYTHON)] == []


def test_no_message_of_the_library_names_an_option_of_a_shell():
    assert [str(error) for error in EVERY if " --" in str(error).replace("install --up", "")] == []


def test_braces_in_names_are_only_text():
    error = DataError.duplicate_names(["{0}", "{path}"])

    assert "'{0}', '{path}'" in str(error)


def test_a_file_can_be_called_by_another_name():
    error = FileError.different_columns("/tmp/1.csv", "/tmp/2.csv", ["a"], [])

    named = DataError.in_block(2, error.about({"/tmp/2.csv": "standard input"}))

    assert "'/tmp/1.csv'" in str(named)
    assert "'standard input' lacks" in str(named)


def test_an_error_within_an_error_is_said_in_the_same_words():
    error = DataError.in_block(2, RankError.too_large(12, (10, 5)))

    assert "-k 5" in error.say(VERBS["fit"])


def test_a_text_may_be_an_error_as_it_is():
    assert str(errors.DataError("plain {text}")) == "plain {text}"


def test_a_remedy_that_is_a_sentence_ends_once():
    error = OptionError.needs("seed=-1", "a whole number from 0 up", "Pass for example seed=0.")

    assert str(error).endswith("Pass for example seed=0.")
    assert not str(error).endswith("..")
