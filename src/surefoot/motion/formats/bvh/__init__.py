"""BVH files of motion capture, as the many tools that write them do."""

from surefoot.motion.formats.bvh.reading import read_bvh

__all__ = ["read_bvh"]
