"""The live loop: many characters, events, budgets, recordings; planner-neutral."""

from surefoot.agents.budget import Conversion
from surefoot.agents.crowd import Crowd, Entrant
from surefoot.agents.detail import Detail
from surefoot.agents.events import Event
from surefoot.agents.loop import Frame
from surefoot.agents.recording import Recording
from surefoot.agents.report import CrowdReport
from surefoot.agents.settings import CrowdSettings

__all__ = [
    "Conversion",
    "Crowd",
    "CrowdReport",
    "CrowdSettings",
    "Detail",
    "Entrant",
    "Event",
    "Frame",
    "Recording",
]
