"""People of every size have the whole default repertoire, and use it."""

from __future__ import annotations

import numpy as np
import pytest

import surefoot as sf
from surefoot.character import ADULT, CHILD, Character, people
from surefoot.character.measures import Proportions
from surefoot.motion.default import _REPERTOIRE, _possible, default_families


@pytest.mark.parametrize("proportions", [ADULT, CHILD], ids=["adult", "child"])
@pytest.mark.parametrize("height", [0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 1.75, 2.1])
def test_every_clip_is_possible_for_every_size(height: float, proportions: Proportions) -> None:
    body = people.person("somebody", height, proportions=proportions)
    families = default_families(body)
    found = _possible(body, families)
    assert [name for name, _, _ in found] == [name for name, _, _ in _REPERTOIRE]
    for _, family, values in found:
        assert families[family].values(**values) == values


def test_what_a_body_cannot_do_at_all_is_left_out() -> None:
    adult = people.adult()
    jump = adult.capability("jump")
    weak = adult.with_capabilities(
        *(skill for name, skill in adult.capabilities.items() if name != "jump"),
        type(jump)(**{**jump.to_dict(), "max_jump_length": 0.8}),  # type: ignore[arg-type]
    )
    missing = {name for name, _, _ in _REPERTOIRE} - {
        name for name, _, _ in _possible(weak, default_families(weak))
    }
    assert missing == {"jump up", "leap", "leap far", "leap up", "leap down"}


BODIES = {
    "child": people.child,
    "little": people.little,
    "tall adult": people.tall_adult,
    "1 m": lambda: people.person("1 m", 1.0, proportions=CHILD),
    "2.1 m": lambda: people.person("2.1 m", 2.1),
}


@pytest.mark.parametrize(
    "who", [pytest.param(who, marks=[pytest.mark.slow] if who != "child" else []) for who in BODIES]
)
def test_footsteps_on_the_level_and_up_stairs(who: str) -> None:
    body: Character = BODIES[who]()
    size = body.measures.leg_length / 0.93
    riser, tread, count = 0.17 * size, 0.29 * size, 4
    far = 1.0 + count * tread
    world = sf.World(
        [
            sf.Body(name="ground", mesh=sf.primitives.slab((20.0, 8.0, 0.2))),
            sf.Body(
                name="stairs",
                mesh=sf.primitives.placed(sf.primitives.stairs(count, 2.0, riser, tread), 1.0),
            ),
            sf.Body(
                name="landing",
                mesh=sf.primitives.slab((4.0, 2.0, 0.2), (far + 1.999, 0.0, count * riser)),
            ),
        ]
    )
    for goal in ((0.0, 2.0, 0.0), (far + 1.0, 0.0, count * riser)):
        problem = sf.Problem(
            world=world,
            character=body,
            start=sf.Place(None, np.array([-1.0, 0.0, 0.0])),
            goal=sf.Goal(sf.Place(None, np.array(goal))),
        )
        plan = sf.plan(problem, planner=sf.Footsteps())
        assert plan, plan.status.message
        assert plan.check(world)


@pytest.mark.slow
def test_people_of_all_sizes_in_one_crowd() -> None:
    bodies = [people.adult(), *(make() for make in BODIES.values())]
    world = sf.World([sf.Body(name="floor", mesh=sf.primitives.slab((16.0, 16.0, 0.2)))])
    crowd = sf.Crowd(
        world,
        [
            sf.Entrant(body, (-4.0, 1.2 * index - 3.0, 0.0), goal=(4.0, 3.0 - 1.2 * index, 0.0))
            for index, body in enumerate(bodies)
        ],
    )
    before, _ = crowd.spots()
    while crowd.t < 5.0:
        crowd.step(1 / 60)
    after, _ = crowd.spots()
    lengths = np.sqrt([body.measures.leg_length / 0.93 for body in bodies])
    assert (after[:, 0] - before[:, 0] > 1.5 * lengths).all()
