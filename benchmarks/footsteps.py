"""Crowds whose every foot is planned, beside ORCA and JuPedSim, which move discs.

Everybody wanders over a square, one person on nine square metres, from goal to goal; a frame is
1/60 s: events, plans, and skeletal poses of all. Peers do the same ways as discs. Frames a second
are those of one core's time: on two cores there are more, as plans and poses are shared out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import surefoot as sf
from benchmarks.harness import Bench, Work
from benchmarks.peers import discs
from surefoot.agents import Crowd
from surefoot.agents.collisions import find_touches
from surefoot.agents.film import Film
from surefoot.agents.settings import CrowdSettings
from surefoot.arrays import Floats
from surefoot.planning.footsteps import LiveFootsteps
from surefoot.planning.footsteps.footpath import state
from surefoot.planning.footsteps.keeping import repertoire_of
from surefoot.planning.footsteps.search import Errand, find
from surefoot.world.primitives import box, slab

PEERS = ("pyrvo", "jupedsim")

OURS, ORCA, JUPEDSIM = "surefoot", "ORCA (pyrvo)", "JuPedSim"
AGENTS = (5, 20, 40, 100, 300, 1_000, 2_000)
"""The paper's 20 and 40 are among them: 59 to 164 and 22 to 61 frames a second (Fig. 9)."""
FRAMES = 60
WARM = 120
RATE = 60.0
HORIZON = 5
THREADS = 2


def run(bench: Bench) -> None:
    nodes_a_second(bench)
    growth(bench)
    time_limits(bench)
    unpredictable(bench)


class Wanderers:
    """People who go from goal to goal over a square."""

    def __init__(self, agents: int, *, carts: int = 0, **settings: float) -> None:
        self.random = np.random.default_rng(agents)
        self.side = (9.0 * agents) ** 0.5
        floor = sf.Body(name="floor", mesh=slab((self.side + 6.0, self.side + 6.0, 0.1)))
        self.world = sf.World([floor, *self._carts(carts)])
        chosen = {"horizon": HORIZON, "nodes": 600, "frame_nodes": 60 * agents, "threads": THREADS}
        self.crowd = Crowd(
            self.world, planner=LiveFootsteps, settings=CrowdSettings(**(chosen | settings))
        )
        self.adult = sf.people.adult()
        self.starts = spread(self.random, agents, self.side)
        first = self.carts + np.array([1.0, 0.0])
        for x, y in self.starts:
            if (np.hypot(first[:, 0] - x, first[:, 1] - y) < 1.2).any():
                continue  # nobody starts under a cart
            heading = self.random.uniform(-np.pi, np.pi)
            agent = self.crowd.add(self.adult, (x, y, 0.0), heading=heading)
            self.crowd.goal(agent, self.goal())

    def goal(self) -> sf.Goal:
        """Somewhere on the square."""
        x, y = self.random.uniform(-self.side / 2, self.side / 2, 2)
        return sf.Goal(sf.Place(None, (x, y, 0.0)), tolerance=0.5)

    def _carts(self, count: int) -> list[sf.Body]:
        self.carts = spread(self.random, count, self.side) if count else np.zeros((0, 2))
        return [
            sf.Body(
                name=f"cart {i}",
                mesh=box((0.6, 0.6, 1.2), (0.0, 0.0, 0.0)),
                trajectory=sf.Observed.first(0.0, sf.Pose((x + 1.0, y, 0.7))),
            )
            for i, (x, y) in enumerate(self.carts)
        ]

    def frame(self) -> None:
        """Events, plans and poses of a sixtieth of a second."""
        crowd = self.crowd
        for i, (x, y) in enumerate(self.carts if crowd.t > 0 else ()):
            # Round and round, at 0.7 m/s; nobody knows.
            angle = 0.7 * crowd.t
            place = (x + np.cos(angle), y + np.sin(angle), 0.7)
            self.world.observe(f"cart {i}", crowd.t, sf.Pose(place))
        crowd.step(1 / RATE)
        crowd.poses()
        for agent in crowd.agents:
            if crowd.arrived(agent):
                crowd.goal(agent, self.goal())

    def frames(self, count: int = FRAMES) -> None:
        """Some frames."""
        for _ in range(count):
            self.frame()


def spread(random: np.random.Generator, count: int, side: float) -> Floats:
    """Places `(n, 2)` [m] that are not too close to each other."""
    across = int(np.ceil(count**0.5))
    grid = (np.arange(across) + 0.5) / across * side - side / 2
    spots = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    chosen = spots[random.permutation(len(spots))[:count]]
    return chosen + random.uniform(-0.3, 0.3, chosen.shape)


def growth(bench: Bench) -> None:
    """Frames a second against the number of agents, at the same density."""
    for agents in AGENTS:
        ours = Wanderers(agents)
        ours.frames(WARM)
        goals = np.array([ours.goal().place.position[:2] for _ in range(agents)])
        work = {
            OURS: Work(ours.frames, FRAMES),
            ORCA: Work(repeated(discs.Orca(ours.starts, goals).step), FRAMES),
            JUPEDSIM: Work(repeated(discs.Pedestrians(ours.starts, goals, ours.side).step), FRAMES),
        }
        rates = bench.measure(
            "frames a second, plans and poses", work, unit="frames/s", repeats=3, clock="core",
            x=agents, x_name="agents",
        )  # fmt: skip
        if agents == 300:
            bench.claim(
                "300 agents, horizon 5: frames a second of one core", rates[OURS], at_least=60
            )
            clear_of_each_other(bench, ours)


def repeated(step: Callable[[], None]) -> Callable[[], None]:
    def frames() -> None:
        for _ in range(FRAMES):
            step()

    return frames


def clear_of_each_other(bench: Bench, ours: Wanderers) -> None:
    """Looks for bodies that touch, from the poses alone, as the same run goes on."""
    film = Film(ours.world)
    for _ in range(2 * FRAMES):
        ours.frame()
        film.shoot(ours.crowd)
    touches = find_touches(film)
    agents = len(ours.crowd.agents)
    found = bench.record("bodies that touch in 2 s", OURS, len(touches.contacts), "pairs", agents)
    bench.claim("300 agents: pairs of bodies that touch", found, at_most=0)


def time_limits(bench: Bench) -> None:
    """Figure 9: what plans of a frame may take, in seconds."""
    for agents in (20, 40, 300):
        work = {}
        for limit in (10.0, 50.0):
            ours = Wanderers(agents, milliseconds=limit, nodes=2000)
            ours.frames(WARM)
            work[f"at most {limit / 1000:g} s a frame"] = Work(ours.frames, FRAMES)
        bench.measure(
            "frames a second, by planning time", work, unit="frames/s", repeats=3, clock="core",
            x=agents, x_name="agents",
        )  # fmt: skip


def unpredictable(bench: Bench) -> None:
    """Section 8's open question: what obstacles cost whose future nobody knows."""
    for carts in (0, 4, 16):
        ours = Wanderers(100, carts=carts)
        ours.frames(WARM)
        bench.measure(
            "frames a second of 100 agents among unpredictable obstacles",
            {OURS: Work(ours.frames, FRAMES)}, unit="frames/s", repeats=3, clock="core",
            x=carts, x_name="obstacles",
        )  # fmt: skip


def nodes_a_second(bench: Bench) -> None:
    """Expansions of the plain search, without anything in the way, on one core."""
    settings = sf.FootstepSettings(weight=1.0, first_weight=1.0, merge=0.0)
    own = repertoire_of(sf.people.adult(), settings)
    errand = Errand(
        repertoire=own, state=state((0.0, 0.0, 0.0), 0.0, 0.0), action=own.stand,
        way=np.array([[60.0, 5.0, 0.0, 0.0, -1.0]]),
        tolerance=0.25, nodes=20_000,
    )  # fmt: skip
    found = find([errand], settings, guided=False)[0]
    rates = bench.measure(
        "nodes expanded, nothing in the way",
        {OURS: Work(lambda: find([errand], settings, guided=False), found.expanded)},
        unit="nodes/s",
    )
    children = Work(lambda: find([errand], settings, guided=False), found.generated)
    bench.measure("nodes made, nothing in the way", {OURS: children}, unit="nodes/s")
    bench.claim("nodes expanded a second on one core", rates[OURS], at_least=100_000)
