"""How a command ends: the code says whose mistake it was."""

import pytest
import typer

from eigenlens.cli.exit_codes import DATA_EXIT, INTERRUPTED, USAGE, reporting_errors
from eigenlens.cli.main import app
from eigenlens.cli.wording import wording_for
from eigenlens.errors import DataError, MemoryBudgetError, OptionError, UnsupportedData

FIT = typer.main.get_command(app).commands["fit"].params


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DataError.empty((0, 3)), DATA_EXIT),
        (UnsupportedData.unknown_kind(dict), DATA_EXIT),
        (OptionError.unknown("solver", "x", ("svd",)), USAGE),
        (MemoryBudgetError.unreadable("lots"), USAGE),
        (KeyboardInterrupt(), INTERRUPTED),
    ],
)
def test_the_code_says_whose_mistake_it_was(error, code):
    with pytest.raises(typer.Exit) as ended, reporting_errors():
        raise error

    assert ended.value.exit_code == code


def test_the_message_is_one_line_on_stderr(capsys):
    error = DataError.empty((0, 3))

    with pytest.raises(typer.Exit), wording_for(FIT), reporting_errors():
        raise error

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: the table has 0 rows")
    assert printed.err.endswith("or 1 row with --no-center.\n")


def test_a_mistake_of_ours_is_not_hidden():
    with pytest.raises(ZeroDivisionError), reporting_errors():
        _ = 1 / 0
