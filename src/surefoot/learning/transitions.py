"""What happens when an action is taken in a state: the input of value iteration."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Bools, Floats, floats, frozen
from surefoot.errors import InputError

Ints = npt.NDArray[np.int32]


def _none() -> Floats:
    return np.zeros((0, 0, 0))


@dataclass(frozen=True, kw_only=True, eq=False)
class TransitionTable:
    """Transitions of `s` states under `a` actions, whatever the task.

    Attributes:
        successors: `(s, a, k)`: the k sampled states nearest to the one that the action leads to.
        weights: `(s, a, k)`, >= 0: how much each of them counts; they add up to 1.
        motion: `(s, a, 3)`: how far the character goes ahead and to the left [m], and by how much
            it turns to the left [rad], in its own frame before the action.
        rewards: `(s, a)`: for the action itself, such as a penalty for an unnatural transition.
        durations: `(s, a)` [s], >= 0.
        viable: `(s, a)`: what can be done at all.
        shifts: `(s, a, p)`: added to the task axes that shift; see `TaskSpace.shifts`.
    """

    successors: Ints
    weights: Floats
    motion: Floats
    rewards: Floats
    durations: Floats
    viable: Bools
    shifts: Floats = field(default_factory=_none)

    def __post_init__(self) -> None:
        successors = np.ascontiguousarray(self.successors, dtype=np.int32)
        if successors.ndim != 3 or 0 in successors.shape:
            raise InputError(f"successors must be (s, a, k), none 0, got {successors.shape}")
        states, actions, _ = successors.shape
        put = object.__setattr__
        viable = np.array(self.viable, dtype=np.bool_)
        if viable.shape != (states, actions):
            raise InputError(f"viable must be {(states, actions)}, got {viable.shape}")
        shifts = self.shifts if np.size(self.shifts) else np.zeros((states, actions, 0))
        expected = {
            "weights": successors.shape,
            "motion": (states, actions, 3),
            "rewards": (states, actions),
            "durations": (states, actions),
            "shifts": (states, actions, np.shape(shifts)[-1]),
        }
        given = {name: getattr(self, name) for name in expected} | {"shifts": shifts}
        for name, shape in expected.items():
            # What cannot be done may hold anything; it is not looked at.
            array = np.array(given[name], dtype=np.float64)
            if array.shape != shape:
                raise InputError(f"{name} must have shape {shape}, got {array.shape}")
            array[~viable] = 0.0
            bad = np.argwhere(~np.isfinite(array))
            if len(bad):
                state, action = bad[0][:2]
                raise InputError(f"{name} of state {state}, action {action} is not finite")
            put(self, name, frozen(floats(array, name)))
        successors = np.where(viable[..., None], successors, 0).astype(np.int32)
        self._check(successors, viable)
        for name, array in (("successors", successors), ("viable", viable)):
            array.flags.writeable = False
            put(self, name, array)

    def _check(self, successors: Ints, viable: Bools) -> None:
        outside = np.argwhere((successors < 0) | (successors >= len(successors)))
        if len(outside):
            state, action, _ = outside[0]
            raise InputError(
                f"state {state}, action {action} leads to state {successors[tuple(outside[0])]};"
                f" there are {len(successors)}"
            )
        wrong = viable & (np.abs(self.weights.sum(axis=-1) - 1.0) > 1e-5)
        wrong |= (self.weights < 0).any(axis=-1)
        if wrong.any():
            state, action = np.argwhere(wrong)[0]
            raise InputError(
                f"weights of state {state}, action {action} must be >= 0 and add up to 1, got"
                f" {self.weights[state, action].tolist()}"
            )
        if (self.durations < 0).any():
            state, action = np.argwhere(self.durations < 0)[0]
            raise InputError(f"the duration of state {state}, action {action} is negative")

    @property
    def states(self) -> int:
        """How many."""
        return self.successors.shape[0]

    @property
    def actions(self) -> int:
        """How many."""
        return self.successors.shape[1]
