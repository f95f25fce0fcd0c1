"""Motion in pictures: the same view at many moments, or many moments in one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

import numpy as np

from surefoot import arrays
from surefoot.animation.pictures.camera import Camera, Size
from surefoot.animation.pictures.colors import Color, from_hex
from surefoot.animation.pictures.extras import Extra
from surefoot.animation.pictures.marks import outline
from surefoot.animation.pictures.picture import Picture
from surefoot.animation.pictures.rendering import framing, render
from surefoot.animation.pictures.scene import assemble, body_color
from surefoot.animation.pictures.settings import Look
from surefoot.arrays import number
from surefoot.errors import InputError
from surefoot.world import World

# Bodies with more faces than this are too round for their edges to say anything.
_MOST_FACES = 2000
# What earlier moments fade towards.
_FADED: Color = from_hex("#d4dade")


@dataclass(frozen=True, eq=False)
class Moment:
    """What a picture shows at one time.

    Attributes:
        t: [s].
        extras: such as people in their poses at that time.
    """

    t: float
    extras: Sequence[Extra] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", arrays.time(self.t, "moment"))
        object.__setattr__(self, "extras", tuple(self.extras))


class Settings(TypedDict, total=False):
    """The settings of `render` that several pictures share."""

    size: Size | None
    quality: str
    look: Look | None
    threads: int | None


def frames(
    world: World,
    moments: Sequence[Moment],
    camera: Camera | None = None,
    *,
    extras: Sequence[Extra] = (),
    **settings: Unpack[Settings],
) -> Iterator[Picture]:
    """A picture of each moment, one after the other, through the same camera.

    Args:
        world: at the time of each moment.
        moments: at least one.
        camera: the view; none: one with everything but the ground in view all the time.
        extras: shown in every picture.
        **settings: size, quality, look and threads, as for `render`.
    """
    if not moments:
        raise InputError("there are no moments to show")
    camera = camera or _camera(world, moments, extras, settings)
    for moment in moments:
        yield render(world, moment.t, camera, extras=[*extras, *moment.extras], **settings)


def exposures(
    world: World,
    moments: Sequence[Moment],
    camera: Camera | None = None,
    *,
    extras: Sequence[Extra] = (),
    fade: float = 0.6,
    show_motion: bool = True,
    **settings: Unpack[Settings],
) -> Picture:
    """All moments in one picture, such as one person at eight moments of a walk.

    The world is shown at the last moment; what is earlier is paler.

    Args:
        world: where it happens.
        moments: at least one, in order of time.
        camera: the view; none: one with everything but the ground in view.
        extras: shown once, such as a path.
        fade: how pale the first moment is, 0 (as the last) to 1.
        show_motion: whether moving bodies leave faint outlines at the earlier moments.
        **settings: size, quality, look and threads, as for `render`.
    """
    number(fade, "fade", at_least=0.0, at_most=1.0)
    if not moments:
        raise InputError("there are no moments to show")
    camera = camera or _camera(world, moments, extras, settings)
    last = len(moments) - 1
    shown = [
        extra.tinted(_FADED, fade * (1.0 - index / max(last, 1)))
        for index, moment in enumerate(moments)
        for extra in moment.extras
    ]
    if show_motion:
        shown += ghosts(world, [moment.t for moment in moments[:-1]])
    return render(world, moments[-1].t, camera, extras=[*extras, *shown], **settings)


def ghosts(
    world: World,
    times: Sequence[float],
    *,
    names: Sequence[str] | None = None,
    opacity: float = 0.4,
) -> list[Extra]:
    """Where moving bodies are at other moments, as faint outlines.

    Args:
        world: whose bodies.
        times: the moments [s].
        names: which bodies; none: all. Bodies at rest have no ghosts.
        opacity: > 0 to 1.
    """
    bodies = list(world) if names is None else [world[name] for name in names]
    shown: list[Extra] = []
    for body in bodies:
        if not body.trajectory.moving:
            continue
        color = body_color(body)
        ghost = Extra(mesh=body.mesh, color=color).ghostly(opacity)
        edges = None
        if len(body.mesh.faces) <= _MOST_FACES:
            edges = outline(body.mesh, color=color, opacity=min(1.0, 1.6 * opacity))
        for t in times:
            pose = body.trajectory.pose(arrays.time(t, "ghost time"))
            shown += [part.placed(pose) for part in (ghost, edges) if part is not None]
    return shown


def _camera(
    world: World, moments: Sequence[Moment], extras: Sequence[Extra], settings: Settings
) -> Camera:
    scenes = [assemble(world, moment.t, [*extras, *moment.extras]) for moment in moments]
    points = np.concatenate([scene.subject for scene in scenes])
    return framing(points, settings.get("size"), settings.get("look") or Look())
