"""The controllers of a character, loaded once: planners and animations of one run share them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import astuple

from surefoot import control
from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.planning.statistics import Account

KEPT = 4
"""Bodies whose controllers are kept."""

SHARE = 0.9
"""Of all work up to a plan, training is so much: it takes tens of seconds, a plan about one."""

_TRAINED: dict[Hashable, Controllers] = {}


def controllers_of(
    character: Character,
    account: Account | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Controllers:
    """The controllers of a character; trained when they never were.

    Args:
        character: whose.
        account: told what they took: training, or loading what was trained before; nothing where
            an earlier call had them.
        cancel: asked now and then; they are not `complete` once it says true.
    """
    body = _body(character)
    if body not in _TRAINED:
        progress = None if account is None or not account.is_followed else _scaled(account)
        found = control.load(character, progress=progress, cancel=cancel)
        if account is not None:
            account.stage(*(("training", SHARE) if found.learned else ("loading", 0.1)))
        if not found.complete:
            return found
        while len(_TRAINED) >= KEPT:
            _TRAINED.pop(next(iter(_TRAINED)))
        _TRAINED[body] = found
    return _TRAINED[body]


def _scaled(account: Account) -> Callable[[str, float], None]:
    return lambda stage, share: account.report(stage, SHARE * share)


def _body(character: Character) -> Hashable:
    """What controllers depend on: two characters with the same body move alike."""
    skeleton = character.skeleton
    skills = [skill.to_dict() for _, skill in sorted(character.capabilities.items())]
    return (
        *astuple(character.measures), repr(skills), skeleton.joints, skeleton.parents,
        skeleton.offsets.tobytes(), skeleton.rest_rotations.tobytes(), skeleton.limits.tobytes(),
    )  # fmt: skip
