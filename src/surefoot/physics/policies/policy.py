"""A policy: body state and task in, an action out, at every foot strike (coros2009 4.3)."""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot import _native
from surefoot.archives import Record, packed, unpacked
from surefoot.arrays import Floats, Ints, floats
from surefoot.errors import FileError, InputError, VersionError
from surefoot.files import read_bytes, write_atomic
from surefoot.learning import Axis, TaskSpace, TransitionTable, solve
from surefoot.learning.iteration import seen
from surefoot.physics.body import Body, load_body
from surefoot.physics.policies.metric import Learned, Metric, Weights
from surefoot.physics.policies.mirroring import twins
from surefoot.physics.policies.recovery import Recovery
from surefoot.physics.stage import Action, Blend, Stage
from surefoot.physics.states import States

AMONG = 6
"""States that a policy with a model looks ahead from: what leads astray in one of them counts."""

_SOFT = 0.01  # [m] of the metric: nearer states count alike

VERSION = 2
"""Of policy files."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Model:
    """What a policy looks ahead with: what actions do, and what it is worth to be there.

    Attributes:
        table: what actions do in the states that the policy knows.
        values: `(n, tasks)` of those.
        acting: `(actions, tasks)`: reward for actions; none when not given.
        discount: per second.
        stuck: what it is worth where nothing can be done.
    """

    table: TransitionTable
    values: npt.NDArray[np.float16]
    acting: Floats | None
    discount: float
    stuck: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Policy:
    """What to do at a foot strike.

    Attributes:
        body: whose.
        task: what for.
        actions: among which it chooses.
        space: of the task's parameters.
        sided: axes whose numbers change sign in a mirror.
        steady: the gait that counts as the steady walk.
        weights: of the metric of states.
        features: `(n, width)` of the states that it knows, all on the left foot.
        best: `(n, tasks)`: the best action there; -1 where nothing can be done.
        model: to look one step ahead with, from the nearest states and for the very task; without
            it the action is that of the nearest state and task sample, as in the paper.
        recovery: decides instead, for who has to stay up first of all; None: nobody does.
        note: how it came about.
    """

    body: Body
    task: str
    actions: tuple[Action, ...]
    space: TaskSpace
    sided: tuple[str, ...]
    steady: str
    weights: Weights | Learned
    features: npt.NDArray[np.float32]
    best: npt.NDArray[np.int8]
    model: Model | None = None
    recovery: Recovery | None = None
    note: str = ""

    @cached_property
    def metric(self) -> Metric:
        """Of states."""
        return Metric(Stage(self.body), self.weights)

    @cached_property
    def _whole(self) -> Metric:
        """Gives all numbers of a state as its features."""
        stage = Stage(self.body)
        return Metric(stage, Learned(matrix=np.eye(int(stage.model.nq) - 2 + int(stage.model.nv))))

    @cached_property
    def _samples(self) -> _native.Neighbours:
        samples = self.metric.samples()
        samples.add(np.ascontiguousarray(self.features, dtype=np.float64))
        return samples

    @cached_property
    def _twins(self) -> npt.NDArray[np.intp]:
        return np.array(twins(self.body, self.actions), dtype=np.intp)

    @cached_property
    def _signs(self) -> Floats:
        return np.array([-1.0 if a.name in self.sided else 1.0 for a in self.space.axes])

    def decide(self, states: States, tasks: Floats) -> list[Action]:
        """The action of each state for its task.

        Args:
            states: at foot strikes.
            tasks: `(n, axes)`; numbers beyond the sampled range count as its ends.
        """
        return [self.actions[i] for i in self.chosen(states, tasks)[0]]

    def chosen(self, states: States, tasks: Floats) -> tuple[Ints, Floats]:
        """Indices of actions, and how far each state is from those that the policy knows."""
        tasks = floats(tasks, "tasks")
        if tasks.shape != (len(states), len(self.space.axes)):
            named = ", ".join(axis.name for axis in self.space.axes)
            raise InputError(f"tasks must be ({len(states)}, {len(self._signs)}): {named}")
        features, mirrored = self.metric.features(states)
        count = 1 if self.model is None else min(AMONG, len(self.features))
        nearest, away = self._samples.nearest(features, count)
        own = np.where(mirrored[:, None], tasks * self._signs, tasks)
        if self.recovery is not None:
            best = self.recovery.chosen(self._whole.features(states)[0])
        elif self.model is None:
            index = np.zeros(len(states), dtype=np.intp)
            for column, axis in enumerate(self.space.axes):
                index = index * len(axis.points) + nearest_point(axis, own[:, column])
            best = self.best[nearest[:, 0], index].astype(np.int32)
        else:
            native, values = self._ahead
            rows = zip(nearest, _shared(away), np.ascontiguousarray(own), strict=True)
            best = np.array([native.look_ahead_among(values, *row).argmax() for row in rows])
        # Where nothing is known to help, the first action is as good as any.
        best = np.maximum(best, 0)
        return np.where(mirrored, self._twins[best], best).astype(np.int32), away[:, 0]

    def act(self, state: States, task: Sequence[float]) -> Action:
        """The action of one state: as `decide`, in a fraction of its time."""
        if self.recovery is not None:
            numbers, mirrored = self._whole.feature(state)
            chosen = int(self.recovery.chosen(numbers)[0])
            return self.actions[self._twins[chosen] if mirrored else chosen]
        feature, mirrored = self.metric.feature(state)
        if self.model is not None:
            native, values = self._ahead
            own = np.array(task, dtype=np.float64)
            own = own * self._signs if mirrored else own
            near, away = self._samples.nearest(feature, min(AMONG, len(self.features)))
            worth = native.look_ahead_among(values, near[0], _shared(away)[0], own)
            chosen = int(worth.argmax())
            return self.actions[self._twins[chosen] if mirrored else chosen]
        nearest, _ = self._samples.nearest(feature, 1)
        index = 0
        for middles, count, period, first, sign, number in zip(
            *self._middles, self._signs.tolist(), task, strict=True
        ):
            value = number * sign if mirrored else number
            if period:
                value = first + (value - first) % period
            index = index * count + bisect_left(middles, value) % count
        best = max(int(self.best[nearest[0, 0], index]), 0)
        return self.actions[self._twins[best] if mirrored else best]

    @cached_property
    def _ahead(self) -> tuple[_native.ValueIteration, npt.NDArray[np.float32]]:
        """What looks ahead, and values as actions find them."""
        assert self.model is not None
        mirror = self.space.mirror(self.sided)
        whole = solve(
            self.model.table, self.space, acting=self.model.acting, discount=self.model.discount,
            start=self.model.values, mirror=mirror, sweeps=0, stuck=self.model.stuck,
        )  # fmt: skip
        return whole.native, seen(whole.values.reshape(len(self.features), -1), whole.mirror)

    @cached_property
    def _middles(self) -> tuple[list[list[float]], list[int], list[float], list[float]]:
        """Of each axis: what lies between its points, how many those are, its period and start."""
        middles, counts = list[list[float]](), list[int]()
        periods, firsts = list[float](), list[float]()
        for axis in self.space.axes:
            points = axis.points
            if axis.period is not None:
                points = np.append(points, points[0] + axis.period)
            middles.append(((points[1:] + points[:-1]) / 2).tolist())
            counts.append(len(axis.points))
            periods.append(axis.period or 0.0)
            firsts.append(float(axis.points[0]))
        return middles, counts, periods, firsts

    def clamped(self, tasks: Floats) -> list[str]:
        """A sentence for each axis along which tasks lie beyond the sampled range."""
        told: list[str] = []
        for column, axis in enumerate(self.space.axes):
            low, high = float(axis.points[0]), float(axis.points[-1])
            values = np.asarray(tasks)[..., column]
            if axis.period is None and len(axis.points) > 1:
                out = values[(values < low) | (values > high)]
                if len(out):
                    told.append(
                        f"{self.task}: {axis.name} {float(out.flat[0]):g} is outside {low:g} to"
                        f" {high:g}, where the policy was sampled; it counts as the end of that"
                    )
        return told

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it, compressed, whole or not at all."""
        head: dict[str, Any] = {
            "surefoot": "policy", "version": VERSION, "body": self.body.name, "task": self.task,
            "actions": [_written(action) for action in self.actions], "sided": self.sided,
            "place": self.space.place, "note": self.note,
            "axes": [(a.name, a.points.tolist(), a.period, a.change) for a in self.space.axes],
            "steady": self.steady,
        }  # fmt: skip
        if isinstance(self.weights, Weights):
            own = self.weights
            head["weights"] = [own.speed, own.spin, dict(own.joints)]
        arrays: dict[str, npt.NDArray[Any]] = {
            "features": self.features,
            # Neighbouring tasks mostly have the same action: differences compress better.
            "best": np.diff(self.best, axis=1, prepend=0).astype(np.int8),
        }
        if isinstance(self.weights, Learned):
            arrays["matrix"] = self.weights.matrix
        if self.model is not None:
            head["discount"], head["stuck"] = self.model.discount, self.model.stuck
            arrays |= _packed_model(self.model)
        if self.recovery is not None:
            arrays |= self.recovery.packed()
        arrays["head"] = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
        write_atomic(path, packed(arrays, small=True))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, body: Body | None = None) -> Policy:
        """Reads a policy.

        Args:
            path: of the file.
            body: whose; the built-in one of the name in the file when not given.
        """
        arrays = unpacked(read_bytes(path), str(path))
        try:
            head = json.loads(arrays["head"].tobytes())
            if head.get("surefoot") != "policy":
                raise FileError(f"{path}: this is no policy")
            if head["version"] != VERSION:
                raise VersionError(
                    f"{path}: policy of version {head['version']}; this reads version {VERSION}"
                )
            axes = [
                Axis(name=name, points=np.array(points), period=period, change=change)
                for name, points, period, change in head["axes"]
            ]
            space = TaskSpace(axes=tuple(axes), place=head["place"])
            model = _unpacked_model(arrays, space, head) if "values" in arrays else None
            return cls(
                body=body or load_body(head["body"]), task=head["task"],
                actions=tuple(_read(action) for action in head["actions"]),
                space=space, sided=tuple(head["sided"]), steady=head["steady"], note=head["note"],
                weights=_weights(head, arrays), model=model, recovery=Recovery.unpacked(arrays),
                features=arrays["features"],
                best=np.cumsum(arrays["best"], axis=1, dtype=np.int8),
            )  # fmt: skip
        except (KeyError, ValueError, TypeError) as reason:
            if isinstance(reason, InputError):
                raise
            raise FileError(f"{path}: no policy that can be read: {reason}") from reason


def _shared(away: Floats) -> Floats:
    """How much each of some states counts, by its distance."""
    weights = 1.0 / (away * away + _SOFT * _SOFT)
    return weights / weights.sum(axis=1, keepdims=True)


def nearest_point(axis: Axis, values: Floats) -> npt.NDArray[np.intp]:
    """`(n,)`: the index of the point of an axis that is nearest to each number."""
    if axis.period is None:
        middles = (axis.points[1:] + axis.points[:-1]) / 2
        return np.searchsorted(middles, values)
    wrapped = axis.points[0] + np.remainder(values - axis.points[0], axis.period)
    points = np.append(axis.points, axis.points[0] + axis.period)
    middles = (points[1:] + points[:-1]) / 2
    return np.asarray(np.searchsorted(middles, wrapped), dtype=np.intp) % len(axis.points)


def _written(action: Action) -> str | Sequence[str | float]:
    return action if isinstance(action, str) else [action.first, action.second, action.share]


def _read(action: str | list[str | float]) -> Action:
    if isinstance(action, str):
        return action
    first, second, share = action
    return Blend(str(first), str(second), float(share))


def _weights(head: dict[str, Any], arrays: Record) -> Weights | Learned:
    if "matrix" in arrays:
        return Learned(matrix=arrays["matrix"])
    speed, spin, joints = head["weights"]
    return Weights(speed=speed, spin=spin, joints={k: (v[0], v[1]) for k, v in joints.items()})


def _packed_model(model: Model) -> Record:
    """Small: half precision is finer than what values are accurate to."""
    table = model.table
    arrays: Record = {
        "values": model.values, "successors": table.successors.astype(np.uint16),
        "shares": np.rint(255 * table.weights).astype(np.uint8),
        "motion": table.motion.astype(np.float32), "rewards": table.rewards.astype(np.float16),
        "durations": table.durations.astype(np.float16), "viable": table.viable,
    }  # fmt: skip
    if model.acting is not None:
        arrays["acting"] = model.acting.astype(np.float32)
    return arrays


def _unpacked_model(arrays: Record, space: TaskSpace, head: dict[str, Any]) -> Model:
    shares = np.maximum(arrays["shares"].astype(np.float64), 1e-6)
    n, a, _ = shares.shape
    table = TransitionTable(
        successors=arrays["successors"].astype(np.int32),
        weights=shares / shares.sum(axis=2, keepdims=True),
        motion=arrays["motion"].astype(np.float64), rewards=arrays["rewards"].astype(np.float64),
        durations=arrays["durations"].astype(np.float64), viable=arrays["viable"],
        shifts=np.zeros((n, a, space.shifts)),
    )  # fmt: skip
    acting = arrays["acting"].astype(np.float64) if "acting" in arrays else None
    return Model(
        table=table, values=arrays["values"], acting=acting, discount=head["discount"],
        stuck=head["stuck"],
    )  # fmt: skip
