"""Libraries: what is in them, and on whose body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from references.known_steps import KnownSteps
from surefoot.character import people
from surefoot.errors import InputError
from surefoot.motion.library import Library, build_library
from surefoot.motion.plants import find_plants, foot_paths
from surefoot.motion.steps import find_steps


def test_what_is_in_it(library: Library) -> None:
    assert library.names == ("walk", "arc", "stand")
    assert len(library) == 3
    assert [clip.name for clip in library] == ["walk", "arc", "stand"]
    assert {step.clip for step in library.steps} == {"walk", "arc", "stand"}
    assert len(library.steps.of_clip("walk")) > 4
    assert library.duration == pytest.approx(sum(clip.duration for clip in library))
    assert library.nbytes > library.steps.nbytes
    assert library.left_out == ()


def test_steps_are_those_of_the_clips(library: Library, strolls: list[KnownSteps]) -> None:
    for known in strolls:
        steps, plants = find_steps(known.clip, known.measures)
        found = library.steps.of_clip(known.clip.name)
        assert np.array_equal(found.times, steps.times)
        assert np.array_equal(library.plants[library.index(known.clip.name)].rows, plants.rows)


def test_unknown_clips(library: Library) -> None:
    with pytest.raises(InputError, match="unknown clip 'swim'; there are: arc, stand, walk"):
        library.clip("swim")


def test_a_hash_of_what_is_in_it(library: Library, strolls: list[KnownSteps]) -> None:
    again = build_library((known.clip, known.measures) for known in strolls)
    assert again.hash == library.hash
    less = build_library((known.clip, known.measures) for known in strolls[:2])
    assert less.hash != library.hash
    root = strolls[0].clip.root + np.array([0.0, 0.0, 1e-3])
    moved = replace(strolls[0].clip, root=root)
    other = build_library([(moved, strolls[0].measures), *_pairs(strolls[1:])])
    assert other.hash != library.hash


def _pairs(strolls: list[KnownSteps]) -> list[tuple[object, object]]:
    return [(known.clip, known.measures) for known in strolls]


def test_fitted_to_another_body(library: Library) -> None:
    child = people.child()
    fitted = library.fitted(child.measures)
    assert set(fitted.measures) == {child.measures}
    ratio = child.measures.leg_length / library.measures[0].leg_length
    old, new = library.steps[0], fitted.steps[0]
    assert new.duration == pytest.approx(old.duration * ratio**0.5, rel=1e-5)
    assert np.allclose(new.root, old.root * ratio, atol=1e-5)
    assert fitted.clips[0].duration == pytest.approx(library.clips[0].duration * ratio**0.5)
    # What was found is still there where one looks again.
    again = find_plants(foot_paths(fitted.clips[0], child.measures))
    assert len(again) == len(fitted.plants[0])
    assert np.allclose(again.rows[:, 1:3], fitted.plants[0].rows[:, 1:3], atol=0.03)


def test_libraries_that_cannot_be(library: Library) -> None:
    with pytest.raises(InputError, match="clips of a library need different names"):
        replace(library, clips=(library.clips[0],) * 3)
    with pytest.raises(InputError, match="a library needs measures and plants for each clip"):
        replace(library, measures=library.measures[:2])
    with pytest.raises(InputError, match="steps of a library must name its clips, in order"):
        replace(library, clips=library.clips[::-1])
