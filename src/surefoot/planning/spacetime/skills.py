"""Skills: the controllers of a character as searches through time run them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.control import Configuration, Controller, Controllers
from surefoot.errors import ProblemError, one_of
from surefoot.planning.cost import CostTable
from surefoot.planning.problem import Problem
from surefoot.planning.spacetime.settings import SpaceTimeSettings

AROUND: Mapping[str, tuple[str, ...]] = {"walk": ("avoid", "corner"), "run": ("avoid running",)}
"""What is tried where something is in the way of going straight."""

OVER: Mapping[str, tuple[str, ...]] = {"walk": ("stride", "jump", "avoid", "corner"),
                                       "run": ("leap", "avoid running")}  # fmt: skip
"""What is tried where going straight finds no ground."""

ACROSS = ("stride", "jump", "leap")
"""What goes from one body to another that moves against it. Who runs leaps; without a controller
that strides, those who walk try."""


STRIDE = 0.65
"""[m] between bodies that a step crosses."""

FEET = 0.3
"""[m] farther than jumps reach two bodies may be apart: feet reach over edges."""

SOONER, FARTHER = 0.1, 1.1
"""[s], and as a factor: by how much a bound on how soon one gets how far is on the safe side."""


@dataclass(frozen=True, eq=False)
class Skill:
    """A controller, who gets ready for it, and who stands where it leads; None: nobody can."""

    go: Controller
    wait: Controller
    halt: Controller | None = None

    @property
    def name(self) -> str:
        """Of the controller."""
        return self.go.name


def skills_of(
    controllers: Controllers, settings: SpaceTimeSettings, problem: Problem
) -> tuple[Skill, ...]:
    """The controllers that a problem allows, in the order of the settings."""
    found: list[Skill] = []
    for name in settings.controllers:
        if name not in controllers.trained:
            raise ProblemError(one_of("controller", name, controllers))
        go = controllers[name]
        if go.task.capability not in problem.skills:
            continue
        # Facing where it goes is all that obstacles and ditches need as well.
        runs = "run" in go.task.modes
        trained = controllers.trained
        waits = trained.get(f"wait to {'run' if runs else 'walk'}") or controllers.waiting_for(name)
        found.append(Skill(go, waits, _halting(controllers, runs, problem)))
    if not found:
        wanted = {controllers[name].task.capability for name in settings.controllers}
        raise ProblemError(
            f"no controller may be run: they need the capabilities {', '.join(sorted(wanted))},"
            f" the problem allows {', '.join(problem.skills)}"
        )
    return tuple(found)


def _halting(controllers: Controllers, runs: bool, problem: Problem) -> Controller | None:
    """Who stands where somebody goes that runs or walks, by what the problem allows."""
    names = ("arrive running", "arrive") if runs else ("arrive", "arrive running")
    trained = [controllers[name] for name in names if name in controllers.trained]
    return next((one for one in trained if one.task.capability in problem.skills), None)


def native_skills(
    skills: tuple[Skill, ...], problem: Problem, table: CostTable, settings: SpaceTimeSettings
) -> list[_native.Skill]:
    """As the native search takes them."""
    names = [skill.name for skill in skills]
    avoided = {name for others in (*AROUND.values(), *OVER.values()) for name in others}
    plain = [name for name in names if name in AROUND]
    fastest = max(skills, key=lambda skill: skill.go.bounds.speed).go.bounds.speed
    made: list[_native.Skill] = []
    for skill in skills:
        go, mode = skill.go, table.modes.index(skill.go.task.capability)
        bounds, capability = go.bounds, go.task.capability
        fit, size, sides, rays, attempts, unsourced = go.how(settings.attempts)
        made.append(
            _native.Skill(
                go=go.native,
                wait=skill.wait.native,
                wait_axes=len(skill.wait.task.sources),
                wait_needs=skill.wait.needs(problem.character),
                halt=None if skill.halt is None else skill.halt.native,
                fit=fit, size=size, sides=sides, rays=rays, attempts=attempts, unsourced=unsourced,
                needs=go.needs(problem.character),
                bounds=np.array([
                    bounds.speed, bounds.carry, settings.arrival or go.task.arrival,
                    table.constant[mode], table.lower[mode],
                    table.cheapest_metre(capability, bounds.speed), skill.wait.bounds.speed,
                    *crossing(go, problem.skills[capability].step_height),
                ]),
                covered=covered(go, fastest),
                # Where no plain controller is, the others are all there is.
                along=skill.name not in avoided or not plain,
                across=skill.name in ACROSS or (skill.name == "walk" and "stride" not in names),
                jumps=go.task.handover == "beyond",
                around=[names.index(o) for o in AROUND.get(skill.name, ()) if o in names],
                over=[names.index(o) for o in OVER.get(skill.name, ()) if o in names],
            )
        )  # fmt: skip
    return made


def crossing(go: Controller, step: float) -> tuple[float, float, float]:
    """[m]: the gap between bodies, the rise and the drop that a controller gets across."""
    bounds = go.bounds
    gap = bounds.reach + FEET if "jump" in go.task.modes else STRIDE
    return gap, bounds.rise + step, bounds.drop + step


def cheapest_metre(skills: tuple[Skill, ...], table: CostTable) -> float:
    """[1/m] No metre costs less, in whatever way one goes."""
    return min(
        table.cheapest_metre(skill.go.task.capability, skill.go.bounds.speed) for skill in skills
    )


@cache
def covered(go: Controller, fastest: float) -> Floats:
    """`(n,)` [m]: how far one gets from a stand, facing there, by every tenth of a second.

    Measured on level ground over far and near targets, with some more for what else there may be;
    who jumps runs first.
    """
    start = Configuration.standing(go.repertoire)
    runner = go if go.then is None else go.then
    times = np.arange(0.0, 6.0, 0.1)
    most = np.zeros(len(times))
    for far in (1.0, 2.0, 3.0, 5.0, 8.0, 15.0):
        rollout = runner.rollout(start, (far, 0.0, 0.0), arrival=0.3)
        when, way = rollout.path(rate=50.0)
        gone = np.hypot(way[:, 0], way[:, 1])
        most = np.maximum(most, np.interp(times + SOONER, when, np.maximum.accumulate(gone)))
    return np.minimum(FARTHER * most, fastest * times)
