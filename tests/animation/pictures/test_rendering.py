from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import Camera, Extra, Look, ball, path, render, ring
from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.world import Body, Static, World, primitives

RED, GREEN = (0.8, 0.02, 0.02), (0.02, 0.6, 0.02)


def _bright(picture, x, y):
    """Brightness of the pixel that shows (x, y) [m] in the map view: 10 pixels a metre."""
    return int(picture.pixels[int(30 - 10 * y), int(40 + 10 * x)].astype(int).sum())


def _strongest(pixel):
    return int(np.argmax(pixel))


def test_a_sphere_covers_the_pixels_of_its_disc():
    camera = Camera(np.array([0.0, -9.0, 0.0]), np.zeros(3), size=(100, 100), view_height=4.0)
    world = World([Body(name="far", mesh=primitives.box((0.1, 0.1, 0.1), (0, 50, 0)))])
    sphere = Extra(mesh=ball((0, 0, 0), radius=1.0).mesh, color=RED)
    pixels = render(world, 0.0, camera, extras=[sphere], quality="draft").pixels.astype(int)
    inside = pixels[..., 0] - pixels[..., 2] > 40
    # Radius 1 m at 25 pixels a metre, about the middle of the picture.
    assert inside.sum() == pytest.approx(np.pi * 25**2, rel=0.02)
    rows, columns = np.nonzero(inside)
    assert [rows.mean(), columns.mean()] == pytest.approx([49.5, 49.5], abs=0.5)


def test_the_nearer_body_hides_the_further():
    def boxes(first, second):
        return World(
            [
                Body(name="a", mesh=primitives.box((1, 1, 1)), color=first),
                Body(name="b", mesh=primitives.box((1, 1, 1)), color=second,
                     trajectory=Static(Pose.at(0, -2, 0))),
            ]
        )  # fmt: skip

    camera = Camera(np.array([0.0, -9.0, 0.0]), np.zeros(3), size=(40, 40))
    assert _strongest(render(boxes(RED, GREEN), 0.0, camera).pixels[20, 20]) == 1
    assert _strongest(render(boxes(GREEN, RED), 0.0, camera).pixels[20, 20]) == 0


def test_the_shadow_falls_away_from_the_sun_as_far_as_it_should(yard, map_view, plain):
    # The sun stands over -x at 45 degrees: a box of 1 m throws a shadow of 1 m to +x.
    picture = render(yard, 0.0, map_view, look=plain)
    lit = _bright(picture, -1.2, 0.05)
    assert _bright(picture, 1.0, 0.05) < 0.85 * lit
    assert _bright(picture, 1.9, 0.05) > 0.95 * lit
    assert _bright(picture, 1.0, 1.25) > 0.95 * lit
    # The other way round with the sun over +x.
    picture = render(yard, 0.0, map_view, look=Look(sun_azimuth=0.0, sun_softness=0.0, grid=None))
    assert _bright(picture, -0.9, 0.05) < 0.85 * _bright(picture, 1.2, 0.05)


def test_a_softer_sun_has_a_wider_penumbra(yard, map_view):
    def steps(softness):
        look = Look(sun_azimuth=np.pi, sun_elevation=np.pi / 4, sun_softness=softness, grid=None)
        row = render(yard, 0.0, map_view, look=look, quality="best").pixels[30, 48:62, 0]
        lit, dark = int(row.max()), int(row.min())
        between = (row > dark + 0.15 * (lit - dark)) & (row < dark + 0.85 * (lit - dark))
        return between.sum()

    assert steps(0.2) > steps(0.0) + 2


def test_corners_are_darker_than_open_floor(yard, map_view):
    look = Look(sun_azimuth=np.pi, sun_elevation=np.pi / 2, sun_softness=0.0, grid=None)
    picture = render(yard, 0.0, map_view, look=look)
    assert _bright(picture, -0.65, 0.05) < 0.97 * _bright(picture, -2.5, 0.05)


def test_lines_on_the_ground_are_a_metre_apart(yard, map_view):
    look = Look(sun_azimuth=np.pi, sun_elevation=np.pi / 2)
    row = render(yard, 0.0, map_view, look=look).pixels[55, :, 1].astype(int)
    bare = render(
        yard, 0.0, map_view, look=Look(sun_azimuth=np.pi, sun_elevation=np.pi / 2, grid=None)
    ).pixels[55, :, 1]
    darker = row < bare.astype(int)
    # The line at x = 1 m lies between the pixels 49 and 50, and so on.
    assert darker[[9, 10, 19, 20, 49, 50, 69, 70]].all()
    assert not darker[[4, 5, 14, 15, 44, 45, 64, 65]].any()


def test_edges_are_smooth():
    turned = Body(
        name="board",
        mesh=primitives.box((2, 2, 0.1)),
        trajectory=Static(Pose.at(yaw=0.3)),
        color=RED,
    )
    camera = Camera(np.array([0.0, 0.0, 9.0]), np.zeros(3), size=(60, 60), view_height=4.0)
    green = render(World([turned]), 0.0, camera).pixels[..., 1].astype(int)
    inner, outer = int(np.median(green[25:35, 25:35])), int(green[0].min())
    between = (green > inner + 25) & (green < outer - 25)
    # About one pixel of the outline (8 m at 15 pixels a metre) in each row or column.
    assert between.sum() > 60
    assert len(np.unique(green[between])) > 8


def test_the_same_bits_at_any_number_of_threads(yard):
    extras = [ball((1, 1, 1), 0.5), path([[0, 0, 1.2], [2, 2, 0.1]]), ring((2, 0, 0))]
    pictures = [
        render(yard, 1.0, extras=extras, size=(160, 90), threads=threads).pixels
        for threads in (1, 2, 5, 1)
    ]
    for other in pictures[1:]:
        np.testing.assert_array_equal(pictures[0], other)


def test_marks_cast_no_shadow_but_people_do(yard, map_view, plain):
    solid = Extra(mesh=primitives.box((0.6, 0.6, 0.6)), pose=Pose.at(-2.5, 0.0, 1.0))
    below = (-1.5, 0.05)
    bare = _bright(render(yard, 0.0, map_view, look=plain), *below)
    assert _bright(render(yard, 0.0, map_view, look=plain, extras=[solid]), *below) < 0.85 * bare
    ghost = render(yard, 0.0, map_view, look=plain, extras=[solid.ghostly()])
    assert _bright(ghost, *below) == bare


def test_hidden_marks_show_through_as_much_as_asked(yard, map_view):
    def red_excess(through):
        mark = ball((0, 0, 0.5), 0.3, color=RED, through=through)
        pixel = render(yard, 0.0, map_view, extras=[mark]).pixels[30, 40].astype(int)
        return pixel[0] - pixel[1]

    hidden, faint, full = red_excess(0.0), red_excess(0.3), red_excess(1.0)
    assert hidden + 10 < faint < full - 10


def test_marks_on_the_floor_take_its_shadow(yard, map_view, plain):
    # Both halves of a disc over the shadow's end at x = 1.5 m.
    mark = ring((1.5, 0.0, 0.0), 0.4, width=0.4)
    picture = render(yard, 0.0, map_view, look=plain, extras=[mark])
    assert _bright(picture, 1.25, 0.05) < 0.85 * _bright(picture, 1.75, 0.05)


def test_a_cutaway_lets_one_look_and_the_sun_shine_in(room, map_view):
    closed = render(room, 0.0, map_view).pixels[30, 40].astype(int)
    assert closed[0] - closed[1] < 60
    opened = render(room, 0.0, map_view, look=Look(cutaway=2.0)).pixels
    assert int(opened[30, 40, 0]) - int(opened[30, 40, 1]) > 100
    # The floor is in the sun, though there is a roof.
    assert opened[25, 50].min() > 150
    # Walls are shown as dark sections.
    assert opened[30, 20].max() < 100


def test_a_cutaway_from_below_shows_only_what_is_left(room):
    camera = Camera(np.array([0.0, -9.0, 1.0]), np.array([0.0, 0.0, 1.0]), size=(60, 60))
    picture = render(room, 0.0, camera, look=Look(cutaway=1.2)).pixels.astype(int)
    sky = render(room, 0.0, camera, look=Look(cutaway=-5.0)).pixels.astype(int)
    assert np.abs(picture[:20] - sky[:20]).max() == 0
    assert np.abs(picture[35:40, 30] - sky[35:40, 30]).max() > 20


def test_without_a_camera_everything_but_the_ground_is_in_view(yard):
    picture = render(yard, 0.0, size=(120, 90), quality="draft")
    assert picture.size == (120, 90)
    look = Look(grid=None)
    bare = render(yard, 0.0, size=(120, 90), quality="draft", look=look).pixels
    # The cart's strong colour is somewhere in the picture.
    assert (np.ptp(bare.astype(int), axis=2) > 60).any()


def test_a_size_replaces_the_cameras(yard, map_view):
    assert render(yard, 0.0, map_view, size=(33, 21), quality="draft").size == (33, 21)


def test_only_marks_can_be_drawn():
    picture = render(World(), 0.0, extras=[path([[0, 0, 0], [1, 0, 0]])], size=(60, 40))
    pixels = picture.pixels.astype(int)
    assert (pixels[..., 0] - pixels[..., 2] > 60).any()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"quality": "superb"}, "unknown quality 'superb'; there are: best, draft, good"),
        ({"quality": None}, "unknown quality None"),
        ({"size": (0, 100)}, "at least 1 x 1"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"t": np.nan}, "t must be finite"),
    ],
)
def test_bad_settings_are_refused(yard, settings, message):
    with pytest.raises(InputError, match=message):
        render(yard, **settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sun_elevation": 0.0}, "sun_elevation"),
        ({"sun_softness": -1.0}, "sun_softness"),
        ({"grid": 0.0}, "grid must be greater than 0"),
        ({"top": (2, 0, 0)}, "top must be red, green, blue"),
        ({"cutaway": np.inf}, "cutaway must be finite"),
    ],
)
def test_bad_looks_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        Look(**settings)
