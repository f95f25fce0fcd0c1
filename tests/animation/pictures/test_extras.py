from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import Extra, figure, person
from surefoot.character import people
from surefoot.errors import InputError
from surefoot.world import primitives

BOX = primitives.box((1, 1, 1))


def test_a_person_has_its_skin_and_colours():
    adult = people.adult()
    root = np.array([3.0, 4.0, adult.skeleton.offsets[0][2]])
    extra = person(adult, root, adult.skeleton.rest_rotations)
    low, high = extra.points.min(axis=0), extra.points.max(axis=0)
    assert ((low + high) / 2)[:2] == pytest.approx([3.0, 4.0], abs=0.15)
    assert high[2] == pytest.approx(1.75, abs=0.05)
    assert extra.face_colors is not None
    assert len(np.unique(extra.face_colors, axis=0)) >= 4


def test_tinting_goes_from_the_own_colour_to_the_other():
    extra = Extra(mesh=BOX, color=(1.0, 0.0, 0.0), face_colors=np.tile([0.0, 1.0, 0.0], (12, 1)))
    assert extra.tinted((0, 0, 1), 0.0).color == (1.0, 0.0, 0.0)
    assert extra.tinted((0, 0, 1), 1.0).color == (0.0, 0.0, 1.0)
    np.testing.assert_allclose(extra.tinted((0, 0, 1), 0.25).face_colors[5], [0, 0.75, 0.25])


def test_ghosts_are_drawn_over():
    assert not Extra(mesh=BOX).drawn_over
    assert Extra(mesh=BOX).ghostly().drawn_over
    assert Extra(mesh=BOX, opacity=0.5).drawn_over


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"color": (2, 0, 0)}, "color must be red, green, blue in 0 to 1"),
        ({"face_colors": np.zeros((3, 3))}, r"face_colors must have shape \(12, 3\)"),
        ({"normals": np.zeros((2, 3))}, r"normals must have shape \(8, 3\)"),
        ({"opacity": 0.0}, "opacity must be greater than 0"),
        ({"gloss": 1.5}, "gloss must be at most 1"),
    ],
)
def test_bad_extras_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        Extra(**{"mesh": BOX, **change})


def test_bad_figures_are_refused():
    with pytest.raises(InputError, match="vertex 3"):
        figure(np.eye(3), [[0, 1, 3]])
