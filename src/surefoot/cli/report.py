"""What a command prints: lines of text, or with `--json` one JSON document in their place.

Every command gets a `Report` as `args.report`. It says what it does line by line, and puts the
same facts under keys; `main` writes them at the end:

    {"surefoot": "result", "version": 1, "command": "plan", "exit": 0, ..., "text": [...]}
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from surefoot.planning import Check, Plan
    from surefoot.world import Place, World

VERSION = 1
"""Of the documents that this surefoot prints."""


class Report:
    """The text and the facts that a command prints.

    Attributes:
        command: the command's name.
        json: whether facts are printed, and no text.
        quiet: whether text on the standard output is left out.
        facts: what the document holds beside what all documents hold.
    """

    def __init__(self, command: str, *, json: bool = False, quiet: bool = False) -> None:
        self.command, self.json, self.quiet = command, json, quiet
        self.facts: dict[str, Any] = {}
        self._lines: list[str] = []
        self._warnings: list[str] = []

    @property
    def is_silent(self) -> bool:
        """Whether text on the standard output is left out."""
        return self.quiet or self.json

    def say(self, text: object = "") -> None:
        """Prints a line of text, unless it is to be quiet; the document has it in its text."""
        self._lines += str(text).split("\n")
        if not self.is_silent:
            print(text, flush=True)

    def warn(self, text: str) -> None:
        """Prints a line on the standard error; the document has it among its warnings."""
        self._warnings.append(text)
        print(f"surefoot: {text}", file=sys.stderr)

    def judge(self, check: Check) -> None:
        """Prints what came of verifying a plan, all of it; as a warning where a claim fails."""
        if check:
            self.say(check)
        else:
            self.warn(str(check))

    def put(self, **facts: Any) -> None:
        """Puts facts into the document."""
        self.facts |= facts

    def append(self, key: str, fact: Any) -> None:
        """Puts a fact at the end of a list in the document."""
        self.facts.setdefault(key, []).append(fact)

    def wrote(self, path: Path) -> None:
        """Says that a file was written."""
        self.append("files", str(path))
        self.say(f"wrote {path}")

    def document(self, code: int, error: str | None = None) -> str:
        """The JSON document of a command that ended with an exit code."""
        head = {"surefoot": "result", "version": VERSION, "command": self.command, "exit": code}
        if error is not None:
            head["error"] = error
        files = self.facts.get("files", [])
        texts = {"files": files, "warnings": self._warnings, "text": self._lines}
        facts = plain({**head, **self.facts, **texts})
        return json.dumps(facts, indent=1, ensure_ascii=False, allow_nan=False)


def plain(value: Any) -> Any:
    """A value as JSON holds it. Infinities are "inf" and "-inf", as in all files of surefoot."""
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, np.generic | np.ndarray):
        return plain(cast("Any", value).tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in cast("Sequence[Any]", value)]
    return value if isinstance(value, str | int | float | None) else str(value)


# --- facts ---------------------------------------------------------------------------------------


def world_facts(world: World) -> dict[str, Any]:
    """How many bodies a world has, and how many of them move."""
    moving = sum(body.trajectory.moving for body in world)
    return {"name": world.name, "bodies": len(world), "moving": moving}


def place_facts(place: Place, world: World, t: float) -> dict[str, Any]:
    """A place: where it is in the world at `t` [s], and on which body."""
    return {"position": world.position(place, t), "body": place.body}


def check_facts(check: Check) -> dict[str, Any]:
    """What came of verifying a plan."""
    return {
        "holds": bool(check),
        "moments": check.moments,
        "violations": [
            {
                "claim": found.fault, "time": found.time, "body": found.body,
                "message": found.message, "cause": found.cause,
            }
            for found in check.violations
        ],
    }  # fmt: skip


def plan_facts(plan: Plan, world: World, check: Check | None = None) -> dict[str, Any]:
    """A plan in world coordinates: its result, its segments, its statistics and its check."""
    facts: dict[str, Any] = {
        "character": plan.character,
        "planner": plan.planner,
        "choice": plan.choice or None,
        "reached": bool(plan),
        "outcome": plan.status.outcome,
        "message": plan.status.message,
        "from": place_facts(plan.origin, world, plan.start),
        "goal": goal_facts(plan, world),
        "to": place_facts(plan.place(plan.end), world, plan.end),
        "start": plan.start,
        "end": plan.end,
        "duration": plan.duration,
        "cost": plan.cost,
        "segments": _segments(plan, world),
        "footsteps": len(plan.footsteps),
        "statistics": plan.statistics,
        "assumes": [
            {"body": known.body, "horizon": known.horizon, "confidence": known.confidence}
            for known in plan.assumes
        ],
    }
    return facts | {"check": None if check is None else check_facts(check)}


def goal_facts(plan: Plan, world: World) -> dict[str, Any]:
    """The goal in words; a place also as a position at the plan's start."""
    from surefoot.planning import Goal, explain

    facts: dict[str, Any] = {"text": explain.goal(plan)}
    goal = plan.goal
    return facts | place_facts(goal.place, world, plan.start) if isinstance(goal, Goal) else facts


def _segments(plan: Plan, world: World) -> list[dict[str, Any]]:
    facts: list[dict[str, Any]] = []
    for segment in plan.segments:
        ends = [segment.place(segment.start), segment.place(segment.end)]
        facts.append(
            {
                "kind": segment.kind,
                "start": segment.start,
                "end": segment.end,
                "timing": segment.timing,
                "capability": segment.capability,
                "frame": segment.frame,
                "from": world.position(ends[0], segment.start),
                "to": world.position(ends[1], segment.end),
                "length": segment.length,
                "cost": segment.cost,
                "because": segment.because or None,
                "instead": [
                    {"what": other.what, "why_not": other.why_not, "cost": other.cost}
                    for other in segment.instead
                ],
            }
        )
    return facts
