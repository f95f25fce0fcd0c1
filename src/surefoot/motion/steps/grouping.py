"""Whole actions out of several steps, or out of none: turns, ducking, standing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import sqrt

import numpy as np

from surefoot.motion.plants.plants import Plants
from surefoot.motion.steps.body import Body
from surefoot.motion.steps.cutting import BOTH, CROUCHED, Cut

_ON_THE_SPOT = 0.4  # [m/s] of the root, at most, in a turn on the spot
_TURNING = np.radians(8.0)  # each step of a turn
_TURN = np.radians(25.0)  # the whole turn
_PAUSE = 0.35  # [s] between steps of one turn
_LONGEST_DUCK = 4.0  # [s]; longer crouches are crouched walks, made of steps
_BESIDE = 0.3  # [s] before and after ducking
_UPRIGHT = 0.88  # of the leg: a root that is higher is no crouching body's
_STAND = 0.5  # [s] at least
_STANDING = 0.12  # [m/s] of the root, at most
_LONGEST_STAND = 4.0  # [s]; longer ones are cut into equal parts
_DUCKING = 0.2  # [s] at least, below which a body that goes down is only swaying


def grouped(cuts: list[Cut], plants: Plants, body: Body) -> list[Cut]:
    """Cuts with turns and ducking made whole, and stands between them."""
    actions = _ducking(_turns(_steadily_crouched(cuts, body), body), body)
    return sorted([*actions, *_stands(actions, plants, body)], key=lambda cut: cut.start)


def _turns(cuts: list[Cut], body: Body) -> list[Cut]:
    """Walking steps on the spot that turn the same way, together one turn."""
    result: list[Cut] = []
    group: list[Cut] = []
    total = 0.0

    def close() -> None:
        nonlocal total
        if group:
            turned = abs(total) >= _TURN
            result.extend([_whole(group, "turn")] if turned else group)
        group.clear()
        total = 0.0

    for cut in cuts:
        turn, speed = body.travelled(cut.start, cut.end)
        slow = speed < _ON_THE_SPOT * sqrt(body.scale)
        turning = cut.mode == "walk" and slow and abs(turn) > _TURNING
        if group and (not turning or turn * total < 0 or cut.start - group[-1].end > _PAUSE):
            close()
        if turning:
            group.append(cut)
            total += turn
        else:
            result.append(cut)
    close()
    return result


def _whole(group: list[Cut], mode: str) -> Cut:
    """Several cuts as one: supported as in the first, and with the foot that swings there."""
    first, last = group[0], group[-1]
    same = [cut for cut in group if cut.swing == first.swing]
    return replace(
        first,
        mode=mode,
        end=last.end,
        foot_to=same[-1].foot_to,
        confidence=min(cut.confidence for cut in group),
    )


def _steadily_crouched(cuts: list[Cut], body: Body) -> list[Cut]:
    """Steps between crouched ones are crouched too, unless they are upright."""

    def crouched(index: int, time: float) -> bool:
        return (
            0 <= index < len(cuts)
            and cuts[index].mode == "crouch"
            and min(abs(cuts[index].start - time), abs(cuts[index].end - time)) < _PAUSE
        )

    return [
        replace(cut, mode="crouch")
        if cut.mode == "walk"
        and body.crouched(cut.start, cut.end) < _UPRIGHT
        and (crouched(index - 1, cut.start) or crouched(index + 1, cut.end))
        else cut
        for index, cut in enumerate(cuts)
    ]


def _ducking(cuts: list[Cut], body: Body) -> list[Cut]:
    """Crouched steps between upright ones, together one action."""
    result: list[Cut] = []
    group: list[Cut] = []
    for cut in [*cuts, None]:
        if cut is not None and cut.mode == "crouch":
            group.append(cut)
            continue
        if group:
            start, end = group[0].start, group[-1].end
            whole = end - start < _LONGEST_DUCK and all(
                body.crouched(*near) > _UPRIGHT
                for near in ((start - _BESIDE, start), (end, end + _BESIDE))
            )
            result.extend([_whole(group, "crouch")] if whole else group)
            group = []
        if cut is not None:
            result.append(cut)
    return result


def _stands(actions: list[Cut], plants: Plants, body: Body) -> list[Cut]:
    """What is left between actions, with both feet down and the body at rest; or ducking."""
    result: list[Cut] = []
    feet = plants.down()
    down = feet[:, 0] & feet[:, 1]
    edges = [0.0, *(time for cut in actions for time in (cut.start, cut.end)), plants.duration]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if end - start < _STAND:
            continue
        first, last = int(np.ceil(start * body.rate)), int(end * body.rate)
        if last <= first or not down[first : last + 1].all():
            continue
        low = body.crouch[first : last + 1] < CROUCHED
        upright = not low[[0, -1]].any()
        slow = body.travelled(start, end)[1] < _STANDING * sqrt(body.scale)
        level = float(min(row[5] for row in plants.rows if row[1] <= end and row[2] >= start))
        place = body.points[first, 4:6].mean(axis=0)
        stand = Cut("stand", BOTH, BOTH, start, end, level, place, place, 1.0)
        if upright and low.sum() / body.rate > _DUCKING:
            result.append(replace(stand, mode="crouch"))
        elif slow and not low.any():
            parts = int(np.ceil((end - start) / _LONGEST_STAND))
            times = np.linspace(start, end, parts + 1).tolist()
            result += [replace(stand, start=a, end=b) for a, b in pairwise(times)]
    return result
