"""Worlds into files: glTF levels that modelling tools open, and JSON that is exact."""

from surefoot.world.savers.report import SaveReport
from surefoot.world.savers.saving import EXTENSIONS, save_world

__all__ = ["EXTENSIONS", "SaveReport", "save_world"]
