"""Engines drive a crowd through a local socket: poses in, plans and poses out."""

from surefoot.agents.serving.messages import VERSION
from surefoot.agents.serving.server import CrowdServer

__all__ = ["VERSION", "CrowdServer"]
