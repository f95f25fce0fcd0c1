"""The time manager: how many nodes a frame may take, and who gets how many of them.

Searches count nodes, not milliseconds, so that a run has the same bits anywhere. Where a frame
must hold a time, milliseconds become nodes by what was measured in the frames before; each frame's
nodes are in the recording, and a replay takes them from there.
"""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.agents.settings import CrowdSettings

FIRST_RATE = 100.0
"""[nodes/ms] Taken before anything was measured: slow, so that the first frame holds its time."""

_GAIN = 0.2
"""How much the latest frame counts against those before it."""


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


@dataclass(frozen=True)
class Shares:
    """What each of those who are served in a frame gets.

    Attributes:
        served: how many are served.
        nodes: for each.
        horizon: [actions] for each.
    """

    served: int
    nodes: int
    horizon: int


class TimeManager:
    """Turns milliseconds into nodes, and keeps a log of it."""

    def __init__(self, settings: CrowdSettings) -> None:
        self._settings = settings
        self.rate = FIRST_RATE
        self.log: list[Conversion] = []

    def allowance(self, frame: int) -> int:
        """The nodes that a frame may take."""
        given = self._settings.milliseconds
        nodes = self._settings.frame_nodes if given is None else max(1, int(given * self.rate))
        self.log.append(Conversion(frame, given, self.rate, nodes))
        return nodes

    def spent(self, nodes: int, seconds: float) -> None:
        """What the frame took in fact; the next one is judged by it."""
        if nodes > 0 and seconds > 0.0:
            measured = nodes / (seconds * 1e3)
            self.rate += _GAIN * (measured - self.rate)


def shares(waiting: int, allowance: int, settings: CrowdSettings) -> Shares:
    """How a frame's nodes are shared among those who wait.

    As many are served in each frame as it takes to serve everybody within `patience` frames. They
    get the same; where that is less than a full plan takes, they look less far ahead, down to one
    action.
    """
    if waiting == 0:
        return Shares(0, 0, 0)
    wanted = -(-waiting // settings.patience)
    each = min(settings.nodes, max(settings.least_nodes, allowance // wanted))
    served = max(1, min(waiting, allowance // each))
    reach = max(1, round(settings.horizon * min(1.0, 2.0 * each / settings.nodes)))
    return Shares(served, min(each, max(allowance, 1)), reach)
