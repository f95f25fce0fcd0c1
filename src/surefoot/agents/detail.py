"""Levels of detail: who is far from all who watch is planned and posed with less work.

Near ones are planned and posed as if nobody were far. Those in between get new poses in every few
frames only, and are carried along meanwhile; far ones stand upright where their plans have them,
like counters on a board. Both are planned less far ahead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from surefoot.agents.settings import CrowdSettings
from surefoot.arrays import Bools, Floats
from surefoot.character import Character
from surefoot.math import rotations
from surefoot.planning.live import LivePlanner, LivePoses, Moving

Levels = npt.NDArray[np.int8]
Chosen = npt.NDArray[np.intp]


class Detail(IntEnum):
    """How much is done for somebody."""

    NEAR = 0
    """All there is."""
    BETWEEN = 1
    """Poses in every few frames, and carried along meanwhile."""
    FAR = 2
    """Stands upright where its plan has it."""


def levels(spots: Floats, viewers: Floats, settings: CrowdSettings) -> Levels:
    """`(n,)` of `Detail` for bodies at `spots` `(n, 3)` [m] and `viewers` `(k, 3)` [m].

    By the distance over the ground from the nearest viewer; all are near where nobody watches.
    """
    if not len(viewers) or not len(spots):
        return np.zeros(len(spots), dtype=np.int8)
    away = np.full(len(spots), np.inf)
    for viewer in viewers:
        away = np.minimum(away, np.hypot(spots[:, 0] - viewer[0], spots[:, 1] - viewer[1]))
    limits = np.array([settings.near, settings.far])
    return np.searchsorted(limits, away, side="left").astype(np.int8)


class Poser:
    """Poses a crowd by levels of detail.

    Args:
        planner: gives full poses.
        settings: where levels begin, and how often those in between are posed.
    """

    def __init__(self, planner: LivePlanner, settings: CrowdSettings) -> None:
        self._planner, self._settings = planner, settings
        self._rows: dict[int, int] = {}
        self._posed: dict[int, int] = {}
        self._free: list[int] = []
        self._spots: Floats = np.empty((0, 4))
        self._root: Floats = np.empty((0, 3))
        self._local: Floats = np.empty((0, 0, 4))
        self._contacts: Bools = np.empty((0, 2, 2), dtype=np.bool_)

    def forget(self, agent: int) -> None:
        """An agent is gone."""
        self._posed.pop(agent, None)
        row = self._rows.pop(agent, None)
        if row is not None:
            self._free.append(row)

    def poses(
        self,
        plans: Mapping[int, Moving],
        characters: Sequence[Character],
        viewers: Floats,
        t: float,
        frame: int,
    ) -> LivePoses:
        """Poses at `t` [s], rows in the order of `plans`.

        Args:
            plans: of some agents, by id.
            characters: whose bodies they have, in the same order.
            viewers: `(k, 3)` [m], k > 0.
            t: [s] now.
            frame: its number: those in between take turns by it.
        """
        agents, threads = list(plans), self._settings.threads
        if not agents:
            return self._planner.poses(plans, t, threads=threads)
        spots, headings = self._planner.spots(list(plans.values()), t)
        level = levels(spots, viewers, self._settings)
        between = level == Detail.BETWEEN
        due = level == Detail.NEAR
        for i in np.flatnonzero(between).tolist():
            due[i] = self._is_due(agents[i], frame)
        chosen = np.flatnonzero(due)
        count, joints = len(agents), len(characters[0].skeleton.parents)
        root, local = np.empty((count, 3)), np.empty((count, joints, 4))
        contacts = np.ones((count, 2, 2), dtype=np.bool_)
        if len(chosen):
            some = {agents[i]: plans[agents[i]] for i in chosen.tolist()}
            full = self._planner.poses(some, t, threads=threads)
            root[chosen], local[chosen], contacts[chosen] = full.root, full.rotations, full.contacts
        for i in np.flatnonzero(due & between).tolist():
            self._posed[agents[i]] = frame
        poses = LivePoses(root, local, contacts)
        where = np.column_stack([spots, headings])
        self._keep(agents, np.flatnonzero(due & between), where, poses)
        self._carry(agents, np.flatnonzero(~due & between), where, poses)
        far = np.flatnonzero(level == Detail.FAR)
        hips = np.array([characters[i].measures.leg_length for i in far.tolist()])
        root[far] = spots[far]
        root[far, 2] += hips
        local[far] = rotations.IDENTITY
        local[far, 0] = rotations.from_yaw(headings[far])
        return poses

    def _is_due(self, agent: int, frame: int) -> bool:
        """Whether it is somebody's turn: all in between take turns."""
        period, last = self._settings.sparse, self._posed.get(agent)
        return last is None or frame - last >= period or (agent + frame) % period == 0

    def _keep(self, agents: list[int], chosen: Chosen, where: Floats, poses: LivePoses) -> None:
        """Remembers poses, and `where` `(n, 4)` bodies were: x, y, z and heading."""
        if not len(chosen):
            return
        joints = int(poses.rotations.shape[1])
        rows = np.array([self._row(agents[int(i)], joints) for i in chosen])
        self._spots[rows] = where[chosen]
        self._root[rows], self._local[rows] = poses.root[chosen], poses.rotations[chosen]
        self._contacts[rows] = poses.contacts[chosen]

    def _carry(self, agents: list[int], chosen: Chosen, where: Floats, poses: LivePoses) -> None:
        """Fills in the poses of before, where bodies have gone since."""
        if not len(chosen):
            return
        rows = np.array([self._rows[agents[i]] for i in chosen.tolist()])
        turn = rotations.from_yaw(where[chosen, 3] - self._spots[rows, 3])
        away = self._root[rows] - self._spots[rows, :3]
        poses.root[chosen] = where[chosen, :3] + rotations.rotate(turn, away)
        poses.rotations[chosen] = self._local[rows]
        poses.rotations[chosen, 0] = rotations.multiply(turn, self._local[rows, 0])
        poses.contacts[chosen] = self._contacts[rows]

    def _row(self, agent: int, joints: int) -> int:
        row = self._rows.get(agent)
        if row is None:
            row = self._free.pop() if self._free else len(self._rows)
            self._rows[agent] = row
        if row >= len(self._root) or self._local.shape[1] != joints:
            size = max(2 * len(self._root), row + 64)
            self._spots, self._root = _grown(self._spots, size, 4), _grown(self._root, size, 3)
            self._local = _grown(self._local, size, joints, 4)
            more = np.ones((size, 2, 2), dtype=np.bool_)
            more[: len(self._contacts)] = self._contacts
            self._contacts = more
        return row


def _grown(array: Floats, size: int, *shape: int) -> Floats:
    more = np.empty((size, *shape))
    if array.shape[1:] == shape:
        more[: len(array)] = array
    return more
