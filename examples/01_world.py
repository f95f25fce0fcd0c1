"""A world in a few lines: a floor, a lift, a swinging door; ask it anything at any time."""

from __future__ import annotations

import numpy as np

import surefoot as sf


def make_world() -> sf.World:
    floor = sf.Body(name="floor", mesh=sf.primitives.ground(20, 20))
    lift = sf.Body(
        name="lift",
        mesh=sf.primitives.slab((2, 2, 0.2)),
        trajectory=sf.Keyframed(
            np.array([0.0, 5.0]), np.array([[3.0, 0, 0], [3.0, 0, 3.0]]), repeat="ping-pong"
        ),
    )
    trolley = sf.Body(
        name="trolley",
        mesh=sf.primitives.box((1.2, 0.8, 1.0), (0, 0, 0.5)),
        trajectory=sf.along(
            [[-5, -4, 0], [0, -4, 0], [5, 4, 0], [0, 4, 0], [-5, 4, 0]],
            speed=1.5,
            closed=True,
            repeat="loop",
        ),
    )
    return sf.World([floor, lift, trolley], name="first world")


def main() -> None:
    world = make_world()
    print(world)

    # What is under a point, how high and how fast? A thousand moments at once.
    times = np.linspace(0, 10, 1000)
    ground = world.support([3.0, 0.0, 5.0], times, down=10.0)
    top = int(np.argmax(ground.height))
    print(f"the lift is highest at {times[top]:.2f} s: {ground.height[top]:.2f} m")
    print(f"at 2.5 s it rises at {world.support([3, 0, 5], 2.5, down=10).velocity[2]:.2f} m/s")

    # A place rides on its body.
    place = world.place([3.5, 0.0, 4.0], t=5.0)
    print(f"{place}; at 0 s that is {world.position(place, 0.0).round(2)}")

    # When can somebody stand in the trolley's way?
    walk = sf.people.adult().capability("walk")
    spot = world.place([0.0, -4.0, 1.0], t=0.0)
    for start, end in world.safe_intervals([spot], walk, 0.0, 30.0)[0]:
        print(f"safe at {spot} from {start:.3f} s to {end:.3f} s")

    # Walk across and be stopped by whatever comes first.
    path = sf.TimedPath(np.array([0.0, 12.0]), np.array([[-8.0, -4, 0], [8.0, -4, 0]]))
    contact = world.sweep(path, sf.Cylinder(walk.radius, walk.height, walk.step_height))
    if contact is not None:
        print(f"a straight walk is stopped by {contact.body!r} at {contact.time:.2f} s")


if __name__ == "__main__":
    main()
