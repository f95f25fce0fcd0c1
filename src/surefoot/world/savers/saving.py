"""From a world to a file, by the file's extension."""

from __future__ import annotations

from typing import Final

from surefoot import schema
from surefoot.arrays import number
from surefoot.errors import FileError, one_of
from surefoot.files import PathLike, as_path
from surefoot.world.savers.gltf import save_gltf
from surefoot.world.savers.report import SaveReport
from surefoot.world.world import VERSION, World

EXTENSIONS: Final = (".glb", ".gltf", ".json")
"""The file name extensions that worlds are saved under."""


def save_world(path: PathLike, world: World, *, tolerance: float = 1e-3) -> SaveReport:
    """Writes a world as `.json`, `.glb` or `.gltf`; see `World.save`."""
    file = as_path(path)
    extension = file.suffix.lower()
    if extension not in EXTENSIONS:
        raise FileError(f"{file}: {one_of('extension', extension, EXTENSIONS)}")
    tolerance = number(tolerance, "tolerance", above=0.0)
    if extension == ".json":
        schema.write(file, world, kind="world", version=VERSION)
        return SaveReport(path=file)
    return save_gltf(file, world, tolerance)
