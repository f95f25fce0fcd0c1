"""Pursuit through the platform games, beside what levine2011 reports in section 7.3.

Somebody pursues a runner through the three levels, with several seeds; all episodes of a level are
counted together. Counts and shares by the pursuit's clock do not depend on the machine;
milliseconds are of one core.
"""

from __future__ import annotations

from benchmarks.harness import Bench
from surefoot.agents.pursuit import Episode, PursuitSettings, Report, Runner, pursue
from surefoot.agents.pursuit.pursuing import AT_ONCE
from surefoot.character import people
from surefoot.planning.spacetime import SpaceTime
from surefoot.planning.trained import controllers_of
from surefoot.world import scenes

PEERS = ()

LEVELS = ("platform game 1", "platform game 2", "platform game 3")
SEEDS = (1, 2, 3, 4, 5, 6)
DURATION = 60.0
"""[s] of a pursuit at most."""

PAPER = {"found in budget": 0.93, "ready before the next node": 0.68,
         "within an edge but late": 0.12, "over 1 s": 0.16}  # fmt: skip
OURS = "surefoot"


def run(bench: Bench) -> None:
    who = people.adult()
    planner = SpaceTime(AT_ONCE, controllers_of(who))
    for name in LEVELS:
        episodes: list[Episode] = []
        caught = sound = 0
        for seed in SEEDS:
            scene = scenes.load(name)
            runner = Runner(scene.world, who, scene.goal, scene.stops, seed=seed, until=DURATION)
            found = pursue(
                scene.world, who, scene.start, runner, planner=planner, duration=DURATION,
                settings=PursuitSettings(),
            )  # fmt: skip
            episodes += found.episodes
            caught += bool(found)
            sound += bool(found.plan.check(scene.world))
        count = len(episodes)
        report = Report.of(episodes)
        bench.record(f"{name}: caught", OURS, caught / len(SEEDS), "share", len(SEEDS))
        held = bench.record(f"{name}: plans that hold", OURS, sound / len(SEEDS), "share", count)
        bench.claim(f"{name}: plans that hold", held, at_least=1.0)
        shares = (report.found, report.ready, report.late, report.over_a_second)
        for (title, paper), share in zip(PAPER.items(), shares, strict=True):
            bench.record(f"{name}: {title}", "levine2011", paper, "share", 1)
            bench.record(f"{name}: {title}", OURS, share, "share", count)
        bench.record(f"{name}: near the target", "levine2011", 50.0, "ms", 1)
        bench.record(f"{name}: near the target", OURS, report.near, "ms", count)
        bench.record(f"{name}: an episode", OURS, report.median, "ms", count)
        bench.record(f"{name}: evaluations", OURS, report.evaluations, "evaluations", count)
        within = bench.record(f"{name}: within 50 ms", OURS, report.within_50_ms, "share", count)
        bench.claim(f"{name}: within 50 ms", within, at_least=0.99)
