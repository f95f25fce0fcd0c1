"""Simulated bodies that follow plans, also over what moves (coros2009, section 7)."""

from surefoot.agents.following.following import follow
from surefoot.agents.following.ground import Ground
from surefoot.agents.following.planning import calm_plan, plan_for, slack_of
from surefoot.agents.following.result import Followed
from surefoot.agents.following.settings import FollowSettings

__all__ = ["FollowSettings", "Followed", "Ground", "calm_plan", "follow", "plan_for", "slack_of"]
