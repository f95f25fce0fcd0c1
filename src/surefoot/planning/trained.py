"""The controllers of a character, loaded once: planners and animations of one run share them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import astuple

from surefoot import control
from surefoot.character import Character
from surefoot.control import Controllers

KEPT = 4
"""Bodies whose controllers are kept."""

_TRAINED: dict[Hashable, Controllers] = {}


def controllers_of(character: Character) -> Controllers:
    """The controllers of a character; trained when they never were."""
    body = _body(character)
    if body not in _TRAINED:
        while len(_TRAINED) >= KEPT:
            _TRAINED.pop(next(iter(_TRAINED)))
        _TRAINED[body] = control.load(character)
    return _TRAINED[body]


def _body(character: Character) -> Hashable:
    """What controllers depend on: two characters with the same body move alike."""
    skeleton = character.skeleton
    skills = [skill.to_dict() for _, skill in sorted(character.capabilities.items())]
    return (
        *astuple(character.measures), repr(skills), skeleton.joints, skeleton.parents,
        skeleton.offsets.tobytes(), skeleton.rest_rotations.tobytes(), skeleton.limits.tobytes(),
    )  # fmt: skip
