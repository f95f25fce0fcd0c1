"""`surefoot bench`: measures what surefoot claims, beside its peers.

The benchmarks are no part of the package: they lie in the repository's benchmarks/ folder, and
their peers in an environment that `make bench-setup` makes.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot.errors import FileError, InputError

if TYPE_CHECKING:
    from types import ModuleType

NAME = "bench"
HELP = "measure what surefoot claims, beside its peers"

FOLDER = "benchmarks"


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="which benchmark")
    parser.add_argument("--all", action="store_true", help="run every benchmark")
    parser.add_argument("--list", action="store_true", help="list the benchmarks")
    parser.add_argument(
        "--json", metavar="FILE", type=Path, help="write rows and claims; a folder with --all"
    )
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the rows; a folder with --all"
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep the result in benchmarks/results, to be committed; later runs are compared"
        " with it",
    )


def run(args: Namespace) -> int:
    """Runs benchmarks; 0 only when every claim holds."""
    if (args.name is not None) + args.all + args.list != 1:
        raise InputError("bench needs a NAME, --all or --list")
    folder = find_folder([Path.cwd(), Path(__file__).parent])
    runner: Any = _runner(folder)
    if args.list:
        for name in runner.names(folder):
            print(f"{name}: {runner.describe(folder, name)}")
        return 0
    chosen = runner.names(folder) if args.all else [args.name]
    broken: list[str] = []
    for name in chosen:
        report = runner.run(
            folder,
            name,
            json=_target(args.json, name, ".json", args.all),
            plot=_target(args.plot, name, ".png", args.all),
            keep=args.keep,
        )
        broken += [f"{name}: {claim.sentence()}" for claim in report.claims if not claim.holds]
    if args.all:
        print("\n" + "\n".join(broken or ["every claim holds"]))
    return 1 if broken else 0


def find_folder(starts: list[Path]) -> Path:
    """The benchmarks folder in the repository around one of the places, the first that has one."""
    for start in starts:
        for parent in (start, *start.parents):
            if (parent / FOLDER / "harness" / "runner.py").is_file():
                return parent / FOLDER
    raise FileError(
        f"the benchmarks are in surefoot's repository, not in the installed package: clone it, "
        f"run `make bench-setup` there, and call `.venv-bench/bin/surefoot {NAME}` inside it"
    )


def _runner(folder: Path) -> ModuleType:
    # The repository's root comes first, so that no other package of that name is taken.
    sys.path.insert(0, str(folder.parent))
    from importlib import import_module

    return import_module(f"{FOLDER}.harness.runner")


def _target(given: Path | None, name: str, ending: str, is_folder: bool) -> Path | None:
    return given / f"{name}{ending}" if given and is_folder else given
