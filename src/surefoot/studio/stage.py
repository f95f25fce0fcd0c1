"""The 3D scene of a page: bodies, people and overlays, at any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from surefoot.animation.pictures.scene import body_color
from surefoot.arrays import Floats
from surefoot.math import rotations
from surefoot.studio.content import Actor, Content
from surefoot.studio.overlays import Overlays
from surefoot.studio.surfaces import creased, screen_color
from surefoot.world import Body, Trajectory

if TYPE_CHECKING:
    import viser

WORLD = "/world"
PEOPLE = "/people"
GRID = "/grid"
OVERLAYS = "/overlays"


class Stage:
    """Builds the nodes once; then only what moves is told to the browser.

    Args:
        scene: where the nodes go.
        content: what is shown.
    """

    def __init__(self, scene: viser.SceneApi, content: Content) -> None:
        self.content = content
        self._scene = scene
        self._nodes: dict[str, str] = {}
        self._movers: list[tuple[viser.MeshHandle, Trajectory]] = []
        self._people: list[tuple[viser.MeshSkinnedHandle, Actor, int]] = []
        for body in content.world:
            self._add_body(body)
        for number, actor in enumerate(content.actors):
            self._add_actor(actor, number)
        self._add_lights()
        self.overlays = Overlays(scene, content, self.node)
        self.grid = self._add_grid(content.extent)
        self.show(content.start)

    def node(self, body: str | None) -> str:
        """The name of a body's node, or of the one that never moves."""
        return OVERLAYS if body is None else self._nodes[body]

    def show(self, t: float) -> None:
        """Moves everything to where it is at `t` [s]; nodes that stay cost nothing."""
        for handle, trajectory in self._movers:
            pose = trajectory.pose(t)
            handle.position, handle.wxyz = pose.position, pose.rotation
        for handle, actor, index in self._people:
            positions, turned = actor.figure.at(t)
            part = actor.figure.parts[index]
            for bone, at in zip(handle.bones, part.bones, strict=True):
                bone.position, bone.wxyz = positions[at], turned[at]
        self.overlays.show(t)

    def shade_grid(self, dark: bool) -> None:
        """Gives the grid lines that are seen on a light or a dark page without standing out."""
        cell, section = ((48, 50, 54), (66, 69, 74)) if dark else ((232, 233, 235), (210, 212, 215))
        self.grid.cell_color, self.grid.section_color = cell, section

    def _add_body(self, body: Body) -> None:
        name = f"{WORLD}/{body.name.replace('/', '_')}"
        while name in self._nodes.values():
            name += "'"
        self._nodes[body.name] = name
        vertices, faces = creased(body.mesh)
        pose = body.trajectory.pose(self.content.start)
        handle = self._scene.add_mesh_simple(
            name,
            vertices,
            faces,
            color=screen_color(body_color(body)),
            side="front" if body.mesh.closed.all() else "double",
            position=pose.position,
            wxyz=pose.rotation,
        )
        if body.trajectory.moving:
            self._movers.append((handle, body.trajectory))

    def _add_actor(self, actor: Actor, number: int) -> None:
        figure = actor.figure
        for index, part in enumerate(figure.parts):
            handle = self._scene.add_mesh_skinned(
                f"{PEOPLE}/{number} {figure.name.replace('/', '_')}/{index} {part.name}",
                part.vertices,
                part.faces,
                bone_wxyzs=np.tile(rotations.IDENTITY, (len(part.bones), 1)),
                bone_positions=figure.rest[part.bones],
                skin_weights=part.weights,
                color=part.color,
            )
            self._people.append((handle, actor, index))

    def _add_lights(self) -> None:
        # viser's own lights are so bright that pale floors lose their shadows.
        self._scene.configure_default_lights(enabled=False)
        self._scene.configure_environment_map("warehouse", environment_intensity=0.45)
        self._scene.add_light_directional(
            "/lights/sun", intensity=2.2, cast_shadow=True, position=(-0.45, -0.35, 1.0)
        )

    def _add_grid(self, extent: Floats) -> viser.GridHandle:
        low, high = extent.min(axis=0), extent.max(axis=0)
        return self._scene.add_grid(
            GRID,
            infinite_grid=True,
            cell_size=1.0,
            section_size=5.0,
            fade_distance=4.0 * float(np.linalg.norm(high - low)),
            position=(0.0, 0.0, float(low[2]) - 0.01),
        )
