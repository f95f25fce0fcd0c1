"""Animations of skinned characters in glTF files, as clips."""

from surefoot.motion.formats.gltf.reading import read_gltf_clips

__all__ = ["read_gltf_clips"]
