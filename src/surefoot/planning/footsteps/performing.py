"""Performers: bodies that take the steps of their plans, many at once (beacco2013, section 6)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.motion.engine import Cast, Engine, EngineSettings
from surefoot.planning.footsteps.footpath import Footpath
from surefoot.planning.footsteps.playing import BLEND
from surefoot.planning.live import LivePoses
from surefoot.world import Place, World


class _Performer:
    """One body: an engine that is told of steps as they begin."""

    def __init__(self, path: Footpath, world: World, t: float) -> None:
        index = path.index(t)
        x, y, z, heading, begin = path.states[index].tolist()
        self.engine = Engine(
            path.repertoire.footage, world, place=Place(None, np.array([x, y, z])),
            heading=heading, start=begin, settings=EngineSettings(blend=BLEND),
        )  # fmt: skip
        self.done = begin

    def follow(self, path: Footpath, t: float) -> None:
        """Takes up the steps that begin up to `t` [s]."""
        repertoire = path.repertoire
        while True:
            index = int(np.searchsorted(path.states[:, 4], self.done - 1e-9))
            if index >= len(path.ids):
                if t < self.done:
                    return
                action, after = repertoire.stand, path.states[-1].copy()
                after[4] = self.done + float(repertoire.durations[action])
            else:
                if path.states[index, 4] > t:
                    return
                action, after = int(path.ids[index]), path.states[index + 1]
            step = repertoire.steps[int(repertoire.step[action])]
            begins = self.done if index >= len(path.ids) else float(path.states[index, 4])
            self.engine.append(
                step, speed=float(repertoire.speed[action]), now=begins,
                to=(Place(None, after[:3]), float(after[3])),
            )  # fmt: skip
            self.done = float(after[4])
            self.engine.forget(t - 2.0)


class Performers:
    """All bodies of a crowd.

    Args:
        world: where.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._bodies: dict[int, _Performer] = {}

    def forget(self, agent: int) -> None:
        """An agent is gone."""
        self._bodies.pop(agent, None)

    def poses(self, paths: Mapping[int, Footpath], t: float, *, threads: int) -> LivePoses:
        """Poses at `t` [s], rows in the order of `paths`."""
        engines: list[Engine] = []
        for agent, path in paths.items():
            body = self._bodies.get(agent)
            if body is None or body.done < path.start - 1.0:
                body = self._bodies[agent] = _Performer(path, self.world, t)
            body.follow(path, t)
            engines.append(body.engine)
        groups: dict[int, list[int]] = {}
        for index, engine in enumerate(engines):
            groups.setdefault(id(engine.footage), []).append(index)
        joints = len(engines[0].footage.skeleton) if engines else 0
        root = np.empty((len(engines), 3))
        local = np.empty((len(engines), joints, 4))
        contacts = np.empty((len(engines), 2, 2), dtype=np.bool_)
        for rows in groups.values():
            found = Cast([engines[i] for i in rows]).at(t, threads=threads)
            root[rows], local[rows], contacts[rows] = found.root, found.rotations, found.contacts
        return LivePoses(root, local, contacts)
