"""Footpaths: sequences of steps that are placed and timed; what the footstep planner publishes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surefoot import _native
from surefoot.arrays import ArrayLike, Floats, Ints, floats
from surefoot.planning.footsteps.playing import BLEND, Part, play
from surefoot.planning.footsteps.repertoire import Repertoire
from surefoot.planning.segments import Footstep
from surefoot.world import Place, World

STATE = ("x", "y", "z", "heading", "t", "left", "right", "body")
"""What a state is: the floor between the feet [m], where the body faces [rad], when [s], how high
what each foot is on, or comes from, is [m], and in whose frame all this is: a body's id, or -1 for
the world's own."""

END = (*STATE, "left tilt x", "left tilt y", "right tilt x", "right tilt y", "arch", "effort")
"""What is known where an action ends: how steeply the ground rises along x and y under each foot,
how far feet were raised over what lies on their way [m], and what all this cost [J/kg]."""


def state(position: ArrayLike, heading: float, t: float, feet: ArrayLike | None = None) -> Floats:
    """A state `(8,)` in the world's own frame, with both feet on the same level or on `feet`."""
    x, y, z = np.asarray(position, dtype=np.float64).tolist()
    left, right = (z, z) if feet is None else np.asarray(feet, dtype=np.float64).tolist()
    return np.array([x, y, z, heading, t, left, right, -1.0])


def staying(at: Floats) -> Floats:
    """The row of `END` of an action that begins and ends in a state."""
    return np.concatenate([at, np.zeros(len(END) - len(STATE))])


@dataclass(frozen=True, eq=False)
class Footpath:
    """Steps one after the other, from a standing start or in full swing, to a stand.

    Attributes:
        repertoire: what the actions are.
        start_state: `(8,)`: see `STATE`.
        ids: `(k,)`, k > 0: the actions; the last one stands.
        ends: `(k, 14)`: where each action ends, and on what; see `END`.
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
    def track(self) -> _native.FootstepTrack:
        """The same for the native core, rehearsed: others see of it what will be played."""
        own = self.repertoire
        ends = np.ascontiguousarray(self.ends)
        track = _native.FootstepTrack(own.native, self.start_state, self.ids, ends)
        world = None if self.world is None else self.world.native
        track.rehearse(own.reel, own.stand, BLEND, self.past, world)
        return track

    @cached_property
    def states(self) -> Floats:
        """`(k + 1, 8)`: where each action begins, and the last one ends; as `start_state`."""
        return self.track.states

    @property
    def start(self) -> float:
        """[s] from when on it tells where the body is."""
        return float(self.start_state[4])

    @property
    def end(self) -> float:
        """[s] when its last action ends; from then on the body stands."""
        return float(self.states[-1, 4])

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
        asked = floats(times, "times").reshape(-1)
        rows = self.track.spots(asked)
        return rows[:, :3], rows[:, 3]

    def figures(self, times: ArrayLike) -> Floats:
        """The body's `SAMPLED` points `(n, 6, 3)` [m] as others see them: as they will be played.

        Hands are the middle of the hand here, and poses between moments are even.

        Args:
            times: `(n,)` [s].
        """
        asked = floats(times, "times").reshape(-1)
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
                )
            )
        return tuple(found)

    @property
    def footsteps(self) -> tuple[Footstep, ...]:
        """Where feet are on the ground, in order of contact."""
        return self._footsteps

    @cached_property
    def _footsteps(self) -> tuple[Footstep, ...]:
        x, y, z, heading, t = self.start_state[:5].tolist()
        engine = play(
            self.repertoire.footage, self.world, self.parts, Place(None, np.array([x, y, z])),
            heading, t,
        )  # fmt: skip
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
