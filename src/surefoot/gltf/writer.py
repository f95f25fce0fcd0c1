"""Writing glTF 2.0: a builder that things are added to, then saved as `.glb` or `.gltf`."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from surefoot import arrays
from surefoot.arrays import ArrayLike, number, vector, vectors
from surefoot.errors import FileError, InputError
from surefoot.files import SIZE_LIMIT, PathLike, write_atomic
from surefoot.gltf import encoding
from surefoot.gltf.container import CHUNK_BINARY, CHUNK_JSON, GLB_MAGIC
from surefoot.gltf.model import Channel, Primitive
from surefoot.gltf.packing import Packer, Use

GENERATOR: Final = "surefoot"


class GltfBuilder:
    """Collects the parts of a glTF file; every `add_...` returns the index of what it added.

    Things are added before what refers to them: materials before meshes, joints before skins,
    parents before children. Positions are stored in single precision, in the file's axes
    (Y up; see `surefoot.gltf.axes`). The same calls always give the same bytes.

    Args:
        name: Of the scene that holds all nodes.
        extras: JSON for the scene.
    """

    def __init__(self, name: str = "", *, extras: Any = None) -> None:
        self._packer = Packer()
        self._materials: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._mesh_joints: list[int] = []
        self._nodes: list[dict[str, Any]] = []
        self._parents: list[int | None] = []
        self._skins: list[dict[str, Any]] = []
        self._animations: list[dict[str, Any]] = []
        self._scene = encoding.named(name, encoding.plain(extras, "extras of the scene"))

    def add_accessor(
        self,
        values: npt.ArrayLike,
        *,
        use: Use | None = None,
        bounds: bool = False,
        normalized: bool = False,
    ) -> int:
        """Store an array of any kind that glTF has, for uses that the other methods do not cover.

        Args:
            values: `(n,)`, `(n, k)` or `(n, k, k)` with k from 2 to 4; float32, float64 (rounded
                to float32), or int8, uint8, int16, uint16, uint32, which are kept.
            use: `vertex` for vertex attributes, `index` for triangle indices.
            bounds: Whether to state the least and greatest element.
            normalized: Whether integers mean fractions of their greatest value.
        """
        return self._packer.add(values, "values", use=use, bounds=bounds, normalized=normalized)

    def add_material(
        self,
        name: str = "",
        *,
        base_color: Sequence[float] = (1.0, 1.0, 1.0, 1.0),
        metallic: float = 0.0,
        roughness: float = 1.0,
        double_sided: bool = False,
        extras: Any = None,
    ) -> int:
        """Add a material; `base_color` is linear rgb or rgba, 0..1."""
        what = encoding.called("material", name)
        rgba = [number(c, f"base_color of {what}", at_least=0, at_most=1) for c in base_color]
        if len(rgba) not in (3, 4):
            raise InputError(f"base_color of {what} must be 3 or 4 numbers, got {len(rgba)}")
        material = encoding.named(name, encoding.plain(extras, f"extras of {what}"))
        material["pbrMetallicRoughness"] = {
            "baseColorFactor": [*rgba, 1.0][:4],
            "metallicFactor": number(metallic, f"metallic of {what}", at_least=0, at_most=1),
            "roughnessFactor": number(roughness, f"roughness of {what}", at_least=0, at_most=1),
        }
        if rgba[3:] and rgba[3] < 1:
            material["alphaMode"] = "BLEND"
        if double_sided:
            material["doubleSided"] = True
        self._materials.append(material)
        return len(self._materials) - 1

    def add_mesh(
        self, primitives: Sequence[Primitive], name: str = "", *, extras: Any = None
    ) -> int:
        """Add a mesh of triangles; normals and skin weights are scaled to length and sum one."""
        what = encoding.called("mesh", name)
        if not primitives:
            raise InputError(f"{what} must have one primitive or more")
        mesh = encoding.named(name, encoding.plain(extras, f"extras of {what}"))
        entries: list[dict[str, Any]] = []
        for index, primitive in enumerate(primitives):
            part = f"primitive {index} of {what}"
            entry = encoding.primitive(primitive, part, self._packer)
            if primitive.material is not None:
                entry["material"] = encoding.existing(
                    primitive.material, len(self._materials), f"material of {part}"
                )
            entries.append(entry)
        mesh["primitives"] = entries
        self._meshes.append(mesh)
        used = [int(np.max(p.joints)) + 1 for p in primitives if p.joints is not None]
        self._mesh_joints.append(max(used, default=0))
        return len(self._meshes) - 1

    def add_node(
        self,
        name: str = "",
        *,
        parent: int | None = None,
        translation: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        scale: ArrayLike | None = None,
        mesh: int | None = None,
        skin: int | None = None,
        extras: Any = None,
    ) -> int:
        """Add a node below `parent`, or to the scene itself.

        Args:
            name: Shown by viewers.
            parent: Index of a node.
            translation: `(3,)`.
            rotation: `(4,)` quaternion wxyz; normalised here.
            scale: `(3,)`.
            mesh: Index of a mesh that it carries.
            skin: Index of a skin that moves the mesh's vertices.
            extras: Any JSON; surefoot reads it back as the tags of a body.
        """
        what = encoding.called("node", name)
        node = encoding.named(name, encoding.plain(extras, f"extras of {what}"))
        if translation is not None:
            node["translation"] = arrays.position(translation, f"translation of {what}").tolist()
        if rotation is not None:
            quaternion = vector(rotation, f"rotation of {what}", 4)
            node["rotation"] = encoding.quaternions(quaternion, f"rotation of {what}").tolist()
        if scale is not None:
            node["scale"] = vector(scale, f"scale of {what}").tolist()
        if mesh is not None:
            node["mesh"] = encoding.existing(mesh, len(self._meshes), f"mesh of {what}")
        if skin is not None:
            node["skin"] = encoding.existing(skin, len(self._skins), f"skin of {what}")
            joints = len(self._skins[skin]["joints"])
            if mesh is None or not 0 < self._mesh_joints[mesh] <= joints:
                raise InputError(
                    f"{what} needs a mesh with joints below {joints}, as many as its skin has"
                )
        if parent is not None:
            above = self._nodes[encoding.existing(parent, len(self._nodes), f"parent of {what}")]
            above.setdefault("children", []).append(len(self._nodes))
        self._nodes.append(node)
        self._parents.append(parent)
        return len(self._nodes) - 1

    def add_skin(
        self,
        joints: Sequence[int],
        inverse_bind_matrices: ArrayLike | None = None,
        name: str = "",
        *,
        skeleton: int | None = None,
        extras: Any = None,
    ) -> int:
        """Add a skin.

        Args:
            joints: Nodes, all below one root.
            inverse_bind_matrices: `(joints, 4, 4)`, for column vectors; identities when missing.
            name: Shown by viewers.
            skeleton: The node that all joints are below.
            extras: Any JSON.
        """
        what = encoding.called("skin", name)
        skin = encoding.named(name, encoding.plain(extras, f"extras of {what}"))
        known = [encoding.existing(joint, len(self._nodes), f"joint of {what}") for joint in joints]
        if not known or len(set(known)) < len(known):
            raise InputError(f"{what} must have one joint or more, each once")
        if len({self._root(joint) for joint in known}) > 1:
            raise InputError(f"the joints of {what} must be below one root node")
        skin["joints"] = known
        if inverse_bind_matrices is not None:
            matrices = vectors(inverse_bind_matrices, f"inverse_bind_matrices of {what}", 4)
            if matrices.shape != (len(known), 4, 4):
                raise InputError(
                    f"inverse_bind_matrices of {what} must have shape ({len(known)}, 4, 4), "
                    f"got {matrices.shape}"
                )
            skin["inverseBindMatrices"] = self._packer.add(matrices, "inverse_bind_matrices")
        if skeleton is not None:
            skin["skeleton"] = encoding.existing(skeleton, len(self._nodes), f"skeleton of {what}")
        self._skins.append(skin)
        return len(self._skins) - 1

    def add_animation(
        self, channels: Sequence[Channel], name: str = "", *, extras: Any = None
    ) -> int:
        """Add an animation of node translations, rotations and scales."""
        what = encoding.called("animation", name)
        if not channels:
            raise InputError(f"{what} must have one channel or more")
        animation = encoding.named(name, encoding.plain(extras, f"extras of {what}"))
        samplers: list[dict[str, Any]] = []
        entries: list[dict[str, Any]] = []
        seen: set[tuple[int, str]] = set()
        for index, channel in enumerate(channels):
            part = f"channel {index} of {what}"
            node = encoding.existing(channel.node, len(self._nodes), f"node of {part}")
            if (node, channel.path) in seen:
                raise InputError(f"{part}: {channel.path} of node {node} has a channel already")
            seen.add((node, channel.path))
            samplers.append(encoding.sampler(channel, part, self._packer))
            entries.append({"sampler": index, "target": {"node": node, "path": channel.path}})
        animation["channels"], animation["samplers"] = entries, samplers
        self._animations.append(animation)
        return len(self._animations) - 1

    def to_glb(self) -> bytes:
        """The file as binary glTF."""
        data = self._packer.data
        text = json.dumps(self._json(None), ensure_ascii=False, separators=(",", ":"))
        chunks = _chunk(CHUNK_JSON, _encoded(text), b" ")
        if data:
            chunks += _chunk(CHUNK_BINARY, bytes(data), b"\0")
        return GLB_MAGIC + struct.pack("<II", 2, 12 + len(chunks)) + chunks

    def to_gltf(self) -> bytes:
        """The file as JSON text, with the buffer embedded in it."""
        encoded = base64.b64encode(self._packer.data).decode()
        uri = f"data:application/octet-stream;base64,{encoded}"
        return _encoded(json.dumps(self._json(uri), ensure_ascii=False, indent=2) + "\n")

    def save(self, path: PathLike) -> None:
        """Write the file, as `.glb` or `.gltf` by its name; on an error nothing is changed."""
        suffix = Path(path).suffix.lower()
        if suffix not in (".glb", ".gltf"):
            raise FileError(f"{path}: the name must end in .glb or .gltf, got {suffix!r}")
        if len(self._packer.data) > SIZE_LIMIT:
            raise FileError(f"{path}: would hold more than the limit of {SIZE_LIMIT} bytes")
        write_atomic(path, self.to_glb() if suffix == ".glb" else self.to_gltf())

    def _root(self, node: int) -> int:
        while (parent := self._parents[node]) is not None:
            node = parent
        return node

    def _json(self, uri: str | None) -> dict[str, Any]:
        result: dict[str, Any] = {"asset": {"version": "2.0", "generator": GENERATOR}}
        roots = [index for index, parent in enumerate(self._parents) if parent is None]
        result["scene"] = 0
        result["scenes"] = [self._scene | ({"nodes": roots} if roots else {})]
        lists = {
            "nodes": self._nodes,
            "meshes": self._meshes,
            "materials": self._materials,
            "skins": self._skins,
            "animations": self._animations,
            "accessors": self._packer.accessors,
            "bufferViews": self._packer.views,
        }
        result |= {key: entries for key, entries in lists.items() if entries}
        if self._packer.data:
            buffer: dict[str, Any] = {"byteLength": len(self._packer.data)}
            result["buffers"] = [buffer if uri is None else {"uri": uri} | buffer]
        return result


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as reason:
        around = text[max(reason.start - 20, 0) : reason.end + 20]
        raise InputError(f"a name or extra is no text that a file can hold: {around!r}") from reason


def _chunk(kind: int, data: bytes, pad: bytes) -> bytes:
    data += pad * (-len(data) % 4)
    return struct.pack("<II", len(data), kind) + data
