"""Families: clips with parameters, made to measure (levine2011, section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from surefoot.arrays import Bools, Floats, number
from surefoot.errors import InputError, one_of
from surefoot.motion.clip import Clip
from surefoot.motion.footholds import Foothold
from surefoot.motion.playing.footage import Footage, Take, footfalls_of

BLENDING = 0.4
"""[s] at the end of every clip of a family: its blending phase. What follows takes over there."""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """What can be chosen about a family's clips.

    Attributes:
        name: of the argument.
        unit: for messages, "m/s".
        low: the least.
        high: the most.
        usual: what it is when not given.
        lasting: whether it still shows in the blending phase. A speed lasts; an angle that was
            turned, or a ditch that was jumped, does not, so a controller can forget it.
    """

    name: str
    unit: str
    low: float
    high: float
    usual: float
    lasting: bool = False

    def check(self, value: float, family: str) -> float:
        """The value, or an error that names the range."""
        title = f"{family}: {self.name} [{self.unit}]"
        return number(value, title, at_least=self.low - 1e-9, at_most=self.high + 1e-9)


@dataclass(frozen=True, kw_only=True)
class Limit:
    """The range of a parameter at given values of the others.

    Attributes:
        name: of the parameter.
        low: the least.
        high: the most.
        at: of what it holds, for messages: "at a rise of 0.30 m".
        why: it must be so much, for messages: "to get past the edge"; may be empty.
    """

    name: str
    low: float
    high: float
    at: str
    why: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Made:
    """A clip of a family and what is known about it.

    Attributes:
        clip: the poses, starting at the origin and facing +x.
        footholds: where its feet are on the ground, in its own space; times are the clip's.
        contacts: `(n, 2, 2)`: left and right foot; heel and toes.
        path: `(n, 3)` [m], the point between the feet as the body goes; z is the floor.
        headings: `(n,)` [rad].
        blending: [s] when its blending phase begins.
    """

    clip: Clip
    footholds: tuple[Foothold, ...]
    contacts: Bools
    path: Floats
    headings: Floats
    blending: float

    def add_to(self, footage: Footage) -> Take:
        """Makes the clip ready to be played."""
        return footage.add(
            self.clip, footfalls_of(self.footholds), path=(self.path[:, :2], self.headings)
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Family:
    """Clips that differ in a few numbers, continuously.

    Attributes:
        name: "walk", "turn left", ...
        mode: the locomotion mode of its clips, see `Step`.
        parameters: what can be chosen.
        make: makes a clip from values of all parameters.
        limits: the range of one of them at given values of the others, where it depends on them.
    """

    name: str
    mode: str
    parameters: tuple[Parameter, ...]
    make: Callable[[Mapping[str, float]], Made]
    limits: Callable[[Mapping[str, float]], Limit] | None = None

    def parameter(self, name: str) -> Parameter:
        """The parameter called `name`."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        known = [parameter.name for parameter in self.parameters]
        raise InputError(f"{self.name}: {one_of('parameter', name, known)}")

    def values(self, **parameters: float) -> dict[str, float]:
        """Values of all parameters: those given, checked, and the usual ones."""
        for name in parameters:
            self.parameter(name)
        values = {
            one.name: one.check(parameters.get(one.name, one.usual), self.name)
            for one in self.parameters
        }
        if self.limits is not None:
            self._check(self.limits(values), values)
        return values

    def nearest(self, **parameters: float) -> dict[str, float]:
        """Values of all parameters that this body can do, as near to those given as they go.

        Those that depend on others are fitted to them: a jump keeps its rise.
        """
        values = {one.name: one.usual for one in self.parameters}
        for name, value in parameters.items():
            one = self.parameter(name)
            values[name] = min(max(value, one.low), one.high)
        if self.limits is not None:
            limit = self.limits(values)
            values[limit.name] = min(max(values[limit.name], limit.low), limit.high)
        return values

    def _check(self, limit: Limit, values: Mapping[str, float]) -> None:
        value, unit = values[limit.name], self.parameter(limit.name).unit
        if value > limit.high + 1e-6:
            bound = f"at most {limit.high:.2f} {limit.at}"
        elif value < limit.low - 1e-6:
            bound = f"at least {limit.low:.2f} {limit.at}" + (f", {limit.why}" if limit.why else "")
        else:
            return
        raise InputError(f"{self.name}: {limit.name} [{unit}] must be {bound}, got {value:g}")

    def made(self, name: str | None = None, /, **parameters: float) -> Made:
        """The clip of these parameters, and what is known about it.

        Args:
            name: of the clip; from the family's and the values given when there is none.
            parameters: values; the usual ones where not given.

        Raises:
            InputError: an unknown parameter, or one out of its range; the message names both.
        """
        made = self.make(self.values(**parameters))
        return replace(made, clip=replace(made.clip, name=name or self._title(parameters)))

    def clip(self, **parameters: float) -> Clip:
        """The clip of these parameters; see `made`."""
        return self.made(**parameters).clip

    def _title(self, parameters: Mapping[str, float]) -> str:
        values = [f"{name} {value:.2f}" for name, value in sorted(parameters.items())]
        return " ".join([self.name, *values])

    def __str__(self) -> str:
        ranges = ", ".join(
            f"{one.name} {one.low:.4g}..{one.high:.4g} {one.unit}" for one in self.parameters
        )
        return f"{self.name} ({self.mode}): {ranges or 'no parameters'}"
