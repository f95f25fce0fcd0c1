"""A ferry between two quays, and a lift to a terrace: for bodies that physics moves.

Everything that carries is a box, the ferry and the lift start and stop gently, and stay a while.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.world.body import Body
from surefoot.world.place import Place
from surefoot.world.primitives import slab
from surefoot.world.scenes.building import fixed
from surefoot.world.scenes.disconnected import slide
from surefoot.world.scenes.registry import scene
from surefoot.world.world import World

HORIZON = 180.0
"""[s] How long a way may take; ferry and lift never stop."""

GAP = 0.04
"""[m] Between what one steps from and what one steps on."""

QUAY, FERRY, THICK = (5.0, 4.0), (3.0, 4.0), 0.3
"""[m] Sides of quays and ferry, and how thick they are."""

WAY = 4.0
"""[m] That the ferry goes."""

RISE = 1.2
"""[m] From the far quay to the terrace."""

STONE, DECK, LIFT = (0.45, 0.46, 0.50), (0.16, 0.42, 0.70), (0.72, 0.32, 0.14)


@scene("ferry landing", "a ferry between quays and a lift to a terrace, gentle enough for physics",
       horizon=HORIZON)  # fmt: skip
def landing() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    near = np.array([0.5 * (QUAY[0] + FERRY[0]) + GAP, 0.0, 0.0])
    far = near + np.array([WAY, 0.0, 0.0])
    quay = far + near
    lift = quay + np.array([0.5 * (QUAY[0] + FERRY[0]) + GAP, 0.0, 0.0])
    terrace = lift + near + np.array([0.0, 0.0, RISE])
    bodies = [
        fixed("quay", slab((*QUAY, THICK)), STONE),
        fixed("far quay", slab((*QUAY, THICK), tuple(quay)), STONE),
        fixed("terrace", slab((*QUAY, THICK), tuple(terrace)), STONE),
        Body(
            name="ferry", mesh=slab((*FERRY, THICK)), color=DECK,
            trajectory=slide(near, far, 0.8, 12.0, 0.0),
        ),
        Body(
            name="lift", mesh=slab((*FERRY, THICK)), color=LIFT,
            trajectory=slide(lift, lift + np.array([0.0, 0.0, RISE]), 0.3, 12.0, 0.3),
        ),
    ]  # fmt: skip
    places = {
        "start": Place("quay", np.array([-1.0, 0.5, 0.0])),
        "goal": Place("far quay", quay + np.array([0.5, -0.5, 0.0])),
        "terrace": Place("terrace", terrace + np.array([0.5, 0.5, 0.0])),
    }
    return World(bodies, name="ferry landing"), places
