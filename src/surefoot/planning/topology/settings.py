"""How the topological planner watches, plans and dares."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from surefoot.arrays import count, number
from surefoot.errors import ProblemError
from surefoot.limits import MAX_INTEGER


@dataclass(frozen=True, kw_only=True)
class TopologySettings:
    """Settings of the planner for worlds whose future nobody knows; lopez2012's sections in ().

    Attributes:
        watch: [s], >= 0: how long the world is watched before the first step.
        rate: [1/s], > 0: frames a second.
        ahead: [s], > 0: how far motions are taken to go on (4.3's maximum extrapolation time).
        spacing: [m], > 0: between configurations of a roadmap; from the character's width when
            None (3.2.2).
        most_nodes: > 0: configurations on one body; larger bodies are sampled less finely.
        tilt: [rad], > 0: by which a body may lean before its surfaces are made anew (3.3's Delta).
        settling: [s], >= 0: without tumbling after which a body's surfaces are made anew.
        samples: > 0: jumps tried in a frame (4.2's budget).
        kept: > 0: possible jumps that a relation remembers.
        rebuilds: > 0: bodies whose surfaces are made anew in a frame, at most.
        forget: [s], > 0: without being valid after which a relation is dropped (4.2).
        max_relative_speed: [m/s], > 0: of surfaces that are used, on average (4.3).
        min_valid: [s], >= 0: mean time for which a relation must hold to be used: low for those
            who take risks, high for those who do not (4.3).
        calm: 0 to 1: the share of the mean time for which a relation holds, in which somebody waits
            for the surfaces to move slowly past each other before a jump.
        search_nodes: > 0: of a search on one surface.
        patience: [s], > 0: a wait for a relation that is longer than this, and than two of its
            periods, is given up for a while.
        retry: [s], > 0: between two looks for a way where none was found.
        recovery: [s], >= 0: how long somebody stays down after a hard landing.
        seed: of the sampling of jumps.
    """

    watch: float = 20.0
    rate: float = 60.0
    ahead: float = 1.5
    spacing: float | None = None
    most_nodes: int = 1200
    tilt: float = 0.06
    settling: float = 0.25
    samples: int = 16
    kept: int = 12
    rebuilds: int = 2
    forget: float = 60.0
    max_relative_speed: float = 1.6
    min_valid: float = 0.3
    calm: float = 0.5
    search_nodes: int = 4000
    patience: float = 8.0
    retry: float = 0.25
    recovery: float = 1.2
    seed: int = 0

    def __post_init__(self) -> None:
        least = {"watch": 0.0, "settling": 0.0, "min_valid": 0.0, "recovery": 0.0, "calm": 0.0,
                 "seed": 0.0}  # fmt: skip
        whole = ("most_nodes", "samples", "kept", "rebuilds", "search_nodes", "seed")
        for field in fields(self):
            value: Any = getattr(self, field.name)
            title = f"topology: {field.name}"
            if field.name == "spacing" and value is None:
                continue
            if field.name in least:
                value = number(value, title, at_least=least[field.name], error=ProblemError)
            else:
                value = number(value, title, above=0.0, error=ProblemError)
            if field.name in whole:
                value = count(int(value), title, at_most=MAX_INTEGER, error=ProblemError)
            object.__setattr__(self, field.name, value)

    @classmethod
    def bold(cls, **changes: Any) -> TopologySettings:
        """Somebody who takes what is open for a moment only."""
        return replace(cls(min_valid=0.15, max_relative_speed=2.5, calm=0.0), **changes)

    @classmethod
    def careful(cls, **changes: Any) -> TopologySettings:
        """Somebody who goes only where there is time, over what hardly moves."""
        return replace(cls(min_valid=1.5, max_relative_speed=0.8, calm=0.7), **changes)
