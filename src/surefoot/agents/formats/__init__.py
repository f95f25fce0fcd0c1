"""Crowd scenes in the files of others: SteerSuite's test cases, Menge's projects."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from surefoot.agents.formats.menge import read_menge
from surefoot.agents.formats.steersuite import read_steersuite
from surefoot.agents.formats.tree import parse_xml
from surefoot.agents.scenes.scene import CrowdScene
from surefoot.errors import FileError

__all__ = ["read_crowd", "read_menge", "read_steersuite"]


def read_crowd(path: str | PathLike[str], *, seed: int = 0) -> CrowdScene:
    """The scene in an XML file of SteerSuite or Menge, by what is in it.

    Args:
        path: a test case, or a project.
        seed: of what the file leaves to chance.
    """
    root = parse_xml(Path(path))
    if root.name == "SteerBenchTestCase":
        return read_steersuite(path, seed=seed)
    if root.name in ("Project", "Experiment"):
        return read_menge(path, seed=seed)
    raise FileError(
        f"{path}: no crowd scene: it holds a {root.name!r}; there are: SteerBenchTestCase"
        " (SteerSuite), Project or Experiment (Menge)"
    )
