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

import difflib
import re
from collections.abc import Iterable

_MAX_SHOWN = 60
"""Characters of a wrong name that an error repeats."""

_MAX_LISTED = 40
"""Names that an error lists; a level can have thousands of bodies."""

_MAX_SUGGESTED = 3
"""Names that an error suggests."""


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
    """The sentence for an unknown name: what was given, what comes close, and what there is."""
    known = sorted(set(choices))
    more = f" and {len(known) - _MAX_LISTED} more" if len(known) > _MAX_LISTED else ""
    listed = f"{', '.join(known[:_MAX_LISTED]) or 'none'}{more}"
    hint = did_you_mean(given, known)
    return (
        f"unknown {kind} {_shortened(given)}; {f'{hint} There' if hint else 'there'} are: {listed}"
    )


def did_you_mean(given: object, choices: Iterable[str]) -> str:
    """The question "did you mean 'a' or 'b'?" for the choices close to a name; "" without any."""
    close = close_names(given, choices)
    return f"did you mean {' or '.join(map(repr, close))}?" if close else ""


def close_names(given: object, choices: Iterable[str]) -> list[str]:
    """The choices that a mistyped name may stand for, at most three.

    Those that differ in case, spaces, hyphens and underscores alone; else those that begin with
    the name; else the most similar one.
    """
    if not isinstance(given, str):
        return []
    # Names that a person never types whole, such as damaged ones from files, are not compared:
    # the time of the comparison grows with the square of the length.
    plain = _normalised(given[: 2 * _MAX_SHOWN])
    known = {choice: _normalised(choice[: 2 * _MAX_SHOWN]) for choice in sorted(set(choices))}
    same = [choice for choice, text in known.items() if plain and text == plain]
    if same:
        return same[:_MAX_SUGGESTED]
    begun = [choice for choice, text in known.items() if len(plain) > 1 and text.startswith(plain)]
    if begun:
        return begun[:_MAX_SUGGESTED]
    matches = difflib.get_close_matches(plain, known.values(), n=1)
    return [choice for choice, text in known.items() if text in matches][:1]


def _normalised(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


def _shortened(given: object) -> str:
    if isinstance(given, str):
        given = given if len(given) <= _MAX_SHOWN else given[: _MAX_SHOWN - 3] + "..."
        return repr(given)
    text = repr(given)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 3] + "..."
