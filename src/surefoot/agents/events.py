"""What makes a plan worth making anew (beacco2013, 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Event(StrEnum):
    """Why a new plan is wanted; the more pressing come first."""

    COLLISION = "collision ahead"
    """A body that nobody could foresee is about to strike."""
    GOAL = "goal changed"
    """The agent was given another goal, or its first."""
    COURTESY = "gives way"
    """It steps aside for somebody who got nowhere, or goes on after it did."""
    EXPIRED = "plan expired"
    """The plan is older than plans may be, or has ended short of its goal."""
    PLAYED = "actions played"
    """As many actions of the plan were played as may be."""
    AGENT = "agent nearby"
    """Another agent came into view."""
    BODY = "body nearby"
    """A body whose motion is known came into view."""


PRESSING: Mapping[Event, int] = MappingProxyType({event: i for i, event in enumerate(Event)})
"""The lower, the sooner it is served."""
