"""Libraries: clips on the canonical skeleton, their foot plants and annotated steps."""

from surefoot.motion.library.building import build_library
from surefoot.motion.library.library import Library
from surefoot.motion.library.storing import load_library, save_library

__all__ = ["Library", "build_library", "load_library", "save_library"]
