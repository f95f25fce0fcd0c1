"""Scenario files: a world, its characters, their starts and goals, in TOML."""

from surefoot.scenario.inputs import load_world
from surefoot.scenario.roles import Role
from surefoot.scenario.scenario import VERSION, Output, Planned, Scenario

__all__ = ["VERSION", "Output", "Planned", "Role", "Scenario", "load_world"]
