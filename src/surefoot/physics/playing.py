"""A body played for a while: one action after the other, recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.physics.body import Body
from surefoot.physics.showing import world_of
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import ENDINGS, Run, States
from surefoot.physics.trials import limit_cycle
from surefoot.world import World


@dataclass(frozen=True, eq=False, kw_only=True)
class Played:
    """What a body did.

    Attributes:
        stage: where.
        actions: in their order; the last may have ended in a fall.
        runs: what each did.
        frames: `(n, nq)` recorded positions.
        rate: [1/s] of them.
    """

    stage: Stage
    actions: Sequence[Action]
    runs: Sequence[Run]
    frames: Floats
    rate: float

    @property
    def standing(self) -> bool:
        """Whether it neither fell, exploded nor got stuck."""
        return bool(self.runs[-1].standing[0])

    @property
    def seconds(self) -> float:
        """[s] that were recorded."""
        return (len(self.frames) - 1) / self.rate

    def told(self) -> list[str]:
        """A line for each action."""
        lines: list[str] = []
        before: States | None = None
        for action, run in zip(self.actions, self.runs, strict=True):
            seconds, strikes = float(run.of("duration")[0]), float(run.of("strikes")[0])
            start = self.frames[0, :2] if before is None else before.places[0, :2]
            far = float(np.linalg.norm(run.states.places[0, :2] - start))
            line = f"{action}: {far:.2f} m in {seconds:.1f} s and {strikes:.0f} steps"
            flight = float(run.of("flight")[0]) / max(seconds, 1e-9)
            if flight > 0.02:
                line += f", {flight:.0%} of it in flight"
            if not run.standing[0]:
                line += f"; then it {_ending(self.stage, run)}"
            lines.append(line)
            before = run.states
        return lines

    def world(self) -> World:
        """To look at."""
        return world_of(self.stage, self.frames, self.rate)


def play(
    body: Body, actions: Sequence[Action], seconds: float, *, frames_per_second: float = 50.0
) -> Played:
    """A body that does one action after the other, until it falls.

    It begins in the limit cycle of the first, or standing where that has none.

    Args:
        body: who.
        actions: at least one.
        seconds: for each, > 0.
        frames_per_second: of what is recorded.
    """
    if not actions:
        raise InputError("play needs at least one action")
    stage = Stage(body)
    try:
        states = limit_cycle(stage, actions[0])
    except InputError:
        states = stage.starting(actions[0])
    runs: list[Run] = []
    frames: list[Floats] = []
    rate = frames_per_second
    for number, action in enumerate(actions, start=1):
        run = stage.advance(states, action, seconds, frames_per_second=rate)
        runs.append(run)
        frames.append(_recorded(run, rate))
        if run.standing[0] and number < len(actions):
            # The next one takes over at a foot strike.
            rest = stage.step(run.states, action, frames_per_second=rate)
            frames.append(_recorded(rest, rate))
            if not rest.standing[0]:
                runs[-1] = rest
            run = rest
        states = run.states
        if not runs[-1].standing[0]:
            break
    frames.append(states.positions)
    whole = np.concatenate(frames)
    # What exploded has no place to be drawn at.
    whole = whole[np.isfinite(whole).all(axis=1)]
    return Played(
        stage=stage, actions=list(actions[: len(runs)]), runs=runs, frames=whole, rate=rate
    )


def _recorded(run: Run, rate: float) -> Floats:
    seen = int(np.ceil(float(run.of("duration")[0]) * rate - 1e-6))
    return run.frames[0, : max(1, seen)]


def _ending(stage: Stage, run: Run) -> str:
    how = ENDINGS[int(run.endings[0])]
    if how == "exploded":
        dof = int(run.culprits[0])
        return f"exploded at {stage.joint_of(dof)}"
    return {"fell": "fell", "stuck": "got stuck, no foot struck the ground"}[how]
