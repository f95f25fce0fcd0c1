"""Footage of a library: its clips on one body, with where their feet stand."""

from __future__ import annotations

from surefoot.character import humanoid
from surefoot.character.measures import Measures
from surefoot.motion.library import Library
from surefoot.motion.locking import footfalls
from surefoot.motion.playing.footage import Footage


def library_footage(library: Library, measures: Measures | None = None) -> Footage:
    """The clips of a library, ready to be played on one body.

    Args:
        library: its steps can be played, mirrored or not.
        measures: of the body; of the library's first actor when not given.
    """
    body = library.measures[0] if measures is None else measures
    if any(own is not body for own in library.measures):
        library = library.fitted(body)
    footage = Footage(humanoid.skeleton(body), body)
    for clip, plants in zip(library.clips, library.plants, strict=True):
        footage.add(clip, footfalls(clip, body, plants))
    return footage
