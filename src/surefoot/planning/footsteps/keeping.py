"""Repertoires are kept, so that characters with the same body and settings share one."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import astuple
from typing import Any

from surefoot.character import Character
from surefoot.motion.default import default_footage, default_library
from surefoot.motion.library import Library
from surefoot.motion.playing.filming import library_footage
from surefoot.planning.footsteps.gathering import repertoire
from surefoot.planning.footsteps.repertoire import Repertoire
from surefoot.planning.footsteps.settings import FootstepSettings

MOST = 8
"""Repertoires that are kept."""

_kept: OrderedDict[Any, Repertoire] = OrderedDict()


def repertoire_of(
    character: Character, settings: FootstepSettings, library: Library | None = None
) -> Repertoire:
    """What a character can do.

    Args:
        character: whose body it is.
        settings: of the planner.
        library: of anybody's steps; the default one of the character when not given.
    """
    skills = tuple(sorted(character.capabilities.items()))
    key = (
        astuple(character.measures), character.standing_energy, character.moving_energy, skills,
        settings.steps, None if library is None else library.hash,
    )  # fmt: skip
    found = _kept.pop(key, None)
    if found is None:
        if library is None:
            found = repertoire(
                character, default_library(character), default_footage(character), settings
            )
        else:
            fitted = library.fitted(character.measures)
            footage = library_footage(fitted, character.measures)
            found = repertoire(character, fitted, footage, settings)
    _kept[key] = found
    while len(_kept) > MOST:
        _kept.popitem(last=False)
    return found
