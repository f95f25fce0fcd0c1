"""State exploration: the closure of trusted states under all actions (coros2009 4.1, Algorithm 1).

States wait in a queue. A batch of them is taken, every action is simulated from each, and what
comes out is looked at in the queue's order: so the states are the same however many workers
simulate. Each batch is a record of a journal; an exploration that was killed goes on after its last
record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from surefoot import _native
from surefoot.archives import Record
from surefoot.arrays import Bools, Floats
from surefoot.errors import InputError
from surefoot.physics.body import Body
from surefoot.physics.extra import engine
from surefoot.physics.policies.journal import Journal
from surefoot.physics.policies.metric import TABLE_1, Learned, Metric, Weights
from surefoot.physics.policies.mirroring import displacement
from surefoot.physics.policies.workers import Workers
from surefoot.physics.stage import Action, Blend, Stage
from surefoot.physics.states import Run, States

BATCH = 32
"""States that are taken from the queue at a time, whoever simulates them."""

VERSION = 1
"""Of how states are explored: part of what explorations are known by."""

Progress = Callable[[str, float], None]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Where exploration ends.

    Attributes:
        trust: eps_T: the farthest that a state may be from all trusted ones, > 0.
        novelty: eps_N: states nearer than this to a known one are not explored again, > 0.
        margin: explored beyond trust, >= 0. No action that leads there is taken, but a body that
            finds itself there knows the way back. The paper's is 0.
        coarser: by how much novelty grows with the distance from trusted states, >= 0: fine where a
            body mostly is, coarse where it only has to find its way back. The paper's is 0.
        states: at most this many (standing on one foot; their mirror images are known as well).
    """

    trust: float
    novelty: float
    margin: float = 0.0
    coarser: float = 0.0
    states: int = 4000

    def __post_init__(self) -> None:
        for name in ("trust", "novelty", "states"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name} must be greater than 0, got {getattr(self, name):g}")
        for name in ("margin", "coarser"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} must be at least 0, got {getattr(self, name):g}")


@dataclass(frozen=True, kw_only=True, eq=False)
class Explored:
    """What was found: n states, a actions.

    Attributes:
        body: whose.
        actions: that were tried.
        limits: within which.
        weights: of the metric.
        states: canonical, the trusted ones first.
        trusted: how many of them those are.
        features: `(n, width)` of the states.
        outcomes: `(n, a, width)` features of where actions led; anything where they fell.
        motion: `(n, a, 3)`: ahead, to the left [m], turned [rad].
        durations: `(n, a)` [s].
        standing: `(n, a)`: whether the body neither fell nor ran away.
        away: `(n, a)`: the distance of where it led from the nearest trusted state.
        beyond: novel states that were not explored because there were too many already.
        steps: simulated, those that were read from a journal included.
    """

    body: Body
    actions: tuple[Action, ...]
    limits: Limits
    weights: Weights | Learned
    states: States
    trusted: int
    features: Floats
    outcomes: Floats
    motion: Floats
    durations: Floats
    standing: Bools
    away: Floats
    beyond: int
    steps: int

    @property
    def closed(self) -> bool:
        """Whether every action leads to a known or an untrusted state."""
        return self.beyond == 0

    @property
    def viable(self) -> Bools:
        """`(n, a)`: actions that lead to trustworthy states."""
        return self.standing & (self.away < self.limits.trust)

    def warning(self) -> str:
        """What to do about an exploration that did not close; nothing when it did."""
        if self.closed:
            return ""
        return (
            f"exploration did not close within {self.limits.states} states: {self.beyond} more led"
            f" on; the policy is usable but coarser there. Less trust (now {self.limits.trust:g})"
            f" or more novelty (now {self.limits.novelty:g}) closes it"
        )


@dataclass
class _Found:
    """What a running exploration has so far."""

    positions: list[Floats] = field(default_factory=list[Floats])
    velocities: list[Floats] = field(default_factory=list[Floats])
    outcomes: list[Floats] = field(default_factory=list[Floats])
    numbers: list[Floats] = field(default_factory=list[Floats])
    beyond: int = 0


def explore(
    body: Body,
    actions: Sequence[Action],
    trusted: States,
    limits: Limits,
    *,
    weights: Weights | Learned | None = None,
    earlier: Explored | None = None,
    workers: Workers | None = None,
    keep: Path | None = None,
    told: Callable[[str], None] = print,
    progress: Progress | None = None,
) -> Explored:
    """All states that actions lead to from trusted ones, as far as they stay near those.

    Args:
        body: who.
        actions: what may be done at a foot strike, with all mirror images.
        trusted: canonical states to begin with.
        limits: where to end.
        weights: of the metric; those of Table 1 when not given.
        earlier: an exploration of the same body whose states and steps are taken over where the
            action is the same to the last bit; only the others are simulated.
        workers: who simulates; one thread when not given.
        keep: a file that the exploration is kept in and resumed from; None keeps nothing.
        told: called with a sentence about a file that is of no use.
        progress: told how much is done, 0 to 1.
    """
    if len(trusted) == 0:
        raise InputError("exploration needs at least one trusted state")
    weights = weights or TABLE_1.get(body.name)
    stage = Stage(body)
    metric = Metric(stage, weights)
    actions = tuple(actions)
    step = (workers or Workers()).stepping(stage)
    near = metric.samples()
    near.add(metric.of_canonical(trusted))
    known = _carried(body, metric.weights, actions, earlier)
    journal = Journal(keep, exploration_key(body, actions, trusted, limits, metric, earlier), told)
    samples = metric.samples()
    samples.add(metric.of_canonical(trusted))
    found = _Found([*trusted.positions], [*trusted.velocities])
    if earlier is not None:
        old = earlier.states
        # Those at trusted states are there already.
        new = samples.novel(metric.of_canonical(old), 1e-9)
        found.positions += [*old.positions[new]]
        found.velocities += [*old.velocities[new]]
    at = batches = steps = 0
    while at < len(found.positions):
        last = min(at + BATCH, len(found.positions))
        states = _canonical_states(found, at, last)
        if batches < len(journal.records):
            record = journal.records[batches]
        else:
            record = _simulated(states, actions, known, step, metric)
            journal.add(record)
        steps += int(record["simulated"])
        _commit(record, found, samples, near, limits, metric)
        at, batches = last, batches + 1
        if progress is not None:
            progress("exploring", at / max(len(found.positions), at))
    n, a = len(found.positions), len(actions)
    numbers = np.stack(found.numbers).reshape(n, a, 6)
    everything = _canonical_states(found, 0, n)
    return Explored(
        body=body, actions=actions, limits=limits, weights=metric.weights, states=everything,
        trusted=len(trusted), features=metric.of_canonical(everything),
        outcomes=np.stack(found.outcomes).reshape(n, a, metric.width),
        motion=np.ascontiguousarray(numbers[..., :3]), durations=numbers[..., 3].copy(),
        standing=numbers[..., 4] > 0, away=numbers[..., 5].copy(), beyond=found.beyond, steps=steps,
    )  # fmt: skip


def _canonical_states(found: _Found, first: int, last: int) -> States:
    return States(
        positions=np.stack(found.positions[first:last]),
        velocities=np.stack(found.velocities[first:last]),
        beats=np.tile([0.0, 0.0, 0.0, 1.0], (last - first, 1)),
    )


Known = dict[bytes, tuple[Floats, Floats]]
"""By the bits of a state: features of outcomes, and their numbers (nan: not known)."""


def _carried(
    body: Body, weights: Weights | Learned, actions: tuple[Action, ...], earlier: Explored | None
) -> Known:
    """Steps of an earlier exploration that are the same to the last bit."""
    if earlier is None:
        return {}
    if body.mjcf() != earlier.body.mjcf():
        raise InputError("an earlier exploration must be of the same body")
    if weights.key != earlier.weights.key:
        raise InputError("an earlier exploration must have the same metric")
    before = [content(earlier.body, action) for action in earlier.actions]
    own = [content(body, action) for action in actions]
    pick = np.array([before.index(each) if each in before else -1 for each in own])
    numbers = np.concatenate(
        [
            earlier.motion,
            np.stack([earlier.durations, 1.0 * earlier.standing, earlier.away], axis=-1),
        ],
        axis=-1,
    )
    known: Known = {}
    for row in range(len(earlier.states)):
        bits = earlier.states.positions[row].tobytes() + earlier.states.velocities[row].tobytes()
        taken = numbers[row][pick]
        taken[pick < 0] = np.nan
        known[bits] = (earlier.outcomes[row][pick], taken)
    return known


def _simulated(
    states: States,
    actions: tuple[Action, ...],
    known: Known,
    step: Callable[[States, Sequence[Action]], Run],
    metric: Metric,
) -> Record:
    """Every action from each of the states, but for what is known."""
    n, a = len(states), len(actions)
    outcomes = np.zeros((n, a, metric.width))
    numbers = np.full((n, a, 6), np.nan)
    for row in range(n):
        bits = states.positions[row].tobytes() + states.velocities[row].tobytes()
        if bits in known:
            outcomes[row], numbers[row] = known[bits]
    rows, columns = np.nonzero(np.isnan(numbers[..., 4]))
    positions = np.zeros((n, a, states.positions.shape[1]))
    velocities = np.zeros((n, a, states.velocities.shape[1]))
    if len(rows):
        before = states[rows.astype(np.int32)]
        run = step(before, [actions[int(c)] for c in columns])
        good = run.standing & np.isfinite(run.states.positions).all(axis=1)
        after = _finite(run.states, before, good)
        canonical, _ = metric.mirror.canonical(after)
        outcomes[rows, columns] = metric.of_canonical(canonical)
        positions[rows, columns] = canonical.positions
        velocities[rows, columns] = canonical.velocities
        numbers[rows, columns, :3] = displacement(before, after)
        numbers[rows, columns, 3] = run.of("duration")
        numbers[rows, columns, 4] = good
        numbers[rows, columns, 5] = np.inf
    return {
        "outcomes": outcomes, "numbers": numbers, "positions": positions,
        "velocities": velocities, "simulated": np.array(len(rows)),
    }  # fmt: skip


def _finite(after: States, before: States, good: Bools) -> States:
    pick = good[:, None]
    return States(
        positions=np.where(pick, after.positions, before.positions),
        velocities=np.where(pick, after.velocities, before.velocities),
        beats=after.beats,
    )


def _commit(
    record: Record,
    found: _Found,
    samples: _native.Neighbours,
    near: _native.Neighbours,
    limits: Limits,
    metric: Metric,
) -> None:
    """In the queue's order: which outcomes are trustworthy, and which of those are new."""
    outcomes, numbers = record["outcomes"], record["numbers"].copy()
    flat = np.ascontiguousarray(outcomes.reshape(-1, metric.width))
    _, away = near.nearest(flat, 1)
    numbers[..., 5] = away.reshape(numbers.shape[:2])
    trusted = (numbers[..., 4] > 0) & (numbers[..., 5] < limits.trust + limits.margin)
    found.outcomes += [*outcomes]
    found.numbers += [*numbers]
    rows, columns = np.nonzero(trusted & record["positions"].any(axis=-1))
    for row, column in zip(rows, columns, strict=True):
        feature = np.ascontiguousarray(outcomes[row, column][None])
        novelty = limits.novelty + limits.coarser * float(numbers[row, column, 5])
        if len(found.positions) >= limits.states:
            _, apart = samples.nearest(feature, 1)
            found.beyond += int(apart[0, 0] > novelty)
        elif samples.novel(feature, novelty)[0]:
            found.positions.append(record["positions"][row, column])
            found.velocities.append(record["velocities"][row, column])


def exploration_key(
    body: Body,
    actions: Sequence[Action],
    trusted: States,
    limits: Limits,
    metric: Metric,
    earlier: Explored | None = None,
) -> str:
    """A hash of everything that an exploration depends on."""
    total = hashlib.sha256(f"{VERSION} {BATCH} {engine().__version__} {limits}".encode())
    total.update(metric.weights.key + body.mjcf().encode())
    for action in actions:
        total.update(content(body, action))
    total.update(trusted.positions.tobytes() + trusted.velocities.tobytes())
    if earlier is not None:
        total.update(earlier.states.positions.tobytes() + earlier.outcomes.tobytes())
    return total.hexdigest()[:32]


def content(body: Body, action: Action) -> bytes:
    """What an action does, whatever it is called."""
    blend = action if isinstance(action, Blend) else Blend(action, action, 0.0)
    total = hashlib.sha256(repr(blend.share).encode())
    for name in (blend.first, blend.second):
        numbers, knots = body.gait(name).compiled(body.anatomy)
        total.update(numbers.tobytes() + knots.tobytes())
    return total.digest()


def without_actions(explored: Explored, kept: Sequence[int]) -> Explored:
    """The same exploration with some actions only: what the others did is forgotten."""
    pick: npt.NDArray[np.intp] = np.array(kept, dtype=np.intp)
    return replace(
        explored, actions=tuple(explored.actions[i] for i in kept),
        outcomes=explored.outcomes[:, pick], motion=explored.motion[:, pick],
        durations=explored.durations[:, pick], standing=explored.standing[:, pick],
        away=explored.away[:, pick],
    )  # fmt: skip
