"""Debug drawing: what was planned, laid over the world.

Everything is drawn in the frame of the body that it belongs to, as a child of the body's node, so
that it rides along without a message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from surefoot.animation.pictures import marks
from surefoot.animation.pictures.colors import Color, from_hex
from surefoot.arrays import Floats
from surefoot.planning import Kind, Plan, Segment
from surefoot.studio.content import Actor, Content, Footprint
from surefoot.studio.surfaces import Rgb, batch_color, screen_color
from surefoot.world import World

if TYPE_CHECKING:
    import viser

LAYERS = ("path", "labels", "footsteps", "places")
"""What can be switched on and off."""

_HOVER = 0.03
"""How far above the ground paths are drawn [m]."""

_CODES = {
    Kind.WALK: "#e0492f",
    Kind.RUN: "#c2255c",
    Kind.CROUCH: "#9c36b5",
    Kind.BEND: "#9c36b5",
    Kind.TURN: "#e0492f",
    Kind.WAIT: "#f0a020",
    Kind.RIDE: "#2f9e6e",
    Kind.BOARD: "#0c8599",
    Kind.STEP_OVER: "#e8590c",
    Kind.STEP_UP: "#e8590c",
    Kind.STEP_DOWN: "#e8590c",
    Kind.CLIMB: "#e8590c",
    Kind.JUMP: "#3b5bdb",
}
COLORS: Mapping[Kind, Rgb] = {kind: screen_color(from_hex(code)) for kind, code in _CODES.items()}
"""The screen's colour of each kind of segment."""

_PALE, _FADED = 0.7, 0.68
"""A linear grey, and how much of it is in the colour of a footprint before the foot was there."""


@dataclass(frozen=True, eq=False)
class Line:
    """A piece of a path in the frame of one body: `points` `(n, 3)` [m]."""

    body: str | None
    points: Floats


def path_lines(segment: Segment, world: World) -> list[Line]:
    """Where the feet go: in the segment's frame on the ground, in the world's in the air."""
    airborne = [(flight.start, flight.end) for flight in segment.flights]
    lines: list[Line] = []
    edges = [segment.start, *(t for flight in airborne for t in flight), segment.end]
    # On the ground from one flight's end to the next one's start.
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if end > start:
            inside = segment.times[(segment.times > start) & (segment.times < end)]
            points, _ = segment.sample(np.array([start, *inside, end]))
            lines.append(Line(segment.frame, points))
    for flight in segment.flights:
        times = np.linspace(flight.start, flight.end, 24)
        lines.append(Line(None, flight.positions(world, times)))
    return [line for line in lines if _length(line.points) > 1e-3]


def label(segment: Segment) -> str:
    """A few words for a segment, to stand in the world."""
    return f"{segment.kind} {segment.start:.1f} s"


class Overlays:
    """The nodes of all layers.

    Args:
        scene: where they are drawn.
        content: what is drawn.
        node: the name of a body's node; for None, of one that never moves.
    """

    def __init__(
        self, scene: viser.SceneApi, content: Content, node: Callable[[str | None], str]
    ) -> None:
        self._scene, self._node, self._world = scene, node, content.world
        self._layers: dict[str, list[viser.SceneNodeHandle]] = {layer: [] for layer in LAYERS}
        self._prints: list[tuple[viser.BatchedMeshHandle, Floats, Color]] = []
        for number, actor in enumerate(content.actors):
            if actor.plan is not None:
                self._draw_plan(actor.plan, number)
            self._draw_footprints(actor, number)
        for name, place in content.places.items():
            where = f"{node(place.body)}/place {_safe(name)}"
            self._ring(f"{where}/ring", place.position, screen_color(marks.GOAL), "places")
            self._text(where, name, place.position, "places")

    def layers(self) -> list[str]:
        """The layers that have anything in them."""
        return [layer for layer in LAYERS if self._layers[layer]]

    def set_visible(self, layer: str, visible: bool) -> None:
        """Shows or hides a layer."""
        for node in self._layers[layer]:
            node.visible = visible

    def show(self, t: float) -> None:
        """Footprints get their full colour when the foot is there."""
        for handle, starts, color in self._prints:
            # Nothing is sent where nothing has changed.
            handle.batched_colors = _print_colors(starts, t, color)

    def _draw_plan(self, plan: Plan, number: int) -> None:
        for i, segment in enumerate(plan.segments):
            name = f"plan {number}/{i:03d} {segment.kind}"
            color = COLORS[segment.kind]
            for j, line in enumerate(path_lines(segment, self._world)):
                self._line(f"{self._node(line.body)}/{name}/line {j}", line.points, color)
            middle = segment.sample(np.array([(segment.start + segment.end) / 2]))[0][0]
            where = f"{self._node(segment.frame)}/{name}"
            if segment.kind.waits:
                self._ring(f"{where}/ring", middle, color, "path")
            self._text(where, label(segment), middle, "labels")

    def _draw_footprints(self, actor: Actor, number: int) -> None:
        for (body, foot), prints in _grouped(actor.footprints).items():
            length, width = actor.foot_size
            shape = marks.footprint(np.zeros(3), 0.0, foot, length=length, width=width)
            starts = np.array([step.start for step in prints])
            hover = np.array([0.0, 0.0, float(shape.pose.position[2])])
            handle = self._scene.add_batched_meshes_simple(
                f"{self._node(body)}/footsteps {number} {foot}",
                shape.mesh.vertices + hover,
                shape.mesh.faces,
                batched_wxyzs=np.array([step.rotation for step in prints]),
                batched_positions=np.array([step.position for step in prints]),
                batched_colors=_print_colors(starts, -np.inf, shape.color),
                lod="off",
                side="double",
                cast_shadow=False,
                receive_shadow=False,
            )
            self._layers["footsteps"].append(handle)
            self._prints.append((handle, starts, shape.color))

    def _line(self, name: str, points: Floats, color: Rgb) -> None:
        raised = points + np.array([0.0, 0.0, _HOVER])
        pairs = np.array(list(pairwise(raised)))
        node = self._scene.add_line_segments(
            name, pairs, color, thickness=3.5, thickness_units="screen"
        )
        self._layers["path"].append(node)

    def _ring(self, name: str, centre: Floats, color: Rgb, layer: str) -> None:
        # A little lower than footprints, which may lie on it.
        shape = marks.ring(centre - np.array([0.0, 0.0, _HOVER / 10]), 0.3, width=0.07)
        node = self._scene.add_mesh_simple(
            name,
            shape.pose.apply(shape.mesh.vertices),
            shape.mesh.faces,
            color=color,
            side="double",
            cast_shadow=False,
            receive_shadow=False,
        )
        self._layers[layer].append(node)

    def _text(self, name: str, text: str, at: Floats, layer: str) -> None:
        raised = at + np.array([0.0, 0.0, 10 * _HOVER])
        node = self._scene.add_label(f"{name}/label", text, position=raised, anchor="bottom-center")
        self._layers[layer].append(node)


def _grouped(prints: Iterable[Footprint]) -> dict[tuple[str | None, str], list[Footprint]]:
    groups: dict[tuple[str | None, str], list[Footprint]] = {}
    for step in prints:
        groups.setdefault((step.body, step.foot), []).append(step)
    return groups


def _print_colors(starts: Floats, t: float, color: Color) -> npt.NDArray[np.uint8]:
    pale = (np.array(color) * (1 - _FADED) + _PALE * _FADED).tolist()
    made, planned = batch_color(color), batch_color((pale[0], pale[1], pale[2]))
    return np.where((starts <= t)[:, None], made, planned).astype(np.uint8)


def _length(points: Sequence[Floats] | Floats) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _safe(name: str) -> str:
    return name.replace("/", "_")
