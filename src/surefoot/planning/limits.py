"""How much work a planner may do before it must answer."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from surefoot.arrays import number
from surefoot.errors import ProblemError


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Budgets, in counts and not in milliseconds: the same problem ends the same way anywhere.

    Attributes:
        nodes: states expanded, > 0.
        evaluations: edges tried, each a trajectory tested against the world, > 0.
        memory: [bytes] the planner may hold, > 0.
    """

    nodes: int = 1_000_000
    evaluations: int = 1_000_000
    memory: int = 2_000_000_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value: Any = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ProblemError(f"limits.{field.name} must be a whole number > 0, got {value!r}")
            # Budgets are counted in 64 bits.
            number(value, f"limits.{field.name}", error=ProblemError)
