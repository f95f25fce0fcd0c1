"""The same crowds as discs: ORCA of pyrvo, and JuPedSim's collision-free speed model."""

from __future__ import annotations

import jupedsim
import numpy as np
import pyrvo

from surefoot.arrays import Floats

STEP = 1.0 / 60.0  # [s]
SPEED, RADIUS = 1.33, 0.25  # [m/s], [m]


class Orca:
    """Discs that go straight to their goals and avoid each other by half each."""

    def __init__(self, starts: Floats, goals: Floats) -> None:
        self._sim = pyrvo.RVOSimulator(STEP, 5.0, 10, 2.0, 2.0, RADIUS, 2.0)
        self._goals, self._count = goals, 0
        for x, y in starts:
            self._sim.add_agent((float(x), float(y)))

    def step(self) -> None:
        """One sixtieth of a second; where to is looked at six times a second."""
        self._count += 1
        for agent, goal in enumerate(self._goals if self._count % 10 == 1 else ()):
            at = self._sim.get_agent_position(agent)
            way = goal - np.array([at.x, at.y])
            far = float(np.hypot(*way))
            wished = way * (min(SPEED, far) / max(far, 1e-9))
            self._sim.set_agent_pref_velocity(agent, (float(wished[0]), float(wished[1])))
        self._sim.do_step()


class Pedestrians:
    """Discs of JuPedSim, each with a goal of its own."""

    def __init__(self, starts: Floats, goals: Floats, side: float) -> None:
        half = side / 2 + 3.0
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
        self._sim = jupedsim.Simulation(
            model=jupedsim.CollisionFreeSpeedModel(), geometry=corners, dt=STEP
        )
        stage = self._sim.add_direct_steering_stage()
        journey = self._sim.add_journey(jupedsim.JourneyDescription([stage]))
        for start, goal in zip(starts, goals, strict=True):
            agent = self._sim.add_agent(
                jupedsim.CollisionFreeSpeedModelAgentParameters(
                    position=tuple(map(float, start)),
                    journey_id=journey,
                    stage_id=stage,
                    desired_speed=SPEED,
                    radius=0.15,
                )
            )
            self._sim.agent(agent).target = tuple(map(float, goal))

    def step(self) -> None:
        """One sixtieth of a second."""
        self._sim.iterate()
