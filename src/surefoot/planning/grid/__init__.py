"""bandi2000: any mesh, one moment."""

from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.planner import Grid
from surefoot.planning.grid.settings import GridSettings

__all__ = ["Grid", "GridMap", "GridSettings"]
