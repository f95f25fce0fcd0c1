"""Files in the user's cache folder: what took long to make, by a name that says what it depends on.

A cache never fails: a file that is damaged, cannot be read or is of another version is made anew
and replaced, and a folder that cannot be written costs time. Each is said in one line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy.typing as npt

from surefoot.archives import Record, packed, unpacked
from surefoot.console import say
from surefoot.errors import FileError, SurefootError
from surefoot.files import read_bytes, write_atomic

VARIABLE = "SUREFOOT_CACHE"
"""The environment variable that names another folder; set but empty, nothing is kept."""

Say = Callable[[str], None]
"""Takes a sentence for the user."""

T = TypeVar("T")


def folder() -> Path | None:
    """Where things are kept; None where nothing should be."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home
        return None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "surefoot"


def read(path: Path, decode: Callable[[Record], T], *, anew: str, say: Say = say) -> T | None:
    """What `decode` makes of the arrays in a file; None where there is no file of use.

    Args:
        path: of the file.
        decode: may raise what decoding raises, and `FileError` with a reason.
        anew: what happens to what is of no use, for the user: "made anew".
        say: takes a sentence where a file is of no use.
    """
    if not os.path.lexists(path):
        return None
    try:
        return decode(unpacked(read_bytes(path), str(path)))
    except (SurefootError, LookupError, ValueError, TypeError, ArithmeticError) as reason:
        text = str(reason) if str(path) in str(reason) else f"{path}: damaged: {reason}"
        say(f"{text}; {anew}")
        return None


def write(path: Path, arrays: Mapping[str, npt.NDArray[Any]], *, say: Say | None = None) -> None:
    """Keeps arrays in a file, whole or not at all.

    Args:
        path: of the file.
        arrays: by name.
        say: takes a sentence where it cannot be written; each is said once when not given.
    """
    try:
        make_room(path)
        write_atomic(path, packed(arrays))
    except (OSError, FileError) as reason:
        (say or _say_once)(f"nothing is kept in {path.parent}: {reason}")


def make_room(path: Path) -> None:
    """Makes the folder of a cache file, and takes an empty folder out of the file's place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() and not path.is_symlink():
        path.rmdir()


@cache
def _say_once(message: str) -> None:
    say(message)
