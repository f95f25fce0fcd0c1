"""The step engine: queues of steps on characters in worlds."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.math import Pose, rotations
from surefoot.motion import Clip, Foothold, Motion
from surefoot.motion.engine import Cast, Engine, EngineSettings
from surefoot.motion.playing.footage import Footage, footfalls_of
from surefoot.motion.quality import assess
from surefoot.world import Body, Function, Place, World
from surefoot.world.primitives import placed, slab, stairs


@dataclass(frozen=True)
class Part:
    """As much of a step as an engine needs."""

    clip: str
    start: float
    end: float


@pytest.fixture(scope="module")
def footage(strolled: Motion, adult: Character) -> Footage:
    made = Footage(adult.skeleton, adult.measures)
    clip = Clip(name="walk", skeleton=adult.skeleton, rate=60.0, root=strolled.root,
                rotations=strolled.rotations)  # fmt: skip
    made.add(clip, footfalls_of(strolled.footholds))
    return made


@pytest.fixture(scope="module")
def steps(strolled: Motion) -> list[Part]:
    """From contact to contact; steps with the same parity swing the same foot."""
    contacts = sorted(hold.start for hold in strolled.footholds if hold.start > 0)
    return [Part("walk", a, b) for a, b in itertools.pairwise(contacts)]


def frames(engine: Engine, after: float = 0.5) -> Motion:
    return engine.at(np.arange(engine.start, engine.end + after, 1 / 60))


def test_a_queue_is_played_in_order(
    footage: Footage, steps: list[Part], floor: World, adult: Character
) -> None:
    engine = Engine(footage, floor, place=Place(None, [1.0, 2.0, 0.0]), heading=1.0, start=5.0)
    queued = [engine.append(steps[i], speed=s) for i, s in ((1, 1.0), (2, 1.2), (3, 0.8))]
    assert engine.queue == tuple(queued)
    for before, after in itertools.pairwise(queued):
        assert after.start == pytest.approx(before.end)
    assert queued[1].end - queued[1].start == pytest.approx((steps[2].end - steps[2].start) / 1.2)
    made = frames(engine)
    assert assess(made, adult.measures, world=floor).problems == ()
    assert made.root[0, :2] == pytest.approx([1.0, 2.0], abs=0.1)
    way = made.root[-1] - made.root[0]
    assert np.arctan2(way[1], way[0]) == pytest.approx(1.0, abs=0.06)
    place, heading = engine.place(engine.end)
    assert place.position[:2] == pytest.approx(made.root[-1, :2], abs=0.12)
    assert heading == pytest.approx(1.0, abs=0.03)


def test_the_tracked_root_is_where_steps_take_it(
    footage: Footage, steps: list[Part], floor: World
) -> None:
    """Its way is that of the steps, laid end to end, whatever is blended in between."""
    take = footage.take("walk")
    engine = Engine(footage, floor, heading=0.5)
    expected = np.zeros(2)
    for index in (1, 2, 1, 2, 3, 4):
        engine.append(steps[index])
        (start, _), (end, _) = take.frame(steps[index].start), take.frame(steps[index].end)
        expected += end - start
    place, _ = engine.place(engine.end)
    assert np.linalg.norm(place.position[:2]) == pytest.approx(np.linalg.norm(expected), abs=0.02)
    middle, _ = engine.place(engine.end / 2)
    assert 0.3 < np.linalg.norm(middle.position) / np.linalg.norm(place.position) < 0.7


def test_events_tell_what_happens(footage: Footage, steps: list[Part], floor: World) -> None:
    engine = Engine(footage, floor)
    engine.append(steps[1])
    engine.append(steps[2])
    events = engine.events()
    assert [event.t for event in events] == sorted(event.t for event in events)
    contacts = [event for event in events if event.kind == "contact"]
    assert [event.name for event in contacts[2:]] == ["right", "left"]
    made = frames(engine)
    for event in contacts:
        assert event.foothold is not None
        assert made.footholds[event.foothold].start == event.t
    assert engine.events(0.1, 0.2) == tuple(e for e in events if 0.1 <= e.t < 0.2)


def test_a_step_appended_while_playing_changes_nothing_before_it(
    footage: Footage, steps: list[Part], floor: World
) -> None:
    engine = Engine(footage, floor)
    engine.append(steps[1])
    before = engine.at(np.linspace(0.0, engine.end, 50))
    joint = engine.end
    engine.append(steps[2])
    after = engine.at(before.times)
    assert np.array_equal(before.root, after.root)
    around = engine.at(joint + np.array([-1e-6, 1e-6]))
    assert np.abs(np.diff(around.root, axis=0)).max() < 1e-5


def test_a_dry_queue_waits_and_goes_on(
    footage: Footage, steps: list[Part], floor: World, adult: Character
) -> None:
    engine = Engine(footage, floor)
    engine.append(steps[1])
    engine.append(steps[2], now=engine.end + 1.5)
    assert engine.queue[1].start == pytest.approx(engine.queue[0].end + 1.5)
    assert assess(frames(engine), adult.measures, world=floor).slide < 1e-3
    # A time that has not come yet does not delay it.
    third = engine.append(steps[3], now=0.0)
    assert third.start == pytest.approx(engine.queue[1].end)


def test_feet_stay_on_a_moving_turning_platform(
    footage: Footage, steps: list[Part], adult: Character
) -> None:
    def pose(t: float) -> Pose:
        return Pose.at(4 * np.cos(0.4 * t), 4 * np.sin(0.4 * t), 0.4 * np.sin(0.5 * t), -0.6 * t)

    motion = Function(pose, horizon=60.0, max_speed=20.0, max_turn_rate=0.7)
    world = World([Body(name="deck", mesh=slab((20.0, 8.0, 0.2)), trajectory=motion)])
    engine = Engine(footage, world, place=Place("deck", [-3.0, 0.0, 0.0]), start=2.0)
    for index in (1, 2, 3, 4, 1, 2, 3):
        engine.append(steps[index])
    quality = assess(frames(engine, 2.0), adult.measures, world=world)
    assert quality.slide < 1e-3
    assert quality.penetration < 0.01
    assert quality.knee_pops == 0
    place, heading = engine.place(engine.end)
    assert place.body == "deck"
    assert place.position[:2] == pytest.approx([1.4, 0.0], abs=1.5)
    assert abs(place.position[1]) < 0.1
    assert heading == pytest.approx(0.0, abs=0.05)


def test_steps_on_the_level_climb_stairs_when_told_where(
    footage: Footage, steps: list[Part], adult: Character
) -> None:
    going, rise = 0.3, 0.15
    flight = World(
        [
            Body(name="ground", mesh=slab((20.0, 20.0, 0.2))),
            Body(name="stairs", mesh=placed(stairs(10, 3.0, rise, going), 0.45)),
        ]
    )
    engine = Engine(footage, flight)
    engine.append("walk", end=0.3)
    foot = "right"
    for number in range(7):
        side = 0.08 if foot == "left" else -0.08
        hold = Foothold(foot=foot, body="stairs", start=0.0, end=1.0,
                        position=[0.45 + going * (number + 0.5), side, rise * (number + 1)],
                        rotation=rotations.IDENTITY)  # fmt: skip
        step = next(s for i, s in enumerate(steps) if i in (1, 2) and _swings(footage, s) == foot)
        engine.append(step, speed=0.7, footholds=[hold])
        foot = "left" if foot == "right" else "right"
    made = frames(engine)
    quality = assess(made, adult.measures, world=flight)
    assert quality.slide < 1e-3
    assert quality.penetration < 0.025
    assert [hold.body for hold in made.footholds[-7:]] == ["stairs"] * 7
    assert made.root[-1, 2] - made.root[0, 2] == pytest.approx(6.5 * rise, abs=0.15)


def _swings(footage: Footage, step: Part) -> str:
    take = footage.take(step.clip)
    lands = [
        side
        for side, falls in zip(("left", "right"), take.footfalls, strict=True)
        if any(abs(fall.start - step.end) < 0.02 for fall in falls)
    ]
    return lands[0]


def test_a_step_goes_where_a_plan_says(
    footage: Footage, steps: list[Part], floor: World, adult: Character
) -> None:
    engine = Engine(footage, floor)
    engine.append(steps[1])
    engine.append(steps[2], to=(Place(None, [1.2, 0.3, 0.0]), 0.4))
    place, heading = engine.place(engine.end)
    assert place.position == pytest.approx([1.2, 0.3, 0.0], abs=1e-6)
    assert heading == pytest.approx(0.4)
    engine.append(steps[3], turn=-0.4)
    assert engine.place(engine.end)[1] == pytest.approx(0.0, abs=0.06)
    assert assess(frames(engine), adult.measures, world=floor).slide < 1e-3


def test_a_cast_moves_as_its_engines_do(footage: Footage, steps: list[Part], floor: World) -> None:
    rng = np.random.default_rng(2)
    engines = []
    for i in range(12):
        engine = Engine(footage, floor, place=Place(None, [0.0, 2.0 * i, 0.0]),
                        heading=float(rng.uniform(-3, 3)))  # fmt: skip
        for _ in range(4):
            engine.append(steps[int(rng.integers(1, 5))], speed=float(rng.uniform(0.8, 1.2)))
        engines.append(engine)
    cast = Cast(engines)
    for frame in range(90):
        poses = cast.advance(1 / 30, threads=1 + frame % 2)
        if frame == 20:
            engines[3].append(steps[2])
        if frame % 7:
            continue
        for i, engine in enumerate(engines):
            alone = engine.at(np.array([cast.time]))
            assert np.array_equal(poses.root[i], alone.root[0])
            assert np.array_equal(poses.rotations[i], alone.rotations[0])
            assert np.array_equal(poses.contacts[i], alone.contacts[0])
    # Backward in time is as good.
    again = cast.at(1.0)
    assert np.array_equal(again.root[5], engines[5].at(np.array([1.0])).root[0])


def test_what_is_forgotten_changes_nothing_that_comes(
    footage: Footage, steps: list[Part], floor: World, adult: Character
) -> None:
    engines = [Engine(footage, floor), Engine(footage, floor)]
    for number in range(30):
        for engine in engines:
            engine.append(steps[1 + number % 4])
        engines[1].forget(engines[1].end - 1.2)
    late = np.linspace(engines[0].end - 0.8, engines[0].end + 0.5, 40)
    whole, short = (engine.at(late) for engine in engines)
    assert np.array_equal(whole.root, short.root)
    assert np.array_equal(whole.rotations, short.rotations)
    assert len(short.footholds) < 8 < len(whole.footholds)
    assert len(engines[1].program.beats) < 20
    assert assess(short, adult.measures, world=floor).slide < 1e-3


def test_bad_requests_name_what_is_wrong(footage: Footage, steps: list[Part], floor: World) -> None:
    engine = Engine(footage, floor)
    with pytest.raises(InputError, match="nothing is played yet"):
        engine.at([0.0])
    with pytest.raises(InputError, match="unknown clip 'waltz'; did you mean 'walk'"):
        engine.append("waltz")
    with pytest.raises(InputError, match="end must be after begin"):
        engine.append("walk", begin=2.0, end=1.0)
    with pytest.raises(InputError, match="must be at most"):
        engine.append("walk", end=99.0)
    with pytest.raises(InputError, match="speed must be greater than 0"):
        engine.append(steps[1], speed=0.0)
    with pytest.raises(InputError, match="blend"):
        engine.append(steps[1], blend=3.0)
    with pytest.raises(InputError, match="blend"):
        EngineSettings(blend=0.01)
    hold = Foothold(foot="left", body=None, position=[0, 0, 0], rotation=[1, 0, 0, 0], start=0,
                    end=1)  # fmt: skip
    with pytest.raises(InputError, match="more footholds than that"):
        engine.append(steps[1], footholds=[hold, hold, hold])
    with pytest.raises(InputError, match="at least one engine"):
        Cast([])
    other = Engine(footage, None)
    with pytest.raises(InputError, match="one footage and one world"):
        Cast([engine, other])
