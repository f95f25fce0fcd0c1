"""The time manager: how many nodes a frame may take, and who gets how many of them.

Searches count nodes, not milliseconds, so that a run has the same bits anywhere. Where a frame
must hold a time, milliseconds become nodes by what was measured in the frames before; each frame's
nodes are in the recording, and a replay takes them from there.

Under load plans look less far ahead (beacco2013, section 8, asks for just that choice): how far,
comes from what plans have cost until now, which is counted as well.
"""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.agents.settings import CrowdSettings

FIRST_RATE = 100.0
"""[nodes/ms] Taken before anything was measured: slow, so that the first frame holds its time."""

_GAIN = 0.2
"""How much the latest frame counts against those before it."""

_FIRST_SHARE = 0.02
"""Of `nodes`, that an action of a plan is taken to cost before any plan was made."""

_HELPINGS = 8
"""In how many helpings a frame's nodes are handed out. What the first of them leave, the later ones
get: most plans cost little, and a few may then cost much more than their share."""


@dataclass(frozen=True)
class Conversion:
    """How a frame's nodes came about.

    Attributes:
        frame: its number.
        milliseconds: [ms] that were given; None where nodes were given.
        rate: [nodes/ms] that was assumed.
        nodes: that the frame may take.
    """

    frame: int
    milliseconds: float | None
    rate: float
    nodes: int


class TimeManager:
    """Turns milliseconds into nodes and keeps a log of it; says how far plans look ahead."""

    def __init__(self, settings: CrowdSettings) -> None:
        self._settings = settings
        self.rate = FIRST_RATE
        self.usual = _FIRST_SHARE * settings.nodes
        """[nodes] that an action of a plan has cost of late."""
        self.owed = 0
        """Nodes that frames before have taken beyond what they might."""
        self.log: list[Conversion] = []

    def allowance(self, frame: int) -> int:
        """The nodes that a frame may take."""
        given = self._settings.milliseconds
        nodes = self._settings.frame_nodes if given is None else max(1, int(given * self.rate))
        self.log.append(Conversion(frame, given, self.rate, nodes))
        return nodes

    def rations(self, waiting: int, allowance: int) -> Rations:
        """A frame's nodes, less what frames before it have taken beyond theirs."""
        return Rations(waiting, allowance - self.owed, self._settings)

    def settle(self, allowance: int, taken: int) -> None:
        """A frame is over; what it took beyond its nodes, the next one goes without."""
        self.owed = max(0, self.owed + taken - allowance)

    def spent(self, nodes: int, seconds: float) -> None:
        """What the frame took in fact; the next one is judged by it."""
        if nodes > 0 and seconds > 0.0:
            measured = nodes / (seconds * 1e3)
            self.rate += _GAIN * (measured - self.rate)

    def planned(self, plans: int, nodes: int, horizon: int) -> None:
        """How many nodes the searches for some plans took that look so far ahead."""
        if plans > 0:
            self.usual += _GAIN * (nodes / (plans * horizon) - self.usual)

    def horizon(self, waiting: int, allowance: int) -> int:
        """[actions] How far plans look ahead when so many wait.

        So far that everybody who waits is served within `patience` frames, by what plans cost of
        late; at least one action.
        """
        if waiting == 0:
            return 0
        each = allowance / _served(waiting, self._settings) - self._settings.asking
        reach = int(each / max(self.usual, 1e-9))
        return max(1, min(self._settings.horizon, reach))


class Rations:
    """A frame's nodes, handed out in helpings to those who wait; never more than there are.

    Args:
        waiting: how many wait.
        allowance: nodes of the frame.
        settings: what a plan may take at most, and at least.
    """

    def __init__(self, waiting: int, allowance: int, settings: CrowdSettings) -> None:
        self._left, self._asking, self._most = allowance, settings.asking, settings.nodes
        # Where a frame has less than a plan needs at least, somebody gets all of it.
        self._least = min(settings.least_nodes, max(allowance - settings.asking, 1))
        self._helping = -(-_served(waiting, settings) // _HELPINGS)

    def next(self, waiting: int, cost: float = 0.0) -> tuple[int, int]:
        """How many of those who still wait are served next, and the nodes for each; none: (0, 0).

        As many as would get all that a plan may take, or as a helping has.

        Args:
            waiting: how many.
            cost: [nodes] of a plan of late; no more are served than there are nodes for.
        """
        most = min(waiting, self._left // (self._least + self._asking))
        if most < 1:
            return 0, 0
        count = min(most, max(self._helping, self._left // (self._most + self._asking)))
        count = max(1, min(count, int(self._left / max(cost + self._asking, 1.0))))
        return count, min(self._most, max(self._left // count - self._asking, 1))

    def take(self, plans: int, nodes: int) -> None:
        """So many plans were made, whose searches took so many nodes."""
        self._left -= nodes + plans * self._asking


def _served(waiting: int, settings: CrowdSettings) -> int:
    """How many should be served in a frame, so that nobody waits for more than `patience`."""
    return max(1, -(-waiting // settings.patience))
