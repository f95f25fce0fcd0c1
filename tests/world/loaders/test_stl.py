from __future__ import annotations

import struct

import numpy as np
import pytest

from surefoot.errors import FileError
from surefoot.world.loaders.stl import read_stl

CORNERS = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0.5, 0.25, 1e3], [1, 0, 0], [-2, 1, 8]]])


def binary(corners=CORNERS, head=b"made by a test", count=None):
    records = np.zeros(len(corners), [("n", "<f4", 3), ("c", "<f4", (3, 3)), ("a", "<u2")])
    records["c"] = corners
    count = len(corners) if count is None else count
    return head.ljust(80) + struct.pack("<I", count) + records.tobytes()


def text(*solids):
    lines = []
    for name in solids:
        lines.append(f"solid {name}")
        for triangle in CORNERS:
            lines += ["facet normal 0 0 1", "  outer loop"]
            lines += [f"    vertex {x} {y:e} {z}" for x, y, z in triangle.tolist()]
            lines += ["  endloop", "endfacet"]
        lines.append(f"endsolid {name}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "data",
    [
        binary(),
        binary(head=b"solid lies about being text"),
        binary() + b"tail",
        text("").encode(),
        text("").upper().replace("E+", "e+").encode(),
        ("\n  " + text("").replace("\n", "\r\n")).encode(),
    ],
)
def test_both_forms_give_loose_triangles(data):
    (body,) = read_stl("part.stl", data)
    assert body.name == "part"
    np.testing.assert_array_equal(body.surface.vertices[body.surface.faces], CORNERS)
    assert len(body.surface.vertices) == 6


def test_every_solid_of_a_text_file_is_a_body():
    data = text("a b", "c", "c", "") + "solid nothing\nendsolid\n"
    assert [body.name for body in read_stl("part.stl", data.encode())] == [
        "a b",
        "c",
        "c.001",
        "part",
    ]


GOOD = text("x")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (binary()[:60], "is truncated: 60 bytes, a binary STL header takes 84"),
        (binary()[:-1], "is truncated: it states 2 triangles and holds 1"),
        (binary(count=2**32 - 1), "is truncated: it states 4294967295 triangles and holds 2"),
        (binary(CORNERS[:0]), "has no triangles"),
        (binary(CORNERS * [1, np.nan, 1]), "triangle 0: coordinates must be finite"),
        ("solid x\nendsolid x\n", "has no triangles"),
        (
            GOOD[: GOOD.index("vertex 1.0") + 10],
            "line 5: vertex must have three numbers, got '1.0'",
        ),
        (GOOD[: GOOD.index("  endloop")], "line 7: the file is truncated: endsolid is missing"),
        (GOOD[: GOOD.index("endsolid")], "line 16: the file is truncated: endsolid is missing"),
        (GOOD.replace("vertex 1.0 ", "vertex "), "line 5: vertex must have three numbers, got"),
        (GOOD.replace("vertex 1.0 ", "vertex one "), "line 5: vertex must have three numbers, got"),
        (GOOD.replace("vertex 1.0 ", "vertex inf "), "line 5: coordinates must be finite"),
        (
            GOOD.replace("  endloop", "vertex 1 2 3\nendloop"),
            "line 8: a facet must have 3 vertices",
        ),
        (GOOD.replace("endsolid x", "solid y"), "line 16: a solid starts inside another"),
        (GOOD.replace("facet normal", "face normal", 1), "line 2: unknown statement 'face'"),
        ("solid" + "x" * 90, "line 1: unknown statement 'solidxxx"),
        (binary(head=b"solid")[:-1], "is truncated: it states 2 triangles and holds 1"),
        (b"\x89PNG" + bytes(200), "has no triangles"),
    ],
)
def test_bad_files(data, message):
    with pytest.raises(FileError) as error:
        read_stl("part.stl", data if isinstance(data, bytes) else data.encode())
    assert str(error.value).startswith("part.stl: ")
    assert message in str(error.value)
