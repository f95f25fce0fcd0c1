"""Recovery: how surely each action keeps a body up, as a small net knows it from trials.

Beyond the paper. After a push a body is in a state that nobody has been in before; values of the
nearest known states are smeared there. A regression over all numbers of a state tells more, and
takes microseconds. How it is learned: `learning_recovery`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Bools, Floats, Ints

HIDDEN = 48
"""Numbers in a layer of one net."""

MEMBERS = 5
"""Nets that are asked; they differ in how they began, and the mean errs less than each."""

_FARTHEST = 4.0  # standard deviations, beyond which numbers count alike
# Of learning. Who falls is nearly a matter of chance: with less noise on the inputs and less decay
# nets learn that by heart, and choose worse on states that they have not seen.
_RATE, _SLOWEST, _DECAY, _NOISE = 3e-3, 1e-4, 0.1, 0.4
_BATCH = 64


@dataclass(frozen=True, kw_only=True, eq=False)
class Recovery:
    """Nets from a state's numbers to each action's chance.

    Attributes:
        mean, scale: `(numbers,)` of the states that it was learned from.
        first, second, last: `(members, inputs, outputs)` of the layers, whose last row of inputs is
            the offset.
        calm: the index of the action that is taken wherever it is safe: the steady walk.
        sure: the chance from which on it is.
    """

    mean: Floats
    scale: Floats
    first: Floats
    second: Floats
    last: Floats
    calm: int
    sure: float = 0.98

    def chances(self, numbers: Floats) -> Floats:
        """`(n, actions)` of staying up, for `(n, numbers)` of canonical states (`numbers_of`)."""
        scaled = _scaled(numbers, self.mean, self.scale)
        return _layers(scaled, (self.first, self.second, self.last))[-1].mean(axis=0)

    def chosen(self, numbers: Floats) -> Ints:
        """`(n,)`: the calm action where it is safe, the safest one elsewhere."""
        chances = self.chances(numbers)
        calm = chances[:, self.calm] >= self.sure
        return np.where(calm, self.calm, chances.argmax(axis=1)).astype(np.int32)

    def packed(self) -> dict[str, npt.NDArray[Any]]:
        """For a policy's file."""
        arrays = {"mean": self.mean, "scale": self.scale, "first": self.first,
                  "second": self.second, "last": self.last}  # fmt: skip
        numbers = np.array([self.calm, self.sure])
        packed = {f"recovery {name}": array.astype(np.float32) for name, array in arrays.items()}
        return packed | {"recovery numbers": numbers}

    @classmethod
    def unpacked(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Recovery | None:
        """From a policy's file; None where there is none in it."""
        if "recovery numbers" not in arrays:
            return None
        own = {
            name: arrays[f"recovery {name}"].astype(np.float64)
            for name in ("mean", "scale", "first", "second", "last")
        }
        calm, sure = arrays["recovery numbers"].tolist()
        return cls(**own, calm=int(calm), sure=sure)


def fitted(
    numbers: Floats, stayed: Bools, *, calm: int, epochs: int = 60, seed: int = 0
) -> Recovery:
    """Learns from trials.

    Args:
        numbers: `(n, numbers)` of canonical states.
        stayed: `(n, actions)`: who stayed up with each first action.
        calm: see `Recovery`.
        epochs: times that all of it is looked at.
        seed: of how the nets begin, and of the order.
    """
    mean, scale = numbers.mean(axis=0), numbers.std(axis=0) + 1e-3
    inputs, wanted = _scaled(numbers, mean, scale), stayed.astype(np.float64)
    width, actions = inputs.shape[1], wanted.shape[1]
    rng = np.random.default_rng([16, seed])
    layers = [
        np.concatenate([rng.normal(0.0, spread, (MEMBERS, size, out)), np.zeros((MEMBERS, 1, out))],
                       axis=1)
        for size, out, spread in (
            (width, HIDDEN, width**-0.5), (HIDDEN, HIDDEN, HIDDEN**-0.5), (HIDDEN, actions, 0.1),
        )
    ]  # fmt: skip
    means, squares = [np.zeros_like(w) for w in layers], [np.zeros_like(w) for w in layers]
    steps = 0
    for epoch in range(epochs):
        rate = _RATE * (1 - epoch / epochs) + _SLOWEST
        for rows in np.array_split(rng.permutation(len(inputs)), max(1, len(inputs) // _BATCH)):
            noisy = inputs[rows] + rng.normal(0.0, _NOISE, (len(rows), width))
            steps += 1
            slopes = _slopes(noisy, wanted[rows], layers)
            for i, slope in enumerate(slopes):
                means[i] = 0.9 * means[i] + 0.1 * slope
                squares[i] = 0.999 * squares[i] + 0.001 * slope * slope
                size = np.sqrt(squares[i] / (1 - 0.999**steps)) + 1e-8
                step = means[i] / (1 - 0.9**steps) / size
                step[:, :-1] += _DECAY * layers[i][:, :-1]
                layers[i] -= rate * step
    return Recovery(
        mean=mean, scale=scale, first=layers[0], second=layers[1], last=layers[2], calm=calm
    )


def _scaled(numbers: Floats, mean: Floats, scale: Floats) -> Floats:
    return np.clip((numbers - mean) / scale, -_FARTHEST, _FARTHEST)


def _layers(inputs: Floats, layers: tuple[Floats, ...] | list[Floats]) -> list[Floats]:
    """What comes out of each layer, `(members, n, outputs)`; the last are chances."""
    first, second, last = layers
    one = np.tanh(inputs @ first[:, :-1] + first[:, -1:])
    two = np.tanh(one @ second[:, :-1] + second[:, -1:])
    return [one, two, 1.0 / (1.0 + np.exp(-(two @ last[:, :-1] + last[:, -1:])))]


def _slopes(inputs: Floats, wanted: Floats, layers: list[Floats]) -> list[Floats]:
    """Of the cross entropy, with each layer."""
    one, two, chances = _layers(inputs, layers)
    error = (chances - wanted) / len(inputs)
    at_two = (error @ layers[2][:, :-1].transpose(0, 2, 1)) * (1 - two * two)
    at_one = (at_two @ layers[1][:, :-1].transpose(0, 2, 1)) * (1 - one * one)

    def slope(before: Floats, after: Floats) -> Floats:
        inner = before.transpose(0, 2, 1) @ after
        return np.concatenate([inner, after.sum(axis=1, keepdims=True)], axis=1)

    copies = np.broadcast_to(inputs, (MEMBERS, *inputs.shape))
    return [slope(copies, at_one), slope(one, at_two), slope(two, error)]
