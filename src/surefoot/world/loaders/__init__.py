"""Worlds from files: glTF scenes with animated nodes and tags; OBJ, STL and PLY meshes."""

from surefoot.world.loaders.loading import EXTENSIONS, LoadReport, load_world, read_world
from surefoot.world.loaders.parts import Skipped

__all__ = ["EXTENSIONS", "LoadReport", "Skipped", "load_world", "read_world"]
