"""Lines of text files, and errors that name them."""

from __future__ import annotations

from surefoot.errors import FileError


def lines_of(data: bytes) -> list[str]:
    """The lines of a text file, whatever ends them; bytes that are no UTF-8 are Latin-1."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    # Not splitlines, which would also split at form feeds and the like.
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def line_error(file: str, line: int, problem: str) -> FileError:
    """The error for a line of a file, counted from one."""
    return FileError(f"{file}: line {line}: {problem}")


def shorten(text: str) -> str:
    """Text from a file for a message: quoted, and cut when long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
