"""Performers: bodies that take the steps of their plans, many at once (beacco2013, section 6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot import _native
from surefoot.arrays import Bools, Floats
from surefoot.planning.footsteps.footpath import Footpath
from surefoot.planning.footsteps.playing import BLEND
from surefoot.planning.footsteps.repertoire import Repertoire
from surefoot.planning.live import LivePoses


class Performers:
    """All bodies of a crowd, on ground that rests."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Repertoire, _native.Performers]] = {}

    def forget(self, agent: int) -> None:
        """An agent is gone."""
        for _, made in self._made.values():
            made.forget(agent)

    def poses(
        self, agents: Sequence[int], own: Sequence[Footpath], t: float, *, threads: int
    ) -> LivePoses:
        """Poses at `t` [s] of agents who follow their own paths, in their order."""
        kinds = {id(path.repertoire) for path in own}
        if len(kinds) == 1:
            return LivePoses(*self._perform(own, agents, t, threads))
        groups: dict[int, list[int]] = {kind: [] for kind in kinds}
        for index, path in enumerate(own):
            groups[id(path.repertoire)].append(index)
        joints = len(own[0].repertoire.footage.skeleton) if own else 0
        root, local = np.empty((len(own), 3)), np.empty((len(own), joints, 4))
        contacts = np.empty((len(own), 2, 2), dtype=np.bool_)
        for rows in groups.values():
            root[rows], local[rows], contacts[rows] = self._perform(
                [own[i] for i in rows], [agents[i] for i in rows], t, threads
            )
        return LivePoses(root, local, contacts)

    def _perform(
        self, paths: Sequence[Footpath], agents: Sequence[int], t: float, threads: int
    ) -> tuple[Floats, Floats, Bools]:
        """Roots, rotations and contacts of those who share a repertoire."""
        repertoire = paths[0].repertoire
        if id(repertoire) not in self._made:
            made = _native.Performers(repertoire.reel, repertoire.stand, BLEND)
            self._made[id(repertoire)] = (repertoire, made)
        ids = np.array(agents, dtype=np.int32)
        tracks = [path.track for path in paths]
        root, local, contacts = self._made[id(repertoire)][1].perform(ids, tracks, t, threads)
        return np.asarray(root), np.asarray(local), np.asarray(contacts)
