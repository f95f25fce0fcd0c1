"""Wrong trajectories and poses: one clear error that names the key, field or moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from surefoot.errors import (
    InputError,
    SurefootError,
    TrajectoryError,
)
from surefoot.math import Pose
from surefoot.world import (
    Attached,
    Function,
    Keyframed,
    Observed,
    Static,
    along,
)

Case = tuple[Callable[[], object], type[SurefootError], str]

ZERO = [0.0, 0.0, 0.0]
NAN = float("nan")


def _key(**more: Any) -> Keyframed:
    return Keyframed(**{"times": [0, 1], "positions": [ZERO, ZERO], **more})  # pyright: ignore


CASES: dict[str, Case] = {
    "keys out of order": (
        lambda: _key(times=[0, 2, 1], positions=[ZERO] * 3),
        TrajectoryError,
        "times must increase strictly: key 1 is at 2 s, key 2 at 1 s",
    ),
    "keys at once": (
        lambda: _key(times=[0, 1, 1], positions=[ZERO] * 3),
        TrajectoryError,
        "times must increase strictly: key 1 is at 1 s, key 2 at 1 s",
    ),
    "no keys": (
        lambda: _key(times=[], positions=np.zeros((0, 3))),
        TrajectoryError,
        r"times must have shape \(n,\) with n >= 1",
    ),
    "NaN key": (
        lambda: _key(times=[0, NAN]),
        TrajectoryError,
        r"times must be finite, found nan at index \(1,\)",
    ),
    "NaN position": (
        lambda: _key(positions=[ZERO, [0, NAN, 0]]),
        TrajectoryError,
        "positions must be finite",
    ),
    "fewer positions": (
        lambda: _key(positions=[ZERO]),
        TrajectoryError,
        r"positions must have shape \(2, 3\), one row for each key time, got \(1, 3\)",
    ),
    "zero quaternion": (
        lambda: _key(rotations=[[1, 0, 0, 0], [0, 0, 0, 0]]),
        TrajectoryError,
        "rotations: key 1 is a zero quaternion",
    ),
    "rotations of three numbers": (
        lambda: _key(rotations=[[1, 0, 0]] * 2),
        TrajectoryError,
        r"rotations must have shape \(..., 4\), got \(2, 3\)",
    ),
    "rotation times without rotations": (
        lambda: _key(rotation_times=[0, 1]),
        TrajectoryError,
        "need rotations",
    ),
    "unknown interpolation": (
        lambda: _key(interpolation="bezier"),
        TrajectoryError,
        "unknown interpolation 'bezier'; there are: cubic, linear, step",
    ),
    "unknown repeat": (
        lambda: _key(repeat="bounce"),
        TrajectoryError,
        "unknown repeat .bounce.; did you mean .once.. There are: loop, once, ping-pong",
    ),
    "cubic without tangents": (
        lambda: _key(interpolation="cubic"),
        TrajectoryError,
        "cubic interpolation needs tangents",
    ),
    "tangents without cubic": (
        lambda: _key(tangents=(np.zeros((2, 3)), np.zeros((2, 3)))),
        TrajectoryError,
        "tangents are for cubic interpolation, not linear",
    ),
    "one tangent": (
        lambda: _key(interpolation="cubic", tangents=np.zeros((2, 2, 3))),
        TrajectoryError,
        r"tangents must be \(arriving, leaving\)",
    ),
    "cubic rotations through zero": (
        lambda: (
            _key(
                rotations=[[1, 0, 0, 0], [-1, 0, 0, 0]],
                rotation_interpolation="cubic",
                rotation_tangents=(np.zeros((2, 4)), np.zeros((2, 4))),
            ).moving
        ),
        TrajectoryError,
        "cubic rotation keys 0 and 1 pass too near the zero quaternion",
    ),
    "span backward": (
        lambda: _key(span=(1, 0)),
        TrajectoryError,
        "span end must be at least 1, got 0",
    ),
    "path of one point": (
        lambda: along([ZERO], 1),
        TrajectoryError,
        r"a path needs at least 2 points \(n, 3\)",
    ),
    "path that stays": (
        lambda: along([ZERO, ZERO], 1),
        TrajectoryError,
        "points 0 and the next are the same",
    ),
    "path at no speed": (
        lambda: along([ZERO, [1, 0, 0]], 0),
        TrajectoryError,
        "speed must be greater than 0, got 0",
    ),
    "function without a horizon": (
        lambda: Function(lambda t: Pose(), horizon=np.inf, max_speed=1),  # noqa: ARG005
        TrajectoryError,
        "horizon must be finite, got inf",
    ),
    "function with a horizon before its start": (
        lambda: Function(lambda t: Pose(), horizon=1, start=2, max_speed=1),  # noqa: ARG005
        TrajectoryError,
        "horizon must be greater than 2, got 1",
    ),
    "function with negative speed": (
        lambda: Function(lambda t: Pose(), horizon=1, max_speed=-1),  # noqa: ARG005
        TrajectoryError,
        "max_speed must be at least 0, got -1",
    ),
    "function faster than it says": (
        lambda: Function(lambda t: Pose.at(2 * t), horizon=1, max_speed=1),
        TrajectoryError,
        r"breaks its bound: between t = .* it moves .*\(2 m/s\), max_speed is 1 m/s",
    ),
    "no function": (
        lambda: Function(3, horizon=1, max_speed=1),
        TrajectoryError,
        "function must be callable, got 3",
    ),  # pyright: ignore
    "attached to a pose": (
        lambda: Attached(Pose(), Static()),  # pyright: ignore
        TrajectoryError,
        "attached parent must be a trajectory",
    ),
    "static at a point": (lambda: Static([0, 0, 0]), TrajectoryError, "stays at a Pose, got"),  # pyright: ignore
    "seen before": (
        lambda: Observed.first(2.0, Pose()).then(1.0, Pose()),
        TrajectoryError,
        "time of sighting must be greater than 2, got 1",
    ),
    "too much trust": (
        lambda: Observed.first(0, Pose(), trust=2),
        TrajectoryError,
        "trust must be at most 1, got 2",
    ),
    "pose of zeros": (
        lambda: Pose(ZERO, [0, 0, 0, 0]),
        InputError,
        "rotation must be a quaternion wxyz of non-zero length",
    ),
    "pose of NaN": (lambda: Pose([0, NAN, 0]), InputError, "position must be finite"),
}


@pytest.mark.parametrize("case", CASES)
def test_one_clear_error(case: str) -> None:
    make, kind, message = CASES[case]
    with pytest.raises(kind, match=message):
        make()
