"""Measures every built-in controller against what is asked of it, as one table.

    python tools/measure_controllers.py [--seed 1000] [--tasks 2000] [--scenes 500] [--best 100]
                                        [controller ...]

Random targets in a controller's own abstract task (levine2011, section 4.1); their times over the
least that any sequence of moves takes, by brute force over a few clips, or over all that run or
jump on level ground; random local scenes unlike its idea of an obstacle, at rest and moving, of
which every one counts, and every success is checked under the exact queries. Nothing was tuned on
seeds from 1000 on.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from references.best_times import trials
from references.local_scenes import share_adapted
from references.own_tasks import share_done
from surefoot import control
from surefoot.character import people


def main() -> None:
    """Prints a row as soon as a controller is measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--tasks", type=int, default=2000, help="of each controller's own kind")
    parser.add_argument("--scenes", type=int, default=500, help="at rest, and as many that move")
    parser.add_argument(
        "--best", type=int, default=100, help="times that are held against the best"
    )
    names = [task.name for task in control.built_in_tasks()]
    parser.add_argument("controller", nargs="*", help=f"all when not given: {', '.join(names)}")
    args = parser.parse_args()
    for name in args.controller:
        if name not in names:
            parser.error(f"unknown controller {name!r}; there are: {', '.join(names)}")
    who = people.adult()
    trained = control.load(who)
    held = trials()
    print(
        f"| controller | own tasks done ({args.tasks}) | time over the best, mean"
        f" ({args.best}) | median | nine in ten | scenes at rest ({args.scenes}) | that move |"
    )
    print("|---|---|---|---|---|---|---|")
    for name in args.controller or names:
        controller = trained[name]
        row = [name, f"{100 * share_done(controller, args.tasks, args.seed):.2f}%"]
        if name in held:
            ratios = held[name].ratios(trained.repertoire, args.best, args.seed)
            times = (np.mean(ratios), np.median(ratios), np.percentile(ratios, 90))
            row += [f"{ratio:.3f}" for ratio in times]
            for moving in (False, True):
                seed = args.seed + moving
                found = share_adapted(controller, who, args.scenes, moving=moving, seed=seed)
                row.append(f"{100 * found:.1f}%")
        else:
            row += [""] * 5
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
