"""Meshes of bodies in a glTF file: bodies that share a mesh and a colour share it there too."""

from __future__ import annotations

from surefoot.gltf import GltfBuilder, Primitive, axes
from surefoot.world.body import Body

Color = tuple[float, float, float]


class Surfaces:
    """Adds meshes and materials to a builder, each once.

    Args:
        builder: of the file.
        plain: linear colour of bodies that have none; None: they have no material.
    """

    def __init__(self, builder: GltfBuilder, *, plain: Color | None) -> None:
        self._builder, self._plain = builder, plain
        self._meshes: dict[tuple[int, Color | None, bool], int] = {}
        self._materials: dict[tuple[Color, bool], int] = {}

    def mesh(self, body: Body, name: str) -> int:
        """The index of the body's mesh, called `name` where it is new."""
        color = body.color or self._plain
        key = (id(body.mesh), color, body.solid)
        if key not in self._meshes:
            part = Primitive(
                positions=axes.y_up(body.mesh.vertices),
                triangles=body.mesh.faces,
                material=None if color is None else self._material(color, body.solid),
            )
            self._meshes[key] = self._builder.add_mesh([part], name)
        return self._meshes[key]

    def _material(self, color: Color, solid: bool) -> int:
        if (color, solid) not in self._materials:
            # Shells are seen from both sides.
            index = self._builder.add_material(base_color=color, double_sided=not solid)
            self._materials[color, solid] = index
        return self._materials[color, solid]
