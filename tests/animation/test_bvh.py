"""BVH: the right joints, offsets and channels, and the same motion when read by its rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from surefoot.animation import Animation
from surefoot.gltf import axes
from surefoot.math import rotations
from surefoot.motion.formats.bvh.writing import zxy_angles


def _read(
    path: Path,
) -> tuple[list[str], list[np.ndarray], list[int], list[int], np.ndarray, float]:
    """Names, offsets, parents, channel counts, motion rows and frame time, read line by line."""
    lines = path.read_text().splitlines()
    names: list[str] = []
    offsets: list[np.ndarray] = []
    parents: list[int] = []
    counts: list[int] = []
    stack: list[int] = []
    in_end = False
    split = lines.index("MOTION")
    for line in lines[:split]:
        words = line.split()
        if words[0] in ("ROOT", "JOINT"):
            names.append(words[1])
            parents.append(stack[-1] if stack else -1)
            stack.append(len(names) - 1)
        elif words[0] == "End":
            in_end = True
        elif words[0] == "OFFSET" and not in_end:
            offsets.append(np.array(words[1:], dtype=float))
        elif words[0] == "CHANNELS":
            counts.append(int(words[1]))
            assert len(words) == 2 + int(words[1])
        elif words[0] == "}":
            if in_end:
                in_end = False
            else:
                stack.pop()
    rows = np.array([line.split() for line in lines[split + 3 :]], dtype=float)
    assert int(lines[split + 1].split()[1]) == len(rows)
    return names, offsets, parents, counts, rows, float(lines[split + 2].split()[2])


@pytest.fixture(scope="module")
def read(ride: Animation, tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    path = tmp_path_factory.mktemp("bvh") / "ride.bvh"
    ride.save(path)
    return _read(path)


def test_joints_offsets_and_channels_are_the_skeletons(read, ride: Animation) -> None:  # type: ignore[no-untyped-def]
    names, offsets, _, counts, rows, frame = read
    skeleton = ride.character.skeleton
    assert sorted(names) == sorted(skeleton.joints)
    assert counts == [6] + [3] * (len(names) - 1)
    assert rows.shape == (len(ride.times), 3 * len(names) + 3)
    assert frame == pytest.approx(1 / 30)
    for name, offset in zip(names[1:], offsets[1:], strict=True):
        assert np.allclose(offset, axes.y_up(skeleton.offsets[skeleton.index(name)]), atol=1e-6)


def test_read_again_it_is_the_same_motion(read, ride: Animation) -> None:  # type: ignore[no-untyped-def]
    names, offsets, parents, _, rows, _ = read
    positions = ride.joint_positions()
    x, y, z = np.eye(3)
    for frame in (0, len(rows) // 2, len(rows) - 1):
        places: list[np.ndarray] = []
        turns: list[np.ndarray] = []
        for joint, parent in enumerate(parents):
            a, b, c = np.radians(rows[frame, 3 + 3 * joint : 6 + 3 * joint])
            turn = rotations.multiply(
                rotations.from_axis_angle(z, a),
                rotations.multiply(
                    rotations.from_axis_angle(x, b), rotations.from_axis_angle(y, c)
                ),
            )
            if parent < 0:
                places.append(rows[frame, :3])
                turns.append(turn)
            else:
                places.append(places[parent] + rotations.rotate(turns[parent], offsets[joint]))
                turns.append(rotations.multiply(turns[parent], turn))
        for name, place in zip(names, places, strict=True):
            expected = positions[frame, ride.character.skeleton.index(name)]
            assert np.allclose(axes.z_up(place), expected, atol=1e-4)


def test_in_place_it_stays_where_it_starts(ride: Animation, tmp_path: Path) -> None:
    ride.save(tmp_path / "on_the_spot.bvh", root_motion=False)
    rows = _read(tmp_path / "on_the_spot.bvh")[4]
    assert np.ptp(rows[:, [0, 2]], axis=0).max() < 0.2


def test_angles_give_the_rotation_back() -> None:
    generator = np.random.default_rng(5)
    quaternions = rotations.normalize(generator.normal(size=(200, 4)))
    z, x, y = np.moveaxis(zxy_angles(quaternions), -1, 0)
    again = rotations.multiply(
        rotations.from_axis_angle([0.0, 0, 1], z),
        rotations.multiply(
            rotations.from_axis_angle([1.0, 0, 0], x), rotations.from_axis_angle([0.0, 1, 0], y)
        ),
    )
    assert np.allclose(np.abs((again * quaternions).sum(axis=-1)), 1.0)
