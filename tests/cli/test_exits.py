"""How a command ends: the code says whose mistake it was."""

import pytest
import typer

from eigenlens.cli.exits import DATA, INTERRUPTED, USAGE, readable_errors
from eigenlens.cli.spelling import in_shell
from eigenlens.errors import DataError, MemoryBudgetError, OptionError, UnsupportedData


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DataError.empty((0, 3)), DATA),
        (UnsupportedData.unknown_kind(dict), DATA),
        (OptionError.unknown("solver", "x", ("svd",)), USAGE),
        (MemoryBudgetError.unreadable("lots"), USAGE),
        (KeyboardInterrupt(), INTERRUPTED),
    ],
)
def test_the_code_says_whose_mistake_it_was(error, code):
    with pytest.raises(typer.Exit) as ended, readable_errors():
        raise error

    assert ended.value.exit_code == code


def test_the_message_is_one_line_on_stderr(capsys):
    error = DataError.empty((0, 3))

    with pytest.raises(typer.Exit), readable_errors():
        raise error

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"error: {in_shell(str(error))}\n"
    assert "or 1 with --no-center" in printed.err


def test_a_mistake_of_ours_is_not_hidden():
    with pytest.raises(ZeroDivisionError), readable_errors():
        _ = 1 / 0
