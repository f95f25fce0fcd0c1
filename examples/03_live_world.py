"""A world that is only watched: bodies pushed in from outside, with a guess at their future."""

from __future__ import annotations

import numpy as np

import surefoot as sf


def main() -> None:
    world = sf.World([sf.Body(name="floor", mesh=sf.primitives.ground(30, 30))])
    world.add(sf.Body(name="cart", mesh=sf.primitives.box((1, 1, 1), (0, 0, 0.5))))
    walk = sf.people.adult().capability("walk")
    spot = sf.Place("floor", np.array([4.0, 0.0, 0.0]))

    # A game engine would do this every frame.
    for frame in range(1, 61):
        t = frame / 60
        world.observe("cart", t, sf.Pose.at(2.0 * t, 0.0, 0.0))

    cart = world["cart"].trajectory
    print(f"seen until 1 s; guessed until {cart.horizon:.1f} s")
    print(f"expected at 2 s: {cart.pose(2.0).position.round(2)} ({cart.confidence(2.0):.0%} sure)")
    for start, end in world.safe_intervals([spot], walk, 1.0, 3.0)[0]:
        print(f"the spot ahead of it is safe from {start:.2f} s to {end:.2f} s")

    # Something falls in, and is taken away again: the cost does not depend on the world's size.
    world.add(sf.Body(name="couch", mesh=sf.primitives.box((2, 1, 0.8), (4, 0, 0.4))))
    print("with a couch there:", world.safe_intervals([spot], walk, 1.0, 3.0)[0].tolist())
    world.remove("couch")


if __name__ == "__main__":
    main()
