"""What a plan costs: a rate per second that depends on what is done where.

A cost is a sum of plain terms, so that native searches can take it as numbers (`Cost.table`) and
files can hold it. Searches through time rest on one property (levine2011, section 5.2): waiting
anywhere costs no more per second than acting anywhere. Every cost in `costs` has it; a function
of the user's own has it when its stated bounds say so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from surefoot import schema
from surefoot.arrays import ArrayLike, Floats, Ints, frozen, number
from surefoot.character import Character
from surefoot.errors import ProblemError, one_of
from surefoot.planning.cost_terms import WAIT, Function, Moving, Term
from surefoot.world import World


@schema.record("cost")
@dataclass(frozen=True)
class Cost:
    """A sum of terms. Add costs, and scale them by numbers >= 0."""

    terms: tuple[Term, ...]

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.terms + other.terms)

    def __mul__(self, factor: float) -> Cost:
        factor = number(factor, "a cost's factor", at_least=0.0, error=ProblemError)
        return Cost(tuple(replace(term, weight=term.weight * factor) for term in self.terms))

    __rmul__ = __mul__

    def table(
        self, world: World, character: Character, modes: Collection[str] | None = None
    ) -> CostTable:
        """The cost as numbers, for searches.

        Args:
            world: whose bodies are charged for.
            character: whose energy constants count.
            modes: capabilities that will be used; all of the character's when not given.
        """
        acting = character.capabilities if modes is None else modes
        modes = (WAIT, *(mode for mode in acting if mode != WAIT))
        functions = tuple(term for term in self.terms if isinstance(term, Function))
        terms = [term for term in self.terms if not isinstance(term, Function)]
        on_body = np.zeros(len(world.names))
        for i, name in enumerate(world.names):
            if name in world:
                on_body[i] = sum(term.on(world[name].tags) for term in terms)
        return CostTable(
            modes=modes,
            constant=_column(sum(t.constant(mode, character) for t in terms) for mode in modes),
            per_speed_squared=sum(term.per_speed_squared(character) for term in terms),
            on_body=frozen(on_body),
            lower=_column(self.lower(mode, character) for mode in modes),
            waiting_upper=self.waiting_upper(character),
            functions=functions,
        )

    def rate(
        self,
        world: World,
        character: Character,
        mode: str,
        position: ArrayLike,
        t: float,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
    ) -> float:
        """[1/s] The cost per second at one moment; for many, use `table(...).rates(...)`.

        Args:
            world: what is stood on decides what it costs.
            character: whose energy constants count.
            mode: "wait" or a capability's name.
            position: `(3,)` [m] of the feet, world coordinates.
            t: [s].
            velocity: `(3,)` [m/s] relative to the supporting body.
        """
        points = np.array([position], dtype=np.float64)
        below = world.support(points, t, up=0.5, down=0.5)
        velocities = np.array([velocity], dtype=np.float64)
        table = self.table(world, character, [mode])
        return float(table.rates(mode, points, np.array([t]), velocities, below.body)[0])

    def lower(self, mode: str, character: Character) -> float:
        """[1/s] No second in this mode costs less, anywhere, ever."""
        _check_mode(mode, character)
        return sum(
            term.weight * term.lower_bound(mode)
            if isinstance(term, Function)
            else term.constant(mode, character)
            for term in self.terms
        )

    def waiting_upper(self, character: Character) -> float:
        """[1/s] No second of waiting costs more, anywhere, ever."""
        return sum(
            term.weight * term.waiting_upper
            if isinstance(term, Function)
            else term.constant(WAIT, character)
            for term in self.terms
        )

    def waits_are_cheapest(
        self, character: Character, modes: Collection[str] | None = None
    ) -> WaitVerdict:
        """Whether waiting anywhere costs no more per second than any of `modes` anywhere.

        Args:
            character: whose capabilities and energy constants count.
            modes: capabilities that will be used; all of the character's when not given.
        """
        acting = [mode for mode in (modes or character.capabilities) if mode != WAIT]
        cheapest = min(acting, key=lambda mode: self.lower(mode, character))
        waiting, least = self.waiting_upper(character), self.lower(cheapest, character)
        # Bounds are sums of rounded products: equal ones may differ in the last bits.
        if waiting <= least + 1e-12 * waiting:
            message = f"waiting costs at most {waiting:g} per second, acting at least {least:g}"
            return WaitVerdict(True, message, self)
        gap = waiting - least
        return WaitVerdict(
            False,
            f"{cheapest!r} may cost only {least:g} per second while waiting may cost {waiting:g},"
            f" so waiting would not be the cheapest way to pass time; the closest cost that keeps"
            f" it so adds {gap:g} per second to everything but waiting",
            self + Cost((Moving(gap),)),
        )


@dataclass(frozen=True)
class WaitVerdict:
    """Whether waiting is the cheapest way to pass time; truthy when it is.

    Attributes:
        holds: the verdict.
        message: one sentence; when it does not hold, what is cheaper, and what would do.
        closest: the closest cost for which it holds.
    """

    holds: bool
    message: str
    closest: Cost

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True, kw_only=True, eq=False)
class CostTable:
    """A cost as numbers, for one world and one character: what native searches take.

    Moving in mode m at relative speed v on body b costs
    `constant[m] + per_speed_squared v^2 + on_body[b]` per second, waiting `constant[0]`;
    plus what `functions` say, which only Python can evaluate.

    Attributes:
        modes: names; "wait" first, then capabilities.
        constant: `(modes,)` [1/s].
        per_speed_squared: [1/s per (m/s)^2].
        on_body: `(ids,)` [1/s] by body id.
        lower: `(modes,)` [1/s]: no second in the mode costs less.
        waiting_upper: [1/s]: no second of waiting costs more.
        functions: the user's own.
    """

    modes: tuple[str, ...]
    constant: Floats
    per_speed_squared: float
    on_body: Floats
    lower: Floats
    waiting_upper: float
    functions: tuple[Function, ...] = ()

    def rates(
        self, mode: str, positions: Floats, times: Floats, velocities: Floats, bodies: Ints
    ) -> Floats:
        """`(n,)` [1/s]: the cost per second at many moments of one mode.

        Args:
            mode: one of `modes`.
            positions: `(n, 3)` [m] of the feet, world coordinates.
            times: `(n,)` [s].
            velocities: `(n, 3)` [m/s] relative to the supporting bodies.
            bodies: `(n,)` ids of the supporting bodies, -1 in the air.
        """
        if mode not in self.modes:
            raise ProblemError(one_of("mode", mode, self.modes))
        rates = np.full(len(times), self.constant[self.modes.index(mode)])
        if mode != WAIT:
            rates += self.per_speed_squared * (velocities**2).sum(axis=1)
            rates += np.where(bodies >= 0, self.on_body[bodies], 0.0)
        for term in self.functions:
            moments = zip(positions, times, velocities, strict=True)
            rates += [term.rate(x, float(t), mode, v) for x, t, v in moments]
        return rates

    def cheapest_metre(self, mode: str, max_speed: float) -> float:
        """[1/m] No metre in the mode costs less, at any speed up to `max_speed` [m/s]."""
        per_second = float(self.lower[self.modes.index(mode)])
        speed = max_speed
        if self.per_speed_squared > 0.0:
            speed = min(speed, sqrt(per_second / self.per_speed_squared))
        return per_second / speed + self.per_speed_squared * speed if speed > 0.0 else 0.0


def _check_mode(mode: str, character: Character) -> None:
    if mode != WAIT and mode not in character.capabilities:
        raise ProblemError(one_of("mode", mode, (WAIT, *character.capabilities)))


def _column(values: Iterable[float]) -> Floats:
    return frozen(np.array(list(values), dtype=np.float64))
