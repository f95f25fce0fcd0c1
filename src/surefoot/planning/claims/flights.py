"""Claims about jumps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from surefoot.arrays import samples
from surefoot.character import Capability
from surefoot.character.capability import GRAVITY
from surefoot.motion.flight import Flight
from surefoot.planning import wording
from surefoot.planning.claims.walk import Fault, Finding, Part, Walk, names
from surefoot.planning.frames import frame_velocities, to_world
from surefoot.world import Place, World

ARC = 0.05
"""[m] By which a path in the air may leave its parabola, being made of straight pieces."""

TUCK = 0.3
"""[m] By which feet may rise above the highest landing in a jump."""

_RATE = 60.0
"""[1/s] At which a path in the air is compared with its parabola."""

FIRM = 0.03
"""[m] By which take-off and landing may lie above or below the ground."""


def flights(walk: Walk) -> Iterator[Finding]:
    """Jumps are parabolas between two firm places, within what the capability can."""
    for part in walk.parts:
        for flight in part.segment.flights:
            bodies = names(flight.take_off.body, flight.landing.body, part.segment.frame)
            if any(name not in walk.world for name in bodies):
                time, place, why = flight.start, flight.take_off, "its bodies are not in the world"
            else:
                time, place, why = _flight(part, flight, walk.world)
            if why:
                message = f"the {part.segment.kind} {why}"
                yield Finding(
                    fault=Fault.FLIGHT, time=time, place=place, message=message, bodies=bodies
                )


def _flight(part: Part, flight: Flight, world: World) -> tuple[float, Place, str]:
    """When, where and why a flight is impossible; no reason when it is possible."""
    size, segment = part.capability, part.segment
    for place, t, what in (
        (flight.take_off, flight.start, "takes off from"),
        (flight.landing, flight.end, "lands on"),
    ):
        point = world.position(place, t)
        if not world.support(point, t, up=FIRM, down=FIRM).hit:
            return t, place, f"{what} {wording.place(place, world, t)}, where there is no ground"
    count = samples(flight.end - flight.start, _RATE, f"a flight of the {segment.kind}")
    times = np.linspace(flight.start, flight.end, 1 + count)
    local, _ = segment.sample(times)
    off = to_world(world, segment.frame, local, times) - flight.positions(world, times)
    worst = int(np.argmax(np.linalg.norm(off, axis=1)))
    if np.linalg.norm(off[worst]) > ARC:
        t = float(times[worst])
        by = float(np.linalg.norm(off[worst]))
        return t, segment.place(t), f"is {by:.2f} m off the parabola from take-off to landing"
    return flight.start, flight.take_off, _beyond(size, flight, world)


def _beyond(size: Capability, flight: Flight, world: World) -> str:
    """Which limit of the capability a flight breaks."""
    start = world.position(flight.take_off, flight.start)
    ground = frame_velocities(world, flight.take_off.body, start[None], np.array([flight.start]))[0]
    # Whoever jumps off a train has its speed for nothing.
    launch = flight.launch(world) - ground
    run = float(np.linalg.norm(launch[:2]))
    rise = float(world.position(flight.landing, flight.end)[2] - start[2])
    airborne = flight.end - flight.start
    # A landing below the take-off is farther away than the same jump over level ground.
    length = min(run * airborne, run * max(2.0 * launch[2] / GRAVITY, 0.0))
    top = max(float(launch[2]), 0.0) ** 2 / (2.0 * GRAVITY)
    limits = (
        ("length", length, size.max_jump_length),
        ("run-up speed", run, size.max_speed),
        ("rise", rise, size.max_jump_up),
        ("drop", -rise, size.max_drop),
        ("height of the arc", top, size.max_jump_up + TUCK),
    )
    for name, value, limit in limits:
        if value > 1.01 * limit + 0.01:
            return f"has a {name} of {value:.2f}, {size.name!r} allows {limit:.2f}"
    return ""
