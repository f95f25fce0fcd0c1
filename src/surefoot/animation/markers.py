"""Markers: named spans of time in an animation, for files and time lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from surefoot.planning.plan import Plan
from surefoot.planning.segments import Footstep


@dataclass(frozen=True)
class Marker:
    """Something that happens from `start` to `end` [s].

    Attributes:
        name: such as "walk" or "left foot".
        kind: "segment" or "contact".
        start: [s].
        end: [s].
        body: what carries the character or the foot meanwhile; None for the world's own frame.
        details: more about it, as plain values.
    """

    name: str
    kind: str
    start: float
    end: float
    body: str | None
    details: Mapping[str, Any]

    def to_dict(self, origin: float = 0.0) -> dict[str, Any]:
        """Plain values for a file whose time starts at `origin` [s]."""
        span = {"start": self.start - origin, "end": self.end - origin}
        return {"name": self.name, "kind": self.kind, **span, "body": self.body, **self.details}


def segment_markers(plan: Plan) -> list[Marker]:
    """One marker for each segment of a plan."""
    return [
        Marker(
            str(segment.kind),
            "segment",
            segment.start,
            segment.end,
            segment.frame,
            {
                "capability": segment.capability,
                "timing": str(segment.timing),
                "because": segment.because,
            },
        )
        for segment in plan.segments
    ]


def contact_markers(footsteps: Sequence[Footstep], start: float, end: float) -> list[Marker]:
    """One marker for each footstep, as far as it lies in `start`..`end` [s]."""
    return [
        Marker(
            f"{step.foot} foot",
            "contact",
            max(step.start, start),
            min(step.end, end),
            step.place.body,
            {
                "foot": step.foot,
                "position": step.place.position.tolist(),
                "heading": step.heading,
            },
        )
        for step in footsteps
        if step.start < end and step.end > start
    ]
