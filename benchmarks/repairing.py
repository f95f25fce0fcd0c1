"""What an anytime search makes of few nodes, and what coarse plans save the search for steps.

Questions are those of a crowd whose two groups cross each other: each is asked again with other
budgets, once of a search that is made once, once of one that begins greedy and repairs (ARA*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import surefoot as sf
from benchmarks.harness import Bench
from surefoot.agents import scenes
from surefoot.agents.play import gather
from surefoot.planning.footsteps import live
from surefoot.planning.footsteps.footpath import state
from surefoot.planning.footsteps.keeping import repertoire_of
from surefoot.planning.footsteps.search import Errand, Found, find
from surefoot.planning.footsteps.terrain import Terrains
from surefoot.planning.footsteps.waypoints import WayFinder

BUDGETS = (10, 20, 40, 80, 160, 320, 640, 1280, 2560)
HORIZON = 8
ONCE = replace(sf.FootstepSettings(), first_weight=1.0)
ANYTIME = sf.FootstepSettings()


def run(bench: Bench) -> None:
    against_budget(bench)
    coarse_to_fine(bench)


def against_budget(bench: Bench) -> None:
    """How many plans look as far as they should, by the nodes they may take."""
    answers = asked_again({"once": ONCE, "anytime": ANYTIME})
    shares: dict[tuple[str, int], float] = {}
    for (name, nodes), found in answers.items():
        whole = [one.chosen >= HORIZON or one.reached for one in found]
        shares[name, nodes] = float(np.mean(whole))
        bench.record(
            f"plans of {HORIZON} steps or to the goal, within {nodes} nodes", name,
            100.0 * shares[name, nodes], "%", len(found),
        )  # fmt: skip
    for name in ("once", "anytime"):
        spent = float(np.mean([one.expanded for one in answers[name, BUDGETS[-1]]]))
        bench.record(f"nodes taken of {BUDGETS[-1]}", name, spent, "nodes", 1)
    gains = [shares["anytime", n] - shares["once", n] for n in BUDGETS]
    found = bench.record("share gained, on average", "anytime", 100.0 * np.mean(gains), "%", 1)
    bench.claim("an anytime search has a whole plan more often", found, at_least=0.0)


def asked_again(
    settings: dict[str, sf.FootstepSettings],
) -> dict[tuple[str, int], list[Found]]:
    """Answers to the questions of a crowd, by name of the settings and budget."""
    crowd = gather(scenes.load("crossing groups", agents=40))
    answers: dict[tuple[str, int], list[Found]] = {
        (name, nodes): [] for name in settings for nodes in BUDGETS
    }
    asked: list[tuple[Sequence[Errand], dict[str, Any]]] = []

    def listen(errands: Sequence[Errand], own: sf.FootstepSettings, **more: Any) -> list[Found]:
        asked.append((errands, more))
        return find(errands, own, **more)

    live.find = listen
    try:
        for frame in range(300):
            asked.clear()
            crowd.step(1 / 60)
            for errands, more in asked if frame % 4 == 0 else ():
                for name, nodes in answers:
                    again = [replace(one, nodes=nodes, horizon=HORIZON) for one in errands]
                    answers[name, nodes] += find(again, settings[name], **more)
    finally:
        live.find = find
    return answers


def coarse_to_fine(bench: Bench) -> None:
    """Nodes to a goal behind a wall: by way-points and guide, by either, by neither."""
    wall = sf.Body(name="wall", mesh=sf.primitives.box((0.3, 7.0, 2.0), (3.0, 0.0, 1.0)))
    floor = sf.Body(name="floor", mesh=sf.primitives.slab((16.0, 16.0, 0.2)))
    world, adult, settings = sf.World([floor, wall]), sf.people.adult(), ANYTIME
    own = repertoire_of(adult, settings)
    start, goal = np.zeros(3), np.array([6.0, 0.0, 0.0])
    found = WayFinder(world, adult).way(start, goal)
    assert found is not None
    straight = np.array([[*goal, 0.0, -1.0]])
    counts: dict[str, int] = {}
    for name, way, guided in (
        ("way and guide", found.tolled, True),
        ("way alone", found.tolled, False),
        ("guide alone", straight, True),
        ("neither", straight, False),
    ):
        errand = Errand(
            repertoire=own, state=state(start, 0.0, 0.0), action=own.stand, way=way, tolerance=0.3,
            nodes=300_000,
        )  # fmt: skip
        answer = find([errand], settings, terrain=Terrains(world, settings), guided=guided)[0]
        title = "nodes to a goal behind a wall" + ("" if answer.reached else ", in vain")
        bench.record(title, name, answer.expanded, "nodes", 1)
        counts[name] = answer.expanded
    saved = bench.record(
        "times fewer nodes by coarse plans", "way and guide",
        counts["neither"] / counts["way and guide"], "x", 1,
    )  # fmt: skip
    bench.claim("coarse plans save nodes", saved, at_least=10.0)
