from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import FileError
from surefoot.world.loaders.ply import read_ply

ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
TYPES = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4",
    "float": "f4", "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2",
    "int32": "i4", "uint32": "u4", "float32": "f4", "float64": "f8",
}  # fmt: skip


def make(order, *elements, newline="\n", note=True):
    """A PLY file; an element is a name, its properties as lines, and rows of values and lists."""
    head = ["ply", f"format {order} 1.0"] + ["comment a b c", "obj_info x"] * note
    body = b""
    for name, properties, rows in elements:
        head += [f"element {name} {len(rows)}", *(f"property {line}" for line in properties)]
        for row in rows:
            words = []
            for line, value in zip(properties, row, strict=True):
                kinds = line.split()
                if kinds[0] == "list":
                    words += [(kinds[1], len(value)), *((kinds[2], item) for item in value)]
                else:
                    words.append((kinds[0], value))
            if order == "ascii":
                body += (" ".join(str(value) for _, value in words) + newline).encode()
            else:
                for kind, value in words:
                    body += np.array(value, ORDERS[order] + TYPES[kind]).tobytes()
    return newline.join([*head, "end_header", ""]).encode() + body


SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0.5), (0, 1, 0)]
XYZ = ["float x", "float y", "float z"]
LIST = ["list uchar int vertex_indices"]
VERTICES = ("vertex", XYZ, SQUARE)
QUAD = ("face", LIST, [([0, 1, 2, 3],)])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_square(order, newline):
    (body,) = read_ply("scan.ply", make(order, VERTICES, QUAD, newline=newline))
    assert body.name == "scan"
    assert body.color is None
    np.testing.assert_array_equal(body.surface.vertices, SQUARE)
    np.testing.assert_array_equal(body.surface.faces, [[0, 1, 2], [0, 2, 3]])


def test_old_line_ends():
    (body,) = read_ply("scan.ply", make("ascii", VERTICES, QUAD, newline="\r"))
    assert len(body.surface.faces) == 2
    data = make("binary_big_endian", VERTICES, QUAD, newline="\r")
    assert len(read_ply("scan.ply", data)[0].surface.faces) == 2


@pytest.mark.parametrize("order", ORDERS)
def test_properties_in_any_order_and_of_any_type(order):
    vertices = [(i, 0.5 * z, [1, 2] * i, x, 200, 100, 0, y) for i, (x, y, z) in enumerate(SQUARE)]
    kinds = ["short id", "double z", "list ushort int8 near", "float32 x", "uchar red"]
    kinds += ["uchar green", "uchar blue", "float64 y"]
    faces = [(7, [0, 1, 2], 0.5), (8, [0, 1, 2, 3], 0.25), (9, [2, 1, 0], 1.0)]
    data = make(
        order,
        ("camera", ["float view", "list int float lens"], [(1.5, [1, 2, 3])]),
        ("vertex", kinds, vertices),
        ("empty", ["int a"], []),
        ("face", ["int part", "list int uint vertex_index", "float quality"], faces),
        ("edge", ["int a", "int b"], [(0, 1)]),
    )
    (body,) = read_ply("scan.ply", data)
    np.testing.assert_array_equal(body.surface.vertices, np.array(SQUARE) * [1, 1, 0.5])
    np.testing.assert_array_equal(body.surface.faces, [[0, 1, 2], [0, 1, 2], [0, 2, 3], [2, 1, 0]])
    np.testing.assert_allclose(body.color, [0.577580, 0.127438, 0.0], atol=1e-6)


@pytest.mark.parametrize("kind", ["char", "uchar", "short", "ushort", "int", "uint", "float"])
@pytest.mark.parametrize("order", ORDERS)
def test_every_type_of_corner(order, kind):
    data = make(order, VERTICES, ("face", [f"list int {kind} vertex_indices"], [([0, 1, 2],)] * 3))
    assert len(read_ply("scan.ply", data)[0].surface.faces) == 3


def test_colours_as_fractions():
    kinds = [*XYZ, "float red", "float green", "float blue"]
    data = make("ascii", ("vertex", kinds, [(*v, 1.0, 0.0, 1.0) for v in SQUARE]), QUAD)
    assert read_ply("scan.ply", data)[0].color == (1, 0, 1)


def text(*elements, **options):
    return make("ascii", *elements, **options).decode()


GOOD = text(VERTICES, QUAD)
SMALL = make("binary_little_endian", VERTICES, QUAD)


def faces(*rows):
    return make("binary_little_endian", VERTICES, ("face", LIST, [(row,) for row in rows]))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("plx\n", "is no PLY file: it must start with 'ply'"),
        (GOOD[:60], "is truncated: its header has no end_header"),
        (GOOD.replace("format ascii 1.0\n", ""), "its header has no format line"),
        (GOOD.replace("ascii", "utf8"), "line 2: unknown 'format utf8 1.0'; there are: ascii, bin"),
        (GOOD.replace("comment", "remark"), "line 3: 'remark a b c' is no line of a PLY header"),
        (GOOD.replace("float x", "real x"), "line 6: unknown property 'real x'; types are: char"),
        (GOOD.replace("list uchar", "list float"), "line 10: a list must be counted in whole num"),
        (GOOD.replace("element vertex 4\n", ""), "line 5: a property must follow its element"),
        (GOOD.replace("element vertex 4", "element vertex -4"), "line 5: 'element vertex -4' is"),
        (GOOD.replace("float y", "float x"), "line 7: property 'x' comes twice"),
        (GOOD.replace("element face", "element vertex"), "line 9: element 'vertex' comes twice"),
        (text(VERTICES), "has no element 'face'; there are: vertex"),
        (text(QUAD), "has no element 'vertex'; there are: face"),
        (GOOD.replace("float z", "float w"), "element 'vertex' has no property 'z'"),
        (GOOD.replace("vertex_indices", "corners"), "element 'face' has no list property 'vertex_"),
        (GOOD.replace("list uchar int", "int"), "line 16: must have 1 numbers, got 5"),
        (text(VERTICES, ("face", LIST, [])), "has no faces"),
        (GOOD.replace("1 0 0\n", "1 x 0\n"), "line 13: 'x' is no number"),
        (GOOD.replace("1 0 0\n", "1 0\n"), "line 13: must have 3 numbers, got 2"),
        (GOOD.replace("1 0 0\n", "1 nan 0\n"), "line 13: coordinates must be finite"),
        (GOOD.replace("4 0 1 2 3", "4 0 1 2"), "line 16: is too short for property 'vertex_ind"),
        (GOOD.replace("4 0 1 2 3", "3 0 1 2 3"), "line 16: has 1 numbers too many"),
        (GOOD.replace("4 0 1 2 3", "-1"), "line 16: '-1' is no length of a list"),
        (GOOD.replace("4 0 1 2 3", "4 0 1 2 a"), "line 16: 'a' is no number"),
        (GOOD.replace("4 0 1 2 3", "3 0 1 4"), "line 16: vertex 4 is out of range, the file has 4"),
        (GOOD.replace("4 0 1 2 3", "3 0 1 0.5"), "line 16: vertex 0.5 is out of range"),
        (GOOD.replace("4 0 1 2 3", "3 0 1 nan"), "line 16: vertex nan is out of range"),
        (GOOD.replace("4 0 1 2 3", "2 0 1"), "line 16: a face must have 3 corners or more, got 2"),
        (GOOD.replace("element face 1", "element face 99"), "'face' states 99 rows, 2 lines"),
        (
            GOOD.replace("element vertex 4", "element vertex 999999999999999"),
            "element 'vertex' states 999999999999999 rows",
        ),
        (SMALL[:-1], "face 0: is truncated: 4 values stated, 15 bytes are left"),
        (SMALL[:-40], "element 'vertex' states 4 rows of 12 bytes or more"),
        (SMALL.replace(b"element face 1", b"element face 9"), "face 1: is truncated"),
        (faces([0, 1, 2], [0, 1, 9]), "face 1: vertex 9 is out of range, the file has 4"),
        (faces([0, 1, 2], [0, 1, -1]), "face 1: vertex -1 is out of range"),
        (faces([0, 1, 2], [0, 1]), "face 1: a face must have 3 corners or more, got 2"),
        (faces([]), "face 0: a face must have 3 corners or more, got 0"),
        (
            make("binary_little_endian", ("vertex", XYZ, [(0, np.inf, 0)]), QUAD),
            "vertex 0: coordinates must be finite",
        ),
    ],
)  # fmt: skip
def test_bad_files(data, message):
    with pytest.raises(FileError) as error:
        read_ply("scan.ply", data if isinstance(data, bytes) else data.encode())
    assert str(error.value).startswith("scan.ply: ")
    assert message in str(error.value)
