"""Clips of any person's skeleton on the canonical one, sized like the actor."""

from surefoot.motion.retargeting.retarget import to_humanoid

__all__ = ["to_humanoid"]
