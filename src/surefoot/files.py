"""Whole files in and out: read within a size limit, written so that no half file is ever seen."""

from __future__ import annotations

import os
import reprlib
import secrets
import stat
import tomllib
from pathlib import Path
from typing import Any, Final, TypeAlias

from surefoot.errors import FileError, InputError

PathLike: TypeAlias = str | os.PathLike[str]

SIZE_LIMIT: Final = 2 * 1024**3
"""The most bytes [2 GiB] a file may hold, and that may be decoded from it."""


def as_path(given: PathLike) -> Path:
    """`given` as a path, or an error that says what a path is."""
    try:
        return Path(given)
    except TypeError as reason:
        text = reprlib.repr(given)
        raise InputError(f"expected the path of a file, such as 'walk.glb', got {text}") from reason


def read_bytes(path: PathLike) -> bytes:
    """All bytes of the file `path`, at most `SIZE_LIMIT`.

    Raises:
        FileError: The file is missing, empty, too large, no regular file, or cannot be read.
    """
    file = as_path(path)
    try:
        # Asked once for all: folders of motion hold thousands of files.
        found = file.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError) as reason:  # a NUL in the name
        raise FileError(f"{file}: there is no such file") from reason
    except OSError as reason:
        raise FileError(f"{file}: cannot be read: {_explain(reason)}") from reason
    try:
        # A pipe or a device would block for ever or never end.
        if not stat.S_ISREG(found.st_mode):
            folder = ", but a folder" if stat.S_ISDIR(found.st_mode) else ""
            raise FileError(f"{file}: is no file{folder}")
        if found.st_size > SIZE_LIMIT:
            size = found.st_size
            raise FileError(f"{file}: holds {size} bytes, more than the limit of {SIZE_LIMIT}")
        data = file.read_bytes()
    except OSError as reason:
        raise FileError(f"{file}: cannot be read: {_explain(reason)}") from reason
    if not data:
        raise FileError(f"{file}: is empty")
    return data


def write_atomic(path: PathLike, data: bytes) -> Path:
    """Write `data` as the file `path`: afterwards the file is either whole or as it was before.

    Returns:
        the path.

    Raises:
        FileError: The folder is missing, or the file cannot be written.
    """
    file = as_path(path)
    # Next to the target, because a rename is atomic only within one file system.
    temporary = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            with temporary.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, file)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError) as reason:
        raise FileError(f"{file}: cannot be written: {_explain(reason)}") from reason
    return file


def read_toml(path: PathLike) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        FileError: The file cannot be read or is no TOML.
    """
    try:
        return tomllib.loads(read_bytes(path).decode("utf-8-sig"))
    except RecursionError as reason:
        raise FileError(f"{path}: no valid TOML: nested too deeply") from reason
    except ValueError as reason:  # bad syntax, bytes that are no UTF-8, numbers of 5,000 digits
        raise FileError(f"{path}: no valid TOML: {reason}") from reason


def _explain(reason: Exception) -> str:
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror.lower()
    return str(reason)
