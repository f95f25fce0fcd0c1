"""Bodies that touch are found in poses alone; nothing is found where nothing touches."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from agents.conftest import wall
from surefoot.agents.collisions import PARTS, cylinders, find_touches
from surefoot.agents.film import Film
from surefoot.character.humanoid import JOINTS
from surefoot.math import rotations
from surefoot.planning.live import LivePoses
from surefoot.world import Body, World, primitives

IDENTITY = np.tile(rotations.IDENTITY, (len(JOINTS), 1))


def standing(character, x, y=0.0, local=IDENTITY):
    size = character.measures
    return np.array([x, y, size.leg_length]), local


def filmed(world, character, frames) -> Film:
    """A film of frames, each a list of pelvises and rotations."""
    film = Film(world)
    for i, bodies in enumerate(frames):
        root = np.array([root for root, _ in bodies])
        local = np.array([local for _, local in bodies])
        count = len(bodies)
        film.shoot(
            SimpleNamespace(
                agents=tuple(range(count)),
                t=i / 30,
                poses=lambda r=root, q=local, n=count: LivePoses(r, q, np.ones((n, 2, 2), bool)),
                spots=lambda r=root, n=count: (r * [1, 1, 0], np.zeros(n)),
                arrived=lambda _: False,
                character=lambda _: character,
            )
        )
    return film


def test_cylinders_hold_the_head_the_hands_and_the_feet_of_the_skin(adult):
    root, local = standing(adult, 0.3, 0.2)
    local = local.copy()
    arm = JOINTS.index("left_upper_arm")
    local[arm] = rotations.from_axis_angle([0.0, 1.0, 0.0], -1.0)
    found = cylinders(adult, root[None], local[None])
    skin, _ = adult.posed(root, local)
    owner = np.array(JOINTS)[adult.skin.joints[np.arange(len(skin)), adult.skin.weights.argmax(1)]]
    for part, joint in ((0, "head"), (3, "left_foot"), (4, "right_foot")):
        mine = skin[owner == joint]
        away = np.hypot(*(mine[:, :2] - found.centres[0, part]).T)
        assert np.quantile(away, 0.95) <= found.radii[0, part] + 0.03, joint
        assert mine[:, 2].min() >= found.low[0, part] - 0.05
        assert mine[:, 2].max() <= found.high[0, part] + 0.05
    for part, joint in ((1, "left_hand"), (2, "right_hand")):
        middle = skin[owner == joint].mean(axis=0)
        assert np.hypot(*(middle[:2] - found.centres[0, part])) < 0.03, joint


def test_people_side_by_side_do_not_touch(floor, adult):
    film = filmed(floor, adult, [[standing(adult, 0.0), standing(adult, 0.0, 0.75)]] * 3)
    touches = find_touches(film)
    assert touches.contacts == ()
    assert 0.0 < touches.nearest < 0.3


def test_a_contact_is_counted_once_from_entry_to_exit(floor, adult):
    ys = [1.0, 0.6, 0.45, 0.3, 0.45, 0.6, 1.0, 0.3, 1.0]
    film = filmed(floor, adult, [[standing(adult, 0.0), standing(adult, 0.0, y)] for y in ys])
    touches = find_touches(film)
    assert len(touches.contacts) == 2
    first = touches.contacts[0]
    assert first.agents == (0, 1)
    assert first.start == pytest.approx(2 / 30)
    assert first.end == pytest.approx(4 / 30)
    assert first.depth == pytest.approx(-touches.nearest)


def test_a_hand_that_reaches_into_somebody_is_found(floor, adult):
    reaching = IDENTITY.copy()
    reaching[JOINTS.index("left_upper_arm")] = rotations.from_axis_angle([1.0, 0, 0], np.pi / 2)
    film = filmed(floor, adult, [[standing(adult, 0.0, 0.0, reaching), standing(adult, 0.0, 0.8)]])
    touches = find_touches(film)
    assert len(touches.contacts) == 1
    assert touches.contacts[0].parts[0] == "left hand"
    # Across the chest of the other there is no cylinder of the paper's.
    assert find_touches(film, trunks=False).contacts == ()


def test_the_world_is_touched_by_hands_and_not_by_standing_on_it(adult):
    world = World([Body(name="floor", mesh=primitives.slab((20, 20, 0.5)))])
    film = filmed(world, adult, [[standing(adult, 0.0)]] * 2)
    assert find_touches(film).contacts == ()
    world.add(wall("wall", 0.0, 2.22))
    film = filmed(world, adult, [[standing(adult, 0.0)]] * 2)
    touched = {contact.parts[0] for contact in find_touches(film).contacts}
    assert "left hand" in touched
    assert "right hand" not in touched
    assert all(contact.body == "wall" for contact in find_touches(film).contacts)
    assert set(PARTS) > touched


def test_somebody_high_above_is_not_touched(floor, adult):
    root, local = standing(adult, 0.0)
    film = filmed(floor, adult, [[(root, local), (root + np.array([0.0, 0.0, 2.2]), local)]])
    assert find_touches(film, world=False).contacts == ()
