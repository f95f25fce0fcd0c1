"""The default library: what every character can do without any files, made by the gait model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from math import pi, radians, sqrt

from surefoot import caches, console, quantities
from surefoot.character import Character
from surefoot.errors import InputError, one_of
from surefoot.motion.families import (
    Family,
    Made,
    crouches,
    grounds,
    halts,
    jumps,
    paces,
    set_offs,
    stands,
    starts,
    walks,
)
from surefoot.motion.families.cache import kept
from surefoot.motion.library import Library, build_library
from surefoot.motion.playing.footage import Footage


def default_families(character: Character) -> dict[str, Family]:
    """Clips with parameters that a character can do, by name."""
    made = [
        walks.walk(character),
        walks.run(character),
        starts.start(character),
        starts.stop(character),
        halts.halt(character),
        halts.halt(character, "run"),
        starts.start(character, "run"),
        starts.stop(character, "run"),
        *(stands.turn(character, side) for side in ("left", "right")),
        *(stands.turn_round(character, side) for side in ("left", "right")),
        *(stands.quick_turn(character, side) for side in ("left", "right")),
        *(stands.about_turn(character, side) for side in ("left", "right")),
        *(set_offs.set_off(character, side) for side in ("left", "right")),
        *(set_offs.set_off(character, side, "run") for side in ("left", "right")),
        paces.walk_to_walk(character),
        paces.walk_to_run(character),
        paces.run_to_walk(character),
        paces.run_to_run(character),
        *(stands.step(character, way) for way in ("left", "right", "back", "ahead")),
        stands.idle(character),
        grounds.stairs_up(character),
        grounds.stairs_down(character),
        grounds.slope(character),
        crouches.crouched_walk(character),
        crouches.duck(character),
        crouches.crouch_down(character),
        crouches.crouch_up(character),
        jumps.standing_jump(character),
        jumps.running_jump(character),
        jumps.landing(character),
    ]
    return {family.name: family for family in made}


# Name of the clip, its family, and what is not usual about it: speeds [m/s] and lengths [m] for a
# leg of 0.93 m, angles [rad].
_REPERTOIRE: tuple[tuple[str, str, dict[str, float]], ...] = (
    ("idle", "idle", {}),
    ("walk very slow", "walk", {"speed": 0.35}),
    ("walk slow", "walk", {"speed": 0.75}),
    ("walk", "walk", {"speed": 1.25}),
    ("walk fast", "walk", {"speed": 1.6}),
    ("walk very fast", "walk", {"speed": 1.95}),
    ("walk 45 left", "walk", {"turn": pi / 4}),
    ("walk 45 right", "walk", {"turn": -pi / 4}),
    ("walk 90 left", "walk", {"speed": 1.1, "turn": pi / 2}),
    ("walk 90 right", "walk", {"speed": 1.1, "turn": -pi / 2}),
    ("walk ahead left", "walk", {"speed": 0.8, "direction": pi / 4}),
    ("walk ahead right", "walk", {"speed": 0.8, "direction": -pi / 4}),
    ("walk left", "walk", {"speed": 0.5, "direction": pi / 2}),
    ("walk right", "walk", {"speed": 0.5, "direction": -pi / 2}),
    ("walk back left", "walk", {"speed": 0.5, "direction": 0.75 * pi}),
    ("walk back right", "walk", {"speed": 0.5, "direction": -0.75 * pi}),
    ("walk back slow", "walk", {"speed": 0.4, "direction": pi}),
    ("walk back", "walk", {"speed": 0.8, "direction": pi}),
    ("run slow", "run", {"speed": 2.5}),
    ("run", "run", {"speed": 3.2}),
    ("run fast", "run", {"speed": 4.5}),
    ("run 45 left", "run", {"speed": 3.0, "turn": pi / 4}),
    ("run 45 right", "run", {"speed": 3.0, "turn": -pi / 4}),
    ("start slow", "start", {"speed": 0.75}),
    ("start", "start", {"speed": 1.25}),
    ("start fast", "start", {"speed": 1.6}),
    ("stop slow", "stop", {"speed": 0.75}),
    ("stop", "stop", {"speed": 1.25}),
    ("stop fast", "stop", {"speed": 1.6}),
    ("start running", "start running", {}),
    ("stop running", "stop running", {}),
    ("turn 45 left", "turn left", {"angle": pi / 4}),
    ("turn 45 right", "turn right", {"angle": pi / 4}),
    ("turn 90 left", "turn round left", {"angle": pi / 2}),
    ("turn 90 right", "turn round right", {"angle": pi / 2}),
    ("turn 180 left", "turn round left", {"angle": pi}),
    ("turn 180 right", "turn round right", {"angle": pi}),
    ("step left", "step left", {}),
    ("step right", "step right", {}),
    ("step back", "step back", {}),
    ("step ahead", "step ahead", {}),
    ("stairs up", "stairs up", {}),
    ("stairs down", "stairs down", {}),
    ("slope up", "slope", {"slope": radians(10)}),
    ("slope down", "slope", {"slope": -radians(10)}),
    ("crouched walk slow", "crouched walk", {"speed": 0.45}),
    ("crouched walk", "crouched walk", {"speed": 0.75}),
    ("crouched walk deep", "crouched walk", {"speed": 0.6, "depth": 1.0}),
    ("crouched walk 45 left", "crouched walk", {"speed": 0.7, "turn": pi / 4}),
    ("crouched walk 45 right", "crouched walk", {"speed": 0.7, "turn": -pi / 4}),
    ("crouch", "duck", {}),
    ("crouch down", "crouch down", {"depth": 0.7}),
    ("crouch up", "crouch up", {"depth": 0.7}),
    ("jump on the spot", "standing jump", {"distance": 0.0}),
    ("jump across", "standing jump", {"distance": 0.9}),
    ("jump far", "standing jump", {"distance": 1.3}),
    ("jump up", "standing jump", {"distance": 0.45, "rise": 0.3}),
    ("jump down", "standing jump", {"distance": 0.5, "rise": -0.6}),
    ("leap", "running jump", {"distance": 1.6}),
    ("leap far", "running jump", {"distance": 2.3}),
    ("leap up", "running jump", {"distance": 1.4, "rise": 0.3}),
    ("leap down", "running jump", {"distance": 1.8, "rise": -0.6}),
    ("land", "landing", {}),
)

CLIP_SECONDS = 0.2
"""[s] that making a clip takes on average: 18 s of one core for the 89 clips of an adult's default
moves. Only what is promised to those who wait depends on it."""

_PARTS = ("land", "crouch down", "crouch up")
"""Clips that only lead into others: they can be played, but no step is in them."""

_LENGTHS = ("distance", "rise", "riser", "drop")


def default_clips(character: Character) -> tuple[Made, ...]:
    """The clips of the default library, and what is known about them.

    Made once and kept in the user's cache folder; see `surefoot.caches`.
    """
    measures = character.measures
    skills = [skill.to_dict() for _, skill in sorted(character.capabilities.items())]
    asked = repr((astuple(measures), skills, _REPERTOIRE))

    def make() -> list[Made]:
        families = default_families(character)
        possible = _possible(character, families)
        kept_after = "" if caches.folder() is None else ", kept for next time"
        takes = quantities.estimate(CLIP_SECONDS * len(possible))
        made: list[Made] = []
        with console.Bar() as bar:
            bar.begin(f"making clips for {character.name!r} ({takes}{kept_after})")
            for name, family, values in possible:
                made.append(families[family].made(name, **values))
                bar.show(len(made) / len(possible))
        return made

    return kept(asked, character.skeleton, make)


def _possible(
    character: Character, families: Mapping[str, Family]
) -> list[tuple[str, str, dict[str, float]]]:
    """The repertoire as this body can do it: clips with the nearest values that it is able to.

    What no value makes possible, as leaps of a body that hardly jumps, is left out.
    """
    found: list[tuple[str, str, dict[str, float]]] = []
    for name, family, values in _REPERTOIRE:
        nearest = families[family].nearest(**_scaled(character, values))
        try:
            families[family].values(**nearest)
        except InputError:
            continue
        found.append((name, family, nearest))
    return found


def _scaled(character: Character, values: dict[str, float]) -> dict[str, float]:
    """Speeds and lengths for this body."""
    size = character.measures.leg_length / 0.93
    factors = dict.fromkeys(_LENGTHS, size) | {"speed": sqrt(size)}
    return {name: value * factors.get(name, 1.0) for name, value in values.items()}


def default_clip(character: Character, name: str) -> Made:
    """One clip of the default library."""
    for made in default_clips(character):
        if made.clip.name == name:
            return made
    raise InputError(one_of("clip", name, [name for name, _, _ in _REPERTOIRE]))


def default_library(character: Character) -> Library:
    """The default library of a character: its clips, their foot plants and annotated steps.

    What begins in the air, or ends in a crouch on the spot, holds no step; whole jumps and
    crouches do.
    """
    whole = [made.clip for made in default_clips(character) if made.clip.name not in _PARTS]
    return build_library([(clip, character.measures) for clip in whole])


def default_footage(character: Character) -> Footage:
    """The default library's clips, ready to be played, with feet known exactly."""
    footage = Footage(character.skeleton, character.measures)
    for made in default_clips(character):
        made.add_to(footage)
    return footage
