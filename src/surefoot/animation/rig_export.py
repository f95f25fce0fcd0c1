"""Animations on the user's own rig: its file with its nodes, skin, materials and textures kept.

The user's file comes first and keeps all its indices; what surefoot adds (the world, a node that
holds the character, the animation) comes after. Animations that the file had are left out.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from surefoot.animation.animation import Animation
from surefoot.animation.gltf_character import add_rig_frame, channel, continuous
from surefoot.character import Rig, RigPose, retarget
from surefoot.errors import FileError
from surefoot.files import read_bytes, write_atomic
from surefoot.gltf import Channel, GltfBuilder
from surefoot.gltf.buffers import Budget, Buffers
from surefoot.gltf.container import CHUNK_BINARY, CHUNK_JSON, GLB_MAGIC, open_container

_IMAGES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
Json = dict[str, Any]


class Rigged:
    """A user's rig in a file to come.

    Args:
        builder: with what else is in the file; the rig's nodes are added as stand-ins.
        animation: of a character with a rig.
        root_motion: whether the character goes where it goes.
    """

    def __init__(self, builder: GltfBuilder, animation: Animation, *, root_motion: bool) -> None:
        character = animation.character
        assert character.rig is not None
        self.rig: Rig = character.rig
        root, turned = animation.local_poses(root_motion)
        self.poses: RigPose = retarget(
            self.rig, character.skeleton, character.measures, root, turned
        )
        self._times = animation.times - animation.start
        self.top = add_rig_frame(builder, character.name, self.rig)
        self.stand_ins = [builder.add_node(name) for name in self.rig.names]

    def _turned(self) -> list[int]:
        """The bones that the animation turns away from their rest."""
        away = np.abs(self.poses.rotations - self.rig.rotations).max(axis=(0, 2))
        return np.flatnonzero(away > 1e-7).tolist()

    def channels(self) -> list[Channel]:
        """What moves the rig's nodes: rotations that change, and the pelvis's translation."""
        found: list[Channel] = []
        for bone in self._turned():
            turns = continuous(self.poses.rotations[:, bone])
            found.append(channel(self.stand_ins[bone], "rotation", self._times, turns))
        for bone in self.rig.moved:
            moves = self.poses.translations[:, bone]
            found.append(channel(self.stand_ins[bone], "translation", self._times, moves))
        return found

    def save(self, path: str | PathLike[str], builder: GltfBuilder) -> None:
        """Writes the rig's file with all that was added to `builder`."""
        added, added_data = _opened(Path(path), builder.to_glb())
        source, chunk = open_container(str(self.rig.path), read_bytes(self.rig.path))
        document: Json = json.loads(json.dumps(source.value))
        views = Buffers(source, self.rig.path.parent, chunk, Budget())
        data = _repacked(document, views)
        _embed_images(document, self.rig.path.parent, data)
        self._bring_to_start(document)
        self._merge(document, added, len(data))
        data.extend(added_data)
        document["buffers"] = [{"byteLength": len(data)}]
        write_atomic(path, _encoded(Path(path), document, data))

    def _bring_to_start(self, document: Json) -> None:
        """Puts the rig's nodes into the first pose; what is animated must not have a matrix."""
        for bone in sorted({*self._turned(), *self.rig.moved}):
            node = document["nodes"][self.rig.nodes[bone]]
            node.pop("matrix", None)
            node["translation"] = self.poses.translations[0, bone].tolist()
            node["rotation"] = np.roll(self.poses.rotations[0, bone], -1).tolist()
            node["scale"] = self.rig.scales[bone].tolist()

    def _merge(self, document: Json, added: Json, offset: int) -> None:
        """Appends what was added, its indices moved behind those of the document."""
        first = {key: len(document.get(key, ())) for key in _LISTS}
        stand_ins = dict(zip(self.stand_ins, self.rig.nodes, strict=True))
        kept = [index for index in range(len(added["nodes"])) if index not in stand_ins]
        nodes = {index: first["nodes"] + place for place, index in enumerate(kept)} | stand_ins
        roots = [self.rig.nodes[bone] for bone, parent in enumerate(self.rig.parents) if parent < 0]
        for view in added.get("bufferViews", ()):
            view["byteOffset"] += offset
        for accessor in added.get("accessors", ()):
            accessor["bufferView"] += first["bufferViews"]
        for mesh in added.get("meshes", ()):
            for primitive in mesh["primitives"]:
                primitive["indices"] += first["accessors"]
                primitive["material"] += first["materials"]
                for name in primitive["attributes"]:
                    primitive["attributes"][name] += first["accessors"]
        for index in kept:
            node = added["nodes"][index]
            if "mesh" in node:
                node["mesh"] += first["meshes"]
        added["nodes"][self.top]["children"] = roots
        for animation in added["animations"]:
            for sampler in animation["samplers"]:
                sampler["input"] += first["accessors"]
                sampler["output"] += first["accessors"]
            for moved in animation["channels"]:
                moved["target"]["node"] = nodes[moved["target"]["node"]]
        shown = [index for index in added["scenes"][0]["nodes"] if index not in stand_ins]
        added["nodes"] = [added["nodes"][index] for index in kept]
        for key in _LISTS:
            if added.get(key):
                document[key] = [*document.get(key, ()), *added[key]]
        document["animations"] = added["animations"]
        scene = {**added["scenes"][0], "nodes": [nodes[index] for index in shown]}
        document["scene"], document["scenes"] = 0, [scene]
        source = {key: document["asset"][key] for key in ("copyright",) if key in document["asset"]}
        document["asset"] = {**source, **added["asset"]}


_LISTS = ("bufferViews", "accessors", "materials", "meshes", "nodes")


def _opened(path: Path, glb: bytes) -> tuple[Json, bytes]:
    root, data = open_container(str(path), glb)
    return root.value, data or b""


def _repacked(document: Json, views: Buffers) -> bytearray:
    """All buffer views of a document in one buffer, which they are made to point to."""
    data = bytearray()
    for index, view in enumerate(document.get("bufferViews", ())):
        content, _ = views.view(index)
        data.extend(bytes(-len(data) % 4))
        view["buffer"], view["byteOffset"] = 0, len(data)
        data.extend(content)
    data.extend(bytes(-len(data) % 4))
    return data


def _embed_images(document: Json, folder: Path, data: bytearray) -> None:
    """Takes images that lie beside the file into its buffer."""
    images: Sequence[Json] = document.get("images", ())
    for index, image in enumerate(images):
        uri = str(image.get("uri", "data:"))
        if uri.lower().startswith("data:"):
            continue
        file = (folder / unquote(uri)).resolve()
        kind = _IMAGES.get(file.suffix.lower())
        if not file.is_relative_to(folder.resolve()) or kind is None:
            raise FileError(
                f"images[{index}].uri: {uri[:80]!r} must be a .png or .jpg file in the folder of"
                f" the character's file"
            )
        content = read_bytes(file)
        document.setdefault("bufferViews", []).append(
            {"buffer": 0, "byteOffset": len(data), "byteLength": len(content)}
        )
        data.extend(content + bytes(-len(content) % 4))
        del image["uri"]
        image["bufferView"], image["mimeType"] = len(document["bufferViews"]) - 1, kind


def _encoded(path: Path, document: Mapping[str, Any], data: bytearray) -> bytes:
    suffix = path.suffix.lower()
    if suffix == ".gltf":
        encoded = base64.b64encode(data).decode()
        uri = f"data:application/octet-stream;base64,{encoded}"
        buffers = [{"uri": uri, "byteLength": len(data)}]
        return json.dumps({**document, "buffers": buffers}, ensure_ascii=False).encode()
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    data.extend(bytes(-len(data) % 4))
    chunks = struct.pack("<II", len(text), CHUNK_JSON) + text
    chunks += struct.pack("<II", len(data), CHUNK_BINARY) + bytes(data)
    return GLB_MAGIC + struct.pack("<II", 2, 12 + len(chunks)) + chunks
