"""Recast's navigation meshes and Detour's paths, from Debian's `librecast-dev`.

The library has no Python interface: recast.cpp gives it a few plain functions, which the system's
compiler makes a shared library of when they are asked for first.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.errors import MissingExtraError
from surefoot.world import Body

SOURCE = Path(__file__).with_name("recast.cpp")
BUILT = SOURCE.parents[2] / "build" / "peers" / "librecast_peer.so"
HEADERS = (Path("/usr/include/recastnavigation"), Path("/usr/local/include/recastnavigation"))
PHASES = ("voxels", "borders", "regions", "polygons", "navigation mesh")
"""Rasterised, filtered and compacted; eroded; partitioned; outlined; ready for queries."""
FAILURES = (
    "", "height field", "rasterisation", "compact height field", "erosion", "regions", "contours",
    "polygons", "detail mesh", "navigation mesh", "query",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class RecastSettings:
    """What a mesh is made for; the last six are the values of Recast's own demo.

    Attributes:
        cell: side of a voxel seen from above [m].
        rise: height of a voxel [m].
        height: of the agent [m].
        radius: of the agent [m].
        climb: the highest step [m].
        slope_degrees: the steepest ground.
        edge_length: the longest edge of a contour [m].
        edge_error: how far a contour may lie from its cells [cells].
        region_least: smaller regions are left out: the side of the smallest square [cells].
        region_merged: smaller regions are merged: the side of that square [cells].
        detail_spacing: between samples of height [cells].
        detail_error: of heights [rises].
    """

    cell: float
    rise: float
    height: float
    radius: float
    climb: float
    slope_degrees: float
    edge_length: float = 12.0
    edge_error: float = 1.3
    region_least: float = 8.0
    region_merged: float = 20.0
    detail_spacing: float = 6.0
    detail_error: float = 1.0


DEMO = RecastSettings(cell=0.3, rise=0.2, height=2.0, radius=0.6, climb=0.9, slope_degrees=45.0)
"""What Recast's demo starts with, and what its test queries are asked with."""


class _Settings(ctypes.Structure):
    _fields_ = [(field.name, ctypes.c_float) for field in fields(RecastSettings)]


class _Made(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in ("width", "depth", "spans", "polygons", "bytes")]


@dataclass(frozen=True, eq=False)
class Triangles:
    """The triangles of bodies at rest as Recast wants them: one list, single precision, Y up."""

    vertices: np.ndarray
    faces: np.ndarray
    forbidden: np.ndarray

    @classmethod
    def of(cls, bodies: Iterable[Body]) -> Triangles:
        """All triangles where they lie at time 0; those of forbidden bodies are marked."""
        still = list(bodies)
        points = [body.trajectory.pose(0.0).apply(body.mesh.vertices) for body in still]
        starts = np.cumsum([0] + [len(part) for part in points[:-1]])
        faces = [body.mesh.faces + start for body, start in zip(still, starts, strict=True)]
        marks = [np.full(len(body.mesh.faces), body.has("forbidden")) for body in still]
        return cls(
            _y_up(np.concatenate(points)),
            np.ascontiguousarray(np.concatenate(faces), dtype=np.int32),
            np.concatenate(marks).astype(np.uint8),
        )


class RecastMesh:
    """A navigation mesh in one piece, ready for queries.

    Args:
        triangles: of the world.
        settings: what it is made for.

    Attributes:
        seconds: how long cores worked on each phase [s].
        made: how large it became.
    """

    def __init__(self, triangles: Triangles, settings: RecastSettings) -> None:
        self._library = library()
        seconds, made, failure = (ctypes.c_double * len(PHASES))(), _Made(), ctypes.c_int32()
        given = _Settings(*astuple(settings))
        self._handle = self._library.recast_build(
            _pointer(triangles.vertices), len(triangles.vertices), _pointer(triangles.faces),
            len(triangles.faces), _pointer(triangles.forbidden), ctypes.byref(given),
            ctypes.byref(made), seconds, ctypes.byref(failure),
        )  # fmt: skip
        if not self._handle:
            raise RuntimeError(f"Recast failed in: {FAILURES[failure.value]}")
        self.seconds: Mapping[str, float] = dict(zip(PHASES, seconds, strict=True))
        names = [name for name, _ in _Made._fields_]
        self.made: Mapping[str, int] = {name: getattr(made, name) for name in names}

    def paths(
        self, starts: Floats, ends: Floats, reach: tuple[float, float, float] = (2.0, 2.0, 4.0)
    ) -> tuple[Floats, Floats]:
        """Straightened ways between points `(n, 3)`, Z up.

        Args:
            starts: `(n, 3)` [m].
            ends: `(n, 3)` [m].
            reach: how far from them the mesh is looked for, along x, y and z [m].

        Returns:
            The lengths of the ways [m], infinite where there is none, and how far the farther of
            both ends lies from the mesh, seen from above [m], infinite where it has none in reach.
        """
        count = len(starts)
        lengths, away = np.zeros(count), np.zeros(count)
        given = np.array([reach[0], reach[2], reach[1]], dtype=np.float32)
        # Both are bound to names, so that they live until the call is over.
        first, last = _y_up(starts), _y_up(ends)
        self._library.recast_paths(
            ctypes.c_void_p(self._handle), count, _pointer(first), _pointer(last),
            _pointer(given), _pointer(lengths), _pointer(away),
        )  # fmt: skip
        return _infinite(lengths), _infinite(away)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.recast_free(ctypes.c_void_p(self._handle))
            self._handle = None


@cache
def library() -> ctypes.CDLL:
    """The shared library, made when there is none that is newer than its source."""
    headers = next((folder for folder in HEADERS if (folder / "Recast.h").is_file()), None)
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if headers is None or compiler is None:
        missing = "a C++ compiler" if headers else "librecast-dev (Debian, Ubuntu)"
        raise MissingExtraError(f"Recast is not measured: install {missing}")
    if not BUILT.exists() or BUILT.stat().st_mtime < SOURCE.stat().st_mtime:
        BUILT.parent.mkdir(parents=True, exist_ok=True)
        command = [compiler, "-std=c++20", "-O3", "-shared", "-fPIC", f"-I{headers}"]
        command += [str(SOURCE), "-o", str(BUILT), "-lRecast", "-lDetour"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MissingExtraError(f"Recast is not measured: {done.stderr.strip()}")
    found = ctypes.CDLL(str(BUILT))
    found.recast_build.restype = ctypes.c_void_p
    found.recast_free.restype = None
    found.recast_paths.restype = None
    return found


def version() -> str:
    """Debian's version of the library, where it can be told."""
    query = shutil.which("dpkg-query")
    if query is None:
        return "unknown"
    done = subprocess.run(
        [query, "-W", "-f=${Version}", "librecast-dev"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def _y_up(points: Floats) -> np.ndarray:
    x, y, z = np.asarray(points, dtype=np.float64).T
    return np.ascontiguousarray(np.stack([x, z, -y], axis=1), dtype=np.float32)


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _infinite(values: Floats) -> Floats:
    missing: Bools = values < 0
    return np.where(missing, np.inf, values)
