"""Footpaths: sequences of steps that are placed and timed; what the footstep planner publishes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surefoot import _native, arrays
from surefoot.arrays import ArrayLike, Floats, Ints
from surefoot.planning.footsteps.playing import BLEND, Part, play
from surefoot.planning.footsteps.repertoire import Repertoire
from surefoot.planning.segments import Footstep
from surefoot.world import Place, World

STATE = ("x", "y", "z", "heading", "t", "left", "right", "body", "left on", "right on")
"""What a state is: the floor between the feet [m], where the body faces [rad], when [s], how high
what each foot is on, or comes from, is [m], in whose frame all this is, and what left and right
foot are on, or come from: ids of bodies that move, or -1 for the world's own and all that rests."""

END = (*STATE, "left tilt x", "left tilt y", "right tilt x", "right tilt y", "arch", "effort")
"""What is known where an action ends: how steeply the ground rises along x and y under each foot,
how far feet were raised over what lies on their way [m], and what all this cost [J/kg]."""


def state(
    position: ArrayLike,
    heading: float,
    t: float,
    feet: ArrayLike | None = None,
    *,
    body: int = -1,
) -> Floats:
    """A state `(10,)` in a body's frame, with both feet on it, on the same level or on `feet`."""
    x, y, z = np.asarray(position, dtype=np.float64).tolist()
    left, right = (z, z) if feet is None else np.asarray(feet, dtype=np.float64).tolist()
    return np.array([x, y, z, heading, t, left, right, body, body, body], dtype=np.float64)


def carrier(world: World | None, id_: float) -> str | None:
    """The name of a body that carries, by its id in a state; None for the world's own frame."""
    return None if world is None or id_ < 0 else world.names[int(id_)]


def lost(world: World, at: Floats) -> bool:
    """Whether what carries somebody in a state, or holds a foot, is not there any more."""
    held = {int(id_) for id_ in at[7:10].tolist()} - {-1}
    return any(id_ != world.id_or_none(world.names[id_]) for id_ in held)


def carrier_id(world: World, body: str | None) -> int:
    """The id in a state of what carries: -1 for all that rests."""
    return -1 if body is None or not world[body].trajectory.moving else world.id(body)


def staying(at: Floats) -> Floats:
    """The row of `END` of an action that begins and ends in a state."""
    return np.concatenate([at, np.zeros(len(END) - len(STATE))])


@dataclass(frozen=True, eq=False)
class Footpath:
    """Steps one after the other, from a standing start or in full swing, to a stand.

    Attributes:
        repertoire: what the actions are.
        start_state: `(10,)`: see `STATE`.
        ids: `(k,)`, k > 0: the actions; the last one stands.
        ends: `(k, 16)`: where each action ends, and on what; see `END`.
        world: where.
        reached: whether it ends at the goal that it was planned for.
        before: the action that the first one follows; 0 stands.
        past: what its body does until then, if anything: its poses go on from there.
    """

    repertoire: Repertoire
    start_state: Floats
    ids: Ints
    ends: Floats
    world: World | None = None
    reached: bool = False
    before: int = 0
    past: _native.FootstepTrack | None = None

    @cached_property
    def carried(self) -> bool:
        """Whether a foot is ever on something that moves."""
        return bool(np.vstack([self.start_state[7:10], self.ends[:, 7:10]]).max() >= 0)

    @property
    def lost(self) -> bool:
        """Whether something that it is to be carried by is not there any more."""
        if not self.carried or self.world is None:
            return False
        return any(lost(self.world, row) for row in self.states)

    @property
    def track(self) -> _native.FootstepTrack:
        """The same for the native core, rehearsed: others see of it what will be played.

        Its feet are on bodies: where one of those was put on another way, they go along.
        """
        if self.carried and self.world is not None and self._rehearsed.stale(self.world.native):
            self.__dict__["_rehearsed"] = self._rehearse(self._rehearsed)
        return self._rehearsed

    @cached_property
    def _rehearsed(self) -> _native.FootstepTrack:
        return self._rehearse(self.past)

    def _rehearse(self, past: _native.FootstepTrack | None) -> _native.FootstepTrack:
        own = self.repertoire
        ends = np.ascontiguousarray(self.ends)
        world = None if self.world is None else self.world.native
        track = _native.FootstepTrack(own.native, self.start_state, self.ids, ends, world)
        track.rehearse(own.reel, own.stand, BLEND, past, world)
        return track

    @cached_property
    def states(self) -> Floats:
        """`(k + 1, 10)`: where each action begins, and the last one ends; as `start_state`."""
        return self._rehearsed.states

    @property
    def start(self) -> float:
        """[s] from when on it tells where the body is."""
        return float(self.start_state[4])

    @property
    def end(self) -> float:
        """[s] when its last action ends; from then on the body stands."""
        return float(self.states[-1, 4])

    @property
    def rides(self) -> bool:
        """Whether it ends on something that moves, and is carried on."""
        return len(self.ends) > 0 and bool(self.ends[-1, 7] >= 0)

    def place(self, t: float) -> tuple[Place, float]:
        """Where the body is at the last of its states up to `t` [s], and where it faces there."""
        row = self.states[int(np.searchsorted(self.states[:, 4], t + 1e-9, side="right")) - 1]
        return Place(carrier(self.world, float(row[7])), row[:3]), float(row[3])

    @property
    def actions(self) -> Floats:
        """`(k,)` [s] when each action begins."""
        return self.states[:-1, 4]

    @property
    def effort(self) -> float:
        """[J/kg] of all its actions."""
        return float(self.repertoire.efforts[self.ids].sum())

    def index(self, t: float) -> int:
        """Which action is done at `t` [s]; the first and last ones outside."""
        found = int(np.searchsorted(self.states[:, 4], t + 1e-9, side="right")) - 1
        return min(max(found, 0), len(self.ids) - 1)

    def soonest(self, t: float) -> float:
        """[s], >= t: when another plan can take over: at once from a stand, else after a step."""
        if t >= self.end or self.stands(t):
            return max(t, self.start)
        return float(self.states[self.index(t) + 1, 4])

    def stands(self, t: float) -> bool:
        """Whether it stands still at `t` [s]."""
        return t >= self.end or int(self.ids[self.index(t)]) == self.repertoire.stand

    def spots(self, times: ArrayLike) -> tuple[Floats, Floats]:
        """Where the body is over the ground: `(n, 3)` [m] and headings `(n,)` [rad].

        Args:
            times: `(n,)` [s].
        """
        asked = arrays.times(times, "times").reshape(-1)
        rows = self.track.spots(asked)
        return rows[:, :3], rows[:, 3]

    def figures(self, times: ArrayLike) -> Floats:
        """The body's `SAMPLED` points `(n, 6, 3)` [m] as others see them: as they will be played.

        Hands are the middle of the hand here, and poses between moments are even.

        Args:
            times: `(n,)` [s].
        """
        asked = arrays.times(times, "times").reshape(-1)
        return self.track.figures(asked).reshape(len(asked), 6, 3)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What is to be played, one after the other; waits in a row are one."""
        found: list[Part] = []
        repertoire, states = self.repertoire, self.states
        for number, action in enumerate(self.ids.tolist()):
            step = repertoire.steps[int(repertoire.step[action])]
            after = states[number + 1]
            stands = action == repertoire.stand
            if found and stands and found[-1].stands:
                last = found.pop()
                found.append(last.longer(step.duration, after))
                continue
            speed = float(repertoire.speed[action])
            found.append(
                Part(
                    clip=step.clip,
                    mirrored=step.mirrored,
                    start=step.start,
                    end=step.end,
                    speed=speed,
                    begins=float(states[number, 4]),
                    to=after,
                    stands=stands,
                    body=carrier(self.world, float(after[7])),
                )
            )
        return tuple(found)

    @property
    def footsteps(self) -> tuple[Footstep, ...]:
        """Where feet are on the ground, in order of contact; none where that is gone."""
        if self.lost:
            return ()
        return self._footsteps

    @cached_property
    def _footsteps(self) -> tuple[Footstep, ...]:
        x, y, z, heading, t = self.start_state[:5].tolist()
        start = Place(carrier(self.world, float(self.start_state[7])), np.array([x, y, z]))
        engine = play(self.repertoire.footage, self.world, self.parts, start, heading, t)
        return tuple(
            Footstep(
                foot=hold.foot,
                place=Place(hold.body, hold.position),
                heading=hold.heading,
                start=hold.start,
                end=hold.end,
            )
            for hold in engine.program.footholds()
        )
