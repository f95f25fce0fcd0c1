"""Tables of a scenario file: read key by key, every problem kept with its key."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from surefoot.errors import SurefootError, one_of
from surefoot.scenario import kinds

T = TypeVar("T")


class Problems:
    """What is wrong with a file; grows while it is read.

    Attributes:
        lines: one for each problem, with its key; the same is told once.
        found: how many were found, the same ones counted each time.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.found = 0

    def add(self, key: str, why: str) -> None:
        """One more, under its key."""
        self.found += 1
        line = f"{key}: {why}" if key else why
        if line not in self.lines:
            self.lines.append(line)

    @contextmanager
    def at(self, key: str) -> Generator[None, None, None]:
        """Errors of surefoot inside become problems of `key`."""
        try:
            yield
        except SurefootError as reason:
            self.add(key, str(reason))


class Table:
    """One table of the file.

    Args:
        data: what TOML gave; reported when it is no table, and then taken as empty.
        key: where it is, "" for the whole file.
        problems: where to report to.
        keys: the valid ones; None for a table whose keys are names of the user's own.
    """

    def __init__(
        self, data: Any, key: str, problems: Problems, keys: Iterable[str] | None = None
    ) -> None:
        self.key, self.problems = key, problems
        if not isinstance(data, Mapping):
            problems.add(key, f"expected a table, got {kinds.shown(data)}")
            data = {}
        self.data = cast("Mapping[str, Any]", data)
        if keys is not None:
            known = list(keys)
            for name in self.data:
                if name not in known:
                    problems.add(self.under(name), one_of("key", name, known))

    def under(self, name: str) -> str:
        """The full key of an entry, quoted where TOML wants quotes."""
        bare = re.fullmatch(r"[A-Za-z0-9_-]+", name)
        part = name if bare else json.dumps(name[:60], ensure_ascii=False)
        return f"{self.key}.{part}" if self.key else part

    def __contains__(self, name: object) -> bool:
        return name in self.data

    def get(self, name: str, kind: Callable[[Any], T], default: T) -> T:
        """The checked value; the default when it is missing, or wrong and reported."""
        return self._read(name, kind, default) if name in self.data else default

    def find(self, name: str, kind: Callable[[Any], T]) -> T | None:
        """The checked value; None when it is missing, or wrong and reported."""
        return self._read(name, kind, None) if name in self.data else None

    def need(self, name: str, kind: Callable[[Any], T]) -> T | None:
        """The checked value; None when it is wrong or missing, both reported."""
        if name not in self.data:
            self.problems.add(self.under(name), "missing")
        return self.find(name, kind)

    def table(self, name: str, keys: Iterable[str] | None = None) -> Table:
        """The table inside under `name`, an empty one when it is missing."""
        return Table(self.data.get(name, {}), self.under(name), self.problems, keys)

    def _read(self, name: str, kind: Callable[[Any], T], default: T | None) -> Any:
        value = self.data[name]
        try:
            return kind(value)
        except kinds.Unfit as reason:
            ending = "" if reason.whole else f", got {kinds.shown(value)}"
            self.problems.add(self.under(name), f"{reason}{ending}")
            return default
