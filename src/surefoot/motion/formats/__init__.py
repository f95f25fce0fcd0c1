"""Files of motion: BVH in and out, glTF in, and whole folders."""

from surefoot.motion.formats.bvh import read_bvh, write_bvh
from surefoot.motion.formats.folder import LeftOut, read_clips, read_folder
from surefoot.motion.formats.gltf import read_gltf_clips

__all__ = ["LeftOut", "read_bvh", "read_clips", "read_folder", "read_gltf_clips", "write_bvh"]
