"""The `surefoot` command.

Each command is a module with NAME, HELP, `add_arguments(parser)` and `run(args)`, listed in
COMMANDS. `args.report` prints what the command has to say. Modules import what is heavy inside
`run`, so that `surefoot --help` is quick.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from typing import NoReturn, Protocol

from surefoot import console
from surefoot.cli import (
    bench,
    clips,
    crowd,
    demo,
    follow,
    plan,
    play,
    pursue,
    scenes,
    studio,
    train,
    travel,
)
from surefoot.cli.report import Report
from surefoot.errors import InputError, SurefootError, one_of

EXIT_CODES = """\
exit codes:
  0    done: the goal is reached, every claim holds
  1    the answer is no: no plan, or a claim that does not hold; the output says why
  2    a mistake in what was asked, said in one line on the standard error
  130  stopped by Ctrl-C

With --json a command prints one JSON document on the standard output instead of text.
"""


class Command(Protocol):
    """What a command's module has."""

    @property
    def NAME(self) -> str:  # noqa: N802  (a constant of the module)
        """What is typed after `surefoot`."""
        ...

    @property
    def HELP(self) -> str:  # noqa: N802
        """One line."""
        ...

    def add_arguments(self, parser: ArgumentParser, /) -> None:
        """Declares the command's arguments."""
        ...

    def run(self, args: Namespace, /) -> int:
        """Does it; gives the exit code."""
        ...


COMMANDS: tuple[Command, ...] = (
    demo,
    plan,
    pursue,
    crowd,
    travel,
    play,
    follow,
    studio,
    clips,
    train,
    scenes,
    bench,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `surefoot ARGUMENTS` (the process's own when not given); gives the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    report = Report(given[0] if given else "", json=_wants_json(given))
    try:
        try:
            return _finished(report, _run(given, report))
        except SurefootError as error:
            return _failed(report, str(error), 2)
        except KeyboardInterrupt:
            return _failed(report, "stopped", 130)
    except BrokenPipeError:
        # Whoever read our output has gone; nothing may be flushed to it at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _run(given: list[str], report: Report) -> int:
    commands = {command.NAME: command for command in COMMANDS}
    if given and not given[0].startswith("-") and given[0] not in commands:
        raise InputError(one_of("command", given[0], commands))
    parser = _Parser(
        prog="surefoot", description=_description(), allow_abbrev=False, epilog=EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="store_true", help="print the version")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name, command in commands.items():
        sub = subparsers.add_parser(
            name, help=command.HELP, description=command.HELP, allow_abbrev=False
        )
        command.add_arguments(sub)
    args, unknown = parser.parse_known_args(given)
    if unknown:
        command = f"surefoot {args.command}" if args.command else "surefoot"
        raise InputError(f"unknown arguments: {' '.join(unknown)}; see `{command} --help`")
    if args.version:
        print(f"surefoot {_version()}")
        return 0
    if args.command is None:
        parser.print_help()
        return 2
    report.quiet = getattr(args, "quiet", False)
    args.report = report
    with console.quiet() if report.quiet else nullcontext():
        if not report.json:
            return commands[args.command].run(args)
        # Only the document may reach the standard output, whatever a library prints.
        with redirect_stdout(sys.stderr):
            return commands[args.command].run(args)


def _wants_json(given: list[str]) -> bool:
    """Looked up before the arguments are read: mistakes in them are answered in JSON too."""
    return "--json" in given and given[0] != bench.NAME  # whose --json names a file


def _finished(report: Report, code: int) -> int:
    if report.json:
        print(report.document(code))
    sys.stdout.flush()  # here, where a reader that has gone is still told apart
    return code


def _failed(report: Report, message: str, code: int) -> int:
    print(f"surefoot: {message}", file=sys.stderr)
    if report.json:
        print(report.document(code, message), flush=True)
    return code


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, as for every other mistake."""
        raise InputError(f"{message}; see `{self.prog} --help`")


def _description() -> str:
    return "Plans and animates human characters through 3D worlds that move."


def _version() -> str:
    from importlib.metadata import version

    return version("surefoot")
