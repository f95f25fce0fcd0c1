"""BVH files of motion capture, as the many tools that write them do."""

from surefoot.motion.formats.bvh.reading import read_bvh
from surefoot.motion.formats.bvh.writing import write_bvh

__all__ = ["read_bvh", "write_bvh"]
