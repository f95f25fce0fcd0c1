"""Recordings of worlds whose stops are never quite as long as the last time."""

from __future__ import annotations

import numpy as np

from surefoot.world import Keyframed, World


def uneven(world: World, seed: int, jitter: float, seconds: float) -> World:
    """A world as it was recorded from 0 to `seconds` [s].

    Each stop of what goes round and round is longer or shorter than it should be.

    Args:
        world: in which what moves repeats itself.
        seed: of the draw.
        jitter: by how much, at most, as a share of a stop.
        seconds: [s] that were recorded.
    """
    rng = np.random.default_rng(seed)
    out = World(name=world.name)
    for body in world:
        way = body.trajectory
        if isinstance(way, Keyframed) and way.repeat == "loop":
            way = _recorded(rng, way, jitter, seconds)
        out.add(body.moved(way))
    return out


def _recorded(rng: np.random.Generator, way: Keyframed, jitter: float, seconds: float) -> Keyframed:
    spans = np.diff(way.times)
    spots = np.asarray(way.positions)
    stops = np.linalg.norm(np.diff(spots, axis=0), axis=1) < 1e-9
    # Where it is in its round at 0 s, it is in the recording, too.
    period = float(way.times[-1] - way.times[0])
    t = float(way.times[0]) - period * np.ceil((way.times[0] + 1e-9) / period)
    keys, at = [t], [spots[0]]
    while t < seconds:
        for k, span in enumerate(spans):
            t += span * (1 + jitter * rng.uniform(-1, 1) * stops[k])
            keys.append(t)
            at.append(spots[k + 1])
    still = np.zeros((len(keys), 3))
    return Keyframed(np.array(keys), np.array(at), interpolation="cubic", tangents=(still, still))
