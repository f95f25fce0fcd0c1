"""Pursuit: somebody follows what moves unpredictably (levine2011, section 7.3)."""

from surefoot.agents.pursuit.episodes import Episode, Report
from surefoot.agents.pursuit.pursuing import pursue, travel
from surefoot.agents.pursuit.result import Pursuit
from surefoot.agents.pursuit.runner import Runner
from surefoot.agents.pursuit.settings import PursuitSettings
from surefoot.agents.pursuit.targets import Sighting, Target

__all__ = [
    "Episode",
    "Pursuit",
    "PursuitSettings",
    "Report",
    "Runner",
    "Sighting",
    "Target",
    "pursue",
    "travel",
]
