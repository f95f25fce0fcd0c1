"""The exceptions surefoot raises, in one tree.

    SurefootError                 everything below; catch this to catch them all
    ├── InputError (ValueError)   a value is wrong; the message names it and the valid choices
    │   ├── MeshError             vertices or faces that are no surface
    │   ├── TrajectoryError       key times, rotations, horizons or speed bounds that cannot be
    │   ├── WorldError            unknown or repeated body names, an empty world
    │   ├── PlaceError            in mid-air, inside a wall, on a body that is not there
    │   ├── CharacterError        bones that cannot be mapped, measures that cannot be
    │   ├── ProblemError          a start, goal, cost or limit that cannot be planned for
    │   └── ScenarioError         a scenario file; lists every problem with its key
    ├── FileError                 a file that cannot be read; the message names file and field
    │   └── VersionError          a file written by another schema version
    ├── ReplayError               a recording that comes out differently when it is run again
    └── MissingExtraError         a feature whose optional dependency is not installed

A failed plan is no exception: `Plan` is falsy and says why in `plan.status.message`.
"""

from __future__ import annotations

from collections.abc import Iterable


class SurefootError(Exception):
    """Base of every error that surefoot raises on purpose."""


class InputError(SurefootError, ValueError):
    """A value given by the caller is wrong."""


class MeshError(InputError):
    """Vertices or faces do not describe a surface."""


class TrajectoryError(InputError):
    """A motion that cannot be: key times, rotations, horizon or speed bound."""


class WorldError(InputError):
    """A world was asked about, or given, a body that does not fit it."""


class PlaceError(InputError):
    """A place that nobody can stand at, or on a body that is not there."""


class CharacterError(InputError):
    """A body whose bones or measures do not make a person."""


class ProblemError(InputError):
    """A planning problem that is not well posed."""


class ScenarioError(InputError):
    """A scenario file with problems; `problems` holds one line for each."""

    def __init__(self, message: str, problems: Iterable[str] = ()) -> None:
        self.problems: tuple[str, ...] = tuple(problems)
        lines = "".join(f"\n  - {line}" for line in self.problems)
        super().__init__(message + lines)


class FileError(SurefootError):
    """A file cannot be read or written; the message names it."""


class VersionError(FileError):
    """A file was written by another schema version."""


class ReplayError(SurefootError):
    """A recording came out differently when it was run again; the message names the frame."""


class MissingExtraError(SurefootError, ImportError):
    """An optional dependency is needed; the message says how to install it."""


def one_of(kind: str, given: object, choices: Iterable[str]) -> str:
    """The sentence for an unknown name: what was given, and what is there."""
    known = ", ".join(sorted(choices)) or "none"
    return f"unknown {kind} {given!r}; there are: {known}"
