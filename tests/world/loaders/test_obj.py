from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import FileError
from surefoot.world.loaders.obj import read_obj

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"


def bodies(text):
    data = text if isinstance(text, bytes) else text.encode()
    return read_obj("room.obj", data)[0]


def triangles(body):
    return body.surface.vertices[body.surface.faces]


def test_a_square():
    (body,) = bodies(SQUARE + "f 1 2 3 4\n")
    assert body.name == "room"
    assert body.color is None
    np.testing.assert_array_equal(body.surface.faces, [[0, 1, 2], [0, 2, 3]])
    np.testing.assert_array_equal(body.surface.vertices[2], [1, 1, 0])


@pytest.mark.parametrize(
    "faces",
    [
        "f 1 2 3\nf 1 3 4",
        "f 1/5 2/6 3/7\nf 1//1 3//1 4//1",
        "f 1/2/3 2/2/3 3/2/3\nf 1 3 4",
        "f -4 -3 -2\nf -4 -2 -1",
        "f 1 2 \\\n 3\nf 1 \\\n\\\n 3 4",
        "f 1 2 3 # note\nf 1 3 4#note",
        "\tf  1\t2 3  \r\nf 1 3 4\r",
        "f 1 2 3\rf 1 3 4\r",
        "usemtl x\ns off\nvt 0 0\nvn 0 0 1\nf 1 2 3\ng\nf 1 3 4",
    ],
)
def test_spellings_of_the_same_faces(faces):
    found = np.concatenate([triangles(body) for body in bodies(SQUARE + faces + "\n")])
    expected = triangles(bodies(SQUARE + "f 1 2 3 4")[0])
    np.testing.assert_array_equal(found, expected)


def test_negative_numbers_count_back_from_where_they_stand():
    text = "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -2 -4 -1\n"
    np.testing.assert_array_equal(
        triangles(bodies(text)[0]),
        [[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 0], [0, 0, 0], [5, 5, 5]]],
    )


def test_faces_may_come_before_their_vertices():
    assert len(bodies("f 1 2 3\n" + SQUARE)[0].surface.faces) == 1


def test_weights_and_colours_of_vertices():
    text = "v 0 0 0 1.0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0 1\nf 1 2 3\n"
    (body,) = bodies(text)
    np.testing.assert_array_equal(body.surface.vertices, [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    assert body.color == (1, 0, 0)


def test_objects_and_groups_become_bodies():
    faces = "f 1 2 3\n"
    text = SQUARE + faces
    text += "o table\n" + faces + faces
    text += "o chair #1\n" + faces
    text += "o chair #1\n" + faces
    text += "o house\ng roof\n" + faces + "g wall left\n" + faces + "g roof\n" + faces
    text += "o shed\ng only\n" + faces
    text += "o empty\no\n" + faces + "g\n" + faces
    found = {body.name: len(body.surface.faces) for body in bodies(text)}
    assert found == {
        "room": 1,
        "table": 2,
        "chair #1": 1,
        "chair #1.001": 1,
        "house/roof": 2,
        "house/wall left": 1,
        "shed": 1,
        "room.001": 1,
        "default": 1,
    }


def test_a_body_has_only_its_own_vertices():
    text = SQUARE + "o a\nf 1 2 3\no b\nv 7 7 7\nf 4 5 1\n"
    first, second = bodies(text)
    assert len(first.surface.vertices) == len(second.surface.vertices) == 3
    np.testing.assert_array_equal(triangles(second), [[[0, 1, 0], [7, 7, 7], [0, 0, 0]]])


def test_concave_faces_are_cut_rightly():
    text = "v 0 0 0\nv 2 -1 0\nv 0.5 0 0\nv 2 1 0\nf 2 3 4 1\nf 1 2 3 4"
    found = triangles(bodies(text)[0])
    normals = np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0])
    assert (normals[:, 2] > 0).all()


def test_lines_points_and_unknown_statements_are_reported():
    _, skipped = read_obj("x.obj", (SQUARE + "l 1 2\nl 2 3\np 1\nfoo 7\nf 1 2 3").encode())
    assert [(entry.kind, entry.name) for entry in skipped] == [
        ("statement", "l"), ("statement", "p"), ("statement", "foo"),
    ]  # fmt: skip
    assert "2 times" in skipped[0].reason


def test_names_that_are_no_utf8():
    (body,) = bodies(b"o T\xfcr\n" + SQUARE.encode() + b"f 1 2 3\n")
    assert body.name == "Tür"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", "room.obj: has no faces"),
        (SQUARE, "room.obj: has no faces"),
        (SQUARE + "f 1 2\n", "line 5: f must have three corners or more, got 2"),
        (SQUARE + "\n\nf 1 2 x\n", "line 7: 'x' is no corner of a face"),
        (SQUARE + "f 1 2 /3\n", "line 5: '/3' is no corner of a face"),
        (SQUARE + "f 1 2 3.5\n", "line 5: '3.5' is no corner of a face"),
        (SQUARE + "f 0 1 2\n", "line 5: vertex '0' is out of range"),
        (SQUARE + "f -5 1 2\n", "line 5: vertex '-5' is out of range"),
        (SQUARE + "f 1 2 3\nf 1 2 5\n", "line 6: vertex 5 is out of range, the file has 4"),
        (SQUARE + "f 1 2 3 4\nf 1 2 \\\n9 4\n", "line 6: vertex 9 is out of range"),
        (SQUARE + "f 1 2 99999999999999999999\n", "line 5: vertex '99999999999999999999' is out"),
        ("v 0 0\nf 1 1 1", "line 1: v must have three numbers or more, got '0 0'"),
        ("v 0 0 a\nf 1 1 1", "line 1: v must have three numbers or more, got '0 0 a'"),
        ("v 0 0 0 1 x 1\nf 1 1 1", "line 1: v must have three numbers or more, got '1 x 1'"),
        (SQUARE + "v nan 0 0\nf 1 2 3", "line 5: coordinates must be finite"),
        (SQUARE + "v 1e999 0 0\nf 1 2 3", "line 5: coordinates must be finite"),
    ],
)
def test_bad_files_name_the_line(text, message):
    with pytest.raises(FileError) as error:
        bodies(text)
    assert message in str(error.value)
    assert str(error.value).startswith("room.obj: ")
