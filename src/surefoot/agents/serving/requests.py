"""What a client may ask, and the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from surefoot import arrays, schema
from surefoot.agents.crowd import Crowd
from surefoot.agents.recording import VERSION as RECORDING
from surefoot.agents.serving.messages import Arrays
from surefoot.arrays import Floats, number, vector
from surefoot.character import Character, people
from surefoot.errors import InputError, one_of
from surefoot.math import Pose
from surefoot.planning.goals import Goal

Reply = tuple[dict[str, Any], Arrays]

_PEOPLE: Mapping[str, Callable[[], Character]] = {
    "adult": people.adult,
    "child": people.child,
    "tall adult": people.tall_adult,
}
_VIEWERS = 64
"""Places to watch from that clients may give."""
_MOST = 20_000
"""Agents that clients may let come."""


class Requests:
    """Does what clients ask of one crowd.

    Args:
        crowd: theirs.
    """

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self._people: dict[tuple[str, float | None], Character] = {}
        self._does: Mapping[str, Callable[[Mapping[str, Any]], Reply]] = {
            "add": self._add,
            "goal": self._goal,
            "remove": self._remove,
            "observe": self._observe,
            "view": self._view,
            "step": self._step,
            "state": self._state,
            "plan": self._plan,
            "recording": self._recording,
        }

    def answer(self, message: Mapping[str, Any]) -> Reply:
        """The answer to a message.

        Raises:
            SurefootError: it asks for something wrong; says what.
        """
        what = message.get("do")
        if not isinstance(what, str) or what not in self._does:
            raise InputError(one_of("request", str(what)[:60], self._does))
        return self._does[what](message)

    def _add(self, message: Mapping[str, Any]) -> Reply:
        if len(self.crowd.agents) >= _MOST:
            raise InputError(f"there are {_MOST} agents already")
        name = message.get("character", "adult")
        if not isinstance(name, str) or name not in _PEOPLE:
            raise InputError(one_of("character", str(name)[:60], _PEOPLE))
        tall = message.get("height")
        key = (name, None if tall is None else number(tall, "height", at_least=0.3, at_most=3.0))
        if key not in self._people:
            self._people[key] = _PEOPLE[name]() if key[1] is None else people.person(name, key[1])
        agent = self.crowd.add(
            self._people[key],
            _point(message, "position"),
            heading=number(message.get("heading", 0.0), "heading"),
        )
        if message.get("goal") is not None:
            self.crowd.goal(agent, _aim(self.crowd, message, "goal"))
        return {"agent": agent}, {}

    def _goal(self, message: Mapping[str, Any]) -> Reply:
        agent = _agent(message)
        nowhere = message.get("position") is None
        self.crowd.goal(agent, None if nowhere else _aim(self.crowd, message, "position"))
        return {}, {}

    def _remove(self, message: Mapping[str, Any]) -> Reply:
        self.crowd.remove(_agent(message))
        return {}, {}

    def _observe(self, message: Mapping[str, Any]) -> Reply:
        name = message.get("body")
        if not isinstance(name, str) or name not in self.crowd.world:
            raise InputError(one_of("body", str(name)[:60], self.crowd.world.bodies))
        turn = vector(message.get("rotation", (1.0, 0.0, 0.0, 0.0)), "rotation (w, x, y, z)", 4)
        velocity = message.get("velocity")
        self.crowd.world.observe(
            name,
            self.crowd.t,
            Pose(_point(message, "position"), turn),
            velocity=None if velocity is None else vector(velocity, "velocity"),
        )
        return {}, {}

    def _view(self, message: Mapping[str, Any]) -> Reply:
        spots: Any = message.get("positions")
        if not isinstance(spots, list) or len(cast("list[Any]", spots)) > _VIEWERS:
            raise InputError(f"positions must be a list of at most {_VIEWERS} points [m]")
        points = [_point({"position": spot}, "position") for spot in cast("list[Any]", spots)]
        self.crowd.view_from(np.array(points).reshape(-1, 3))
        return {}, {}

    def _step(self, message: Mapping[str, Any]) -> Reply:
        dt: Any = message.get("dt")
        frame = self.crowd.step(dt)
        reply, state = self._state(message)
        reply |= {
            "taken": list(frame.taken),
            "waiting": frame.waiting,
            "horizon": frame.horizon,
            "nodes": frame.nodes,
        }
        return reply, state

    def _state(self, message: Mapping[str, Any]) -> Reply:
        crowd = self.crowd
        agents = crowd.agents
        reply: dict[str, Any] = {
            "t": crowd.t,
            "arrived": [agent for agent in agents if crowd.arrived(agent)],
            "events": {str(event): count for event, count in crowd.events.items()},
        }
        arrays: dict[str, npt.NDArray[Any]] = {"agents": np.array(agents, dtype=np.int32)}
        if agents:
            arrays["spots"], arrays["headings"] = crowd.spots()
        if message.get("poses", True) is not False:
            poses = crowd.poses()
            arrays["root"] = poses.root.astype(np.float32)
            arrays["rotations"] = poses.rotations.astype(np.float32)
            arrays["contacts"] = poses.contacts.astype(np.uint8)
        return reply, arrays

    def _plan(self, message: Mapping[str, Any]) -> Reply:
        """An agent's published plan: its actions, where it leads, and its footsteps."""
        crowd, agent = self.crowd, _agent(message)
        crowd.character(agent)
        plan = crowd.plans()[agent]
        times: Floats = np.append(plan.actions, plan.end)
        steps = [
            {
                "foot": step.foot,
                "body": step.place.body,
                "position": step.place.position.tolist(),
                "heading": step.heading,
                "start": step.start,
                # JSON has no infinity: a foot that stays has no end.
                "end": step.end if np.isfinite(step.end) else None,
            }
            for step in plan.footsteps
        ]
        reply = {"end": plan.end, "reached": plan.reached, "why": crowd.why(agent)}
        return {**reply, "footsteps": steps}, {"times": times, "spots": plan.spots(times)[0]}

    def _recording(self, message: Mapping[str, Any]) -> Reply:
        del message
        text = schema.dumps(self.crowd.recording(), kind="recording", version=RECORDING)
        return {}, {"recording": np.frombuffer(text.encode(), dtype=np.uint8)}


def _agent(message: Mapping[str, Any]) -> int:
    agent = message.get("agent")
    if type(agent) is not int:
        raise InputError(f"agent must be a whole number, got {str(agent)[:60]!r}")
    return agent


def _point(message: Mapping[str, Any], name: str) -> Floats:
    value: Any = message.get(name)
    if not isinstance(value, list) or len(cast("list[Any]", value)) != 3:
        raise InputError(f"{name} must be three numbers [m]")
    return arrays.position(cast("list[float]", value), name)


def _aim(crowd: Crowd, message: Mapping[str, Any], name: str) -> Goal:
    place = crowd.world.place(_point(message, name), crowd.t)
    tolerance = arrays.length(message.get("tolerance", 0.25), "tolerance", above=0.0)
    facing = message.get("facing")
    return Goal(place, None if facing is None else number(facing, "facing"), tolerance)
