"""What a character can do to get from one cell to the next (bandi2000, 6.1 and 8.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from surefoot import _native
from surefoot.character import Capability
from surefoot.errors import ProblemError, one_of
from surefoot.planning.grid.leaps import STANDING_SHARE
from surefoot.planning.grid.settings import GridSettings
from surefoot.planning.segments import Kind

STEP_SHARE = 0.35
"""Of the body's height: how far apart the middles of two steps over a gap may be."""


@dataclass(frozen=True)
class Action:
    """One way to get to another cell.

    Attributes:
        name: as in the settings.
        kind: what a plan calls it.
        skill: the capability that does it.
        span: [m] how far it reaches; 0 for the cells around.
        up: [m] how much higher the next cell may be.
        down: [m] how much lower.
        height: [m] the room that it needs.
        lift: [m] by how much what is passed over may be above the higher end.
        price: what a metre costs, in metres of walking.
    """

    name: str
    kind: Kind
    skill: Capability
    span: float
    up: float
    down: float
    lift: float = 0.0
    price: float = 1.0

    @property
    def height(self) -> float:
        """[m] the room that it needs."""
        return self.skill.height


@dataclass(frozen=True)
class Actions:
    """All that a character may do, in the order of the native actions.

    Attributes:
        each: the actions; walking first.
        walk: the usual capability.
        bend: the one for low ceilings, if any.
        jump: the one that jumps, if any.
    """

    each: tuple[Action, ...]
    walk: Capability
    bend: Capability | None
    jump: Capability | None

    def mask(self, *names: str) -> int:
        """Bits of the actions with these names; all of them without names."""
        return sum(1 << i for i, act in enumerate(self.each) if not names or act.name in names)

    @property
    def steepest(self) -> float:
        """[rad] The steepest ground that any of them stands on."""
        return max(action.skill.max_slope for action in self.each)

    def native(self, settings: GridSettings) -> list[_native.GridAction]:
        """As the native core takes them."""
        euclidean = settings.metric == "euclidean"
        order = {name: rank for rank, name in enumerate(settings.actions)}
        return [
            _native.GridAction(
                span=action.span,
                up=action.up,
                down=action.down,
                height=action.height,
                max_slope=action.skill.max_slope,
                min_weight=settings.support,
                lift=action.lift,
                gaps=action.span > 0.0,
                euclidean=euclidean,
                price=action.price,
                priority=order[action.name],
            )
            for action in self.each
        ]


def actions_of(skills: Mapping[str, Capability], settings: GridSettings) -> Actions:
    """What the capabilities allow and the settings ask for."""
    if settings.capability not in skills:
        raise ProblemError(one_of("capability", settings.capability, skills))
    walk = skills[settings.capability]
    wanted = settings.actions
    bend = _lower(skills, walk) if "bend" in wanted else None
    jump = next((skill for skill in skills.values() if skill.jumps), None)
    step = walk.step_height
    each = [Action("walk", Kind.WALK, walk, 0.0, step, step)]
    if bend is not None:
        # What bending costs depends on where one has to, not on the action: cells have a price.
        each.append(Action("bend", Kind.BEND, bend, 0.0, bend.step_height, bend.step_height))
    span = STEP_SHARE * walk.height if settings.step_over is None else settings.step_over
    if span > walk.height:
        raise ProblemError(
            f"grid step_over must be at most the body's height of {walk.height:g} m, got {span:g}"
        )
    if "step over" in wanted and span > 0.0:
        price = settings.step_over_price
        each.append(Action("step over", Kind.STEP_OVER, walk, span, step, step, 0.5 * step, price))
    if "jump" in wanted and jump is not None:
        for share, factor in ((STANDING_SHARE, 1.0), (1.0, 1.25)):
            reach = share * jump.max_jump_length
            up, down = jump.max_jump_up, jump.max_drop
            price = factor * settings.jump_price
            each.append(Action("jump", Kind.JUMP, jump, reach, up, down, up, price))
    else:
        jump = None
    return Actions(tuple(each), walk, bend, jump)


def _lower(skills: Mapping[str, Capability], walk: Capability) -> Capability | None:
    """The tallest way of going on that is lower than the usual one."""
    lower = [skill for skill in skills.values() if skill.height < walk.height and not skill.jumps]
    return max(lower, key=lambda skill: skill.height, default=None)
