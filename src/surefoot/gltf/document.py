"""Reading a glTF 2.0 file, `.gltf` or `.glb`, from its bytes to checked values."""

from __future__ import annotations

from typing import Final

from surefoot.files import PathLike, as_path, read_bytes
from surefoot.gltf.accessors import Accessors
from surefoot.gltf.animations import read_animations, read_skins
from surefoot.gltf.buffers import Budget, Buffers
from surefoot.gltf.container import open_container
from surefoot.gltf.fields import Field
from surefoot.gltf.meshes import read_materials, read_meshes
from surefoot.gltf.model import Gltf, Mesh, Node, Skin
from surefoot.gltf.nodes import Counts, hierarchy_order, read_nodes, read_scenes

SUPPORTED_EXTENSIONS: Final = ("EXT_mesh_gpu_instancing", "KHR_mesh_quantization")
"""The extensions that change geometry and that are read."""

# These change only how a surface looks, which is not read, so a file may require them.
_APPEARANCE: Final = (
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "EXT_lights_",
)


def read_gltf(path: PathLike) -> Gltf:
    """Read a `.gltf` or `.glb` file with all it refers to; images and textures are left alone.

    Buffers may be embedded or lie beside the file, in its folder or below; nothing else is
    opened. A file may decode to at most 2 GiB.

    Raises:
        FileError: The file cannot be read or is not valid; the message names the file and the
            place in its JSON, as in `accessors[3].bufferView: 12 is out of range, the file has 4`.
        VersionError: It is no glTF 2.0.
    """
    data = read_bytes(path)
    file = as_path(path)
    root, chunk = open_container(str(file), data)
    _check_extensions(root)

    budget = Budget()
    buffers = Buffers(root, file.parent, chunk, budget)
    accessors = Accessors(root, buffers, budget)
    materials = read_materials(root)
    meshes = read_meshes(root, accessors, budget, len(materials))
    cameras = tuple(camera.text("name") for camera in root.elements("cameras"))
    counts = Counts(meshes=len(meshes), skins=len(root.elements("skins")), cameras=len(cameras))
    nodes = read_nodes(root, counts, accessors)
    order = hierarchy_order(root, nodes)
    scenes, scene = read_scenes(root, nodes)
    skins = read_skins(root, len(nodes), accessors)
    _check_influences(root, nodes, meshes, skins)
    return Gltf(
        path=file,
        nodes=nodes,
        meshes=meshes,
        materials=materials,
        skins=skins,
        animations=read_animations(root, nodes, accessors, budget),
        scenes=scenes,
        scene=scene,
        order=order,
        cameras=cameras,
        json=root.value,
        _accessors=accessors,
    )


def _check_extensions(root: Field) -> None:
    for item in root.elements("extensionsRequired"):
        name = item.string()
        if name not in SUPPORTED_EXTENSIONS and not name.startswith(_APPEARANCE):
            known = ", ".join(SUPPORTED_EXTENSIONS)
            raise item.error(f"{name!r} is required but not supported; supported are: {known}")


def _check_influences(
    root: Field, nodes: tuple[Node, ...], meshes: tuple[Mesh, ...], skins: tuple[Skin, ...]
) -> None:
    """Vertices of a skinned mesh must name joints that its node's skin has."""
    for node in nodes:
        if node.mesh is None or node.skin is None:
            continue
        count = len(skins[node.skin].joints)
        for place, primitive in enumerate(meshes[node.mesh].primitives):
            if primitive.joints is not None and primitive.joints.max(initial=0) >= count:
                raise (
                    root.elements("nodes")[node.index]
                    .require("skin")
                    .error(
                        f"skins[{node.skin}] has {count} joints, but primitive {place} of "
                        f"meshes[{node.mesh}] uses joint {primitive.joints.max()}"
                    )
                )
