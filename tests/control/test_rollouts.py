from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from references.own_tasks import away_from_corner, line_to_follow, random_start, share_done
from surefoot import control
from surefoot.errors import InputError
from surefoot.world import Body, Keyframed, Place, World
from surefoot.world.primitives import slab

Trained = Callable[[str], control.Controller]
UNSEEN = 21  # a seed that nothing was tuned on; 1 and 5 were
LEVEL = World([Body(name="ground", mesh=slab((80.0, 80.0, 0.2)))])


@pytest.mark.parametrize(
    "name",
    ["walk", "run", "arrive", "arrive running", "corner", "avoid", "avoid running", "stride",
     "jump", "leap", "wait to walk"],
)  # fmt: skip
def test_controllers_do_their_tasks(trained: Trained, name: str) -> None:
    assert share_done(trained(name), 200, seed=5) >= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("name", [task.name for task in control.built_in_tasks()])
def test_all_controllers_do_their_tasks(trained: Trained, name: str) -> None:
    # Who has to turn round first sets a foot into a gap now and then.
    assert share_done(trained(name), 2000, seed=UNSEEN) >= (0.96 if name == "stride" else 0.99)


@pytest.mark.parametrize("name", ["arrive", "arrive running"])
def test_who_arrives_stands_there(trained: Trained, name: str) -> None:
    """Who is to stand at a place stands there, also who comes by at a run; nobody circles it."""
    arrive, rng = trained(name), np.random.default_rng(UNSEEN)
    acting, passing = arrive.repertoire, trained("run" if "run" in name else "walk")
    longer = []
    for _ in range(150):
        start = random_start(rng, arrive, arrive.task.modes)
        far, way = rng.uniform(0.5, 12.0), rng.uniform(-np.pi, np.pi)
        target = np.array([far * np.cos(way), far * np.sin(way), 0.0])
        rollout = arrive.rollout(start, target, arrival=0.3)
        assert rollout
        end = acting.action_moves[rollout.last.action]
        assert acting.stands[acting.ends[end]]
        assert np.hypot(*(rollout.last.place.position - target)[:2]) <= 0.3
        longer.append(rollout.end - passing.rollout(start, target).end)
    assert np.median(longer) < 2.0  # [s] than to pass the place


def test_corners_have_right_angles(trained: Trained) -> None:
    """Fits keep things 0.6 m clear of the straight ways: a corner that is cut runs into them."""
    corner, rng = trained("corner"), np.random.default_rng(5)
    start = control.Configuration.standing(corner.repertoire)
    aside = []
    for _ in range(100):
        foot, target, line = line_to_follow(rng)
        rollout = corner.rollout(start, (*target, 0.0), obstacle=line)
        aside.append(away_from_corner(rollout.path()[1][:, :2], foot, target).max())
    assert np.median(aside) <= corner.task.size
    assert np.percentile(aside, 90) <= 1.0


@pytest.mark.parametrize(
    ("name", "clip", "target", "centre"),
    [("avoid", "turn 0.6", (5.8, -2.1), (2.6, 0.2)),
     ("avoid running", "turn round 3.1", (-3.5, -8.2), (-0.9, -5.2))],
)  # fmt: skip
def test_whoever_looks_at_a_cylinder_does_not_turn_into_it(
    trained: Trained, name: str, clip: str, target: tuple[float, float],
    centre: tuple[float, float],
) -> None:  # fmt: skip
    """The straight way is clear soon, but the first steps towards it lead through the cylinder."""
    controller = trained(name)
    repertoire = controller.repertoire
    start = control.Configuration.after(repertoire, repertoire.action(clip), (0.0, 0.0, 0.0))
    about = control.Obstacle(*centre)
    rollout = controller.rollout(start, (*target, 0.0), obstacle=about)
    assert rollout
    nearest = np.hypot(*(rollout.path()[1][:, :2] - centre).T).min()
    assert nearest >= 0.9 * controller.task.size


@pytest.mark.parametrize(
    ("target", "centre"),
    [((4.0, -3.6), (2.1, -2.5)), ((-6.4, -0.2), (-4.4, 0.2)), ((1.8, -5.8), (1.5, -3.7))],
)
def test_nobody_runs_past_a_target_that_is_near(
    trained: Trained, target: tuple[float, float], centre: tuple[float, float]
) -> None:
    """How far away the target is counts, and not its direction alone."""
    controller = trained("avoid running")
    start = control.Configuration.standing(controller.repertoire)
    rollout = controller.rollout(start, (*target, 0.0), obstacle=control.Obstacle(*centre))
    assert rollout
    away = np.hypot(*target)
    assert (rollout.path()[1][:, :2] @ target / away).max() < away + 0.5
    assert rollout.duration < 5.0


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


def test_who_boards_ends_where_the_first_move_does(trained: Trained, adult) -> None:
    """On the other body, and not only near the place that was gone for."""
    ride = Keyframed(np.array([0.0, 30.0]), np.array([[0.0, 5.2, 0.0], [45.0, 5.2, 0.0]]))
    quay = Body(name="quay", mesh=slab((80.0, 6.0, 1.0)))
    train = Body(name="train", mesh=slab((60.0, 4.0, 0.3)), trajectory=ride)
    world, stride = World([quay, train]), trained("stride")
    place, there = Place(None, (0.0, 1.2, 0.0)), Place("train", (1.0, -0.5, 0.0))
    start = control.Configuration.standing(stride.repertoire, place, np.pi / 2)
    boarded, near = (
        stride.rollout(start, there, arrival=1.5, boards=anywhere, world=world, character=adult)
        for anywhere in (True, False)
    )
    assert boarded
    assert boarded.last.place.body == "train"
    last = boarded.last
    assert last.into == pytest.approx(stride.repertoire.durations[last.action])
    assert np.linalg.norm(last.place.position - there.position) > 1.5
    assert near.end > boarded.end


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
    with pytest.raises(InputError, match="obstacle must be finite, found nan"):
        walk.rollout(start, (1.0, 0.0, 0.0), obstacle=control.Obstacle(np.nan, 0.0))
    with pytest.raises(InputError, match="longest must be finite, got nan"):
        walk.rollout(start, (1.0, 0.0, 0.0), longest=np.nan)
    with pytest.raises(InputError, match="wait must be at least 0, got -1"):
        walk.rollout(start, (1.0, 0.0, 0.0), wait=-1.0)
    with pytest.raises(InputError, match="there is no action -1; there are"):
        walk.choose(-1, [1.0, 0.0])


def test_parameters_that_cannot_be(trained: Trained) -> None:
    jump = trained("jump")
    start = control.Configuration.standing(jump.repertoire)
    with pytest.raises(InputError, match=r"'jump': rise must be within -0.6 to 0.3, got 5"):
        jump.rollout(start, (5.0, 0.0, 5.0), obstacle=control.Obstacle(2.0, 0.0, 0.0, (5.0,)))
    with pytest.raises(InputError, match="'jump' has 1 constant parameters, got 2"):
        jump.rollout(start, (5.0, 0.0, 0.0), obstacle=control.Obstacle(2.0, 0.0, 0.0, (0.0, 1.0)))
    with pytest.raises(
        InputError, match="a task of 'jump' has distance, normal, aside, behind, rise"
    ):
        jump.choose(jump.repertoire.standing, [1.0])
