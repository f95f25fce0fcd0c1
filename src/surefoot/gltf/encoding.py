"""From values to glTF JSON entries: checks, and the forms that the standard asks for."""

from __future__ import annotations

import json
from typing import Any, Final, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from surefoot import arrays
from surefoot.arrays import ArrayLike, Floats, floats, vectors
from surefoot.errors import InputError
from surefoot.gltf.accessors import Array
from surefoot.gltf.model import Channel, Primitive
from surefoot.gltf.packing import Packer

_INTERPOLATIONS: Final = {"linear": "LINEAR", "step": "STEP", "cubic": "CUBICSPLINE"}
_WIDTHS: Final = {"translation": 3, "rotation": 4, "scale": 3}


def called(kind: str, name: str) -> str:
    """A thing for a message: `mesh 'box'`, or `the mesh`."""
    return f"{kind} {name!r}" if name else f"the {kind}"


def named(name: str, extras: Any) -> dict[str, Any]:
    """A JSON object with `name` and `extras`, those that there are."""
    result: dict[str, Any] = {}
    if name:
        result["name"] = name
    if extras is not None:
        result["extras"] = extras
    return result


def plain(extras: Any, what: str) -> Any:
    """A copy of `extras` in plain JSON values; numpy numbers and arrays are converted."""

    def convert(value: object) -> object:
        if isinstance(value, np.generic | np.ndarray):
            return cast("Array", value).tolist()
        raise TypeError(f"{type(value).__name__} is no JSON")

    try:
        return json.loads(json.dumps(extras, default=convert, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as reason:
        raise InputError(f"{what} must be JSON: {reason}") from reason


def existing(index: SupportsIndex, count: int, what: str) -> int:
    """`index` if it is that of something added before."""
    value = int(index)
    if not 0 <= value < count:
        raise InputError(f"{what}: {value} is out of range, {count} have been added")
    return value


def quaternions(wxyz: Floats, what: str) -> Floats:
    """Quaternions wxyz `(..., 4)` as unit quaternions in the file's order xyzw."""
    length = np.linalg.norm(wxyz, axis=-1, keepdims=True)
    if (length < 1e-12).any():
        raise InputError(f"{what} must be quaternions wxyz of non-zero length")
    return np.roll(wxyz / length, -1, axis=-1)


def primitive(source: Primitive, what: str, packer: Packer) -> dict[str, Any]:
    """The JSON of a primitive of triangles, its arrays packed; without its material."""
    if source.topology != "triangles" or len(source.morphs):
        raise InputError(f"{what}: only triangles without morph targets can be written")
    positions = _rows(source.positions, 3, f"positions of {what}")
    count = len(positions)
    triangles: Array = np.asarray(source.triangles)
    if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
        raise InputError(
            f"triangles of {what} must be integers (m, 3), got {triangles.dtype} {triangles.shape}"
        )
    if not len(triangles) or triangles.min() < 0 or triangles.max() >= count:
        raise InputError(f"triangles of {what} must be one or more, of vertices 0 to {count - 1}")
    attributes = {
        "POSITION": packer.add(positions, f"positions of {what}", use="vertex", bounds=True)
    }
    if source.normals is not None:
        normals = _rows(source.normals, 3, f"normals of {what}", count)
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        if (length < 1e-12).any():
            raise InputError(f"normals of {what}: normal {int(np.argmin(length))} has length zero")
        attributes["NORMAL"] = packer.add(normals / length, f"normals of {what}", use="vertex")
    if source.colors is not None:
        colors = _rows(source.colors, (3, 4), f"colors of {what}", count)
        if colors.min() < 0 or colors.max() > 1:
            raise InputError(f"colors of {what} must be from 0 to 1")
        attributes["COLOR_0"] = packer.add(colors, f"colors of {what}", use="vertex")
    if source.joints is not None:
        attributes |= _influences(source, count, what, packer)
    # The greatest value of a type is kept free: it would restart the primitive on a GPU.
    small = triangles.max() < 65535
    indices = triangles.reshape(-1).astype(np.uint16 if small else np.uint32)
    entry: dict[str, Any] = {
        "attributes": attributes,
        "indices": packer.add(indices, f"triangles of {what}", use="index"),
    }
    extras = plain(source.extras, f"extras of {what}")
    return entry if extras is None else entry | {"extras": extras}


def sampler(channel: Channel, what: str, packer: Packer) -> dict[str, Any]:
    """The JSON of an animation sampler, its keys packed."""
    if channel.interpolation not in _INTERPOLATIONS:
        known = ", ".join(_INTERPOLATIONS)
        raise InputError(
            f"{what}: unknown interpolation {channel.interpolation!r}; there are: {known}"
        )
    if channel.path not in _WIDTHS:
        known = ", ".join(_WIDTHS)
        raise InputError(f"{what}: path {channel.path!r} cannot be written; there are: {known}")
    times = arrays.times(channel.times, f"times of {what}")
    if times.ndim != 1 or not len(times) or times[0] < 0 or (np.diff(times) <= 0).any():
        raise InputError(f"times of {what} must start at 0 or later and increase")
    kept, stored = single_times(times)
    width = _WIDTHS[channel.path]
    values = _rows(channel.values, width, f"values of {what}", len(times))
    rotation = channel.path == "rotation"
    if rotation:
        values = quaternions(values, f"values of {what}")
    if (channel.interpolation == "cubic") != (channel.tangents is not None):
        raise InputError(f"{what}: tangents belong to cubic interpolation, and to it only")
    if channel.tangents is not None:
        slopes = [
            _rows(tangent, width, f"tangents of {what}", len(times)) for tangent in channel.tangents
        ]
        if rotation:
            slopes = [np.roll(tangent, -1, axis=1) for tangent in slopes]
        values = np.stack([slopes[0], values, slopes[1]], axis=1)
    return {
        "input": packer.add(stored, f"times of {what}", bounds=True),
        "interpolation": _INTERPOLATIONS[channel.interpolation],
        "output": packer.add(values[kept].reshape(-1, width), f"values of {what}"),
    }


def single_times(times: Floats) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float32]]:
    """Key times in single precision, in which files have them, and still increasing.

    Of keys whose times it cannot tell apart the first and the last are kept, one number apart
    where there is room, so that a jump stays a jump. So no motion is more than one number early
    or late: 0.5 microseconds in the first 8 s of a file, a quarter of a millisecond after an hour.

    Args:
        times: `(n,)`, increasing, from 0 on.

    Returns:
        which keys are kept, `(k,)` indices, and their times `(k,)`.
    """
    # Times beyond single precision become infinite, which the packer refuses by name.
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = times.astype(np.float32)
        starts = np.flatnonzero(np.diff(rounded, prepend=np.float32(-1)) > 0)
    if len(starts) == len(times):
        return np.arange(len(times)), rounded
    ends = np.append(starts[1:], len(times)) - 1
    kept: list[int] = []
    stored: list[np.float32] = []
    for number, (first, last) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        time = rounded[first]
        if first < last:
            before = np.nextafter(time, np.float32(-1))
            after = np.nextafter(time, np.float32(np.inf))
            following = rounded[starts[number + 1]] if number + 1 < len(starts) else np.inf
            if before >= 0 and (not stored or stored[-1] < before):
                kept.append(first)
                stored.append(before)
            elif after < following:
                kept.append(first)
                stored.append(time)
                time = after
        kept.append(last)
        stored.append(time)
    return np.array(kept, dtype=np.intp), np.array(stored, dtype=np.float32)


def _influences(source: Primitive, count: int, what: str, packer: Packer) -> dict[str, int]:
    """Joint and weight attributes, four to a set."""
    if source.weights is None:
        raise InputError(f"{what} has joints, but no weights")
    weights = floats(source.weights, f"weights of {what}")
    joints: Array = np.array(source.joints)
    fits = joints.ndim == 2 and joints.shape[0] == count and joints.shape[1] % 4 == 0
    if not fits or joints.shape != weights.shape or joints.dtype.kind not in "iu":
        raise InputError(
            f"joints (integers) and weights of {what} must both have shape ({count}, 4 k), "
            f"got {joints.shape} and {weights.shape}"
        )
    total = weights.sum(axis=1, keepdims=True)
    if weights.min() < 0 or (total <= 0).any():
        raise InputError(f"weights of {what} must not be negative, and not all zero for a vertex")
    if joints.min() < 0 or joints.max() > 65535:
        raise InputError(f"joints of {what} must be from 0 to 65535")
    weights = weights / total
    # A joint that does not count is stated as joint 0; one that counts is stated once.
    joints[weights == 0] = 0
    free = np.arange(-int(joints.shape[1]), 0)
    used = np.sort(np.where(weights > 0, joints, free), axis=1)
    if (np.diff(used, axis=1) == 0).any():
        raise InputError(f"joints of {what}: a vertex must not name a joint twice")
    joints = joints.astype(np.uint8 if joints.max() < 256 else np.uint16)
    result: dict[str, int] = {}
    for number in range(joints.shape[1] // 4):
        part = slice(4 * number, 4 * number + 4)
        result[f"JOINTS_{number}"] = packer.add(joints[:, part], f"joints of {what}", use="vertex")
        result[f"WEIGHTS_{number}"] = packer.add(
            weights[:, part], f"weights of {what}", use="vertex"
        )
    return result


def _rows(
    value: ArrayLike, size: int | tuple[int, ...], what: str, count: int | None = None
) -> Floats:
    """`value` as finite numbers `(count, size)`."""
    sizes = size if isinstance(size, tuple) else (size,)
    array = floats(value, what)
    if array.ndim != 2 or array.shape[1] not in sizes or count not in (None, len(array)):
        rows, columns = "n" if count is None else count, " or ".join(map(str, sizes))
        raise InputError(f"{what} must have shape ({rows}, {columns}), got {array.shape}")
    return vectors(array, what, array.shape[1])
