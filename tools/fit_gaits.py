"""Fits the numbers of walk and run to motion capture.

    python tools/fit_gaits.py FOLDER [-o numbers.json]

FOLDER has clips (BVH); `SUREFOOT_DATA`/mocap/cmu when it is not given. Steps are cut from all of
them (see `gait_strides`), straight and steady ones on level ground are kept, and the rhythm, the
foot's angles, the curves of the body and the swing of the run are fitted to them by least squares.
What is printed is what `surefoot/motion/gait/walk.py` and `run.py` have as constants, with how
well it fits: the residual beside the spread of what was fitted.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gait_strides import Array, Step, steps

from surefoot.motion.gait.arcs import Arcs, Ends, bump

ODD = ("PELVIS_YAW", "PELVIS_ROLL", "CHEST_YAW", "CHEST_ROLL", "PELVIS_LEFT")
"""What turns or shifts to a side: odd harmonics, so that the steps mirror each other."""

EVEN = ("PELVIS_PITCH", "CHEST_PITCH", "PELVIS_UP", "PELVIS_AHEAD")
"""What is the same in both steps: even harmonics."""

ARM = {"ARM_FORWARD": (1, 2, 3), "ARM_OUTWARD": (1, 2), "ELBOW": (1, 2, 3), "INWARD": (1, 2)}

WALKS, RUNS = (0.2, 0.7), (0.7, 1.6)
"""v* of steps that are taken for walks and runs."""


def walks(step: Step) -> bool:
    """Whether it is a step of an upright walk."""
    upright = float(step.curves["HEIGHT"].mean()) > 0.9
    return not step.runs and upright and WALKS[0] < step.ratio < WALKS[1]


def runs(step: Step) -> bool:
    """Whether it is a step of a run."""
    return step.duty < 0.45 and RUNS[0] < step.ratio < RUNS[1]


def line(x: Sequence[float], y: Sequence[float], about: float = 0.0) -> dict[str, float]:
    """Value at `about`, slope, residual and spread of a straight line."""
    slope, value = np.polyfit(np.asarray(x) - about, y, 1)
    rest = np.asarray(y) - value - slope * (np.asarray(x) - about)
    return {"at": about, "value": float(value), "slope": float(slope),
            "residual": float(rest.std()), "spread": float(np.std(y)),
            "median": float(np.median(y))}  # fmt: skip


def power(ratio: Array, time: Array, floor: float) -> dict[str, float]:
    """A and b of time = a * hypot(ratio, floor) ** b."""
    slope, value = np.polyfit(np.log(np.hypot(ratio, floor)), np.log(time), 1)
    rest = np.log(time) - value - slope * np.log(np.hypot(ratio, floor))
    return {"a": float(np.exp(value)), "b": float(slope), "floor": floor,
            "residual": float(rest.std()), "spread": float(np.log(time).std())}  # fmt: skip


def curve(
    chosen: list[Step], name: str, harmonics: Sequence[int], *, sloped: bool
) -> dict[str, Any]:
    """Fourier coefficients about each step's own mean; linear in v* where `sloped`."""
    phases, ratios, values = [], [], []
    for step in chosen:
        for suffix, shift in (("", 0.0), (" right", 0.5)):
            if name + suffix in step.curves:
                phases.append(step.phase + shift)
                ratios.append(np.full(len(step.phase), step.ratio))
                values.append(step.curves[name + suffix])
    one = name not in ARM
    columns: list[Array] = []
    # A step is half a stride: its mean belongs to the curve, except where both steps share it.
    phase, ratio, value = (np.concatenate(each) for each in (phases, ratios, values))
    for harmonic in harmonics:
        for wave in (np.cos, np.sin):
            column = wave(2 * np.pi * harmonic * phase)
            columns += [column, column * ratio] if sloped else [column]
    count = len(columns)
    if name in ODD:
        # Where a body goes aside a little all the time, that is no part of the curve.
        owners = np.repeat(np.arange(len(values)), [len(each) for each in values])
        clips = {step.clip for step in chosen}
        names = [step.clip for step in chosen]
        columns += [np.array([names[k] == clip for k in owners], float) for clip in sorted(clips)]
    else:
        owners = np.repeat(np.arange(len(values)), [len(each) for each in values])
        pairs = owners if one else owners // 2
        columns += [(pairs == k).astype(float) for k in range(int(pairs.max()) + 1)]
    table = np.stack(columns, axis=1)
    fitted = np.linalg.lstsq(table, value, rcond=None)[0]
    rest = value - table @ fitted
    around = value - table[:, count:] @ np.linalg.lstsq(table[:, count:], value, rcond=None)[0]
    width = 4 if sloped else 2
    rows = fitted[:count].reshape(len(harmonics), width)
    cosines = [row[: width // 2].round(4).tolist() for row in rows]
    sines = [row[width // 2 :].round(4).tolist() for row in rows]
    return {"harmonics": list(harmonics), "cosines": cosines, "sines": sines,
            "mean": float(value.mean()), "residual": float(rest.std()),
            "spread": float(around.std())}  # fmt: skip


def swing(chosen: list[Step]) -> dict[str, Any]:
    """What the ankle and the pitch do beyond the model's arcs: bumps in powers of u - 0.5."""
    found: dict[str, list[Array]] = {"ahead": [], "up": [], "pitch": []}
    for step in chosen:
        if step.swing is None or step.swing_speeds is None:
            continue
        ends = [
            Ends(
                time=np.array([float(end)]),
                ankle=np.array([[step.swing[-end, 0], 0.0, step.swing[-end, 1]]]),
                speed=np.array([[speeds[0], 0.0, speeds[1]]]),
                pitch=step.swing[[-end], 2],
                rate=np.array([speeds[2]]),
            )
            for end, speeds in enumerate(step.swing_speeds)
        ]
        flat = Arcs(ends[0], ends[1], np.zeros(1), np.zeros(1), np.zeros(1), 1.0)
        times = np.linspace(0.0, 1.0, len(step.swing))
        ankle, pitch = flat.at(np.zeros(len(times), dtype=np.intp), times)
        rise = bump(times)
        table = np.stack([rise, rise * (times - 0.5)], axis=1)
        plain = (ankle[:, 0], ankle[:, 2], pitch)
        for (_, rows), column, without in zip(found.items(), step.swing.T, plain, strict=True):
            rows.append(np.linalg.lstsq(table, column - without, rcond=None)[0])
    return {
        name: {"median": np.median(rows, axis=0).round(3).tolist(), "count": len(rows),
               "quartiles": np.percentile(rows, [25, 75], axis=0).round(3).tolist()}
        for name, rows in found.items()
    }  # fmt: skip


def fit(chosen: list[Step], *, sloped: bool, about: float, floor: float) -> dict[str, Any]:
    """Everything about one gait."""
    # Who speeds up or brakes moves alike, but in another rhythm and with the feet elsewhere.
    steady = [step for step in chosen if step.change < 0.15]
    ratio = np.array([step.ratio for step in steady])
    fitted: dict[str, Any] = {
        "steps": len(chosen),
        "steady steps": len(steady),
        "clips": dict(Counter(step.clip for step in chosen)),
        "ratios": [float(ratio.min()), float(ratio.max())],
        "knee speed [deg/s]": [
            float(f([step.knee_speed for step in chosen])) for f in (np.median, np.max)
        ],
        "stride time": power(ratio, np.array([step.time for step in steady]), floor),
        "duty": line(ratio, [step.duty for step in steady], about),
    }  # fmt: skip
    for name in chosen[0].numbers:
        fitted[name] = line(ratio, [step.numbers[name] for step in steady], about)
    for name in ("CHEST_PITCH", "PELVIS_PITCH", "HEIGHT"):
        fitted[f"mean {name}"] = line(ratio, [step.curves[name].mean() for step in steady], about)
    for name in (*ODD, *EVEN, *ARM, "HEAD_PITCH"):
        harmonics = ARM.get(name, (1, 3) if name in ODD else (2, 4))
        harmonics = (2,) if name.endswith("PITCH") else harmonics
        fitted[name] = curve(chosen, name, harmonics, sloped=sloped)
    return fitted


def report(title: str, fitted: dict[str, Any]) -> None:
    """Prints what was fitted, a line each."""
    print(f"\n{title}: {fitted['steps']} steps of {fitted['clips']}")
    for name, value in fitted.items():
        if name not in ("steps", "clips"):
            print(f"  {name}: {json.dumps(value)}")


def main() -> None:
    """Reads, fits, reports."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    usual = Path(os.environ.get("SUREFOOT_DATA", ".")) / "mocap" / "cmu"
    parser.add_argument("folder", nargs="?", type=Path, default=usual)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    every = list(steps(given.folder))
    walked, ran = [step for step in every if walks(step)], [step for step in every if runs(step)]
    result = {
        "walk": fit(walked, sloped=True, about=0.4, floor=0.15),
        "run": fit(ran, sloped=False, about=0.9, floor=0.8),
    }
    result["run"]["swing"] = swing(ran)
    for title, fitted in result.items():
        report(title, fitted)
    if given.output:
        given.output.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
