"""The controllers of a character, loaded once: planners and animations of one run share them."""

from __future__ import annotations

from surefoot import control
from surefoot.character import Character
from surefoot.control import Controllers

KEPT = 4
"""Characters whose controllers are kept."""

_TRAINED: dict[int, tuple[Character, Controllers]] = {}


def controllers_of(character: Character) -> Controllers:
    """The controllers of a character; trained when they never were."""
    known = _TRAINED.get(id(character))
    if known is None or known[0] is not character:
        while len(_TRAINED) >= KEPT:
            _TRAINED.pop(next(iter(_TRAINED)))
        known = (character, control.load(character))
        _TRAINED[id(character)] = known
    return known[1]
