"""How values are written to JSON and read back, by their type annotations; used by `schema`.

`encode` and `decode` follow an annotation (`hint`) into a value or into JSON data; `at` is the
path from the top of the file, for errors.
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import functools
import inspect
import json
import math
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from surefoot.arrays import shortened
from surefoot.errors import InputError, one_of
from surefoot.files import SIZE_LIMIT

SHORT = 96
"""Arrays of at most this many numbers are written as lists, so that people can read them."""

# What `schema` registers: classes by their name in files, the fields and makers of those that are
# no dataclasses, and why some can never be written.
classes: dict[str, type[Any]] = {}
names: dict[type[Any], str] = {}
makers: dict[type[Any], tuple[Mapping[str, Any], Callable[..., Any]]] = {}
refusals: dict[type[Any], str] = {}

_AXES = 8
"""Of an array in a file at most; the longest that is written has 4."""

_LISTED = ("float64", "int32", "int64", "bool")
_PACKED = (*_LISTED, "float32", "float16", "int8", "int16", "uint8", "uint16", "uint32", "uint64")
_PLAIN: dict[Any, str] = {
    types.NoneType: "null",
    bool: "true or false",
    int: "an integer",
    str: "text",
}


class Refused(Exception):  # noqa: N818 - never reaches a user: `schema` names the file
    """A value that cannot be written or read, and where it is."""

    def __init__(self, at: str, why: str) -> None:
        super().__init__(f"{at}: {why}" if at else why)
        self.at = at


def shown(data: Any) -> str:
    """JSON data, or a value, as an error shows it."""
    if isinstance(data, Mapping):
        return "an object"
    if isinstance(data, list | tuple):
        return "a list"
    text = json.dumps(data) if data is None or isinstance(data, bool) else repr(data)
    return text if len(text) <= 60 else text[:57] + "..."


def encode(value: Any, hint: Any, at: str = "") -> Any:
    """`value` as JSON data."""
    origin, parts = _parsed(hint)
    value = _plain(value)
    if origin is types.UnionType:
        data = _try_each(encode, value, parts, at)
        if isinstance(data, str) and isinstance(value, float) and str in parts:
            raise Refused(at, f"expected a finite number, got {value!r}")
        return data
    if origin is float and type(value) in (int, float) and not math.isnan(value):
        return float(value) if math.isfinite(value) else "inf" if value > 0 else "-inf"
    if origin in _PLAIN and _is_plain(value, origin):
        return None if value is None else origin(value)
    if origin is Path and isinstance(value, Path):
        return value.as_posix()
    if origin is typing.Literal and any(_same(value, part) for part in parts):
        return value
    if isinstance(origin, enum.EnumType) and isinstance(value, origin):
        return cast("enum.Enum", value).value
    if origin is np.ndarray and isinstance(value, np.ndarray):
        return _encode_array(cast("np.ndarray[Any, Any]", value), parts[0], at)
    if origin is tuple and isinstance(value, tuple | list):
        items = cast("Sequence[Any]", value)
        hints = _elements(parts, len(items), at)
        return [encode(items[i], hints[i], _item(at, i, items[i])) for i in range(len(items))]
    if origin is dict and isinstance(value, Mapping):
        fields = cast("Mapping[Any, Any]", value)
        return {encode(k, str, at): encode(v, parts[1], under(at, k)) for k, v in fields.items()}
    if origin is object and any(base in type(value).__mro__ for base in parts):
        return _encode_record(value, parts, at)
    never = refusals.get(cast("type[Any]", type(value)))
    raise Refused(at, never or f"expected {_called(hint)}, got {shown(value)}")


def decode(data: Any, hint: Any, at: str = "") -> Any:
    """The value that `encode` made `data` of."""
    origin, parts = _parsed(hint)
    if origin is types.UnionType:
        return _try_each(decode, data, parts, at)
    if origin is float and (type(data) in (int, float) or data in ("inf", "-inf")):
        return _decode_number(data, at)
    if origin in _PLAIN and type(data) is origin:
        return data
    if origin is Path and isinstance(data, str):
        return Path(data)
    if origin is typing.Literal and any(_same(data, part) for part in parts):
        return data
    if isinstance(origin, enum.EnumType):
        for member in cast("Iterable[enum.Enum]", origin):
            if _same(data, member.value):
                return member
    if origin is np.ndarray and isinstance(data, list | dict):
        return _decode_array(data, parts[0], at)
    if origin is tuple and isinstance(data, list):
        items = cast("list[Any]", data)
        hints = _elements(parts, len(items), at)
        return tuple(decode(items[i], hints[i], f"{at}[{i}]") for i in range(len(items)))
    if origin is dict and isinstance(data, dict):
        fields = cast("dict[str, Any]", data)
        return {key: decode(item, parts[1], under(at, key)) for key, item in fields.items()}
    if origin is object and isinstance(data, dict):
        return _decode_record(cast("dict[str, Any]", data), parts, at)
    raise Refused(at, f"expected {_called(hint)}, got {shown(data)}")


@functools.cache
def _parsed(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """What kind of annotation it is, and its parts; classes of our own are kind `object`."""
    origin, parts = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin is typing.Annotated:
        return _parsed(parts[0])
    if hint is Any:
        return types.UnionType, (bool, int, str, float, None)
    if origin in (typing.Union, types.UnionType):
        # Text before numbers, since "inf" is text where text is allowed; records together, since
        # the name of one tells it from the others.
        records = tuple(base for part in parts for base in _bases(part))
        late = [float, types.NoneType]
        plain = [part for part in parts if not _bases(part)]
        plain.sort(key=lambda part: late.index(part) if part in late else -1)
        return types.UnionType, (records, *plain) if records else tuple(plain)
    if isinstance(hint, tuple):
        return object, cast("tuple[Any, ...]", hint)
    if hint is None:
        return types.NoneType, ()
    if (
        origin in (float, Path, typing.Literal)
        or origin in _PLAIN
        or isinstance(hint, enum.EnumType)
    ):
        return origin, parts
    if origin is np.ndarray:
        scalar = typing.get_args(parts[1])[0] if len(parts) == 2 else None
        return origin, (np.dtype(scalar).name if isinstance(scalar, type) else "",)
    if origin in (tuple, Sequence):
        return tuple, parts if origin is tuple else (parts[0], ...)
    if origin in (dict, Mapping):
        return dict, parts
    return object, (hint,)


def _bases(hint: Any) -> tuple[Any, ...]:
    origin, parts = _parsed(hint)
    return parts if origin is object else ()


def _called(hint: Any) -> str:
    """What an error calls an annotation."""
    origin, parts = _parsed(hint)
    if origin is types.UnionType:
        return " or ".join(_called(part) for part in parts)
    if origin is object:
        return " or ".join(f"a {names.get(base, _class_name(base))}" for base in parts)
    choices = parts
    if isinstance(origin, enum.EnumType):
        choices = tuple(member.value for member in cast("Iterable[enum.Enum]", origin))
    if choices and origin not in (np.ndarray, tuple, dict):
        return "one of " + ", ".join(repr(choice) for choice in choices)
    others: dict[Any, str] = {
        Path: "a path",
        float: "a number",
        np.ndarray: "an array",
        tuple: "a list",
        dict: "an object",
    }
    return (_PLAIN | others)[origin]


def _class_name(base: Any) -> str:
    return getattr(base, "__name__", str(base)).lower()


def _plain(value: Any) -> Any:
    """A numpy scalar as Python's own."""
    return cast("Any", value).item() if isinstance(value, np.generic) else value


def _is_plain(value: Any, kind: type) -> bool:
    """Python's true is an integer, a file's is not."""
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _same(value: Any, known: Any) -> bool:
    """Equal and of one type: 1 is not true."""
    return type(value) is type(known) and value == known


def under(at: str, field: str) -> str:
    """The path of a field."""
    return f"{at}.{field}" if at else field


def _item(at: str, index: int, value: Any) -> str:
    """The path of an element; with its name, if it has one, for those who wrote no file yet."""
    name = getattr(value, "name", "") if dataclasses.is_dataclass(value) else ""
    return f"{at}[{index}] {name!r}" if name and isinstance(name, str) else f"{at}[{index}]"


def _elements(parts: tuple[Any, ...], length: int, at: str) -> Sequence[Any]:
    """The annotation of each element of a tuple."""
    if parts[1:] == (...,):
        return [parts[0]] * length
    if len(parts) != length:
        raise Refused(at, f"expected a list of {len(parts)}, got {length}")
    return parts


def _try_each(
    convert: Callable[[Any, Any, str], Any], source: Any, options: tuple[Any, ...], at: str
) -> Any:
    """What the first option makes of it; when none can, the error that got deepest into it."""
    deepest = Refused(at, "")
    for option in options:
        try:
            return convert(source, option, at)
        except Refused as refusal:
            deepest = max(deepest, refusal, key=lambda error: len(error.at))
    if len(deepest.at) > len(at):
        raise deepest
    expected = " or ".join(_called(option) for option in options)
    never = refusals.get(cast("type[Any]", type(source)))
    raise Refused(at, never or f"expected {expected}, got {shown(source)}")


def _decode_number(data: Any, at: str) -> float:
    try:
        value = float(data)
    except OverflowError:
        value = math.inf
    # Infinity is spelled out on purpose; a literal such as 1e999 is a slip. TOML has NaN.
    if math.isnan(value):
        raise Refused(at, "NaN is no number")
    if math.isinf(value) and not isinstance(data, str):
        raise Refused(at, f"{shown(data)} is beyond the range of numbers")
    return value


# ------------------------------------------------------------------------------------ arrays


def _encode_array(array: np.ndarray[Any, Any], dtype: str, at: str) -> Any:
    name = array.dtype.name
    if name not in _PACKED:
        raise Refused(at, one_of("dtype", name, _PACKED))
    _refuse_nan(array, at)
    if name == dtype and name in _LISTED and array.ndim and 0 < array.size <= SHORT:
        return _map_lists(lambda item, _: encode(item, _scalar(dtype), at), array.tolist(), at)
    packed = array.astype(array.dtype.newbyteorder("<")).tobytes()
    text = base64.b64encode(packed).decode("ascii")
    return {"dtype": name, "shape": list(array.shape), "base64": text}


def _decode_array(data: Any, dtype: str, at: str) -> np.ndarray[Any, Any]:
    if isinstance(data, dict):
        array = _unpacked(cast("dict[str, Any]", data), at)
    elif dtype in _LISTED:
        scalar = _scalar(dtype)
        numbers = _map_lists(lambda item, where: decode(item, scalar, where), data, at)
        try:
            array = np.array(numbers, dtype=dtype)
        except (ValueError, OverflowError) as reason:
            raise Refused(at, f"no array of {dtype}: {reason}") from reason
    else:
        raise Refused(at, "expected an object with dtype, shape and base64, got a list")
    _refuse_nan(array, at)
    array.flags.writeable = False
    return array


def _unpacked(data: dict[str, Any], at: str) -> np.ndarray[Any, Any]:
    fields = {"dtype": str, "shape": tuple[int, ...], "base64": str}
    _check_names(data, fields, fields, at)
    dtype, shape, text = (decode(data[f], hint, under(at, f)) for f, hint in fields.items())
    if dtype not in _PACKED:
        raise Refused(under(at, "dtype"), one_of("dtype", dtype, _PACKED))
    try:
        packed = base64.b64decode(text, validate=True)
    except ValueError as reason:
        raise Refused(under(at, "base64"), f"no base64: {reason}") from reason
    little = np.dtype(dtype).newbyteorder("<")
    # Few axes, each no longer than all the bytes: numpy cannot make others, even of nothing.
    fits = len(shape) <= _AXES and all(0 <= n <= SIZE_LIMIT for n in shape)
    if not fits or math.prod(shape) * little.itemsize != len(packed):
        stated = shortened(list(shape))
        raise Refused(at, f"{len(packed)} bytes do not make {dtype} of shape {stated}")
    return np.frombuffer(packed, dtype=little).astype(dtype).reshape(shape)


def _map_lists(convert: Callable[[Any, str], Any], data: Any, at: str) -> Any:
    if isinstance(data, list):
        items = enumerate(cast("list[Any]", data))
        return [_map_lists(convert, item, f"{at}[{i}]") for i, item in items]
    return convert(data, at)


def _scalar(dtype: str) -> type:
    return {"f": float, "b": bool}.get(np.dtype(dtype).kind, int)


def _refuse_nan(array: np.ndarray[Any, Any], at: str) -> None:
    if array.dtype.kind == "f" and np.isnan(array).any():
        index = [int(i) for i in np.argwhere(np.isnan(array))[0]]
        raise Refused(at, f"NaN at index {index}")


# ----------------------------------------------------------------------------------- records


@functools.cache
def _shape(cls: type[Any]) -> tuple[Mapping[str, Any], frozenset[str], Callable[..., Any]]:
    """The fields of a class with their annotations, those without a default, and its maker."""
    if cls in makers:
        fields, make = makers[cls]
        return fields, frozenset(fields) - _defaults(cls).keys(), make
    inits = [field for field in dataclasses.fields(cls) if field.init]
    hints = typing.get_type_hints(cls, include_extras=True)
    none = dataclasses.MISSING
    required = (f.name for f in inits if f.default is none and f.default_factory is none)
    return {field.name: hints[field.name] for field in inits}, frozenset(required), cls


@functools.cache
def _defaults(cls: type[Any]) -> Mapping[str, Any]:
    """The fields that the maker of a class has defaults for, with those."""
    if cls not in makers:
        return {}
    fields, make = makers[cls]
    parameters = inspect.signature(make).parameters
    given = {name: parameters[name].default for name in fields if name in parameters}
    return {name: value for name, value in given.items() if value is not inspect.Parameter.empty}


def _encode_record(value: Any, bases: tuple[Any, ...], at: str) -> dict[str, Any]:
    cls = cast("type[Any]", type(value))
    if cls in refusals:
        raise Refused(at, refusals[cls])
    data: dict[str, Any] = {}
    exact = bases == (cls,)
    if not _writable(cls) or not (exact or cls in names):
        raise Refused(at, f"a {cls.__name__} cannot be written to a file")
    if not exact:
        data["type"] = names[cls]
    defaults = _defaults(cls)
    for field, hint in _shape(cls)[0].items():
        part = getattr(value, field)
        if field not in defaults or part != defaults[field]:
            data[field] = encode(part, hint, under(at, field))
    return data


def _decode_record(data: dict[str, Any], bases: tuple[Any, ...], at: str) -> Any:
    fields, required, make = _shape(_class_of(data, bases, at))
    given = {field: item for field, item in data.items() if field != "type"}
    _check_names(given, fields, required, at)
    values = {f: decode(item, fields[f], under(at, f)) for f, item in given.items()}
    try:
        return make(**values)
    except InputError as reason:
        raise Refused(at, str(reason)) from reason


def _class_of(data: dict[str, Any], bases: tuple[Any, ...], at: str) -> type[Any]:
    """The class that the data says it is; it need not say so where only one can be."""
    if "type" not in data and len(bases) == 1 and _writable(bases[0]):
        return bases[0]
    choices = {
        name: cls
        for name, cls in classes.items()
        if any(base in cls.__mro__ for base in bases) and _writable(cls)
    }
    if "type" not in data:
        known = ", ".join(sorted(choices)) or "none"
        raise Refused(at, f"{_called(bases)} needs a field 'type'; there are: {known}")
    name = decode(data["type"], str, under(at, "type"))
    if name not in choices:
        raise Refused(under(at, "type"), one_of("type", name, choices))
    return choices[name]


def _writable(cls: Any) -> bool:
    known = dataclasses.is_dataclass(cls) or cls in makers
    return known and not inspect.isabstract(cast("object", cls)) and cls not in refusals


def _check_names(
    data: Mapping[str, Any], known: Iterable[str], required: Iterable[str], at: str
) -> None:
    for field in data:
        if field not in known:
            raise Refused(at, one_of("field", field, known))
    missing = ", ".join(sorted(set(required) - set(data)))
    if missing:
        raise Refused(at, f"missing {missing}")
