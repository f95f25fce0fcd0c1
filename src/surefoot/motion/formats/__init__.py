"""Files of motion: BVH in and out, glTF in, and whole folders."""

from surefoot.motion.formats.bvh import read_bvh

__all__ = ["read_bvh"]
