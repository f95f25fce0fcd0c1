"""Plants are found where our own gait model put them, whatever capture does to the feet."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import numpy.typing as npt
import pytest

from references import foot_plants as reference
from references.known_steps import KnownSteps, climb, everything, right_share, stand, walk
from surefoot.errors import InputError
from surefoot.motion.plants import FootPaths, PlantSettings, find_plants
from surefoot.motion.plants.finding import _parts  # pyright: ignore[reportPrivateUsage]

KINDS = everything()
Array = npt.NDArray[np.float64]


def compared(steps: KnownSteps, *parts: str) -> tuple[float, int]:
    """The share of moments that are right, and how many plants too many."""
    found = find_plants(steps.paths(*parts))
    return right_share(found.down(), steps.down), len(found) - steps.plants()


@pytest.mark.parametrize("kind", KINDS)
def test_clean_feet(kind: str) -> None:
    right, more = compared(KINDS[kind], "heel", "toe", "tip")
    assert right > 0.975
    # Stands begin with a step that may be shorter than what counts as one.
    assert -1 <= more <= 0


def test_98_of_100_moments_are_right_under_noise_and_skate() -> None:
    shares = [
        compared(steps.captured(seed), "heel", "toe", "tip")[0]
        for seed in (1, 2)
        for steps in KINDS.values()
    ]
    assert np.mean(shares) > 0.985
    assert min(shares) > 0.97


def test_clean_feet_of_all_kinds() -> None:
    shares = [compared(steps, "heel", "toe", "tip")[0] for steps in KINDS.values()]
    assert np.mean(shares) > 0.988


def test_without_tips_force_plates_decide_when_feet_lift() -> None:
    """People's balls rise before their tips leave the ground, our gait model's with them."""
    shares = [compared(steps.captured(1), "heel", "toe")[0] for steps in KINDS.values()]
    assert np.mean(shares) > 0.97


def test_hardly_a_plant_is_missed_or_made_up_under_noise_and_skate() -> None:
    wrong = [abs(compared(steps.captured(3), "heel", "toe")[1]) for steps in KINDS.values()]
    assert sum(wrong) <= 2


@pytest.mark.parametrize(("step", "least"), [(2, 0.975), (4, 0.965)])
def test_lower_rates(step: int, least: float) -> None:
    shares = [
        compared(steps.captured(4).every(step), "heel", "toe", "tip")[0] for steps in KINDS.values()
    ]
    assert np.mean(shares) > least


def test_ankles_alone_will_do() -> None:
    results = [compared(steps, "ankle") for steps in KINDS.values()]
    assert np.mean([right for right, _ in results]) > 0.95
    assert sum(abs(more) for _, more in results) <= 3


def test_times_fall_between_frames() -> None:
    """A tenth of the frames moves the times of plants by little."""
    steps = walk(1.2)
    fine = find_plants(steps.paths("heel", "toe", "tip"))
    coarse = find_plants(steps.every(4).paths("heel", "toe", "tip"))
    apart = [abs(a.start - b.start) for a, b in zip(fine, coarse, strict=True)]
    apart += [abs(a.end - b.end) for a, b in zip(fine, coarse, strict=True)]
    assert max(apart) < 1 / 30


def test_places_and_headings_of_plants() -> None:
    steps = walk(1.2, turning=0.6)
    found = find_plants(steps.paths("heel", "toe", "tip"))
    for plant in found:
        side = steps.left if plant.foot == "left" else steps.right
        middle = round((plant.start + plant.end) / 2 * steps.rate)
        heel, toe = side["heel"][middle], side["toe"][middle]
        assert np.linalg.norm(plant.position[:2] - (heel + toe)[:2] / 2) < 0.03
        assert abs(plant.position[2]) < 0.03
        ahead = np.arctan2(*(toe - heel)[1::-1])
        assert plant.heading is not None
        assert abs(np.angle(np.exp(1j * (plant.heading - ahead)))) < 0.1
        assert 0.3 < plant.confidence <= 1


def test_the_recording_cuts_plants() -> None:
    found = find_plants(walk(1.2).paths("heel", "toe"))
    assert [plant.starts_before for plant in found][:2] == [True, True]
    assert [plant.ends_after for plant in found][-2:] == [True, True]
    assert sum(plant.starts_before for plant in found) == 2


def test_nobody_steps_where_nobody_steps() -> None:
    steps = stand().captured(5)
    found = find_plants(steps.paths("heel", "toe"))
    assert len(found) == 2
    assert found.down().all()


def on_the_spot(steps: KnownSteps) -> KnownSteps:
    """As in clips for games, without the travel of the pelvis."""
    away = steps.pelvis * [1.0, 1.0, 0.0]
    return steps.changed(lambda path: path - away)


@pytest.mark.parametrize("speed", [0.8, 1.4, 2.0])
def test_treadmills(speed: float) -> None:
    steps = walk(speed, length=8 * speed)
    moving = slice(round(2.5 * 120), round(8.0 * 120))
    belt = np.arange(len(steps.pelvis))[:, None] / 120 * [-speed, 0.0, 0.0]
    spot = steps.changed(lambda path: (path + belt)[moving])
    found = find_plants(spot.paths("heel", "toe", "tip"))
    assert found.floor_velocity is not None
    assert np.allclose(found.floor_velocity.mean(axis=0), [-speed, 0.0], atol=0.05)
    assert right_share(found.down(), steps.down[moving]) > 0.97
    assert np.allclose(found.carried()[-1], [-speed * 5.5, 0.0], atol=0.3)
    still = find_plants(spot.paths("heel", "toe", "tip"), PlantSettings(floor="still"))
    assert right_share(still.down(), steps.down[moving]) < 0.8


@pytest.mark.parametrize("kind", ["walk at 1.0 m/s", "walk at 1.4 m/s", "backward at 0.9 m/s"])
def test_clips_on_the_spot(kind: str) -> None:
    """Here the body starts and stops, so the floor's velocity changes."""
    found = find_plants(on_the_spot(KINDS[kind]).paths("heel", "toe", "tip"))
    assert found.floor_velocity is not None
    assert right_share(found.down(), KINDS[kind].down) > 0.87


def test_floors_that_rest_are_not_taken_for_treadmills() -> None:
    for steps in KINDS.values():
        assert find_plants(steps.captured(6).paths("heel", "toe")).floor_velocity is None


def test_floors_may_slope_and_sink() -> None:
    """Captured floors rise 3 cm a stride and more, or sink with time."""
    steps = walk(1.2, length=8.0)
    slope = steps.changed(lambda path: path + path[:, :1] * [0.0, 0.0, 0.04])
    times = np.arange(len(steps.pelvis))[:, None] / steps.rate
    sinking = steps.changed(lambda path: path - times * [0.0, 0.0, 0.03] + [0.0, 0.0, 0.1])
    for changed in (slope, sinking):
        right, more = compared(changed, "heel", "toe", "tip")
        assert right > 0.985
        assert more == 0


def test_one_leg_held_in_the_air_is_not_planted() -> None:
    """The right foot is lifted, held still for a second, and put down again."""
    steps = stand()
    times = np.arange(len(steps.pelvis)) / steps.rate
    lift = 0.15 * np.clip(np.minimum(times - 0.7, 2.1 - times) / 0.2, 0.0, 1.0)
    raised = {part: path + lift[:, None] * [0, 0, 1.0] for part, path in steps.right.items()}
    found = find_plants(
        FootPaths(rate=steps.rate, left=steps.left, right=raised, leg_length=steps.leg_length)
    )
    assert [plant.foot for plant in found].count("left") == 1
    right = found.of("right")
    assert len(right) == 2
    assert right[0].end == pytest.approx(0.7, abs=0.06)
    assert right[1].start == pytest.approx(2.1, abs=0.06)


def test_a_jump_has_no_plant_at_its_top() -> None:
    """Both feet follow a parabola, and are slow at its top."""
    steps = stand()
    times = np.arange(len(steps.pelvis)) / steps.rate
    height = np.maximum(4.9 * (times - 1.0) * (1.7 - times), 0.0)
    jumped = steps.changed(lambda path: path + height[:, None] * [0.3, 0.0, 1.0])
    for seed in range(4):
        found = find_plants(jumped.captured(seed, skate=0.0).paths("heel", "toe"))
        assert sorted(plant.foot for plant in found) == ["left", "left", "right", "right"]
        assert np.allclose([plant.end for plant in found][:2], 1.0, atol=0.05)
        assert np.allclose([plant.start for plant in found][2:], 1.7, atol=0.05)


def test_left_and_right_are_treated_alike() -> None:
    steps = walk(1.1, turning=0.5)
    found = find_plants(steps.paths("heel", "toe"))
    swapped = FootPaths(
        rate=steps.rate,
        left={part: steps.right[part] for part in ("heel", "toe")},
        right={part: steps.left[part] for part in ("heel", "toe")},
        leg_length=steps.leg_length,
    )
    other = find_plants(swapped)
    assert np.allclose(np.sort(found.rows[:, 1]), np.sort(other.rows[:, 1]))
    assert [plant.foot for plant in found] != [plant.foot for plant in other]


def test_where_and_which_way_does_not_matter() -> None:
    steps = walk(1.1, turning=0.5)
    found = find_plants(steps.paths("heel", "toe"))
    spin = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    moved = find_plants(steps.changed(lambda p: p @ spin.T + [7.0, -3.0, 1.5]).paths("heel", "toe"))
    assert np.allclose(found.rows[:, 1:3], moved.rows[:, 1:3], atol=1e-9)
    assert np.allclose(moved.rows[:, 3:6], found.rows[:, 3:6] @ spin.T + [7.0, -3.0, 1.5])


def test_larger_bodies_are_slower() -> None:
    """Lengths by a factor and times by its root: as legs of that length move."""
    steps = walk(1.1)
    large = steps.changed(lambda path: path * 2.0)
    feet = FootPaths(
        rate=steps.rate / 2**0.5,
        left=large.left,
        right=large.right,
        leg_length=2 * steps.leg_length,
    )
    found, known = find_plants(feet), find_plants(steps.paths("heel", "toe", "tip", "ankle"))
    # The same but for the smoothing, which does not know of legs.
    assert np.allclose(found.rows[:, 1:3], 2**0.5 * known.rows[:, 1:3], atol=0.05)


def test_clips_have_feet() -> None:
    steps = walk(1.2)
    from_paths = find_plants(steps.paths("heel", "toe", "tip"))
    from_clip = find_plants(steps.clip)
    assert [plant.foot for plant in from_clip] == [plant.foot for plant in from_paths]
    assert np.allclose(from_clip.rows[:, 1:3], from_paths.rows[:, 1:3], atol=0.02)


@pytest.mark.parametrize("floor", ["auto", "moving"])
@pytest.mark.parametrize("kind", KINDS)
def test_native_equals_the_reference(kind: str, floor: str) -> None:
    for steps in (KINDS[kind], KINDS[kind].captured(7), on_the_spot(KINDS[kind])):
        for parts in (("heel", "toe", "tip"), ("heel", "toe"), ("ankle", "toe"), ("ankle",)):
            agree(steps.paths(*parts), PlantSettings(floor=floor))  # pyright: ignore


def test_native_equals_the_reference_on_noise() -> None:
    random = np.random.default_rng(8)
    for n in (1, 2, 3, 5, 9, 40, 300):
        for jump in (0.001, 0.01, 0.1):
            walks = np.cumsum(random.normal(0.0, jump, (4, n, 3)), axis=1)
            left, right = {"heel": walks[0]}, {"heel": walks[1]}
            agree(FootPaths(rate=60.0, left=left, right=right), PlantSettings())
            left["toe"], right["toe"] = walks[0] + [0.2, 0, 0], walks[1] + [0.2, 0, 0]
            agree(FootPaths(rate=100.0, left=left, right=right), PlantSettings())


def agree(feet: FootPaths, settings: PlantSettings) -> None:
    found = find_plants(feet, settings)
    points, landing, lifting = _parts(feet, settings)
    tuning = reference.Tuning(
        tuple(landing),
        tuple(lifting),
        settings.still,
        settings.band,
        settings.shortest_plant,
        settings.shortest_swing,
        settings.floor,
        "tip" in feet.parts,
    )
    assert feet.leg_length is not None
    plants, belt = reference.find(points, feet.rate, feet.leg_length, tuning)
    rows = [
        [p.foot, p.start, p.end, *(p.place if p.place is not None else ()), p.heading, p.confidence]
        for p in plants
    ]
    expected = np.array(rows, dtype=np.float64).reshape(-1, 8)
    assert found.rows.shape == expected.shape
    assert np.allclose(found.rows, expected, atol=1e-7, equal_nan=True)
    floor = np.zeros_like(belt) if found.floor_velocity is None else found.floor_velocity
    assert np.allclose(floor, belt, atol=1e-9)


def test_settings_say_what_is_wrong() -> None:
    with pytest.raises(InputError, match=r"unknown floor 'belt'; there are: auto, moving, still"):
        PlantSettings(floor="belt")  # pyright: ignore
    with pytest.raises(InputError, match=r"lifting must be greater than 0, got -0\.1"):
        PlantSettings(lifting=-0.1)


def test_directions_of_walks_are_all_seen() -> None:
    """Nothing in the detector knows which way is forward."""
    for direction in np.linspace(0.0, 2 * pi, 5)[:-1]:
        right, more = compared(walk(0.7, direction=float(direction), length=3.0), "heel", "toe")
        assert right > 0.97
        assert more == 0


def test_a_step_up_that_is_cut_off_is_a_step() -> None:
    """Whether a foot on a higher step will carry the body is not known where the recording ends."""
    steps = climb(0.6, down=False)
    lands = np.flatnonzero(~steps.down[:-1, 0] & steps.down[1:, 0])
    ends = int(lands[4]) + 14
    cut = replace(steps.changed(lambda path: path[:ends]), down=steps.down[:ends])
    found = find_plants(cut.paths("heel", "toe", "tip"))
    last = found.of("left")[-1]
    assert last.ends_after
    assert last.start == pytest.approx(lands[4] / 120, abs=0.03)
