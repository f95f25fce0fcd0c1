"""What a page shows: a world, from when to when, and who moves in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from surefoot.animation import Animation
from surefoot.animation.pictures.camera import box_corners
from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.planning import Plan
from surefoot.studio.figures import Figure, figure
from surefoot.world import Attached, Function, Keyframed, Observed, Place, Trajectory, World
from surefoot.world.scenes import Scene

Shown = Animation | Sequence[Animation] | Scene | World
"""What the studio shows; several animations in the world of the first."""

MARGIN = 3.0
"""[m] Kept around the paths of the characters in the view that a page opens with. Half of it cuts
off what is beside them; with twice as much the characters become small."""

_LOOKS = 33
"""Moments at which moving things are looked at, to frame them."""


@dataclass(frozen=True, eq=False)
class Footprint:
    """Where a foot is on the ground.

    Attributes:
        foot: "left" or "right".
        body: what carries it, None for the world's own frame.
        position: `(3,)` [m], the middle of the sole, in the body's frame.
        rotation: `(4,)`, in the body's frame: x to the toes, z out of the ground.
        start: [s] first contact.
    """

    foot: str
    body: str | None
    position: Floats
    rotation: Floats
    start: float


@dataclass(frozen=True, eq=False)
class Actor:
    """Someone on the page.

    Attributes:
        figure: how it looks and moves.
        foot_size: length and width of its soles [m].
        plan: what it does; None when nobody knows.
        footprints: in order of contact.
    """

    figure: Figure
    foot_size: tuple[float, float]
    plan: Plan | None = None
    footprints: tuple[Footprint, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Content:
    """What a page shows.

    Attributes:
        name: its title.
        world: the bodies.
        start: [s], the first moment.
        end: [s], the last, >= start; the same where nothing moves.
        actors: who moves.
        places: to be marked, by name.
    """

    name: str
    world: World
    start: float = 0.0
    end: float = 0.0
    actors: tuple[Actor, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict[str, Place])

    @cached_property
    def extent(self) -> Floats:
        """`(n, 3)` [m]: corners of boxes around everything, wherever it moves."""
        times = np.linspace(self.start, self.end, _LOOKS)
        corners: list[Floats] = []
        for body in self.world:
            box = box_corners(body.mesh.bounds)
            looks = times if body.trajectory.moving else times[:1]
            corners += [body.trajectory.pose(float(t)).apply(box) for t in looks]
        corners += [actor.figure.root for actor in self.actors]
        return np.concatenate(corners) if corners else np.array([[-1.0, -1, 0], [1, 1, 1]])

    @cached_property
    def opening(self) -> Floats:
        """`(n, 3)` [m]: what a page opens on: the characters' paths; everything without any."""
        if not self.actors:
            return self.extent
        roots = np.concatenate([actor.figure.root for actor in self.actors])
        return box_corners(np.array([roots.min(axis=0) - MARGIN, roots.max(axis=0) + MARGIN]))


def content_of(shown: Shown) -> Content:
    """What a page shows of something."""
    if isinstance(shown, World):
        start, end = span(shown)
        return Content(name=shown.name or "world", world=shown, start=start, end=end)
    if isinstance(shown, Scene):
        start, end = span(shown.world)
        return Content(
            name=shown.name, world=shown.world, start=start, end=end, places=shown.places
        )
    animations = [shown] if isinstance(shown, Animation) else _several(shown)
    return Content(
        name=animations[0].world.name or animations[0].character.name,
        world=animations[0].world,
        start=min(animation.start for animation in animations),
        end=max(animation.end for animation in animations),
        actors=tuple(map(_actor, animations, _names(animations))),
    )


def _several(shown: Any) -> list[Animation]:
    if isinstance(shown, Iterable):
        animations = list(cast("Iterable[Any]", shown))
        if animations and all(isinstance(one, Animation) for one in animations):
            return animations
    raise InputError(f"the studio shows animations, scenes and worlds, got {shown!r}")


def _names(animations: list[Animation]) -> list[str]:
    """A name for each character that no other has."""
    names: list[str] = []
    for animation in animations:
        name, number = animation.character.name, 2
        while name in names:
            name, number = f"{animation.character.name} {number}", number + 1
        names.append(name)
    return names


def _actor(animation: Animation, name: str) -> Actor:
    character, motion = animation.character, animation.motion
    return Actor(
        figure=figure(character, motion.times, motion.root, motion.rotations, name=name),
        foot_size=(character.measures.foot_length, character.measures.foot_width),
        plan=animation.plan,
        footprints=tuple(
            Footprint(hold.foot, hold.body, hold.position, hold.rotation, hold.start)
            for hold in motion.footholds
        ),
    )


def span(world: World) -> tuple[float, float]:
    """From when to when the bodies have something to show [s]: until the longest comes round."""
    spans = [_span(body.trajectory) for body in world if body.trajectory.moving]
    if not spans:
        return 0.0, 0.0
    return min(0.0, *(start for start, _ in spans)), max(end for _, end in spans)


def _span(trajectory: Trajectory) -> tuple[float, float]:
    if isinstance(trajectory, Keyframed):
        again = trajectory.end - trajectory.start if trajectory.repeat == "ping-pong" else 0.0
        return trajectory.start, trajectory.end + again
    if isinstance(trajectory, Function):
        return trajectory.start, trajectory.horizon
    if isinstance(trajectory, Observed):
        known = trajectory.horizon
        return trajectory.seen.start, known if np.isfinite(known) else trajectory.seen.end
    if isinstance(trajectory, Attached):
        return _union(_span(part) for part in (trajectory.parent, trajectory.child) if part.moving)
    return 0.0, 0.0


def _union(spans: Iterable[tuple[float, float]]) -> tuple[float, float]:
    starts, ends = zip(*spans, strict=True)
    return min(starts), max(ends)
