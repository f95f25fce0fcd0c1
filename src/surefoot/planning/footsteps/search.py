"""Searches for footsteps: questions for the native core, and its answers (beacco2013, 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, nan

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats, Ints
from surefoot.planning.footsteps.repertoire import Repertoire
from surefoot.planning.footsteps.settings import FootstepSettings


@dataclass(frozen=True, eq=False, kw_only=True)
class Errand:
    """What is asked for one character.

    Attributes:
        repertoire: what it can do.
        state: `(10,)`: where the search begins; see `footpath.STATE`.
        action: what it does before.
        way: `(k, 5)`: points to come by (5.1) [m], k > 0, the last one is the goal; what getting
            to each costs beyond the way [J/kg]; and in whose frame it is: a body's id, -1 for the
            world's own.
        tolerance: [m] around the goal.
        heading: [rad] to face there, in the goal's frame; NaN for any.
        heading_tolerance: [rad].
        arrive: (earliest, latest) [s].
        horizon: how many actions are enough; 0: only the goal is.
        nodes: how many may be expanded.
        agent: its id; its own published plan is not in its way.
        rough: whether the ground asks for platform actions.
    """

    repertoire: Repertoire
    state: Floats
    action: int
    way: Floats
    tolerance: float
    heading: float = nan
    heading_tolerance: float = 0.26
    arrive: tuple[float, float] = (-inf, inf)
    horizon: int = 0
    nodes: int = 1000
    agent: int = -1
    rough: bool = False


@dataclass(frozen=True, eq=False)
class Found:
    """What a search found.

    Attributes:
        ids: `(k,)` actions, with those that bring the body to a stand; none where not even that
            is free, or where it stands already and stays.
        ends: `(k, 16)`: where each ends, and on what; see `footpath.END`.
        chosen: how many of them were searched for; the others come to a stand.
        reached: whether the goal is.
        exhausted: whether the budget ended the search.
        expanded: nodes that were.
        generated: nodes that were made.
        refused: nodes that something was in the way of.
        cost: [J/kg] of the chosen ones.
        left: [J/kg] from there to the goal, as estimated.
        stuck: there is not even a free stop.
        bound: how many times as much as the best plan it costs at most, with the plain optimal
            effort and where no states are merged; infinite where nothing is known.
        close: whether it keeps less room than usual, because something is about to strike.
    """

    ids: Ints
    ends: Floats
    chosen: int
    reached: bool
    exhausted: bool
    expanded: int
    generated: int
    refused: int
    cost: float
    left: float
    stuck: bool
    bound: float = inf
    close: bool = False


def find(
    errands: Sequence[Errand],
    settings: FootstepSettings,
    *,
    terrain: Callable[[Repertoire], _native.FootstepTerrain] | None = None,
    traffic: _native.FootstepTraffic | None = None,
    doubts: Floats | None = None,
    guided: bool = True,
    threads: int = 1,
) -> list[Found]:
    """Answers to all errands, each for itself; the same bits at any number of threads.

    Args:
        errands: any number.
        settings: how to search.
        terrain: gives the world as bodies with a repertoire see it; level ground everywhere when
            not given.
        traffic: plans of others to keep clear of.
        doubts: `(k, 4)`: bodies whose future nobody knows: id, how fast the room around them grows
            [m/s], how much at most [m], and since when [s] (5.5.3).
        guided: whether the search knows what starts, stops and turns cost; the plain optimal
            effort of 5.3 when not: its plans are the best, and take long to find.
        threads: how many to use.
    """
    if not errands:
        return []
    tables: list[Repertoire] = []
    which = np.empty(len(errands), dtype=np.int32)
    places: dict[int, int] = {}
    for index, errand in enumerate(errands):
        own = errand.repertoire
        if id(own) not in places:
            places[id(own)] = len(tables)
            tables.append(own)
        which[index] = places[id(own)]
    offsets = np.zeros(len(errands) + 1, dtype=np.int32)
    np.cumsum([len(errand.way) for errand in errands], out=offsets[1:])
    goals = np.array(
        [
            (
                one.tolerance,
                one.heading,
                one.heading_tolerance,
                *one.arrive,
                settings.view,
                float(one.rough),
            )
            for one in errands
        ]
    )
    first, ids, ends, counts, costs = _native.plan_footsteps(
        [one.native for one in tables],
        [one.guide if guided else None for one in tables],
        [terrain(own) if terrain is not None else None for own in tables],
        traffic if traffic is not None else _native.FootstepTraffic(),
        doubts if doubts is not None else np.zeros((0, 4)),
        np.array([one.agent for one in errands], dtype=np.int32),
        which,
        np.array([one.state for one in errands]),
        np.array([one.action for one in errands], dtype=np.int32),
        offsets,
        np.ascontiguousarray(np.concatenate([one.way for one in errands])),
        goals,
        np.array([one.horizon for one in errands], dtype=np.int32),
        np.array([one.nodes for one in errands], dtype=np.int32),
        np.array(
            [
                settings.weight, settings.way_point, settings.merge, settings.merge_turn,
                settings.merge_time, settings.room, settings.first_weight, settings.weight_step,
            ]
        ),
        threads,
    )  # fmt: skip
    return [
        Found(
            ids[first[i] : first[i + 1]],
            ends[first[i] : first[i + 1]],
            int(row[0]),
            bool(row[1]),
            bool(row[2]),
            int(row[3]),
            int(row[4]),
            int(row[5]),
            float(costs[i, 0]),
            float(costs[i, 1]),
            bool(row[6]),
            float(costs[i, 2]),
        )
        for i, row in enumerate(counts)
    ]
