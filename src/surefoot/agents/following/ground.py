"""A world as a simulated body meets it: its boxes at rest and its boxes that move."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.math import Pose, rotations
from surefoot.physics import Body, Platform, Stage
from surefoot.physics.platforms import carried, is_box, seen_from
from surefoot.physics.states import States
from surefoot.planning import Plan
from surefoot.world import Attached, Place, Static, World
from surefoot.world import Body as Thing

_DEPTH = 3.0  # [m] that the stage's own floor is under everything: who falls off, falls
_NEAR = 1.0  # [m] beside a plan: what is nearer than that must be simulated
_MOMENTS = 200


class Ground:
    """The bodies of a world that can carry somebody, as platforms of a stage.

    Attributes:
        world: as it is.
        stage: with the simulated body, and everything so much higher that its own floor is below.
        raised: [m]: by how much.
    """

    def __init__(self, world: World, body: Body, plan: Plan) -> None:
        """Of a world, for a body that follows a plan.

        Things that are no boxes are left out where they do not come near the plan; where they do,
        they are refused.
        """
        self.world = world
        lowest = min(float(thing.mesh.bounds[0, 2]) for thing in world)
        poses = [thing.trajectory.pose(plan.start).position[2] for thing in world]
        self.raised = _DEPTH - min(0.0, lowest + float(min(poses, default=0.0)))
        self._boxes = {
            thing.name: self._box(thing)
            for thing in world
            if thing.solid and (is_box(thing) or _comes_near(thing, plan, world))
        }
        moving = [box for name, box in self._boxes.items() if world[name].trajectory.moving]
        resting = [box for name, box in self._boxes.items() if not world[name].trajectory.moving]
        self.stage = Stage(
            body, platforms=moving, scenery="".join(box.fixed_mjcf() for box in resting)
        )
        self._own = len(body.standing()), int(body.model().nv)

    def _box(self, thing: Thing) -> Platform:
        box = Platform.of(thing)
        up = Static(Pose.at(0.0, 0.0, self.raised))
        # Parts of the body have names of their own, which a thing may have, too.
        return replace(box, name=f"ground: {box.name}", trajectory=Attached(up, box.trajectory))

    def stood(self, states: States, place: Place, heading: float, t: float) -> States:
        """A body that stands somewhere, at a foot strike.

        Args:
            states: of one body at the origin of a bare floor, facing along x.
            place: where to.
            heading: [rad] in the frame of the place's body.
            t: [s].
        """
        assert place.body is not None
        box = self._boxes[place.body]
        turn = np.array([[np.cos(heading / 2), 0.0, 0.0, np.sin(heading / 2)]])
        own = self.alone(states).copy()
        own.positions[:, :2] = place.position[:2]
        own.positions[:, 3:7] = rotations.multiply(turn, own.positions[:, 3:7])
        own.velocities[:, :3] = rotations.rotate(turn, own.velocities[:, :3])
        own.beats[:, 2] += heading
        there = carried(own, box.track(np.array([t])), box.top)
        whole = self.stage.standing()
        if self.stage.platforms:
            whole = self.stage.aboard(whole, self.stage.platforms[0].name, t)
        positions, velocities = self._own
        whole.positions[:, :positions] = there.positions
        whole.velocities[:, :velocities] = there.velocities
        whole.beats[:] = there.beats
        return whole

    def alone(self, states: States) -> States:
        """The body without the things around it."""
        positions, velocities = self._own
        return States(
            positions=states.positions[:, :positions],
            velocities=states.velocities[:, :velocities],
            beats=states.beats,
        )

    def under(self, states: States, t: float) -> str | None:
        """The name of what is under the body at `t` [s]; None over a gap."""
        point = states.places[0] - np.array([0.0, 0.0, self.raised])
        found = self.world.support(point, t, down=2.0)
        return self.world.names[int(found.body)] if bool(found.hit) else None

    def seen_from(self, states: States, carrier: str, t: float) -> States:
        """The body alone, as seen from what carries it."""
        box = self._boxes[carrier]
        return seen_from(self.alone(states), box.track(np.array([t])), box.top)

    def top(self, carrier: str) -> float:
        """[m] of its surface above the origin of its frame."""
        return self._boxes[carrier].top

    def with_room(self, place: Place, room: float) -> Place:
        """The nearest place that is so far [m] from the edges of what carries it, if there is."""
        if place.body is None or place.body not in self._boxes:
            return place
        box, (x, y, z) = self._boxes[place.body], place.position.tolist()
        inside = [
            min(max(at, low + room), high - room) if high - low > 2 * room else (low + high) / 2
            for at, low, high in zip((x, y), box.low, box.high, strict=False)
        ]
        return Place(place.body, np.array([*inside, z]))

    def lowered(self, frames: Floats) -> Floats:
        """Recorded frames, where they are in the world."""
        lower = frames.copy()
        lower[:, 2] -= self.raised
        return lower


def _comes_near(thing: Thing, plan: Plan, world: World) -> bool:
    """Whether a thing's bounding box comes near somebody who does what the plan says."""
    times = np.linspace(plan.start, plan.end, _MOMENTS)
    feet, _ = plan.track(times, world)
    places, turns = thing.trajectory.poses(times)
    local = rotations.rotate(rotations.inverse(turns), feet - places)
    low, high = thing.mesh.bounds
    beside = np.maximum(np.maximum(low - local, local - high), 0.0)
    return bool((np.linalg.norm(beside, axis=1) < _NEAR).any())
