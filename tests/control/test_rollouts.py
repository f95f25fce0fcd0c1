from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np
import pytest

from surefoot import control
from surefoot.control.training import prepare
from surefoot.errors import InputError
from surefoot.world import Body, Keyframed, Place, World
from surefoot.world.primitives import slab

Trained = Callable[[str], control.Controller]
LEVEL = World([Body(name="ground", mesh=slab((80.0, 80.0, 0.2)))])


def random_start(
    rng: np.random.Generator, controller: control.Controller, modes: tuple[str, ...]
) -> control.Configuration:
    """After any of a controller's own moves."""
    repertoire = controller.repertoire
    own = [a for a in controller.learned.actions.tolist() if repertoire.move(a).mode in modes]
    return control.Configuration.after(repertoire, int(rng.choice(own)), (0.0, 0.0, 0.0))


@pytest.mark.parametrize("name", ["walk", "run"])
def test_targets_are_reached(trained: Trained, name: str) -> None:
    rng = np.random.default_rng(5)
    controller = trained(name)
    reached = 0
    for _ in range(400):
        start = random_start(rng, controller, controller.task.modes)
        away, bearing = rng.uniform(0.5, 12.0), rng.uniform(-np.pi, np.pi)
        target = (away * np.cos(bearing), away * np.sin(bearing), 0.0)
        rollout = controller.rollout(start, target)
        reached += bool(rollout)
        if rollout:
            end = rollout.last.place.position
            assert (
                np.hypot(end[0] - target[0], end[1] - target[1]) <= controller.task.arrival + 1e-6
            )
    assert reached >= 0.99 * 400


@pytest.mark.parametrize("name", ["avoid", "avoid running"])
def test_cylinders_are_gone_round(trained: Trained, name: str) -> None:
    rng = np.random.default_rng(6)
    controller = trained(name)
    radius, good, count = controller.task.size, 0, 0
    while count < 200:
        away, bearing = rng.uniform(4.0, 9.0), rng.uniform(-np.pi, np.pi)
        target = away * np.array([np.cos(bearing), np.sin(bearing)])
        centre = rng.uniform(0.3, 0.7) * target + rng.normal(0.0, 0.5, 2)
        room = 0.9 if name == "avoid" else 2.0  # a runner under way needs some
        if np.hypot(*centre) < radius + room or np.hypot(*(target - centre)) < radius + 0.8:
            continue
        count += 1
        modes = ("stand", "turn", "walk") if name == "avoid" else ("stand", "turn")
        start = random_start(rng, controller, modes)
        rollout = controller.rollout(start, (*target, 0.0), obstacle=control.Obstacle(*centre))
        _, way = rollout.path()
        depth = radius - np.hypot(*(way[:, :2] - centre).T).min()
        # Between the points of the grid it may cut in a little.
        good += bool(rollout) and depth < 0.1 * radius
    assert good >= 0.99 * count


def test_corners_are_followed(trained: Trained) -> None:
    rng = np.random.default_rng(7)
    controller = trained("corner")
    good = 0
    for _ in range(200):
        angle, side = rng.uniform(-np.pi, np.pi), rng.choice([-1, 1])
        out, along = rng.uniform(1.0, 5.0), rng.uniform(1.5, 6.0)
        way = side * np.array([-np.sin(angle), np.cos(angle)])
        target = out * np.array([np.cos(angle), np.sin(angle)]) + along * way
        line = control.Obstacle(*target, float(np.arctan2(way[1], way[0])) + np.pi / 2)
        start = random_start(rng, controller, ("stand", "turn", "walk"))
        good += bool(controller.rollout(start, (*target, 0.0), obstacle=line))
    assert good >= 0.99 * 200


@pytest.mark.parametrize("name", ["jump", "leap"])
def test_ditches_are_jumped_over(trained: Trained, name: str) -> None:
    """With both feet on either side, and no foot in between."""
    rng = np.random.default_rng(8)
    controller = trained(name)
    width, good, count = controller.task.size, 0, 200
    for _ in range(count):
        angle = rng.uniform(-np.pi, np.pi)
        normal = np.array([np.cos(angle), np.sin(angle)])
        rise = rng.choice([-0.6, -0.3, 0.0, 0.1] if name == "jump" else [-0.6, -0.3, 0.0])
        near = rng.uniform(1.0, 4.0) if name == "jump" else rng.uniform(5.0, 8.0)
        beyond = near + width + rng.uniform(1.5, 4.0)
        target = beyond * normal + rng.normal(0.0, 0.7) * np.array([-normal[1], normal[0]])
        ditch = control.Obstacle(*(near * normal), angle, (float(rise),))
        start = random_start(rng, controller, ("stand", "turn"))
        rollout = controller.rollout(start, (*target, 0.0), obstacle=ditch, longest=40.0)
        inside = [
            foot @ normal - near
            for piece in rollout.pieces
            for foot in standing(controller.repertoire, piece)
        ]
        good += bool(rollout) and not any(-0.05 < x < width + 0.05 for x in inside)
    assert good >= 0.99 * count


def standing(repertoire: control.Repertoire, piece: control.Piece) -> np.ndarray:
    """Where feet stand in a piece on level ground: `(k, 2)`."""
    feet = repertoire.native.feet(piece.action)
    feet = feet[feet[:, 1] <= piece.end]
    c, s = np.cos(piece.heading), np.sin(piece.heading)
    return feet[:, 3:5] @ np.array([[c, s], [-s, c]]) + piece.place.position[:2]


def small(repertoire: control.Repertoire) -> control.Repertoire:
    """A few clips, so that all sequences can be searched."""
    names = ("idle", "start 1.25", "walk 1.25", "stop 1.25", "turn 0.6", "turn 1.2")
    moves = [move for move in repertoire.moves if move.clip in names]
    return control.connected(repertoire.footage, moves)


def best_time(
    controller: control.Controller, target: np.ndarray, arrival: float, longest: float
) -> float:
    """The least time to the target, and the least cost, over all sequences of moves.

    A* over (state, place and heading to a few centimetres and degrees), nobody being faster than
    the fastest move.
    """
    repertoire = controller.repertoire
    ready = prepare(controller.task, repertoire)
    paths = repertoire.paths(31)
    stand = repertoire.standing
    speed = controller.bounds.speed

    def least(x: float, y: float) -> float:
        return max(float(np.hypot(x - target[0], y - target[1])) - arrival, 0.0) / speed

    state = int(repertoire.ends[repertoire.action_moves[stand]])
    queue = [(least(0.0, 0.0), 0, state, 0.0, 0.0, 0.0, 0.0)]
    seen: set[tuple[int, ...]] = set()
    number = 1
    while queue:
        _, _, state, x, y, heading, spent = heapq.heappop(queue)
        if state < 0:
            return spent
        key = (state, round(x / 0.06), round(y / 0.06), round(heading / 0.08))
        if key in seen or spent > longest:
            continue
        seen.add(key)
        c, s = np.cos(heading), np.sin(heading)
        for k, action in enumerate(ready.actions.tolist()):
            if not ready.table.viable[state, k]:
                continue
            way = paths[action]
            ahead = np.column_stack([x + c * way[:, 0] - s * way[:, 1],
                                     y + s * way[:, 0] + c * way[:, 1]])  # fmt: skip
            lasts = float(repertoire.durations[action])
            near = np.hypot(*(ahead - target).T) <= arrival
            if near.any():
                at = spent + lasts * int(np.argmax(near)) / 30
                heapq.heappush(queue, (at, number, -1, 0.0, 0.0, 0.0, at))
            else:
                end = int(repertoire.ends[repertoire.action_moves[action]])
                x1, y1 = ahead[-1].tolist()
                then = spent + lasts
                entry = (then + least(x1, y1), number, end, x1, y1, heading + way[-1, 3], then)
                heapq.heappush(queue, entry)
            number += 1
    return float("inf")


def test_times_are_near_the_best(repertoire: control.Repertoire) -> None:
    """Against brute force over all sequences of moves of a small library."""
    few = small(repertoire)
    controller = control.train(few, [control.Go(smoothness=0.0)])["walk"]
    rng = np.random.default_rng(0)
    ratios: list[float] = []
    for _ in range(10):
        away, bearing = rng.uniform(1.0, 2.5), rng.uniform(-np.pi, np.pi)
        target = away * np.array([np.cos(bearing), np.sin(bearing)])
        rollout = controller.rollout(control.Configuration.standing(few), (*target, 0.0))
        assert rollout
        best = best_time(controller, target, controller.task.arrival, rollout.duration + 0.1)
        ratios.append(rollout.duration / best)
    assert np.median(ratios) <= 1.02
    # Between the points of the grid a target is missed by a little now and then.
    assert np.percentile(ratios, 90) <= 1.1


def test_rollouts_equal_one_look_ahead_in_python(trained: Trained) -> None:
    """The native choice is the best action among those around the task."""
    controller = trained("walk")
    solution = controller.learned.solution
    rng = np.random.default_rng(1)
    same, close = 0, 0
    for _ in range(300):
        action = int(rng.choice(controller.learned.actions))
        task = np.array([rng.uniform(0.6, 10.0), rng.uniform(-np.pi, np.pi)])
        state = int(controller.repertoire.ends[controller.repertoire.action_moves[action]])
        worth = solution.worth(state, task)
        chosen = controller.choose(action, task)
        index = int(np.flatnonzero(controller.learned.actions == chosen)[0])
        same += int(np.argmax(worth)) == index
        close += worth[index] >= worth.max() - 0.1
    assert close >= 0.97 * 300
    assert same >= 0.7 * 300


def test_what_is_under_way_goes_on_first(trained: Trained) -> None:
    controller = trained("walk")
    repertoire = controller.repertoire
    walking = repertoire.action("walk 1.25")
    start = control.Configuration(
        place=Place(None, np.zeros(3)), heading=0.5, action=walking, into=0.2
    )
    rollout = controller.rollout(start, (-3.0, 0.0, 0.0))
    first = rollout.pieces[0]
    assert (first.action, first.begin) == (walking, 0.2)
    times, way = rollout.path()
    np.testing.assert_allclose(way[0], [0.0, 0.0, 0.0, 0.5], atol=1e-9)
    assert times[0] == 0.0
    # From there it goes on smoothly.
    speeds = np.hypot(*np.diff(way[:, :2], axis=0).T) / np.diff(times)
    assert speeds.max() < controller.bounds.speed + 1e-6


def test_a_rollout_goes_on_from_where_another_ends(trained: Trained) -> None:
    controller = trained("walk")
    start = control.Configuration.standing(controller.repertoire)
    first = controller.rollout(start, (3.0, 0.0, 0.0))
    second = controller.rollout(first.last, (3.0, 3.0, 0.0), t=first.end)
    assert second.start == first.end
    np.testing.assert_allclose(second.path()[1][0], first.path()[1][-1], atol=1e-9)


def test_level_ground_changes_nothing(trained: Trained, adult) -> None:
    controller = trained("walk")
    start = control.Configuration.standing(controller.repertoire, heading=1.0)
    free = controller.rollout(start, (4.0, 2.0, 0.0))
    there = controller.rollout(start, (4.0, 2.0, 0.0), world=LEVEL, character=adult)
    assert free.clips == there.clips
    assert free.duration == pytest.approx(there.duration, abs=1e-9)


@pytest.mark.parametrize("name", ["walk", "run"])
def test_nobody_walks_on_air(trained: Trained, adult, name: str) -> None:
    world = World([Body(name=f"{x}", mesh=slab((8.0, 8.0, 1.0), (x, 0.0, 0.0))) for x in (0, 12)])
    controller = trained(name)
    start = control.Configuration.standing(controller.repertoire, Place(None, (-3.0, 0.0, 0.0)))
    rollout = controller.rollout(start, (10.0, 0.0, 0.0), world=world, character=adult)
    assert rollout.ending == "unsupported"
    assert 3.5 < rollout.failure[0] < 5.5


@pytest.mark.parametrize("name", ["walk", "run"])
def test_steps_stay_on_what_moves(trained: Trained, adult, name: str) -> None:
    ride = Keyframed(np.array([0.0, 30.0]), np.array([[0.0, 0, 1], [0.0, 45.0, 1]]))
    raft = Body(name="raft", mesh=slab((30.0, 4.0, 0.3)), trajectory=ride)
    ground = Body(name="ground", mesh=slab((90.0, 90.0, 1.0), (0.0, 0.0, 0.9)))
    world, controller = World([raft, ground]), trained(name)
    start = control.Configuration.standing(controller.repertoire, Place("raft", (-9.0, 0.0, 0.0)))
    there = Place("raft", (9.0, 0.0, 0.0))
    rollout = controller.rollout(start, there, world=world, character=adult)
    assert rollout
    assert rollout.last.place.body == "raft"
    times, way = rollout.path(60.0)
    raft_y = 1.5 * times
    assert np.abs(way[:, 1] - raft_y).max() < 1.0
    assert np.abs(np.diff(way[:, :2], axis=0)).max() < 0.12  # no jump from frame to frame


def test_bounds_hold(trained: Trained) -> None:
    rng = np.random.default_rng(2)
    for name in ("walk", "run", "leap"):
        controller = trained(name)
        start = random_start(rng, controller, ("stand",))
        ditch = control.Obstacle(5.0, 0.0, 0.0, (0.0,)) if name == "leap" else None
        times, way = controller.rollout(start, (9.0, 1.0, 0.0), obstacle=ditch).path(60.0)
        speed = np.hypot(*np.diff(way[:, :2], axis=0).T)[:-1] / np.diff(times)[:-1]
        assert speed.max() <= controller.bounds.speed * 1.02
        away = np.hypot(*(way[:, :2] - way[0, :2]).T)
        bounds = controller.bounds
        assert (away <= bounds.carry + bounds.speed * 1.02 * (times - times[0]) + 1e-6).all()
    assert trained("walk").bounds.speed < 2.0
    running = control.Configuration.after(
        trained("walk").repertoire, trained("walk").repertoire.action("run 4.15"), (0.0, 0.0, 0.0)
    )
    times, way = trained("walk").rollout(running, (9.0, 0.0, 0.0)).path()
    bounds = trained("walk").bounds
    away = np.hypot(*way[:, :2].T)
    assert (away[-1] <= bounds.carry + bounds.speed * times[-1]).all()
    bounds = trained("leap").bounds
    assert bounds.reach > 2.0
    assert bounds.drop == pytest.approx(0.6, abs=0.02)
    assert bounds.cheapest(lambda speed: 1.0 + speed**2) == 1.0


def test_waiting_gets_ready(trained: Trained) -> None:
    """Who waits to walk to what is behind turns round meanwhile, and is sooner there."""
    waiting, going = trained("wait to walk"), trained("walk")
    target = (-4.0, 0.5, 0.0)
    start = control.Configuration.standing(going.repertoire)
    wait = waiting.rollout(start, target, wait=6.0)
    assert wait
    assert wait.duration == pytest.approx(6.0, abs=0.3)
    after = going.rollout(wait.last, target, t=wait.end)
    assert abs(abs(wait.last.heading) - np.pi) < 0.6
    assert after.duration < going.rollout(start, target).duration - 1.0
    # There is not much to get ready for what is ahead: it stands.
    assert set(waiting.rollout(start, (5.0, 0.0, 0.0), wait=3.0).clips) == {"idle"}


def test_walkers_who_wait_stop(trained: Trained) -> None:
    waiting = trained("wait to walk")
    repertoire = waiting.repertoire
    start = control.Configuration.after(repertoire, repertoire.action("walk 1.25"), (0.0, 0.0, 0.0))
    wait = waiting.rollout(start, (5.0, 0.0, 0.0), wait=4.0)
    assert wait.clips[0].startswith("stop")
    assert repertoire.move(wait.last.action).still


def test_preparation_is_measured(trained: Trained) -> None:
    waiting = trained("wait to walk")
    assert isinstance(waiting.task, control.Wait)
    measured = control.preparation(waiting.task, waiting.learned)
    assert measured.mean[-1] == 0.0
    assert measured.mean[1] > 0.5
    assert (np.diff(measured.mean[1:]) <= 1e-3).all()
    # Who walks halts and turns round meanwhile: nobody needs longer.
    assert measured.time() <= 4.0
    assert measured.time(loss=0.5, share=0.5) <= measured.time(loss=0.2, share=0.99)


def test_bad_input(trained: Trained) -> None:
    walk, jump = trained("walk"), trained("jump")
    start = control.Configuration.standing(walk.repertoire)
    with pytest.raises(InputError, match="both a world and a character"):
        walk.rollout(start, (1.0, 0.0, 0.0), world=LEVEL)
    with pytest.raises(InputError, match="1 constant parameters, got 2"):
        jump.rollout(start, (3.0, 0.0, 0.0), obstacle=control.Obstacle(1.0, 0.0, 0.0, (0.0, 1.0)))
    with pytest.raises(InputError, match="needs a world"):
        walk.rollout(start, Place("ground", np.zeros(3)))
    with pytest.raises(InputError, match="no move plays clip 'moonwalk'"):
        walk.repertoire.action("moonwalk")
