"""command: a verb as typer sees it. Its records of options become options, its answer is printed.

A verb takes arguments, records of options (`options.py`), and a `Call`; it returns a
`CommandAnswer`.
Whatever it says on the way goes to stderr; whatever it found goes to stdout, here, in one form:

    a page for people        by default; plain text in a pipe
    one JSON document        --json
    Markdown                 --md
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any, get_type_hints

import typer

from eigenlens.cli.document import json_envelope
from eigenlens.cli.exit_codes import DONE, NOT_CONVERGED, WARNED, reporting_errors
from eigenlens.cli.options import OutputOptions
from eigenlens.cli.output import flushing_stdout
from eigenlens.cli.stderr import Messages
from eigenlens.cli.wording import wording_for
from eigenlens.document.json_values import plain_value
from eigenlens.document.page import Page
from eigenlens.errors import EigenlensError, OptionError
from eigenlens.errors.phrasing import escape_controls

__all__ = ["Call", "CommandAnswer", "collecting_failures", "make_command"]


@dataclass(frozen=True)
class Call:
    """What was typed: `args` by name, and the `line` that says the same again.

    `saved_in`: files that hold the state of the work while it is not done.
    """

    name: str
    args: Mapping[str, Any]
    line: str
    talk: Messages
    saying: OutputOptions
    saved_in: list[Path] = field(default_factory=list)


@dataclass(frozen=True)
class CommandAnswer:
    """`failure`: what went wrong after the result was there; it is shown all the same."""

    page: Page | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)
    code: int = DONE
    failure: EigenlensError | None = None


@contextmanager
def collecting_failures(failures: list[EigenlensError]) -> Iterator[None]:
    """What was found is not lost where it cannot be written: the error is for `Answer.failure`."""
    try:
        yield
    except EigenlensError as error:
        failures.append(error)


def make_command(verb: Callable[..., CommandAnswer]) -> Callable[..., None]:
    """The verb with every option in its own right."""
    parameters, records = flatten_options(verb)

    @wraps(verb)
    def run(context: typer.Context, **given: Any) -> None:
        with wording_for(context.command.params), reporting_errors():
            answer_with(context, given)

    def answer_with(context: typer.Context, given: dict[str, Any]) -> None:
        gathered = {
            name: kind(**{one.name: given.pop(one.name) for one in fields(kind)})
            for name, kind in records.items()
        }
        saying: OutputOptions = gathered.pop("saying")
        if saying.as_json and saying.as_markdown:
            raise OptionError.excludes("as_json", "as_markdown")
        talk = Messages(saying.quiet)
        name = context.info_name or verb.__name__
        call = Call(name, plain_value(given_options(context)), rebuild_line(context), talk, saying)
        with naming_saved_state(call), talk.listening():
            answer = verb(call=call, **given, **gathered)
        with flushing_stdout():
            print_answer(answer, call)
        if answer.failure is not None:
            raise answer.failure
        for path in call.saved_in:
            path.unlink(missing_ok=True)
        raise typer.Exit(exit_code_of(answer, call))

    run.__dict__["__signature__"] = Signature(list(parameters.values()))
    run.__annotations__ = {name: one.annotation for name, one in parameters.items()}
    return run


@contextmanager
def naming_saved_state(call: Call) -> Iterator[None]:
    """Where to go on from is said to whoever stopped the command."""
    try:
        yield
    except KeyboardInterrupt:
        for path in filter(Path.exists, call.saved_in):
            call.talk.note(f"progress is saved in {path}; run the same command to resume")
        raise


def flatten_options(
    verb: Callable[..., CommandAnswer],
) -> tuple[dict[str, Parameter], dict[str, Any]]:
    """All options by name, and the records that some of them belong to."""
    hints = get_type_hints(verb, include_extras=True)
    context = Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)
    found: dict[str, Parameter] = {"context": context}
    records: dict[str, Any] = {"saying": OutputOptions}
    single = {}
    for name, one in signature(verb).parameters.items():
        if is_dataclass(hints[name]) and hints[name] is not Call:
            records[name] = hints[name]
        elif hints[name] is not Call:
            single[name] = one.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])
    # In the order of the help: what to read, how, and what to make of it.
    found |= {name: one for name, one in single.items() if one.default is Parameter.empty}
    for kind in [kind for kind in records.values() if kind is not OutputOptions]:
        found |= options_of(kind)
    return {**found, **single, **options_of(OutputOptions)}, records


def options_of(record: Any) -> dict[str, Parameter]:
    hints = get_type_hints(record, include_extras=True)
    return {
        part.name: Parameter(
            part.name, Parameter.KEYWORD_ONLY, default=part.default, annotation=hints[part.name]
        )
        for part in fields(record)
    }


# -- what was typed ------------------------------------------------------------------------


def given_options(context: typer.Context) -> dict[str, Any]:
    """All that has a value, but for how the answer is shown."""
    shown = {one.name for one in fields(OutputOptions)}
    return {
        name: value
        for name, value in context.params.items()
        if value not in (None, [], ()) and name not in shown
    }


def rebuild_line(context: typer.Context) -> str:
    """The command again, with what differs from the defaults and is not about the screen."""
    words = ["eigenlens", context.info_name or ""]
    options: list[str] = []
    for one in context.command.params:
        value = context.params.get(one.name or "")
        if one.param_type_name == "argument":
            words += map(str, value if isinstance(value, list | tuple) else [value])
        elif one.name in given_options(context) and value != one.default:
            options += spell_option(one, value)
    return shlex.join(word for word in [*words, *options] if word != "None")


def spell_option(one: Any, value: Any) -> list[str]:
    name = one.opts[0]
    if isinstance(value, bool):
        return [name if value else one.secondary_opts[0]]
    values = value if isinstance(value, list | tuple) else [value]
    return [word for each in values for word in (name, str(each))]


# -- what comes of it ----------------------------------------------------------------------


def print_answer(answer: CommandAnswer, call: Call) -> None:
    if call.saying.as_json:
        told = json_envelope(call.name, call.args, answer.data, answer.result, call.talk.warnings)
        typer.echo(json.dumps(told, indent=2, allow_nan=False))
        return
    if answer.page is None:
        return
    from eigenlens.document.text import open_console, print_page

    console = open_console()
    if call.saying.as_markdown:
        from eigenlens.document.markdown import page_markdown

        print(page_markdown(answer.page), file=console.file)
    elif answer.page == Page(answer.page.title):
        print(
            escape_controls(answer.page.title), file=console.file
        )  # a path: whole, for who reads it next
    else:
        print_page(answer.page, console)


def exit_code_of(answer: CommandAnswer, call: Call) -> int:
    if call.talk.unproven:
        return NOT_CONVERGED
    if answer.code != DONE:
        return answer.code
    return WARNED if call.saying.strict and call.talk.warnings else DONE
