"""Maps: what one character can do in one world, cell by cell."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from math import ceil
from weakref import ref

import numpy as np

from surefoot import _native, arrays
from surefoot.arrays import ArrayLike, Floats, Ints
from surefoot.character import Capability, Character
from surefoot.errors import ProblemError, one_of
from surefoot.planning.grid.actions import Actions, actions_of
from surefoot.planning.grid.discretise import THREADS, Cells, altitude_of
from surefoot.planning.grid.leaps import Leaps
from surefoot.planning.grid.paths import CellPath, Ends
from surefoot.planning.grid.postures import Layers, Postures, Prices
from surefoot.planning.grid.settings import GridSettings
from surefoot.planning.grid.walkable import Walkable
from surefoot.world import World

MOST_FRONTS = 32
"""Distance fields that a map keeps."""

_CORNERS = {"both flanks": "both", "one flank": "one", "cut": "cut"}


class GridMap:
    """The cells of a world's resting bodies, as one character can use them.

    Args:
        world: what surrounds the character; held weakly.
        character: who is to go.
        settings: how finely, and what it may do.
        capabilities: names of those that it may use; all that it has when not given.

    A map stays right when the world is changed and `update` is called: only what came, moved or
    went is cut into cells again. Rows of its arrays stay those of the same cells while the columns
    around them do not change.
    """

    def __init__(
        self,
        world: World,
        character: Character,
        settings: GridSettings | None = None,
        *,
        capabilities: Collection[str] | None = None,
    ) -> None:
        self.settings = settings = settings or GridSettings()
        self.character = character
        self.actions: Actions = actions_of(_skills(character, capabilities), settings)
        self._world = ref(world)
        walk = self.actions.walk
        self.cells = Cells(
            cell=settings.cell or character.measures.hip_width,
            rise=settings.rise,
            max_slope=self.actions.steepest,
            relief=max(walk.step_height, settings.rise),
            memory=float(settings.memory),
            altitude=altitude_of(world, settings.rise),
        )
        self.cells.update(world)
        self.cells.check_not_empty()
        self.moves = _native.GridMoves(
            self.cells.voxels,
            self.actions.native(settings),
            corners=_CORNERS[settings.diagonals],
            first_layer=settings.neighbours == "first layer",
            threads=THREADS,
        )
        self._finder = _native.GridSearch(self.moves)
        self._layers = Layers(self.moves, self.actions, self.cell, settings)
        self._fronts: dict[tuple[bytes, int], _native.GridFront] = {}
        self._forget()

    def update(self, world: World | None = None) -> int:
        """Follows changes of the world; returns how many cells were looked at again.

        Args:
            world: the one the map is of; may be left out while that is still there.
        """
        world = world or self._world()
        if world is None:
            raise ProblemError("the world of this map is gone; give the world to update")
        self.cells.update(world)
        # Not only when they changed just now: a change that was refused half-way counts, too.
        if self.moves.current:
            return 0
        looked = self.moves.update(threads=THREADS)
        self._layers.update()
        self._forget()
        return looked

    def _forget(self) -> None:
        """What was worked out for another state of the world."""
        self._fronts.clear()
        self._walkables: dict[str, Walkable] = {}
        self._leaps: Leaps | None = None
        self._positions: Floats | None = None
        self._far: Ints | None = None
        self._postures: dict[bool, Postures] = {}

    # --- cells -----------------------------------------------------------------------------------

    @property
    def cell(self) -> float:
        """[m] Side of a cell."""
        return self.cells.voxels.cell

    @property
    def positions(self) -> Floats:
        """`(n, 3)` [m]: the cells' centres on the ground."""
        if self._positions is None:
            self._positions = self.cells.positions
        return self._positions

    def postures(self, *, narrow: bool = False) -> Postures:
        """How one can be in each cell.

        Args:
            narrow: open border cells as well, where the body has room.
        """
        if narrow not in self._postures:
            found = self._layers.postures(self.cells.live, self.positions, self.cells.voxels.tops())
            if narrow:
                found = self._layers.opened(found, self.walkable)
            self._postures[narrow] = found
        return self._postures[narrow]

    @property
    def regions(self) -> Ints:
        """`(n,)`: the number of the region that each cell is in, -1 where nobody fits.

        From any cell of a region one can get to any other, by cells alone.
        """
        return self.moves.regions(mutual=True)

    @property
    def far(self) -> Ints:
        """`(m, 3)`: steps over gaps and jumps, as (from, to, action)."""
        if self._far is None:
            edges = self.moves.edges()
            spans = np.array([action.span > 0.0 for action in self.actions.each])
            self._far = edges[spans[edges[:, 2]]]
        return self._far

    def walkable(self, skill: Capability) -> Walkable:
        """The exact questions about walking in a capability."""
        if skill.name not in self._walkables:
            self._walkables[skill.name] = Walkable(self.cells.still, skill)
        return self._walkables[skill.name]

    @property
    def leaps(self) -> Leaps:
        """The exact questions about jumping."""
        if self.actions.jump is None:
            raise ProblemError(f"{self.character.name!r} may not jump")
        if self._leaps is None:
            self._leaps = Leaps(self.cells.still, self.actions.jump, self.character.measures)
        return self._leaps

    def near(
        self, point: Floats, prices: Prices, points: Floats | None = None, *, most: int = 12
    ) -> Ends:
        """Open cells from and to which a straight walk, or a bend, leads to a point `(3,)` [m].

        Args:
            point: on the ground.
            prices: of the cells.
            points: `(n, 3)` [m] where one stands in the cells; their centres when not given.
            most: so many cells are tried.
        """
        spots = self.positions if points is None else points
        walk = self.actions.walk
        reach = self._layers.closed + 1 + ceil(walk.radius / self.cell)
        around = self.cells.around(point, reach, walk.step_height + 0.5 * self.cell)
        around = around[np.isfinite(prices[around])][:most]
        lines = [np.stack([point, spot]) for spot in spots[around]]
        good = np.array(
            [line is not None for line in self.walkable(walk).lines(lines)], dtype=np.bool_
        )
        if self.actions.bend is not None and not good.any():
            bent = self.walkable(self.actions.bend).lines(lines)
            good = np.array([line is not None for line in bent], dtype=np.bool_)
        around = around[good]
        away = np.linalg.norm(spots[around] - point, axis=1)
        return Ends(around, away, np.tile(point, (len(around), 1)))

    def prices(self, *, narrow: bool = False) -> Prices:
        """What a metre costs in each cell where no problem says otherwise; see `postures`."""
        walk, bend = self.actions.walk, self.actions.bend
        slower = 1.0 if bend is None else walk.speed / max(bend.speed, 1e-3)
        return self.postures(narrow=narrow).prices(shyness=self.settings.shyness, bending=slower)

    # --- searches --------------------------------------------------------------------------------

    def path(self, start: ArrayLike, goal: ArrayLike, *, narrow: bool = False) -> CellPath:
        """The cheapest way over cells between two points `(3,)` [m] on the ground."""
        prices, points = self.prices(narrow=narrow), self.postures(narrow=narrow).points
        starts, goals = (self._ends(end, prices, points) for end in (start, goal))
        return self.search(starts, goals, prices)

    def front(self, goal: ArrayLike, *, narrow: bool = False) -> Floats:
        """`(n,)` [m of walking, or steps]: from each cell to a point `(3,)` [m]; else infinite."""
        prices, points = self.prices(narrow=narrow), self.postures(narrow=narrow).points
        return self.spread(self._ends(goal, prices, points), prices).costs()

    def _ends(self, point: ArrayLike, prices: Prices, points: Floats) -> Ends:
        spot = arrays.position(point, "point", error=ProblemError)
        ends = self.near(spot, prices, points)
        if len(ends) == 0:
            raise ProblemError(
                f"({spot[0]:.2f}, {spot[1]:.2f}, {spot[2]:.2f}) is not next to ground that"
                f" {self.actions.walk.name!r} can walk"
            )
        return ends

    def search(
        self,
        starts: Ends,
        goals: Ends,
        prices: Prices,
        banned: Sequence[tuple[int, int]] = (),
        *,
        limit: int = 0,
        front_limit: int = 0,
    ) -> CellPath:
        """The cheapest way from any start to any goal, as the settings say.

        Args:
            starts: where it may begin.
            goals: where it may end.
            prices: of all cells.
            banned: moves from cell to cell that cannot be made.
            limit: cells that may be looked at; 0: all.
            front_limit: likewise, for a front that others with the same goal will use, too.
        """
        if self.settings.search == "front" and not banned and len(goals):
            found = self._from_front(starts, self.spread(goals, prices, limit=front_limit))
            if found is not None:
                return found
        way = self._finder.path(
            starts.cells,
            goals.cells,
            start_costs=starts.costs,
            goal_costs=goals.costs,
            metric=self.settings.metric,
            connectivity=self.settings.connectivity,
            prices=prices,
            banned=banned,
            guided=self.settings.search != "bushfire",
            limit=limit,
        )
        return CellPath(*way)

    def spread(self, goals: Ends, prices: Prices, *, limit: int = 0) -> _native.GridFront:
        """The distance field of some goals: from every cell the way to the nearest of them.

        Kept until the world changes, for all who have the same goals and prices.
        """
        digest = blake2b(prices.tobytes())
        digest.update(goals.cells.tobytes())
        digest.update(goals.costs.tobytes())
        key = digest.digest(), limit
        if key in self._fronts:
            # The one used last is the last to be forgotten.
            self._fronts[key] = self._fronts.pop(key)
            return self._fronts[key]
        front = self._finder.front(
            goals.cells,
            source_costs=goals.costs,
            backward=True,
            metric=self.settings.metric,
            connectivity=self.settings.connectivity,
            prices=prices,
            limit=limit,
        )
        self._fronts[key] = front
        while len(self._fronts) > MOST_FRONTS:
            del self._fronts[next(iter(self._fronts))]
        return front

    def _from_front(self, starts: Ends, front: _native.GridFront) -> CellPath | None:
        """The way from the best start down a front; None where the front did not come by."""
        totals = [front.cost(int(cell)) for cell in starts.cells] + starts.costs
        best = int(np.argmin(totals))
        if np.isinf(totals[best]):
            return None
        cells, actions, _, reached, exhausted, _ = front.trace(int(starts.cells[best]))
        return CellPath(cells, actions, float(totals[best]), reached, exhausted, 0)

    def corners(self, path: CellPath, prices: Prices) -> Ints:
        """Positions in a path of cells between which one can go straight (7.4)."""
        return self.moves.corners(path.cells, path.actions, prices)

    def straightened(self, path: CellPath, prices: Prices) -> CellPath:
        """A path with straight lines of cells between those where it turned (7.4)."""
        cells, actions = self.moves.straightened(path.cells, path.actions, prices)
        return replace(path, cells=cells, actions=actions)


def _skills(character: Character, capabilities: Collection[str] | None) -> Mapping[str, Capability]:
    known = character.capabilities
    for name in capabilities or ():
        if name not in known:
            raise ProblemError(one_of("capability", name, known))
    allowed = known if capabilities is None else capabilities
    return {name: skill for name, skill in known.items() if name in allowed}
