"""An independent look for bodies that touch: from poses alone, without any planner's word.

Every body is five upright cylinders, around head, hands and feet (beacco2013 5.5), and one more
around the trunk, which the paper leaves out. Sizes come from the body's measures: they hold what
can be seen of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from surefoot.agents.film import Film
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.math import rotations
from surefoot.world import Cylinder

PARTS = ("head", "left hand", "right hand", "left foot", "right foot", "trunk")

_NEAR = 1.8
"""[m] Pelvises farther apart than this: nothing touches, even of tall people who reach out."""


@dataclass(frozen=True, eq=False)
class Cylinders:
    """The cylinders of some bodies at one moment, or of one body at many: `(n, 6)` each.

    Attributes:
        centres: `(n, 6, 2)` [m].
        radii: `(n, 6)` [m].
        low: `(n, 6)` [m], height at which each begins.
        high: `(n, 6)` [m].
    """

    centres: Floats
    radii: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Contact:
    """Two bodies that touch, from entry to exit.

    Attributes:
        agents: ids; one alone where it touches a body of the world.
        body: the name of that one.
        parts: what touches, when it is deepest.
        start: [s] in the film.
        end: [s].
        depth: [m], how deep at most; 0 where a body of the world is touched.
    """

    agents: tuple[int, ...]
    body: str | None
    parts: tuple[str, ...]
    start: float
    end: float
    depth: float

    def __str__(self) -> str:
        who = " and ".join(map(str, self.agents)) + (f" and {self.body!r}" if self.body else "")
        return f"{who} touch ({', '.join(self.parts)}) from {self.start:.2f} to {self.end:.2f} s"


@dataclass(frozen=True)
class Touches:
    """What was found in a film.

    Attributes:
        contacts: in order of time.
        nearest: [m] the least gap between cylinders of two agents; infinite for one alone.
        frames: how many were looked at.
    """

    contacts: tuple[Contact, ...]
    nearest: float
    frames: int


def cylinders(character: Character, root: Floats, local: Floats) -> Cylinders:
    """The cylinders of one body at `n` moments.

    Args:
        character: whose.
        root: `(n, 3)` [m].
        local: `(n, joints, 4)`.
    """
    skeleton, size = character.skeleton, character.measures
    positions, turned = skeleton.forward(root, local)

    def part(joint: str, *offset: float) -> Floats:
        index = skeleton.index(joint)
        away = rotations.rotate(turned[:, index], np.array(offset))
        return positions[:, index] + away

    head_tall = size.height - size.chin_height
    middle = (size.height + size.chin_height) / 2.0 - size.head_height
    sole = (size.ball_ahead - size.heel_behind) / 2.0
    foot = (size.heel_behind + size.ball_ahead) / 2.0
    points = [part("head", 0.0, 0.0, middle)]
    points += [part(f"{side}_hand", 0.0, 0.0, -size.hand / 2.0) for side in ("left", "right")]
    points += [
        part(f"{side}_foot", sole, 0.0, -size.ankle_height / 2.0) for side in ("left", "right")
    ]
    chest = part("chest", 0.0, 0.0, 0.0)
    points.append((positions[:, 0] + chest) / 2.0)
    # Of a head 0.2 m long, of hands that are half open, of feet with the toes left out.
    radii = [0.42 * head_tall, 0.3 * size.hand, 0.3 * size.hand, foot, foot,
             0.5 * size.shoulder_width]  # fmt: skip
    trunk = (size.shoulder_height - size.leg_length) / 2.0
    halves = [head_tall / 2.0, size.hand / 2.0, size.hand / 2.0, size.ankle_height,
              size.ankle_height, trunk]  # fmt: skip
    stacked = np.stack(points, axis=1)
    count = len(root)
    tall = np.tile(halves, (count, 1))
    return Cylinders(
        stacked[..., :2],
        np.tile(radii, (count, 1)),
        stacked[..., 2] - tall,
        stacked[..., 2] + tall,
    )


def find_touches(film: Film, *, trunks: bool = True, world: bool = True) -> Touches:
    """Looks through a film for bodies that touch.

    Args:
        film: frames should be 1/30 s apart or less.
        trunks: whether trunks count as well, beyond the five cylinders of the paper.
        world: whether touching the world counts.
    """
    count = len(PARTS) if trunks else len(PARTS) - 1
    bodies = {agent: _over_time(film, agent) for agent in film.agents}
    seen: dict[tuple[int, ...], _Open] = {}
    found: list[Contact] = []
    nearest = np.inf
    for index, t in enumerate(film.times):
        agents, roots, _ = film.frame(index)
        rows = [bodies[agent][0][index] for agent in agents]
        shapes = [bodies[agent][1] for agent in agents]
        touching: dict[tuple[int, ...], tuple[float, tuple[str, ...]]] = {}
        for i, j in _near_pairs(roots):
            gap, parts = _gap(shapes[i], rows[i], shapes[j], rows[j], count)
            nearest = min(nearest, gap)
            if gap < 0.0:
                touching[agents[i], agents[j]] = (-gap, parts)
        _follow(seen, touching, found, t)
    found += [contact.closed() for contact in seen.values()]
    if world:
        for agent in film.agents:
            found += _world_contacts(film, agent, bodies[agent][1])
    return Touches(
        tuple(sorted(found, key=lambda contact: (contact.start, contact.agents))),
        float(nearest),
        len(film),
    )


@dataclass
class _Open:
    """A contact that goes on."""

    agents: tuple[int, ...]
    parts: tuple[str, ...]
    start: float
    end: float
    depth: float

    def closed(self) -> Contact:
        return Contact(self.agents, None, self.parts, self.start, self.end, self.depth)


def _follow(
    seen: dict[tuple[int, ...], _Open],
    touching: dict[tuple[int, ...], tuple[float, tuple[str, ...]]],
    found: list[Contact],
    t: float,
) -> None:
    over = [pair for pair in seen if pair not in touching]
    found += [seen.pop(pair).closed() for pair in over]
    for pair, (depth, parts) in touching.items():
        known = seen.setdefault(pair, _Open(pair, parts, t, t, depth))
        known.end = t
        if depth > known.depth:
            known.depth, known.parts = depth, parts


def _over_time(film: Film, agent: int) -> tuple[dict[int, int], Cylinders]:
    """An agent's row for each frame that it is in, and its cylinders over those frames."""
    take = film.take(agent)
    return film.rows(agent), cylinders(take.character, take.root, take.rotations)


def _near_pairs(roots: Floats) -> list[tuple[int, int]]:
    """Pairs of bodies that are near enough to touch."""
    if len(roots) < 2:
        return []
    order = np.argsort(roots[:, 0], kind="stable")
    x: Floats = roots[order, 0]
    ends: list[int] = np.searchsorted(x, x + _NEAR, side="right").tolist()  # pyright: ignore[reportUnknownMemberType]
    pairs: list[tuple[int, int]] = []
    for first, end in enumerate(ends):
        others = order[first + 1 : end]
        close = np.abs(roots[others, 1] - roots[order[first], 1]) < _NEAR
        here = int(order[first])
        pairs += [(min(here, int(other)), max(here, int(other))) for other in others[close]]
    return sorted(pairs)


def _gap(
    one: Cylinders, i: int, two: Cylinders, j: int, count: int
) -> tuple[float, tuple[str, ...]]:
    """[m] The least gap between cylinders of two bodies, and which; negative where they overlap."""
    across = one.centres[i, :count, None] - two.centres[j, None, :count]
    gaps = np.hypot(across[..., 0], across[..., 1])
    gaps -= one.radii[i, :count, None] + two.radii[j, None, :count]
    above = np.maximum(
        one.low[i, :count, None] - two.high[j, None, :count],
        two.low[j, None, :count] - one.high[i, :count, None],
    )
    # Apart in height or across: either is enough.
    apart = np.where(above > 0.0, np.maximum(gaps, above), gaps)
    at = int(np.argmin(apart))
    first, second = divmod(at, count)
    return float(apart.flat[at]), (PARTS[first], PARTS[second])


def _world_contacts(film: Film, agent: int, shapes: Cylinders) -> list[Contact]:
    """When and where an agent's cylinders are in the world's bodies."""
    take = film.take(agent)
    found: list[Contact] = []
    for part, name in enumerate(PARTS):
        radius = float(shapes.radii[0, part])
        tall = float((shapes.high - shapes.low)[0, part])
        # Feet stand on what they stand on: they touch what is higher than half of them.
        shape = Cylinder(radius, tall, tall / 2.0 if "foot" in name else 0.0)
        points = np.column_stack([shapes.centres[:, part], shapes.low[:, part]])
        hit = film.world.overlapping(points, take.times, shape=shape)
        found += _spans(hit, take.times, agent, name, film)
    return found


def _spans(
    hit: npt.NDArray[np.int32], times: Floats, agent: int, part: str, film: Film
) -> list[Contact]:
    found: list[Contact] = []
    start = None
    for i, body in enumerate([*hit.tolist(), -1]):
        if start is not None and (body < 0 or body != hit[start]):
            name = film.world.names[int(hit[start])]
            last = float(times[i - 1])
            found.append(Contact((agent,), name, (part,), float(times[start]), last, 0.0))
            start = None
        if body >= 0 and start is None:
            start = i
    return found
