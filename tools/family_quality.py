"""Measures every family of the default library over its whole range, and lists the worst clips.

    python tools/family_quality.py [--draws 30] [--who adult] [--height 1.75] [family ...]

The corners of each range, and random values between them: feet that slide, joints beyond their
limits, knees. What is worse than `surefoot.motion.quality` allows for a body of this size is marked
with an asterisk.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product
from math import degrees

import numpy as np

from surefoot.character import people
from surefoot.character.measures import ADULT, CHILD
from surefoot.errors import InputError
from surefoot.motion.default import default_families
from surefoot.motion.families import Family
from surefoot.motion.quality import Quality, assess, knee_bounds
from surefoot.motion.quality.report import LIMIT, SLIDE


def places(family: Family, draws: int) -> Iterator[dict[str, float]]:
    """Values of all parameters: the corners, then random ones."""
    names = [one.name for one in family.parameters]
    for corner in product(*((one.low, one.high) for one in family.parameters)):
        yield dict(zip(names, corner, strict=True))
    random = np.random.default_rng(0)
    for _ in range(draws if names else 0):
        yield {one.name: float(random.uniform(one.low, one.high)) for one in family.parameters}


def line(name: str, values: dict[str, float], quality: Quality, leg: float) -> str:
    """One clip's figures in a row; `leg` [m] is the body's."""
    fastest, sharpest = knee_bounds(leg)
    told = " ".join(f"{key} {value:.3g}" for key, value in values.items())
    figures = [
        (1e3 * quality.slide, 1e3 * SLIDE, "mm/s"),
        (degrees(quality.beyond_limits), degrees(LIMIT), "deg"),
        (quality.knee_speed, fastest, "rad/s"),
        (quality.knee_acceleration, sharpest, "rad/s^2"),
    ]
    row = "".join(f"{v:9.2f}{'*' if v > most else ' '}{unit:8}" for v, most, unit in figures)
    return f"{name:18}{row} {told} {quality.limit_joint}"


def main() -> None:
    """Prints the worst of each family, and everything that is worse than it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--draws", type=int, default=30)
    parser.add_argument("--who", default="adult", help="adult, child or tall_adult")
    parser.add_argument("--height", type=float, help="[m]; of the same proportions")
    asked = parser.parse_args()
    character = getattr(people, asked.who)()
    if asked.height is not None:
        proportions = CHILD if asked.who == "child" else ADULT
        character = people.person(asked.who, asked.height, proportions=proportions)
    total = bad = 0
    for name, family in default_families(character).items():
        if asked.families and name not in asked.families:
            continue
        worst: dict[str, tuple[float, str]] = {}
        problems: list[str] = []
        for values in places(family, asked.draws):
            try:
                made = family.made(**values)
            except InputError:
                continue
            quality = assess(made.clip, character.measures, contacts=made.contacts)
            told = line(name, values, quality, character.measures.leg_length)
            total += 1
            if quality.problems:
                problems.append(told)
            for figure in ("slide", "beyond_limits", "knee_speed", "knee_acceleration"):
                value = float(getattr(quality, figure))
                if value > worst.get(figure, (-1.0, ""))[0]:
                    worst[figure] = (value, told)
        bad += len(problems)
        for told in dict.fromkeys([*problems, *(told for _, told in worst.values())]):
            print(told, flush=True)
    print(f"{total} clips, {bad} of them with problems")


if __name__ == "__main__":
    main()
