"""glTF 2.0 files in and out: containers, accessors, nodes, meshes, skins, animations.

Knows nothing of worlds. Axes are the file's own (Y up; `axes` turns them), quaternions wxyz.
"""

from surefoot.files import SIZE_LIMIT
from surefoot.gltf import axes
from surefoot.gltf.document import SUPPORTED_EXTENSIONS, read_gltf
from surefoot.gltf.model import (
    Animation,
    Channel,
    Gltf,
    Instances,
    Material,
    Mesh,
    Node,
    Primitive,
    Scene,
    Skin,
)
from surefoot.gltf.writer import GltfBuilder

__all__ = [
    "SIZE_LIMIT",
    "SUPPORTED_EXTENSIONS",
    "Animation",
    "Channel",
    "Gltf",
    "GltfBuilder",
    "Instances",
    "Material",
    "Mesh",
    "Node",
    "Primitive",
    "Scene",
    "Skin",
    "axes",
    "read_gltf",
]
