"""What comes of a scenario: several animations in one file, and a picture of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, radians
from pathlib import Path

import numpy as np

from surefoot.animation import Animation, animate
from surefoot.animation.gltf_character import add_character
from surefoot.animation.gltf_export import add_world
from surefoot.animation.highlights import highlights
from surefoot.animation.pictures import Camera, Look, Moment, Picture, exposures, path, person
from surefoot.arrays import Floats
from surefoot.gltf import GltfBuilder
from surefoot.planning.segments import Kind
from surefoot.scenario.scenario import Planned, Scenario

_FIGURES = 7
"""Moments of each walk that a picture shows."""

_AZIMUTHS = (-60.0, -120.0, -30.0, -150.0, 60.0, 120.0, 30.0, 150.0)
"""[degrees] Where a camera may stand; the first of those that see as much is taken."""

_MARGIN = np.array([[1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [-1.0, 1.0, 0.0]])
"""[m] To have in view around everybody."""


def animations(scenario: Scenario, done: Sequence[Planned]) -> list[Animation]:
    """The animation of each plan, in the scenario's own world: without stand-ins for others."""
    return [
        animate(
            planned.plan,
            scenario.world,
            planned.role.problem.character,
            rate=scenario.output.fps,
        )
        for planned in done
    ]


def fit_together(target: Path, shown: Sequence[Animation]) -> bool:
    """Whether one file can hold all: a BVH file is one skeleton, and a rig keeps its own file."""
    rigged = any(each.character.rig is not None for each in shown)
    return target.suffix.lower() != ".bvh" and not (rigged and len(shown) > 1)


def save_together(target: Path, shown: Sequence[Animation], *, root_motion: bool = True) -> None:
    """Writes a world and all who move in it as one `.glb` or `.gltf` file.

    The file's time starts with the first of the animations, which are of the same world. The
    plans and markers of each character are under its name in the `extras`.
    """
    if len(shown) == 1:
        shown[0].save(target, root_motion=root_motion)
        return
    start, end = min(each.start for each in shown), max(each.end for each in shown)
    rate = max(each.rate for each in shown)
    notes = {
        "start": start,
        "rate": rate,
        "characters": {
            each.character.name: {
                "plan": {"planner": each.plan.planner, "status": str(each.plan.status)},
                "markers": [marker.to_dict(start) for marker in each.markers],
            }
            for each in shown
        },
    }
    world = shown[0].world
    builder = GltfBuilder(world.name or "surefoot", extras=notes)
    channels = add_world(builder, world, start, end, rate=rate)
    for each in shown:
        later = each.start - start
        moves = add_character(builder, each, root_motion=root_motion)
        channels += [replace(move, times=move.times + later) for move in moves]
    builder.add_animation(channels, world.name or "all", extras=notes)
    builder.save(target)


def picture(
    shown: Sequence[Animation], *, size: tuple[int, int] = (960, 540), quality: str = "good"
) -> Picture:
    """All walks in one picture: their paths, and everybody at a few moments.

    Of one who boards, rides or jumps, a filmstrip of that: where everything moves, a picture of
    several moments at once shows none of them.

    Args:
        shown: at least one, all of the same world.
        size: width and height [pixels].
        quality: "draft", "good" or "best".
    """
    world = shown[0].world
    if len(shown) == 1 and any(segment.kind is Kind.BOARD or segment.kind is Kind.RIDE
                               for segment in shown[0].plan.segments):  # fmt: skip
        each = (size[0] * 5 // 16, size[1] * 4 // 9)
        return highlights(shown[0], size=each, quality=quality)
    start, end = min(each.start for each in shown), max(each.end for each in shown)
    moments = [
        Moment(t, [person(each.character, *each.pose(t)) for each in shown])
        for t in np.linspace(start, end, _FIGURES)
    ]
    paths = [path(each.path) for each in shown if _goes_somewhere(each.path)]
    camera, cutaway = _view(shown, size)
    look = Look(cutaway=cutaway)
    return exposures(world, moments, camera, extras=paths, look=look, quality=quality)


def _view(shown: Sequence[Animation], size: tuple[int, int]) -> tuple[Camera, float | None]:
    """The camera that sees most of the walks, and above what height [m] to leave things out."""
    world = shown[0].world
    feet = np.concatenate([each.path for each in shown])
    tall = np.concatenate([np.full(len(e.path), e.character.measures.height) for e in shown])
    bodies = np.concatenate([feet + np.outer(tall, [0.0, 0.0, share]) for share in (0.1, 0.5, 0.9)])
    around = (np.concatenate([feet, bodies])[:, None] + _MARGIN).reshape(-1, 3)

    def hidden(camera: Camera, top: float) -> float:
        """How much of the walks something stands in front of, 0 to 1."""
        away = bodies - camera.eye
        distance = np.linalg.norm(away, axis=1)
        directions = away / distance[:, None]
        # What is left out hides nothing: start below it.
        skipped = np.maximum((top - camera.eye[2]) / np.minimum(directions[:, 2], -1e-9), 0.0)
        origins = camera.eye + skipped[:, None] * directions
        return float((world.ray(origins, directions).distance < distance - skipped).mean())

    def best(elevation: float, top: float) -> tuple[float, Camera]:
        cameras = [Camera.framing(around, radians(a), elevation, size=size) for a in _AZIMUTHS]
        seen = [hidden(camera, top) for camera in cameras]
        return min(seen), cameras[int(np.argmin(seen))]

    loss, camera = best(radians(25.0), inf)
    if loss > 0.2:
        # Under a roof, between walls: look down at it with the top taken off.
        top = float((feet[:, 2] + tall).max()) + 0.1
        other, above = best(radians(50.0), top)
        if other < loss:
            return above, top
    return camera, None


def _goes_somewhere(points: Floats) -> bool:
    return bool(np.ptp(points, axis=0).max() > 1e-3)
