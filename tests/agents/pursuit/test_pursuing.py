"""Pursuits in small worlds: of what goes round, of what rides, of a runner."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import surefoot as sf
from surefoot.agents.pursuit import Report
from surefoot.agents.pursuit.targets import sight
from surefoot.errors import InputError
from surefoot.planning import Kind
from surefoot.planning.runs import rollouts, runs
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import slab

HERE = (-4.0, 0.0, 0.3)


SHORT = sf.SpaceTime(sf.SpaceTimeSettings(spacing=2.5, along=5.0))
"""Goes over the floor in more than one or two ways."""


@pytest.fixture(scope="module")
def adult() -> sf.Character:
    return sf.people.adult()


@pytest.fixture(scope="module")
def floor() -> World:
    """A floor with a wall to go round."""
    return World([
        Body(name="floor", mesh=slab((14.0, 14.0, 0.4))),
        Body(name="wall", mesh=slab((0.3, 4.0, 2.5), (0.0, 0.0, 2.5))),
    ])  # fmt: skip


def strolls(t: float) -> tuple[float, float, float]:
    """Round and round, slower than somebody runs."""
    return 3.0 * math.cos(0.25 * t), 3.0 * math.sin(0.25 * t), 0.0


@pytest.fixture(scope="module")
def pursuit(floor: World, adult: sf.Character) -> sf.Pursuit:
    return sf.pursue(floor, adult, floor.place(HERE), strolls, duration=30.0)


def test_what_goes_round_is_caught(pursuit: sf.Pursuit, floor: World) -> None:
    assert pursuit
    assert pursuit.caught == pursuit.plan.end
    assert pursuit.plan.check(floor), pursuit.plan.check(floor)
    there = pursuit.plan.position(pursuit.plan.end, floor)
    assert np.linalg.norm(there - strolls(pursuit.plan.end)) <= sf.PursuitSettings().catch


def test_both_are_shown(pursuit: sf.Pursuit, tmp_path: Path) -> None:
    strip = pursuit.picture((0.0, pursuit.plan.end), size=(60, 40), columns=2, quality="draft")
    strip.save(tmp_path / "strip.png")
    pursuit.save(tmp_path / "both.glb")
    shown = sf.load_world(tmp_path / "both.glb")
    end = pursuit.plan.end
    ball = shown["target"].trajectory.pose(end).position
    assert np.allclose(ball[:2], strolls(end)[:2], atol=0.02)


def test_plans_start_where_the_character_is_when_they_are_due(pursuit: sf.Pursuit) -> None:
    for episode in pursuit.episodes:
        assert episode.starts >= episode.begins + episode.allotted - 1e-9
        assert episode.evaluations <= episode.budget + 64  # it is asked every 64 steps
    for before, after in pairwise(pursuit.episodes):
        assert after.begins >= before.begins + max(before.spent, sf.PursuitSettings().hurry) - 1e-9


def test_the_budget_is_half_as_much_again_as_the_last_episode_took(pursuit: sf.Pursuit) -> None:
    settings = sf.PursuitSettings()
    assert pursuit.episodes[0].budget == settings.first
    for before, after in pairwise(pursuit.episodes):
        wanted = math.ceil(1.5 * before.evaluations)
        assert after.budget == min(max(wanted, settings.least), settings.most)


def test_what_was_done_can_be_made_again(
    pursuit: sf.Pursuit, floor: World, adult: sf.Character, tmp_path
) -> None:
    """Runs that were broken off too: each goes on from where the last one was left."""
    assert any(run.broken_off for run in runs(pursuit.plan))
    again = rollouts(pursuit.plan, floor, adult)
    for one, other in pairwise(again):
        assert one.end == pytest.approx(other.start, abs=1e-9)
        left = floor.position(one.last.place, one.end)
        assert np.linalg.norm(left - other.path()[1][0, :3]) < 0.02
    pursuit.plan.save(tmp_path / "plan.json")
    assert sf.Plan.load(tmp_path / "plan.json") == pursuit.plan


def test_feet_do_not_slide_over_seams(pursuit: sf.Pursuit) -> None:
    animation = pursuit.animation
    assert np.nanmax(animation.foot_slide()) < 0.005
    step = np.linalg.norm(np.diff(animation.root, axis=0), axis=1)
    assert step.max() < 6.0 / 30.0


def test_the_same_again(pursuit: sf.Pursuit, floor: World, adult: sf.Character) -> None:
    again = sf.pursue(floor, adult, floor.place(HERE), strolls, duration=30.0)
    assert again.plan == pursuit.plan
    assert [e.evaluations for e in again.episodes] == [e.evaluations for e in pursuit.episodes]


def test_a_measured_pursuit_can_be_repeated(floor: World, adult: sf.Character) -> None:
    settings = sf.PursuitSettings(clock="measured")
    place = floor.place(HERE)
    one = sf.pursue(floor, adult, place, strolls, settings=settings, duration=4.0)
    assert len(set(one.rates)) > 1  # it was measured
    again = sf.pursue(
        floor, adult, place, strolls, settings=settings, duration=4.0, rates=one.rates
    )
    assert again.plan == one.plan
    assert again.rates == one.rates


def test_plans_begin_at_nodes_if_asked(floor: World, adult: sf.Character) -> None:
    settings = sf.PursuitSettings(seams="nodes")
    found = sf.pursue(
        floor, adult, floor.place(HERE), strolls, settings=settings, duration=20.0, planner=SHORT
    )
    going = [run for run in runs(found.plan)[:-1] if run.wait is None]
    assert going
    assert not any(run.broken_off for run in going)
    assert found.plan.check(floor)


def test_little_time_leads_somewhere_near(floor: World, adult: sf.Character) -> None:
    """The best-known way where the budget is too small to find the target."""
    few = sf.PursuitSettings(first=8, least=8, most=8)
    found = sf.pursue(
        floor, adult, floor.place(HERE), strolls, settings=few, duration=5.0, planner=SHORT
    )
    assert not all(episode.found for episode in found.episodes)
    assert any(episode.taken and not episode.found for episode in found.episodes)
    assert found.plan.check(floor)
    assert not found or found.caught is not None


def test_what_an_episode_does_not_finish_the_next_one_goes_on_with(
    floor: World, adult: sf.Character
) -> None:
    """From the same moment, sooner than else, and nothing is taken up before it comes to that."""

    def far(t: float) -> tuple[float, float, float]:
        return 5.5, 5.5 + 0.0 * t, 0.0

    few = sf.PursuitSettings(first=5, least=5, most=5, catch=0.8)
    found = sf.pursue(
        floor, adult, floor.place((-5.5, -5.5, 0.3)), far, settings=few, duration=20.0,
        planner=SHORT,
    )  # fmt: skip
    first, second = found.episodes[:2]
    assert not first.found
    assert not first.taken
    assert second.starts == first.starts
    assert second.begins - first.begins == pytest.approx(few.hurry)
    assert found
    assert found.plan.check(floor)


def test_nothing_is_run_while_nothing_changes(floor: World, adult: sf.Character) -> None:
    """Who knows a way to what stands still, and has polished it, looks and goes on."""

    def far(t: float) -> tuple[float, float, float]:
        return 6.5, 6.5 + 0.0 * t, 0.0

    found = sf.pursue(floor, adult, floor.place((-6.5, -6.5, 0.3)), far, duration=20.0)
    glances = [e for e in found.episodes if e.evaluations == 0]
    assert glances
    assert all(e.found and not e.taken for e in glances)


def test_a_raft_is_taken_to_who_stands_on_the_other_bank(adult: sf.Character) -> None:
    times = np.cumsum([0.0, 4.0, 6.0, 4.0, 6.0])
    ways = np.array([[x, 0.0, 0.0] for x in (-0.1, -0.1, 7.1, 7.1, -0.1)])
    world = World([
        Body(name="left", mesh=slab((6.0, 8.0, 1.0), (-5.0, 0.0, 0.0))),
        Body(name="right", mesh=slab((6.0, 8.0, 1.0), (12.0, 0.0, 0.0))),
        Body(name="raft", mesh=slab((3.0, 4.0, 0.3)),
             trajectory=Keyframed(times, ways, repeat="loop")),
    ])  # fmt: skip

    def waits_there(t: float) -> tuple[float, float, float]:
        return 12.0, 1.0 + 0.5 * math.sin(t), 0.0

    found = sf.pursue(world, adult, world.place((-5.0, 0.0, 0.2)), waits_there, duration=40.0)
    assert found
    assert found.plan.check(world), found.plan.check(world)
    assert Kind.RIDE in {segment.kind for segment in found.plan.segments}


def test_a_target_is_seen_as_it_moves_on_what_carries_it() -> None:
    moves = Keyframed(np.array([0.0, 10.0]), np.array([[0.0, 0.0, 0.0], [20.0, 0.0, 0.0]]))
    world = World([Body(name="car", mesh=slab((4.0, 4.0, 0.3)), trajectory=moves)])
    target = type("Walks", (), {"point": lambda _, t: np.array([2.0 * t, 0.5 * t, 0.0])})()
    seen = sight(target, world, 1.0)
    assert seen.velocity == pytest.approx([2.0, 0.5, 0.0])
    ahead = seen.ahead(world, 1.0)
    assert ahead is not None
    assert ahead.body == "car"
    assert ahead.position == pytest.approx([0.0, 1.0, 0.0])  # not carried away by the car's speed
    far = seen.ahead(world, 10.0)  # over the edge: where it is
    assert far is not None
    assert far.position == pytest.approx([0.0, 0.5, 0.0])


def test_reports_are_shares_of_episodes(pursuit: sf.Pursuit) -> None:
    report = pursuit.report
    assert report.episodes == len(pursuit.episodes)
    assert report.found == np.mean([episode.found for episode in pursuit.episodes])
    assert report.ready + report.late <= 1.0
    assert "levine2011: 93%" in str(report)
    assert Report.of(pursuit.episodes[:1]).episodes == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"catch": 0.0}, "catch"),
        ({"first": 0}, "first must be a whole number"),
        ({"seams": "anywhere"}, "nodes, steps"),
        ({"clock": "guess"}, "counts, measured"),
        ({"least": 30, "most": 20}, "least"),
        ({"hurry": 0.0}, "hurry"),
    ],
)
def test_bad_settings(change: dict, says: str) -> None:
    with pytest.raises(InputError, match=says):
        sf.PursuitSettings(**change)


def test_bad_targets(floor: World, adult: sf.Character) -> None:
    with pytest.raises(InputError, match="floor, wall"):
        sf.pursue(floor, adult, floor.place(HERE), "dog")
    with pytest.raises(InputError, match="a Runner, a body's name"):
        sf.pursue(floor, adult, floor.place(HERE), 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="two places"):
        sf.Runner(floor, adult, floor.place(HERE), [floor.place(HERE)])


def test_what_was_done_over_lifts_and_ferries_can_be_animated(adult: sf.Character) -> None:
    """Runs say what their controllers know, also where somebody jumps up higher than that."""
    scene = sf.scenes.load("platform game 2")
    runner = sf.Runner(scene.world, adult, scene.goal, scene.stops, seed=1, until=60.0)
    found = sf.pursue(scene.world, adult, scene.start, runner, duration=60.0)
    assert found.plan.check(scene.world)
    animation = sf.animate(found.plan, scene.world, adult)
    assert animation.times[-1] > found.plan.end - 0.05
    assert np.nanmax(animation.foot_slide()) < 0.005
