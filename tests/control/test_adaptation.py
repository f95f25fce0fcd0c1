from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from references import fits as reference
from references.local_scenes import (
    check,
    clutter,
    crossing,
    ground,
    local_scene,
    resting,
    share_adapted,
    still,
)
from surefoot import control
from surefoot.character import Character
from surefoot.motion.quality.slide import foot_slide
from surefoot.world import Body, Keyframed, Place, Static, World
from surefoot.world.primitives import box, slab

Trained = Callable[[str], control.Controller]


UNSEEN = 22  # a seed that nothing was tuned on; 11 and 12 were
NAMES = ("walk", "run", "corner", "avoid", "avoid running", "stride", "jump", "leap")


@pytest.mark.parametrize("moving", [False, True], ids=["at rest", "moving"])
@pytest.mark.parametrize("name", NAMES)
def test_scenes_unlike_the_controllers_own(
    trained: Trained, adult: Character, name: str, moving: bool
) -> None:
    assert share_adapted(trained(name), adult, 40, moving=moving, seed=11) >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("moving", [False, True], ids=["at rest", "moving"])
@pytest.mark.parametrize("name", NAMES)
def test_many_scenes_unlike_the_controllers_own(
    trained: Trained, adult: Character, name: str, moving: bool
) -> None:
    assert share_adapted(trained(name), adult, 500, moving=moving, seed=UNSEEN) >= 0.95


def test_gaps_are_jumped_over(trained: Trained, adult: Character) -> None:
    """Not walked round: what leads over a gap is a jump, a leap or a stride of a run."""
    rng = np.random.default_rng(12)
    for name in ("jump", "leap"):
        controller = trained(name)
        scene = local_scene(rng, controller.task, moving=False)
        start = control.Configuration.standing(controller.repertoire, scene.start, scene.heading)
        adapted = controller.adapt(scene.world, adult, start, scene.target)
        assert adapted
        assert any(c.startswith(("jump", "leap", "run")) for c in adapted.rollout.clips)


def test_no_way_is_no_success(trained: Trained, adult: Character) -> None:
    """Walls all around, a gap too wide, a target in the obstacle."""
    start = control.Configuration.standing(trained("walk").repertoire)
    target = Place(None, np.array([6.0, 0.0, 0.0]))
    wall = Body(name="wall", mesh=box((0.3, 30.0, 3.0)), trajectory=still(3.0, 0.0, 1.0))
    closed = World([ground(), wall])
    for name in ("walk", "avoid", "corner", "jump", "leap"):
        adapted = trained(name).adapt(closed, adult, start, target)
        assert not adapted, name
        assert adapted.why
    wide = World([
        Body(name="near", mesh=slab((20.0, 20.0, 0.2)), trajectory=still(-8.0, 0.0)),
        Body(name="far", mesh=slab((20.0, 20.0, 0.2)), trajectory=still(16.0, 0.0)),
    ])  # fmt: skip
    over = Place(None, np.array([8.0, 0.0, 0.0]))
    assert not trained("jump").adapt(wide, adult, start, over)
    pillar = Body(name="pillar", mesh=box((1.6, 1.6, 2.0)), trajectory=still(6.0, 0.2, 1.0))
    inside = trained("avoid").adapt(World([ground(), pillar]), adult, start, target)
    assert not inside


def test_what_moves_is_where_it_will_be(trained: Trained, adult: Character) -> None:
    """A cart drives across the way: it is in nobody's way now, and will be."""
    cart = Body(
        name="cart",
        mesh=box((1.0, 1.0, 1.6)),
        trajectory=Keyframed(times=[0.0, 8.0], positions=[[3.0, -1.7, 0.9], [3.0, 2.3, 0.9]]),
    )
    world = World([ground(), cart])
    walk, avoid = trained("walk"), trained("avoid")
    start = control.Configuration.standing(walk.repertoire)
    target = Place(None, np.array([6.5, 0.0, 0.0]))
    assert walk.adapt(world.at(0.0), adult, start, target)
    straight = walk.adapt(world, adult, start, target)
    assert straight.rollout.ending == "collided"
    round_it = avoid.adapt(world, adult, start, target)
    assert round_it
    assert len(round_it.samples)
    check(world, adult, avoid, round_it)


def test_what_crosses_the_way_is_passed_before_it_or_behind(
    trained: Trained, adult: Character
) -> None:
    rng = np.random.default_rng(21)
    avoid, walk = trained("avoid"), trained("walk")
    reached = count = blocked = 0
    while count < 80:
        away, bearing = rng.uniform(5.0, 8.0), rng.uniform(-np.pi, np.pi)
        target = away * np.array([np.cos(bearing), np.sin(bearing)])
        world = crossing(rng, target, 1.4)
        start = control.Configuration.standing(avoid.repertoire, (0.0, 0.0, 0.0), bearing)
        place = Place(None, np.array([*target, 0.0]))
        count += 1
        blocked += walk.adapt(world, adult, start, place).rollout.ending == "collided"
        adapted = avoid.adapt(world, adult, start, place)
        reached += bool(adapted)
        if adapted:
            check(world, adult, avoid, adapted)
    # Many of them are in the way of who goes straight on.
    assert blocked >= 20
    assert reached >= 0.95 * count


def test_edges_that_are_come_up_to_askew_are_seen_as_they_are(
    trained: Trained, adult: Character
) -> None:
    """The target is far to the side: rays to it meet the edge where it is not nearest."""
    jump = trained("jump")
    start = control.Configuration.standing(jump.repertoire)
    near = Body(name="near", mesh=slab((40.0, 60.0, 0.2)), trajectory=still(-18.0, 0.0))
    far = Body(name="far", mesh=slab((40.0, 60.0, 0.2)), trajectory=still(22.4, 0.0))
    target = Place(None, np.array([4.5, 5.5, 0.0]))
    adapted = jump.adapt(World([near, far]), adult, start, target)
    assert adapted, adapted.why
    assert adapted.obstacle is not None
    _, direction = reference.narrowest_edge(adapted.samples[:5], np.zeros(3))
    assert adapted.obstacle.direction == pytest.approx(direction, abs=2e-3)
    assert abs(adapted.obstacle.direction) < 0.05


def test_onto_what_moves(trained: Trained, adult: Character) -> None:
    """From the ground over a gap onto a platform that drives along; carried by it in the end."""
    platform = Body(
        name="platform",
        mesh=slab((8.0, 40.0, 0.3)),
        trajectory=Keyframed(times=[0.0, 40.0], positions=[[5.9, -6.0, 0.0], [5.9, 14.0, 0.0]]),
    )
    near = Body(name="near", mesh=slab((20.0, 80.0, 0.3)), trajectory=still(-8.5, 0.0))
    world = World([near, platform])
    jump = trained("jump")
    start = control.Configuration.standing(jump.repertoire)
    target = Place("platform", np.array([-1.9, 6.0, 0.0]))
    adapted = jump.adapt(world, adult, start, target)
    assert adapted, adapted.why
    assert adapted.rollout.last.place.body == "platform"
    away = adapted.rollout.last.place.position - target.position
    assert np.hypot(away[0], away[1]) <= jump.task.arrival + 1e-6
    # And on it, as if it rested.
    on = control.Configuration.standing(jump.repertoire, Place("platform", np.zeros(3)), 0.3)
    goal = Place("platform", np.array([1.0, 5.0, 0.0]))
    riding = trained("walk").adapt(world, adult, on, goal, t=2.0)
    assert riding
    assert all(piece.place.body == "platform" for piece in riding.rollout.pieces)
    check(world, adult, trained("walk"), riding)


def test_many_edges_are_the_same_as_one_by_one(trained: Trained, adult: Character) -> None:
    rng = np.random.default_rng(4)
    avoid = trained("avoid")
    world = resting(clutter(rng, np.array([6.0, 0.0])))
    starts, targets, single = [], [], []
    for _ in range(24):
        start = control.Configuration.standing(avoid.repertoire, (0, 0, 0), rng.uniform(-3, 3))
        target = Place(None, np.array([6.0, rng.uniform(-2, 2), 0.0]))
        starts.append(start.packed(world, 0.0))
        targets.append(avoid.packed_target(target, world, 0.0))
        single.append(avoid.adapt(world, adult, start, target))
    times = np.zeros(24)
    one, two = (
        avoid.adapt_many(world, adult, np.array(starts), np.array(targets), times, threads=threads)
        for threads in (1, 2)
    )
    for a, b in zip(one, two, strict=True):
        assert a.tobytes() == b.tobytes()
    assert one[0].tolist() == [adapted.rollout.native.ending for adapted in single]
    assert one[1].tolist() == [adapted.rollout.end for adapted in single]
    assert one[3].tolist() == [adapted.attempts for adapted in single]


@pytest.mark.parametrize("seed", range(4))
def test_native_fits_equal_the_slow_reference(
    trained: Trained, adult: Character, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    avoid, jump = trained("avoid"), trained("jump")
    target = np.array([6.0, 0.0, 0.0])
    start = control.Configuration.standing(avoid.repertoire)
    world = resting(clutter(rng, target[:2]))
    found = avoid.adapt(world, adult, start, Place(None, target), attempts=1)
    if found.obstacle is not None and len(found.samples):
        fitted = found.samples[:5]
        limits = reference.cylinder_offsets(fitted, np.zeros(3), target, avoid.task.size - 0.15)
        assert limits is not None
        assert min(abs(found.obstacle.y - limit) for limit in limits) < 0.04
    near, angle = rng.uniform(1.5, 3.0), rng.uniform(-0.22, 0.22)
    normal = np.array([np.cos(angle), np.sin(angle)])
    gap = World([
        Body(name="near", mesh=slab((30.0, 60.0, 0.2)),
             trajectory=still(*((near - 15.0) * normal), 0.0, angle)),
        Body(name="far", mesh=slab((30.0, 60.0, 0.2)),
             trajectory=still(*((near + 15.4) * normal), 0.0, angle)),
    ])  # fmt: skip
    over = jump.adapt(gap, adult, start, Place(None, target), attempts=1)
    rays = over.samples[:5] if over else over.samples[:-1]
    away, direction = reference.ditch_distance(rays, np.zeros(3))
    assert over.obstacle is not None
    edge = np.array([over.obstacle.x, over.obstacle.y])
    assert np.hypot(*edge) == pytest.approx(away - 0.05, abs=1e-3)
    assert over.obstacle.direction == pytest.approx(direction, abs=2e-3)
    # And that is where the gap really is.
    assert away == pytest.approx(near, abs=0.08)
    assert direction == pytest.approx(angle, abs=0.06)


@pytest.mark.parametrize("name", ["walk", "avoid", "jump", "leap"])
def test_played_feet_stay_where_they_stand(trained: Trained, adult: Character, name: str) -> None:
    """The step engine plays a rollout: no skating, and where the controller said."""
    controller = trained(name)
    start = control.Configuration.standing(controller.repertoire, (0.0, 0.0, 0.0), 0.9)
    scenes = {
        "walk": (None, (3.0, -2.0, 0.0)),
        "avoid": (control.Obstacle(2.8, 0.2), (5.5, 0.0, 0.0)),
        "jump": (control.Obstacle(1.8, 0.0, 0.0, (0.0,)), (4.0, 0.0, 0.0)),
        "leap": (control.Obstacle(6.0, 0.0, 0.0, (0.0,)), (10.0, 0.0, 0.0)),
    }
    obstacle, target = scenes[name]
    world = World([ground()])
    rollout = controller.rollout(start, target, obstacle=obstacle, world=world, character=adult)
    assert rollout
    engine = control.play(rollout, start)
    assert engine.end == pytest.approx(rollout.end, abs=1e-6)
    place, _ = engine.place(rollout.end)
    np.testing.assert_allclose(place.position[:2], rollout.path()[1][-1, :2], atol=0.02)
    times = np.arange(rollout.start, rollout.end, 1 / 60)
    motion = engine.at(times)
    slide = foot_slide(motion, world, adult.skeleton, adult.measures)
    assert np.nanmax(slide) < 1e-3
    # No stutter: the root never jumps.
    speed = np.linalg.norm(np.diff(motion.root, axis=0), axis=1) * 60
    assert np.abs(np.diff(speed)).max() < 1.0


def test_every_step_of_a_walk_finds_ground(trained: Trained, adult: Character) -> None:
    """Moves begin where a foot comes down: that foot, too, needs ground, and follows it."""
    walk = trained("walk")
    start = control.Configuration.standing(walk.repertoire)
    target = Place(None, np.array([6.0, 0.0, 0.0]))
    for width in (0.9, 1.2):  # wider than any stride
        gap = World([
            Body(name="near", mesh=slab((20.0, 20.0, 0.2)), trajectory=still(-8.0, 0.0)),
            Body(name="far", mesh=slab((20.0, 20.0, 0.2)), trajectory=still(12.0 + width, 0.0)),
        ])  # fmt: skip
        assert walk.rollout(start, target, world=gap, character=adult).ending == "unsupported"
    up = Body(name="up", mesh=slab((8.0, 6.0, 0.2)), trajectory=still(6.0, 0.0, 0.2))
    stepped = walk.rollout(start, target, world=World([ground(), up]), character=adult)
    assert stepped
    assert stepped.last.place.position[2] == pytest.approx(0.2, abs=1e-9)


@pytest.mark.parametrize("name", ["walk", "run"])
def test_whoever_goes_on_what_moves_is_carried(
    trained: Trained, adult: Character, name: str
) -> None:
    """On a platform that drives as on one that rests, also out of the flights of a run."""
    controller = trained(name)
    ends = []
    for speed in (0.0, 2.0):
        keys = [[0.0, 0.0, 0.0], [0.0, 40.0 * speed, 0.0]]
        rests = Static() if speed == 0.0 else Keyframed(times=[0.0, 40.0], positions=keys)
        world = World([Body(name="platform", mesh=slab((40.0, 6.0, 0.3)), trajectory=rests)])
        start = control.Configuration.standing(
            controller.repertoire, Place("platform", np.array([-8.0, 0.0, 0.0]))
        )
        target = Place("platform", np.array([8.0, 0.5, 0.0]))
        rollout = controller.rollout(start, target, world=world, character=adult, t=1.0)
        assert rollout, rollout.ending
        assert rollout.last.place.body == (None if speed == 0.0 else "platform")
        ends.append((rollout.last.place.position, rollout.end))
    # Arrivals are looked for at moments of each piece, and flights are pieces of their own.
    assert ends[1][0] == pytest.approx(ends[0][0], abs=0.02)
    assert ends[1][1] == pytest.approx(ends[0][1], abs=0.02)
