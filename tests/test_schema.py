"""Files round-trip to the last bit, and every bad file ends in one error that says where."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from surefoot import schema
from surefoot.arrays import Bools, Floats, Ints
from surefoot.errors import FileError, InputError, VersionError


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Shape:
    """A base type: values say which class they are."""


@schema.record("test disc")
@dataclass(frozen=True)
class Disc(Shape):
    radius: float

    def __post_init__(self) -> None:
        if self.radius < 0:
            raise InputError(f"radius must be at least 0, got {self.radius:g}")


@schema.record("test group")
@dataclass(frozen=True)
class Group(Shape):
    members: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class Named:
    name: str
    shape: Shape


@dataclass(frozen=True)
class Shelf:
    items: tuple[Named, ...]


@schema.unwritable("a blob cannot be written; use a test disc")
@dataclass(frozen=True)
class Blob(Shape):
    size: float = 1.0


@dataclass(frozen=True)
class Unregistered(Shape):
    size: float = 1.0


@schema.record(
    "test bag",
    fields={"name": str, "items": Mapping[str, Disc]},
    make=lambda name, items: Bag(name, items.values()),
)
class Bag:
    """No dataclass: its constructor takes other things than it shows."""

    def __init__(self, name: str, discs: Any) -> None:
        self.name = name
        self.items = {f"disc {disc.radius:g}": disc for disc in discs}


@dataclass(frozen=True, eq=False)
class Everything:
    number: float = 0.0
    count: int = 0
    flag: bool = False
    text: str = ""
    maybe: float | None = None
    colour: Colour = Colour.RED
    word: Literal["up", "down"] = "up"
    pair: tuple[float, str] = (0.0, "")
    many: tuple[int, ...] = ()
    tags: Mapping[str, Any] = field(default_factory=dict)
    where: Path = Path()
    shape: Shape = Disc(1.0)
    either: Disc | Group | None = None
    exact: Disc = Disc(2.0)
    floats: Floats = field(default_factory=lambda: np.zeros(3))
    ints: Ints = field(default_factory=lambda: np.zeros(2, dtype=np.int32))
    bools: Bools = field(default_factory=lambda: np.zeros(2, dtype=np.bool_))
    anything: np.ndarray = field(default_factory=lambda: np.zeros(2, dtype=np.float32))


def dumps(value: object) -> str:
    return schema.dumps(value, kind="test", version=3)


def loads(text: str | bytes, cls: type[Any] = Everything) -> Any:
    return schema.loads(text, cls, kind="test", version=3, name="walk.test.json")


def changed(value: object, **fields: Any) -> str:
    """The file of `value` with some fields overwritten by raw JSON data."""
    return json.dumps(json.loads(dumps(value)) | fields)


def same_bits(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, float):
        return type(b) is float and a == b and math.copysign(1, a) == math.copysign(1, b)
    if isinstance(a, tuple):
        return type(b) is tuple and len(a) == len(b) and all(map(same_bits, a, b))
    if isinstance(a, Mapping):
        return a.keys() == b.keys() and all(same_bits(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


def assert_same(a: Everything, b: Everything) -> None:
    for name in Everything.__dataclass_fields__:
        assert same_bits(getattr(a, name), getattr(b, name)), name


numbers = st.floats(allow_nan=False)
texts = st.text() | st.sampled_from(["inf", "-inf", "null", "1"])
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
discs = st.builds(Disc, st.floats(min_value=0.0))
shapes = st.recursive(discs, lambda s: st.builds(Group, st.lists(s, max_size=3).map(tuple)))
shape_of = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=7)
dtypes = ["float64", "float32", "int64", "int8", "uint16", "bool", ">f8", ">i4"]


def array_of(dtype: str) -> st.SearchStrategy[np.ndarray]:
    number = {"allow_nan": False} if "f" in dtype else {}
    return arrays.arrays(dtype, shape_of, elements=number)


@given(
    st.builds(
        Everything,
        number=numbers,
        count=st.integers(),
        flag=st.booleans(),
        text=texts,
        maybe=st.none() | numbers,
        colour=st.sampled_from(Colour),
        word=st.sampled_from(["up", "down"]),
        pair=st.tuples(numbers, texts),
        many=st.lists(st.integers()).map(tuple),
        where=st.sampled_from([Path("a/b.glb"), Path("c")]),
        tags=st.dictionaries(st.text(), plain | texts),
        shape=shapes,
        either=st.none() | shapes,
        exact=discs,
        floats=array_of("float64"),
        ints=array_of("int32"),
        bools=array_of("bool"),
        anything=st.sampled_from(dtypes).flatmap(array_of),
    )
)
def test_round_trip_is_exact(value: Everything) -> None:
    text = dumps(value)
    back = loads(text)
    native = value.anything.dtype.newbyteorder("=")
    assert_same(replace(value, anything=value.anything.astype(native)), back)
    assert dumps(back) == text


def test_short_arrays_are_readable_and_long_ones_compact() -> None:
    short = json.loads(dumps(Everything(floats=np.array([[1.5, -np.inf]]))))
    assert short["floats"] == [[1.5, "-inf"]]
    long = np.arange(300.0).reshape(100, 3)
    data = json.loads(dumps(Everything(floats=long)))["floats"]
    assert data["dtype"] == "float64"
    assert data["shape"] == [100, 3]
    assert len(data["base64"]) == 3200
    assert same_bits(loads(dumps(Everything(floats=long))).floats, long)


def test_read_arrays_are_read_only() -> None:
    back = loads(dumps(Everything(floats=np.zeros(3), anything=np.zeros(500))))
    assert not back.floats.flags.writeable
    assert not back.anything.flags.writeable


def test_numpy_scalars_become_plain() -> None:
    back = loads(dumps(Everything(number=np.float64(0.1), count=np.int64(3), flag=np.True_)))
    assert (type(back.number), back.number) == (float, 0.1)
    assert (type(back.count), back.count) == (int, 3)
    assert back.flag is True


def test_a_class_that_is_no_dataclass_round_trips() -> None:
    bag = loads(dumps(Bag("tools", [Disc(1.0), Disc(2.5)])), Bag)
    assert bag.name == "tools"
    assert list(bag.items.values()) == [Disc(1.0), Disc(2.5)]


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    schema.write(path, Disc(1.0), kind="test", version=3)
    before = path.read_bytes()
    with pytest.raises(FileError):
        schema.write(path, Everything(number=math.nan), kind="test", version=3)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.json"]
    assert schema.read(path, Disc, kind="test", version=3) == Disc(1.0)


def test_a_failing_disk_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(FileError, match=r"a\.json: cannot be written: no space left"):
        schema.write(tmp_path / "a.json", Disc(1.0), kind="test", version=3)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"number": "soon"}, "number: expected a number, got 'soon'"),
        ({"number": True}, "number: expected a number, got true"),
        ({"number": None}, "number: expected a number, got null"),
        ({"number": 10**400}, "beyond the range of numbers"),
        ({"count": 2.0}, "count: expected an integer, got 2.0"),
        ({"flag": 1}, "flag: expected true or false, got 1"),
        ({"text": 7}, "text: expected text, got 7"),
        ({"maybe": []}, "maybe: expected a number or null, got a list"),
        ({"colour": "green"}, "colour: expected one of 'red', 'blue', got 'green'"),
        ({"word": "left"}, "word: expected one of 'up', 'down', got 'left'"),
        ({"pair": [1.0]}, "pair: expected a list of 2, got 1"),
        ({"many": [1, "x"]}, r"many\[1\]: expected an integer, got 'x'"),
        ({"many": {}}, "many: expected a list, got an object"),
        ({"where": 3}, "where: expected a path, got 3"),
        ({"tags": {"lane": [1]}}, "tags.lane: expected true or false or an integer"),
        ({"shape": {"radius": 1.0}}, "shape: a shape needs a field 'type'; there are: test disc"),
        ({"shape": {"type": "test cube"}}, "shape.type: unknown type 'test cube'; did you mean"),
        ({"shape": {"type": "test bag"}}, "shape.type: unknown type 'test bag'"),
        ({"shape": {"type": 3}}, "shape.type: expected text, got 3"),
        ({"shape": 3}, "shape: expected a shape, got 3"),
        ({"either": {"type": "test disc", "radius": "x"}}, "either.radius: expected a number"),
        ({"exact": {"radius": -1.0}}, "exact: radius must be at least 0, got -1"),
        ({"exact": {"radius": 1.0, "colour": 1}}, "exact: unknown field 'colour'; there are: rad"),
        ({"exact": {}}, "exact: missing radius"),
        (
            {"shape": {"type": "test group", "members": [{"type": "test disc", "radius": "big"}]}},
            r"shape.members\[0\].radius: expected a number, got 'big'",
        ),
        ({"floats": [[1.0], [1.0, 2.0]]}, "floats: no array of float64"),
        ({"floats": [[1.0], ["two"]]}, r"floats\[1\]\[0\]: expected a number, got 'two'"),
        ({"ints": [2**40]}, "ints: no array of int32"),
        ({"anything": [1.0]}, "anything: expected an object with dtype, shape and base64"),
        ({"anything": {"dtype": "float64"}}, "anything: missing base64, shape"),
        ({"anything": {"dtype": "object", "shape": [1], "base64": ""}}, "unknown dtype 'object'"),
        ({"anything": {"dtype": "int8", "shape": [3], "base64": "AAA="}}, "2 bytes do not make"),
        ({"anything": {"dtype": "int8", "shape": [-1], "base64": ""}}, "0 bytes do not make"),
        ({"anything": {"dtype": "int8", "shape": [1], "base64": "?"}}, "base64: no base64"),
        ({"surprise": 1}, "unknown field 'surprise'; there are: anything, bools"),
    ],
)
def test_bad_data_names_file_and_path(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(FileError, match=message) as error:
        loads(changed(Everything(), **fields))
    assert str(error.value).startswith("walk.test.json: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: no valid JSON"),
        ('{"surefoot": "test",\n"version": 3, "radius"', "line 2: no valid JSON"),
        ("[1]", "no surefoot file"),
        ('{"version": 3}', "no surefoot file"),
        ('{"surefoot": "scenario", "version": 3}', "this is a scenario, expected a test"),
        ('{"surefoot": "test"}', "version: expected an integer, got null"),
        ('{"surefoot": "test", "version": 3, "radius": NaN}', "NaN is no number there"),
        ('{"surefoot": "test", "version": 3, "radius": 1, "radius": 2}', "repeated field 'radius'"),
        ('{"surefoot": "test", "version": 3, "radius": 1e999}', "beyond the range of numbers"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe\xfa", "no valid JSON"),
    ],
)
def test_bad_files_say_what_is_wrong(text: str | bytes, message: str) -> None:
    with pytest.raises(FileError, match=message):
        loads(text, Disc)


def test_another_version_is_told_apart_before_its_fields_are_read() -> None:
    with pytest.raises(VersionError, match="test of version 4; this surefoot reads version 3"):
        loads('{"surefoot": "test", "version": 4, "wings": 2}', Disc)


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"none\.json: there is no such file"):
        schema.read(tmp_path / "none.json", Disc, kind="test", version=1)
    with pytest.raises(FileError, match="is no file, but a folder"):
        schema.read(tmp_path, Disc, kind="test", version=1)
    with pytest.raises(FileError, match="cannot be written"):
        schema.write(tmp_path / "no" / "a.json", Disc(1.0), kind="test", version=1)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Everything(number=math.nan), "number: expected a number, got nan"),
        (Everything(tags={"speed": math.inf}), "tags.speed: expected a finite number, got inf"),
        (Everything(tags={"when": object()}), "tags.when: expected true or false or an integer"),
        (Everything(tags={3: 1}), "tags: expected text, got 3"),
        (Everything(floats=np.array([[0.0, np.nan]])), r"floats: NaN at index \[0, 1\]"),
        (Everything(anything=np.array(["a"], dtype=object)), "anything: unknown dtype 'object'"),
        (Everything(shape=Blob()), "shape: a blob cannot be written; use a test disc"),
        (Everything(either=Blob()), "either: a blob cannot be written; use a test disc"),
        (Everything(shape=Group((Blob(),))), r"shape.members\[0\]: a blob cannot be written"),
        (Everything(shape=Unregistered()), "shape: a Unregistered cannot be written"),
        (Shelf((Named("jar", Blob()),)), r"items\[0\] 'jar'.shape: a blob cannot be written"),
        (Everything(exact=3), "exact: expected a test disc, got 3"),
        (object(), "a object cannot be written"),
    ],
)
def test_what_cannot_be_written_is_named(value: object, message: str) -> None:
    with pytest.raises(FileError, match=message):
        dumps(value)


def test_names_are_unique_and_registering_again_is_harmless() -> None:
    with pytest.raises(InputError, match="'test disc' is taken by Disc"):
        schema.record("test disc")(Group)
    assert schema.record("test disc")(Disc) is Disc
    with pytest.raises(InputError, match="is no dataclass; pass fields"):
        schema.record("test plain")(Shape)


json_data = st.recursive(
    plain | texts,
    lambda s: (
        st.lists(s, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "radius", "members", "dtype", "shape"]) | texts, s
        )
    ),
)


@given(st.sampled_from(list(Everything.__dataclass_fields__)), json_data)
def test_any_data_is_read_or_refused_by_name(name: str, data: Any) -> None:
    message = f"walk.test.json: {name}"
    try:
        loads(changed(Everything(), **{name: data}))
    except FileError as error:
        message = str(error)
    assert message.startswith(f"walk.test.json: {name}")


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_bytes_are_read_or_refused(text: str | bytes) -> None:
    with pytest.raises(FileError):
        loads(text)
