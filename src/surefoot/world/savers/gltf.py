"""Worlds as glTF levels, as `world.loaders.gltf` reads them.

Each body is a node with its mesh. What moves it are the keys of its own node and of the nodes above
it: motions that bodies share, as a door shares its train's, are written once. All that moves is in
one animation, so that every viewer plays it together. Named places are empties, on the node of the
body that they are on.

The file's time starts at the world's time 0, or with the first whole second of the motion if that
is earlier or much later; the scene's extra `surefoot_start` says so.
"""

from __future__ import annotations

from math import floor
from pathlib import Path
from typing import Any, Final

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import FileError, InputError
from surefoot.gltf import Channel, GltfBuilder, axes
from surefoot.gltf.encoding import single_times
from surefoot.world.body import Body
from surefoot.world.loaders.gltf import (
    NAME_TAG,
    OWN_TAGS,
    REPEAT_TAG,
    SOLID_TAG,
    SPAN_TAG,
    START_TAG,
)
from surefoot.world.loaders.gltf_frames import MOVING_LIMIT
from surefoot.world.loaders.gltf_places import PLACE_TAG
from surefoot.world.mesh import Mesh
from surefoot.world.savers.keys import channels_of
from surefoot.world.savers.motions import (
    Motion,
    corners_between,
    distance,
    links_of,
    moments_between,
    motion_of,
)
from surefoot.world.savers.report import SaveReport
from surefoot.world.savers.surfaces import Surfaces
from surefoot.world.trajectory import Attached, Static, Trajectory
from surefoot.world.world import World

# [s] Motions that begin later than this start the file's time with them. Single precision tells
# moments 4 microseconds apart there; at twice the time, half as well.
_LATE: Final = 60.0

Chain = tuple[Trajectory, ...]


def save_gltf(path: Path, world: World, tolerance: float) -> SaveReport:
    """Writes a world as `.glb` or `.gltf`.

    Args:
        path: the file.
        world: what is written.
        tolerance: how far a motion that must be sampled may be off [m].
    """
    chains = {body.name: _links(path, body) for body in world}
    motions = _motions(path, world, chains, tolerance)
    start = _start(motions)
    extras: dict[str, Any] = {NAME_TAG: world.name}
    if start:
        extras[START_TAG] = start
    builder = GltfBuilder(world.name, extras=extras)
    nodes = _Nodes(builder, motions, start)
    surfaces = Surfaces(builder, plain=None)
    of_bodies: dict[str | None, int | None] = {None: None}
    for body in world:
        try:
            mesh = surfaces.mesh(body, body.mesh.name)
            extras = _tags(body)
            of_bodies[body.name] = nodes.add(chains[body.name], body.name, mesh, extras)
        except InputError as reason:
            raise FileError(f"{path}: body {body.name!r}: {reason}") from reason
    for name, place in world.places.items():
        builder.add_node(
            name,
            parent=of_bodies[place.body],
            translation=axes.y_up(place.position),
            extras={PLACE_TAG: True},
        )
    if nodes.channels:
        builder.add_animation(nodes.channels, world.name or "world")
    report = _report(path, world, chains, motions, start)
    builder.save(path)
    return report


def _links(path: Path, body: Body) -> Chain:
    links = links_of(body.trajectory)
    moving = sum(not isinstance(link, Static) for link in links)
    if moving > MOVING_LIMIT:
        raise FileError(
            f"{path}: body {body.name!r}: its motion is attached to {moving - 1} others, a level "
            f"holds {MOVING_LIMIT - 1}; use trajectory.sampled(start, end, rate), which is one"
        )
    return links


def _motions(
    path: Path, world: World, chains: dict[str, Chain], tolerance: float
) -> dict[Trajectory, Motion]:
    """The keys of every link of the chains that moves."""
    reaches: dict[Trajectory, float] = {}
    shares: dict[Trajectory, int] = {}
    users: dict[Trajectory, str] = {}
    for body in world:
        reach = float(np.linalg.norm(np.abs(body.mesh.bounds).max(axis=0)))
        moving = sum(not isinstance(link, Static) for link in chains[body.name])
        for link in reversed(chains[body.name]):
            if not isinstance(link, Static):
                reaches[link] = max(reach, reaches.get(link, 0.0))
                shares[link] = max(moving, shares.get(link, 1))
                users.setdefault(link, body.name)
            reach += _farthest(link)
    motions: dict[Trajectory, Motion] = {}
    for link, reach in reaches.items():
        try:
            # The links of a chain add up.
            motions[link] = motion_of(link, reach, tolerance / shares[link])
        except FileError as reason:
            raise FileError(f"{path}: body {users[link]!r}: {reason}") from reason
    return motions


def _farthest(link: Trajectory) -> float:
    """How far a link shifts what it carries, at its keys at most [m]."""
    if isinstance(link, Static):
        return float(np.linalg.norm(link.at.position))
    end = link.horizon if np.isfinite(link.horizon) else getattr(link, "end", 0.0)
    times = np.linspace(getattr(link, "start", 0.0), end, 65)
    return float(np.linalg.norm(link.poses(times)[0], axis=1).max())


def _start(motions: dict[Trajectory, Motion]) -> float:
    """The world's time at the file's time 0 [s]."""
    first = min(
        (float(each.times().min()) for each in motions.values() if each.moving), default=0.0
    )
    return float(floor(first)) if first < 0.0 or first > _LATE else 0.0


def _tags(body: Body) -> dict[str, Any]:
    """The extras of a body's node."""
    for tag in body.tags:
        if not isinstance(tag, str) or not tag:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"tag {tag!r}: a level's tags have names that are not empty")
        if tag in OWN_TAGS:
            raise InputError(f"tag {tag!r}: in a level this name has a meaning of its own")
    return {**body.tags, **({} if body.solid else {SOLID_TAG: False})}


class _Nodes:
    """Adds the nodes of chains to a builder, those that chains share once."""

    def __init__(
        self, builder: GltfBuilder, motions: dict[Trajectory, Motion], start: float
    ) -> None:
        self.channels: list[Channel] = []
        self._builder, self._motions, self._start = builder, motions, start
        self._made: dict[Chain, int] = {}
        ends = [
            float(single_times(keys.times - start)[1][-1])
            for motion in motions.values()
            for keys in (motion.moved, motion.turned)
            if len(keys.times) > 1
        ]
        self._whole = (start, start + max(ends, default=0.0))

    def add(self, chain: Chain, name: str, mesh: int, extras: dict[str, Any]) -> int:
        """The node of a body, below what it shares with bodies before it."""
        shared = next((n for n in range(len(chain), 0, -1) if chain[:n] in self._made), 0)
        node = self._made[chain[:shared]] if shared else None
        for number in range(shared, len(chain) - 1):
            node = self._add(chain[: number + 1], f"{name} motion {number + 1}", node, None, {})
        if shared == len(chain):
            return self._builder.add_node(name, parent=node, mesh=mesh, extras=extras or None)
        return self._add(chain, name, node, mesh, extras)

    def _add(
        self, chain: Chain, name: str, parent: int | None, mesh: int | None, extras: dict[str, Any]
    ) -> int:
        link, motion = chain[-1], self._motions.get(chain[-1])
        if motion is None:
            assert isinstance(link, Static)
            position, rotation = link.at.position, link.at.rotation
        else:
            position, rotation = motion.moved.values[0], motion.turned.values[0]
            if motion.moving:
                extras = extras | self._repeating(motion)
        node = self._builder.add_node(
            name,
            parent=parent,
            translation=axes.y_up(position),
            rotation=axes.y_up_rotations(rotation),
            mesh=mesh,
            extras=extras or None,
        )
        if motion is not None:
            self.channels += channels_of(node, motion.moved, motion.turned, self._start)
        # What rests in the world is in no other body's way: it stays at the top of the file.
        if motion is not None or len(chain) > 1:
            self._made[chain] = node
        return node

    def _repeating(self, motion: Motion) -> dict[str, Any]:
        first, last = motion.span
        extras: dict[str, Any] = {REPEAT_TAG: motion.repeat}
        times = motion.times()
        inside = motion.repeat == "once" and first <= times.min() and times.max() <= last
        if not inside and motion.span != self._whole:
            extras[SPAN_TAG] = [first - self._start, last - self._start]
        return extras


def _report(
    path: Path,
    world: World,
    chains: dict[str, Chain],
    motions: dict[Trajectory, Motion],
    start: float,
) -> SaveReport:
    """How far the file's numbers are from the world's."""
    stored = {link: motion.stored(start) for link, motion in motions.items()}
    meshes: dict[int, tuple[float, int]] = {}
    worst, lost = 0.0, 0
    for body in world:
        if id(body.mesh) not in meshes:
            meshes[id(body.mesh)] = _rounding(body.mesh)
        rounding, gone = meshes[id(body.mesh)]
        if gone == len(body.mesh.faces):
            raise FileError(
                f"{path}: body {body.name!r}: its triangles have no area in single precision, "
                "which a level is in; put the mesh nearer to its own origin"
            )
        lost += gone
        chain = chains[body.name]
        moving = [motions[link] for link in chain if link in motions]
        if moving:
            times = moments_between(np.concatenate([motion.times() for motion in moving]))
            written = _attached([stored.get(link, link) for link in chain])
            # No point of a body is farther off than the corners of a box around it.
            corners = corners_between(*body.mesh.bounds)
            off = distance(body.trajectory, written, _within(times, moving), corners)
            rounding += float(off.max())
        worst = max(worst, rounding)
    return SaveReport(
        path=path,
        position_error=worst,
        time_error=max((each.time_error(start) for each in motions.values()), default=0.0),
        sampled=tuple(
            name
            for name, chain in chains.items()
            if any(link in motions and motions[link].sampled for link in chain)
        ),
        lost_triangles=lost,
    )


def _within(times: Floats, moving: list[Motion]) -> Floats:
    """Times of the spans of some motions."""
    first = min(motion.span[0] for motion in moving)
    last = max(motion.span[1] for motion in moving)
    return times[(times >= first) & (times <= last)]


def _attached(links: list[Trajectory]) -> Trajectory:
    whole = links[0]
    for link in links[1:]:
        whole = Attached(whole, link)
    return whole


def _rounding(mesh: Mesh) -> tuple[float, int]:
    """How far single precision moves a vertex [m], and how many triangles lose their area."""
    rounded = mesh.vertices.astype(np.float32).astype(np.float64)
    a, b, c = (rounded[mesh.faces[:, corner]] for corner in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    shift = float(np.linalg.norm(rounded - mesh.vertices, axis=1).max())
    return shift, int((area == 0).sum())
