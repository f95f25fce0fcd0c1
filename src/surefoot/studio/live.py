"""A page that shows a live world while somebody travels in it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from surefoot.animation.pictures.camera import box_corners
from surefoot.animation.pictures.scene import body_color
from surefoot.arrays import Floats
from surefoot.math import rotations
from surefoot.planning.topology import Traveller
from surefoot.planning.topology.states import State
from surefoot.studio import camera
from surefoot.studio.puppet import Puppet
from surefoot.studio.serving import LOOPBACK, Page
from surefoot.studio.surfaces import creased, screen_color
from surefoot.world import Body, World

if TYPE_CHECKING:
    import viser

RATE = 30.0
"""Frames a second that are shown."""

WAY, GOAL = (220, 70, 40), (40, 150, 80)
"""Colours of the way ahead and of the goal."""


class LiveView:
    """A page that is served until `stop`; `show` after each frame of the world.

    Args:
        world: live: bodies may come and go.
        travellers: who goes about in it.
        host: the address to listen at; only this machine by default.
        port: the first to try, 0 for any; the next free one is taken.
        real_time: whether `show` waits, so that the world goes by as fast as it is.
    """

    def __init__(
        self, world: World, travellers: Sequence[Traveller], *, host: str = LOOPBACK,
        port: int = 8080, real_time: bool = True,
    ) -> None:  # fmt: skip
        self.world, self.travellers, self.real_time = world, list(travellers), real_time
        self._page = Page(host, port, world.name or "live world")
        self._server = self._page.server
        self._scene = self._server.scene
        self._bodies: dict[str, viser.MeshHandle] = {}
        self._moving: list[str] = []
        self._puppets = [Puppet(who.character) for who in self.travellers]
        self._ways: list[Any] = [None] * len(self.travellers)
        self._begun: tuple[float, float] | None = None
        self._shown = -np.inf
        camera.start_at(self._server, camera.overview(self._extent()))
        self._scene.configure_default_lights(enabled=False)
        self._scene.configure_environment_map("warehouse", environment_intensity=0.45)
        self._scene.add_light_directional(
            "/lights/sun", intensity=2.2, cast_shadow=True, position=(-0.45, -0.35, 1.0)
        )
        self._people = [self._add_person(k) for k in range(len(self.travellers))]
        self._status = self._server.gui.add_markdown("")
        self.frames = 0
        """That were shown."""

    @property
    def url(self) -> str:
        """What opens the page, with the token that it asks for."""
        return self._page.url

    def stop(self) -> None:
        """Ends the page."""
        self._page.stop()

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def show(self, t: float) -> None:
        """What is there at `t` [s]; frames in between are left out."""
        self._keep_time(t)
        ended = all(traveller.done for traveller in self.travellers)
        if t - self._shown < 1.0 / RATE - 1e-9 and not ended:
            return
        self._shown = t
        self.frames += 1
        with self._server.atomic():
            self._show_bodies(t)
            for k, traveller in enumerate(self.travellers):
                self._show_person(k, traveller)
                self._show_way(k, traveller, t)
            self._status.content = "\n\n".join(_told(who, t) for who in self.travellers)

    def _keep_time(self, t: float) -> None:
        now = time.monotonic()
        if self._begun is None:
            self._begun = (t, now)
        elif self.real_time:
            time.sleep(max(0.0, (t - self._begun[0]) - (now - self._begun[1])))

    # --- bodies ----------------------------------------------------------------------------------

    def _show_bodies(self, t: float) -> None:
        for name in [name for name in self._bodies if name not in self.world]:
            self._bodies.pop(name).remove()
            if name in self._moving:
                self._moving.remove(name)
        for body in self.world:
            if body.name not in self._bodies:
                self._bodies[body.name] = self._add_body(body, t)
                if body.trajectory.moving:
                    self._moving.append(body.name)
        if not self._moving:
            return
        ids = np.array([self.world.id(name) for name in self._moving], dtype=np.int32)
        positions, turned = self.world.native.poses(ids, np.full(len(ids), t))
        for name, position, rotation in zip(self._moving, positions, turned, strict=True):
            handle = self._bodies[name]
            # What stays where it was costs the browser nothing.
            if np.abs(handle.position - position).max() > 1e-4 or (
                1.0 - abs(float(handle.wxyz @ rotation)) > 1e-7
            ):
                handle.position, handle.wxyz = position, rotation

    def _add_body(self, body: Body, t: float) -> viser.MeshHandle:
        vertices, faces = creased(body.mesh)
        pose = body.trajectory.pose(t)
        return self._scene.add_mesh_simple(
            f"/world/{body.name.replace('/', '_')}", vertices, faces,
            color=screen_color(body_color(body)),
            side="front" if body.mesh.closed.all() else "double", position=pose.position,
            wxyz=pose.rotation,
        )  # fmt: skip

    def _extent(self) -> Floats:
        corners = [
            body.trajectory.pose(0.0).apply(box_corners(body.mesh.bounds)) for body in self.world
        ]
        return np.concatenate(corners) if corners else np.array([[-1.0, -1, 0], [1, 1, 1]])

    # --- people ----------------------------------------------------------------------------------

    def _add_person(self, k: int) -> list[viser.MeshSkinnedHandle]:
        shape = self._puppets[k].figure
        goal = self.travellers[k].goal.place
        self._scene.add_icosphere(
            f"/goals/{k}", radius=0.1, color=GOAL,
            position=self.world.position(goal, self.travellers[k].start),
        )  # fmt: skip
        return [
            self._scene.add_mesh_skinned(
                f"/people/{k}/{index} {part.name}", part.vertices, part.faces,
                bone_wxyzs=np.tile(rotations.IDENTITY, (len(part.bones), 1)),
                bone_positions=shape.rest[part.bones], skin_weights=part.weights, color=part.color,
            )
            for index, part in enumerate(shape.parts)
        ]  # fmt: skip

    def _show_person(self, k: int, traveller: Traveller) -> None:
        figure = traveller.figure
        positions, turned = self._puppets[k].pose(
            figure.place.position, figure.point, figure.heading, figure.capability.name,
            flies=figure.state is State.FLIES,
        )  # fmt: skip
        for handle, part in zip(self._people[k], self._puppets[k].figure.parts, strict=True):
            for bone, at in zip(handle.bones, part.bones, strict=True):
                bone.position, bone.wxyz = positions[at], turned[at]

    def _show_way(self, k: int, traveller: Traveller, t: float) -> None:
        """The way on the surface at hand that is still ahead."""
        if self._ways[k] is not None:
            self._ways[k].remove()
            self._ways[k] = None
        way = traveller.way
        if way is None or way.body not in self.world or way.end <= t:
            return
        ahead = way.positions[way.times > t]
        here = self.world[way.body].trajectory.pose(t)
        points = np.concatenate([traveller.figure.point[None], here.apply(ahead)])
        if len(points) > 1:
            lines = np.stack([points[:-1], points[1:]], axis=1) + np.array([0.0, 0.0, 0.02])
            self._ways[k] = self._scene.add_line_segments(
                f"/ways/{k}", lines.astype(np.float32), WAY, thickness=0.02
            )


def _told(traveller: Traveller, t: float) -> str:
    """What somebody is about, as a line of the page."""
    figure, counts = traveller.figure, traveller.figure.counts
    doing = str(figure.state.value)
    if traveller.arrived:
        doing = f"arrived after {(traveller.arrived_at or t) - traveller.start:.1f} s"
    elif figure.state is State.STANDS and traveller.way is None and traveller.why:
        doing = traveller.why
    return (
        f"**{traveller.character.name}** at {t:.1f} s: {doing}; on {figure.place.body}. "
        f"{counts.jumps} jumps, {counts.steps} steps over, {counts.falls} falls, "
        f"{traveller.replans} times replanned"
    )
