"""Files of motion: BVH in and out, glTF in, and whole folders."""

from surefoot.motion.formats.bvh import read_bvh, write_bvh

__all__ = ["read_bvh", "write_bvh"]
