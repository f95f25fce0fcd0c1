"""Whether somebody can stand somewhere, why not, and where nearby they could."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character import Capability
from surefoot.world import Cylinder, Place, World

# Around a spot that is no good: on rings, the nearest first.
_RINGS = np.array([0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
_DIRECTIONS = 16
_STOREY = 3.0


def cylinder(capability: Capability) -> Cylinder:
    """The space that a capability takes up."""
    return Cylinder(capability.radius, capability.height, capability.step_height)


def can_stand(world: World, points: Floats, times: Floats | float, skill: Capability) -> Bools:
    """`(n,)`: whether there is room and ground at `points` `(n, 3)` [m] at `times` [s]."""
    reach = max(skill.step_height, 0.01)
    below = world.support(points, times, up=reach, down=reach)
    firm = below.hit & ~(below.slope > skill.max_slope)
    return firm & ~world.overlap(points, times, shape=cylinder(skill))


def why_not(world: World, point: Floats, t: float, skill: Capability) -> str:
    """Why nobody can stand at `point` `(3,)` at `t` [s], as the rest of a sentence; or nothing."""
    reach = max(skill.step_height, 0.01)
    below = world.support(point, t, up=reach, down=reach)
    blocker = int(world.overlapping(point, t, shape=cylinder(skill)))
    if blocker >= 0:
        return f"is inside {world.names[blocker]!r}, or too close to it to {skill.name}"
    if not below.hit:
        ground = world.support(point, t, down=1e6)
        depth = f"the nearest ground is {point[2] - float(ground.height):.2f} m below"
        return f"is in mid-air: {depth if ground.hit else 'there is no ground below'}"
    if float(below.slope) > skill.max_slope:
        on, slope = world.names[int(below.body)], float(below.slope)
        limit = f"more than the {skill.max_slope:.2f} rad of {skill.name!r}"
        return f"is on a slope of {on!r} of {slope:.2f} rad, {limit}"
    return ""


def nearest(world: World, point: Floats, t: float, skills: Collection[Capability]) -> Place | None:
    """A place near `point` `(3,)` where one of `skills` can stand at `t` [s]; None in vain."""
    angles = np.arange(_DIRECTIONS) * (2.0 * np.pi / _DIRECTIONS)
    across = np.stack([np.cos(angles), np.sin(angles), np.zeros(_DIRECTIONS)], axis=1)
    columns = point + (_RINGS[:, None, None] * across).reshape(-1, 3)
    best: tuple[float, Place] | None = None
    # Surfaces lie above one another: look down from a storey above, then from the point itself.
    for up in (_STOREY, 0.0):
        ground = world.support(columns, t, up=up, down=1e6)
        spots = np.where(
            ground.hit[:, None], np.column_stack([columns[:, :2], ground.height]), columns
        )
        for skill in skills:
            good = ground.hit & can_stand(world, spots, t, skill)
            if good.any():
                # Straight below is nearer, to a person, than as far to the side.
                away = np.linalg.norm((spots - point) * np.array([1.0, 1.0, 0.5]), axis=1)
                far = np.where(good, away, np.inf)
                i = int(np.argmin(far))
                if best is None or far[i] < best[0]:
                    best = (
                        float(far[i]),
                        world.attach(spots[i], world.names[int(ground.body[i])], t),
                    )
    return None if best is None else best[1]
