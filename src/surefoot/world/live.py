"""Live worlds: poses of many bodies pushed in, frame by frame, from whatever moves them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from surefoot import _native, arrays, schema
from surefoot.arrays import ArrayLike, number
from surefoot.errors import WorldError, one_of
from surefoot.limits import MAX_COORDINATE, MAX_TIME
from surefoot.math import Pose
from surefoot.world.body import Body
from surefoot.world.trajectory import Trajectory, seven
from surefoot.world.world import World

VERDICTS = ("taken", "still", "not finite", "late", "jumped")
"""What can become of a pose of a frame, by the number that stands for it."""


@dataclass(frozen=True, kw_only=True)
class Watching:
    """How live bodies are watched.

    Attributes:
        ahead: [s], > 0: how far a motion is taken to go on; then the body is taken to rest.
        memory: [s], > 0: over which velocities are averaged.
        fastest: [m/s], > 0: what seems to move faster was put elsewhere, and has no velocity.
        trust: 0 to 1: confidence at the end of the guess; it falls evenly from 1.
    """

    ahead: float = 1.5
    memory: float = 0.06
    fastest: float = 60.0
    trust: float = 0.2

    def __post_init__(self) -> None:
        for field in fields(self)[:3]:
            number(getattr(self, field.name), f"watching: {field.name}", above=0)
        number(self.trust, "watching: trust", at_least=0, at_most=1)


@schema.unwritable(
    "a live body cannot be written to a file; use trajectory.sampled(start, end, rate) for what "
    "was seen of it, or world.at(t)"
)
class Watched(Trajectory):
    """A live body: its past as last seen, its future a steady motion to a horizon.

    It always tells what is known now: it changes as frames are pushed.
    """

    def __init__(self, feed: Feed, row: int) -> None:
        self.feed, self.row = feed, row

    def _make_native(self) -> _native.Trajectory:
        return self.feed.native.trajectory(self.row)

    @property
    def native(self) -> _native.Trajectory:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What is known now; never changed, only replaced."""
        return self._make_native()

    @property
    def horizon(self) -> float:
        """Until when the guess reaches [s]."""
        return self.feed.time + self.feed.watching.ahead

    def confidence(self, t: float) -> float:
        """1 for what was seen, falling to the feed's `trust` at the horizon, 0 beyond."""
        since, watching = t - self.feed.time, self.feed.watching
        if since > watching.ahead:
            return 0.0
        return 1.0 - (1.0 - watching.trust) * max(since, 0.0) / watching.ahead

    def _key(self) -> tuple[int, int]:
        return id(self.feed), self.row


@dataclass(frozen=True)
class Pushed:
    """What became of a frame.

    Attributes:
        verdicts: `(n,)`: an index into `VERDICTS` for each pose.
    """

    verdicts: npt.NDArray[np.uint8]

    def count(self, verdict: str) -> int:
        """How many poses had this verdict."""
        if verdict not in VERDICTS:
            raise WorldError(one_of("verdict", verdict, VERDICTS))
        return int((self.verdicts == VERDICTS.index(verdict)).sum())

    def __bool__(self) -> bool:
        """Whether no pose was refused."""
        return not ((self.verdicts == 2) | (self.verdicts == 3)).any()


class Feed:
    """Lets live bodies into a world and takes their poses, many at once.

    What cannot be true is refused, counted and reported; the body then stays as it was last known:
    poses that are not finite, and frames that are late or come twice. What was put elsewhere
    is noticed: it has no velocity, and no way between.
    """

    def __init__(self, world: World, watching: Watching | None = None) -> None:
        self.world = world
        self.watching = watching or Watching()
        w = self.watching
        self.native = _native.Feed(world.native, w.ahead, w.memory, w.fastest)
        self.time = float("-inf")
        """[s] Of the newest frame."""
        self.frames = 0
        self.counts = dict.fromkeys(VERDICTS, 0)
        """How many poses were taken, refused and so on."""
        self.troubles: dict[str, int] = {}
        """How often poses of each body were refused."""
        self._rows: dict[str, int] = {}

    @property
    def names(self) -> Sequence[str]:
        """Of the bodies, in the order of the poses of a frame."""
        return list(self._rows)

    def add(self, body: Body, pose: Pose | None = None, t: float | None = None) -> None:
        """Lets a body in that is watched from now on.

        Args:
            body: as it is; its trajectory only says where it is first.
            pose: where it is; at the start of its trajectory when not given.
            t: [s]; the time of the newest frame when not given.
        """
        now = (
            (0.0 if self.time == float("-inf") else self.time) if t is None else arrays.time(t, "t")
        )
        where = body.trajectory.pose(now) if pose is None else pose
        row = self.native.watch(len(self.world.names), now, seven(where))
        self.world.add(body.moved(Watched(self, row)))
        self._rows[body.name] = row

    def watch(self, names: Iterable[str], t: float) -> None:
        """Bodies of the world are only watched from `t` [s] on."""
        for name in names:
            body = self.world[name]
            row = self.native.watch(
                self.world.id(name), arrays.time(t, "t"), seven(body.trajectory.pose(t))
            )
            self.world.move(name, Watched(self, row))
            self._rows[name] = row

    def remove(self, name: str) -> None:
        """Takes a body out of the world."""
        if name not in self._rows:
            raise WorldError(one_of("live body", name, self._rows))
        self.native.forget(self._rows.pop(name))
        self.world.remove(name)

    def push(
        self,
        t: float,
        positions: ArrayLike,
        rotations: ArrayLike,
        names: Sequence[str] | None = None,
    ) -> Pushed:
        """A frame: where bodies were seen at `t` [s].

        Args:
            t: [s]; a frame that is no later than the one before is refused.
            positions: `(n, 3)` [m].
            rotations: `(n, 4)`, of any length.
            names: of the bodies, `n` of them; all, in the order of `names`, when not given.
        """
        if names is None:
            rows = np.fromiter(self._rows.values(), dtype=np.int32, count=len(self._rows))
        else:
            for name in names:
                if name not in self._rows:
                    raise WorldError(one_of("live body", name, self._rows))
            rows = np.array([self._rows[name] for name in names], dtype=np.int32)
        try:
            where = np.ascontiguousarray(positions, dtype=np.float64)
            turned = np.ascontiguousarray(rotations, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as reason:
            raise WorldError(f"positions and rotations must be numbers: {reason}") from reason
        if where.shape != (len(rows), 3) or turned.shape != (len(rows), 4):
            raise WorldError(
                f"a frame of {len(rows)} bodies has positions ({len(rows)}, 3) and rotations "
                f"({len(rows)}, 4), got {where.shape} and {turned.shape}"
            )
        self.frames += 1
        # What lies beyond every world is no position; one such pose costs the frame no other.
        if (np.abs(where) > MAX_COORDINATE).any():
            where = np.where(np.abs(where) > MAX_COORDINATE, np.nan, where)
        if not abs(t) <= MAX_TIME:
            verdicts = np.full(len(rows), VERDICTS.index("not finite"), dtype=np.uint8)
        else:
            verdicts = self.native.push(float(t), rows, where, turned)
            self.time = max(self.time, float(t))
        self._count(rows, verdicts)
        return Pushed(verdicts)

    def _count(self, rows: npt.NDArray[np.int32], verdicts: npt.NDArray[np.uint8]) -> None:
        for i, n in enumerate(np.bincount(verdicts, minlength=len(VERDICTS)).tolist()):
            self.counts[VERDICTS[i]] += n
        bad = np.flatnonzero((verdicts == 2) | (verdicts == 3))
        if len(bad):
            by_row = {row: name for name, row in self._rows.items()}
            for i in bad.tolist():
                name = by_row[int(rows[i])]
                self.troubles[name] = self.troubles.get(name, 0) + 1

    def report(self) -> str:
        """How it went, in a sentence or two."""
        parts = [f"{n} {name}" for name, n in self.counts.items() if n]
        text = f"{self.frames} frames of {len(self._rows)} bodies: {', '.join(parts) or 'no poses'}"
        if self.troubles:
            worst = sorted(self.troubles, key=lambda name: (-self.troubles[name], name))[:3]
            text += "; most refused: " + ", ".join(f"{n!r} {self.troubles[n]} times" for n in worst)
        return text


class Played:
    """A known world shown frame by frame, as if nobody knew what comes next.

    Attributes:
        known: the world that is shown.
        world: its live twin: what moves in the known one is only watched here.
        time: [s] of what is shown.
    """

    def __init__(
        self, known: World, *, start: float = 0.0, watching: Watching | None = None
    ) -> None:
        self.known = known
        self.time = arrays.time(start, "start")
        self.world = known.copy()
        self.feed = Feed(self.world, watching)
        moving = [body.name for body in known if body.trajectory.moving]
        self._ids = np.array([known.id(name) for name in moving], dtype=np.int32)
        self.feed.watch(moving, self.time)

    def step(self, dt: float) -> Pushed:
        """Goes on by `dt` [s] and shows what is there."""
        self.time += arrays.time(dt, "dt", above=0)
        when = np.full(len(self._ids), self.time)
        return self.feed.push(self.time, *self.known.native.poses(self._ids, when))

    def recording(self) -> World:
        """The world as it happens: the one that is shown."""
        return self.known
