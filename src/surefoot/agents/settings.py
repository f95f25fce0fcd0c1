"""How a crowd is run: how far ahead, how often, and how much work a frame may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from surefoot.arrays import count, number
from surefoot.errors import InputError
from surefoot.limits import MAX_INTEGER

MAX_STEP: Final = 10.0
"""[s] Longest step of a crowd. Plans cover a few seconds, and no agent plans during a step."""


@dataclass(frozen=True, kw_only=True)
class CrowdSettings:
    """How a crowd is run.

    Attributes:
        horizon: > 0: actions that a plan looks ahead, where there is time for it.
        nodes: > 0: that a plan may take, where there is time for it.
        least_nodes: > 0 and <= nodes: that a plan may take however many wait.
        asking: >= 0: nodes that a plan counts for beside those of its search: it takes about as
            long to look at who is near.
        frame_nodes: > 0: that all plans of a frame may take together.
        milliseconds: [ms], > 0: that the plans of a frame may take, instead of `frame_nodes`. The
            nodes that fit into them are measured and recorded, so that the run can be repeated.
        patience: [frames], > 0: within how many frames everybody who waits should be served; more
            waiting than that makes plans shorter.
        expiry: [s], > 0: the age at which a plan is made anew.
        actions: > 0: actions played after which a plan is made anew.
        retry: [s], > 0: after which somebody who found no way tries again.
        courtesy: [s], > 0: after which somebody who gets nowhere is made room for.
        reactive: whether those about to be struck may do what they would not do otherwise: break
            off a stand, keep less room.
        view: [m], > 0: how near others are noticed.
        look: [frames], > 0: how often each looks around.
        near: [m], > 0: from the nearest viewer, within which people are planned and posed in full.
        far: [m], >= near: beyond which they only stand upright where their plans have them.
        sparse: [frames], > 0: between two poses of those in between.
        far_horizon: > 0: actions that plans look ahead, at most, of those who are not near.
        threads: > 0: how many to use; the result has the same bits at any number.
    """

    horizon: int = 8
    nodes: int = 2000
    least_nodes: int = 60
    asking: int = 40
    frame_nodes: int = 20_000
    milliseconds: float | None = None
    patience: int = 8
    expiry: float = 2.5
    actions: int = 2
    retry: float = 0.25
    courtesy: float = 3.0
    reactive: bool = True
    view: float = 5.0
    look: int = 10
    near: float = 25.0
    far: float = 60.0
    sparse: int = 4
    far_horizon: int = 4
    threads: int = 1

    def __post_init__(self) -> None:
        for name in ("horizon", "nodes", "least_nodes", "frame_nodes", "patience", "actions",
                     "look", "sparse", "far_horizon", "threads"):  # fmt: skip
            value: Any = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"crowd: {name} must be a whole number > 0, got {value!r}")
            count(value, f"crowd: {name}", at_most=MAX_INTEGER)
        asking: Any = self.asking
        if isinstance(asking, bool) or not isinstance(asking, int) or asking < 0:
            raise InputError(f"crowd: asking must be a whole number >= 0, got {asking!r}")
        count(asking, "crowd: asking", at_most=MAX_INTEGER)
        for name in ("expiry", "retry", "courtesy", "view", "near", "far", "milliseconds"):
            value = getattr(self, name)
            if value is not None or name in ("near", "far"):
                object.__setattr__(self, name, number(value, f"crowd: {name}", above=0.0))
        if type(self.reactive) is not bool:
            raise InputError(f"crowd: reactive must be true or false, got {self.reactive!r}")
        if self.least_nodes > self.nodes:
            raise InputError(
                f"crowd: least_nodes ({self.least_nodes}) must be at most nodes ({self.nodes})"
            )
        if self.far < self.near:
            raise InputError(f"crowd: far ({self.far:g}) must be at least near ({self.near:g})")
