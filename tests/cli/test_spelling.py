"""Messages of the library tell what to type in a shell."""

import pytest

from eigenlens.cli.spelling import PATTERNS, in_shell
from tests.errors.test_words import MESSAGES

EVERY = [str(make()) for make, _, _ in MESSAGES]
NOT_OF_FIT = ("these models differ", "svd_solver=", "eigen_solver=")


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ("Ask for k=4 or fewer.", "Ask for -k 4 or fewer."),
        ("or k='auto'.", "or -k auto."),
        ("choose some with columns=[...].", "choose some with --columns."),
        ("Leave them out with columns=['a'], or pass scale=None.",
         "Leave them out with --exclude, or pass --no-scale."),
        ("Pass memory='2GB' or more", "Pass --memory 2GB or more"),
        ("pass tolerance=0.003 or more, or solver='svd'.",
         "pass --tolerance 0.003 or more, or --solver svd."),
        ("components='a' needs 2 of them. Pass components=(1, 2).",
         "--components 'a' needs 2 of them. Pass --components 1,2."),
        ("'m' is a model, not a table. Type: eigenlens.load('m').",
         "'m' is a model, not a table. Type: eigenlens show 'm'"),
        ("convention='x' is not known. Possible: None, 'prcomp'.",
         "--convention x is not known. Possible: 'prcomp'."),
        ("--to='onyx' is not known", "--to 'onyx' is not known"),
        ("eigenlens.open(path, header=False) says otherwise", "--no-header says otherwise"),
    ],
)  # fmt: skip
def test_arguments_become_options(python, shell):
    assert in_shell(python) == shell


@pytest.mark.parametrize(
    "argument", ["k=", "columns=[", "scale=", "center=", "memory=", "solver=", "tolerance="]
)
def test_no_argument_of_fit_is_left_in_a_message(argument):
    left = [
        message
        for message in map(in_shell, EVERY)
        if argument in message and not any(words in message for words in NOT_OF_FIT)
    ]

    assert left == []


def test_words_are_not_mistaken_for_arguments():
    assert in_shell("column 'walk=3' is text") == "column 'walk=3' is text"


def test_every_spelling_is_still_needed():
    """A message that was reworded must not leave its spelling behind."""
    notes = [
        "pass the rows of the fit as reference= to have them",
        "eigenlens.open(path, header=True) eigenlens.open(path, header=False) header=True, "
        "header=False, delimiter=';'",
        "--to='a'",
        "Name one: labels=, row='a'",
        "convention='R' is not known. Possible: None, 'prcomp'. Pass components=(1, 2).",
        "max_epochs=-1, kind='a', name='b', or take a larger hidden=",
    ]

    unused = [
        pattern.pattern
        for pattern, _ in PATTERNS
        if not any(pattern.search(message) for message in [*EVERY, *notes])
    ]

    assert unused == []
