"""Foot plants the simple way, in numpy: what native/motion/plants must agree with.

Points are `(n, 2, k, 3)`: moments, left and right foot, parts, place; Z up. Everything happens in
the order of `find`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from references.moving_floor import floor_velocity
from references.series import highest_around, smooth, velocity

Array = npt.NDArray[np.float64]

USUAL_LEG = 0.9


@dataclass(frozen=True)
class Tuning:
    """The same numbers as `surefoot.motion.plants.tuning`; see there."""

    landing: tuple[float, ...]
    lifting: tuple[float, ...]
    still: float
    band: float
    shortest_plant: float
    shortest_swing: float
    floor: str = "auto"
    from_rest: bool = False


@dataclass
class Found:
    """One plant: frames `[first, last)` and what was measured about it."""

    foot: int
    first: int
    last: int
    start: float
    end: float
    level: float = 0.0
    place: Array | None = None
    heading: float = np.nan
    confidence: float = 0.0
    flat: bool = True


def find(points: Array, rate: float, leg: float, tuning: Tuning) -> tuple[list[Found], Array]:
    """Plants in order of their start, and the floor's velocity `(n, 2)` [m/s]."""
    scale = leg / USUAL_LEG
    fine = speeds_of(points, rate, scale, tuning.still)
    belt = np.zeros((len(points), 2))
    if tuning.floor != "auto" or (fine.speed < fine.least).any(axis=(1, 2)).mean() < 0.75:
        belt = floor_velocity(points, rate, scale, tuning.floor)
    carried = np.concatenate([[[0.0, 0.0]], np.cumsum((belt[1:] + belt[:-1]) / 2 / rate, axis=0)])
    on_floor = points.copy()
    on_floor[..., :2] -= carried[:, None, None, :]

    smoothed, landing, lifting, raised, sigma = ratios(on_floor, rate, scale, tuning)
    plants: list[Found] = []
    for foot in range(2):
        spans = spans_of(landing[:, foot], lifting[:, foot], rate, tuning)
        spans = without_raised(spans, smoothed[:, foot], rate, raised, tuning.shortest_swing)
        spans = without_false_swings(spans, smoothed[:, foot], rate, scale)
        plants += [
            measured(
                foot,
                span,
                smoothed[:, foot],
                landing[:, foot],
                lifting[:, foot],
                rate,
                sigma if tuning.from_rest else None,
            )
            for span in spans
        ]
    plants = on_the_ground(plants, smoothed, rate, scale, tuning)
    for plant in plants:
        middle = int(np.clip(round((plant.start + plant.end) / 2 * rate), 0, len(points) - 1))
        assert plant.place is not None
        plant.place[:2] += carried[middle]
    return sorted(plants, key=lambda plant: (plant.start, plant.foot)), belt


def noise_of(points: Array) -> float:
    """The standard deviation [m] of what jitters from frame to frame; 0 for short recordings."""
    if len(points) < 8:
        return 0.0
    third = np.abs(points[3:] - 3 * points[2:-1] + 3 * points[1:-2] - points[:-3]).ravel()
    third.sort()
    # Of a normal distribution, 30% lie within 0.3853 deviations; a third difference has 20 of 1.
    return float(third[int(0.3 * (len(third) - 1))] / 0.3853204664 / np.sqrt(20.0))


def speed_noise(noise: float, rate: float, sigma: float) -> float:
    """The noise [m/s] of the speed of a point smoothed by `sigma` [s]."""
    return noise * np.sqrt(3.0 / (rate * 4 * np.sqrt(np.pi) * sigma**3))


@dataclass(frozen=True)
class Speeds:
    """Speeds of parts, smoothed no more than the noise asks for."""

    noise: float
    sigma: float
    jitter: float
    least: float
    smoothed: Array
    speed: Array


def speeds_of(points: Array, rate: float, scale: float, still: float) -> Speeds:
    """Smoothed points and the speeds of all parts `(n, 2, k)` [m/s]."""
    swift = np.sqrt(scale)
    noise = noise_of(points)
    sigma = (noise**2 / (rate * 4 * np.sqrt(np.pi) * (0.04 * swift) ** 2)) ** (1 / 3)
    sigma = float(np.clip(sigma, 0.012, 0.035))
    smoothed = smooth(points, rate, sigma)
    speed = np.linalg.norm(velocity(smoothed, rate), axis=-1)
    jitter = speed_noise(noise, rate, sigma)
    return Speeds(noise, sigma, jitter, still * swift + 1.2 * jitter, smoothed, speed)


def ratios(
    points: Array, rate: float, scale: float, tuning: Tuning
) -> tuple[Array, Array, Array, float, float]:
    """Smoothed points, speeds over limits to land and lift, what rise is no noise, smoothing."""
    fine = speeds_of(points, rate, scale, tuning.still)
    speed = fine.speed
    own = [highest_around(speed[:, foot].max(axis=1), round(0.45 * rate)) for foot in (0, 1)]
    peak = np.stack(
        [np.maximum(own[0], own[1] / 2), np.maximum(own[1], own[0] / 2)], axis=1
    )  # n, feet
    least = np.full(peak.shape, fine.least)
    if fine.jitter > 0.2 * fine.least:
        # Slow steps would drown in the noise; slowness gives time to smooth more.
        wide = min(1.6 * fine.sigma, 0.06)
        slow = min(tuning.landing) * peak < least
        coarse = np.linalg.norm(velocity(smooth(points, rate, wide), rate), axis=-1)
        speed = np.where(slow[:, :, None], coarse, speed)
        least[slow] = tuning.still * np.sqrt(scale) + 1.2 * speed_noise(fine.noise, rate, wide)

    def over(shares: tuple[float, ...]) -> Array:
        limits = np.maximum(peak[:, :, None] * np.array(shares), least[:, :, None])
        return (speed / limits).min(axis=2)

    jitter = fine.noise * np.sqrt(1 / (rate * 2 * np.sqrt(np.pi) * fine.sigma))
    raised = max(0.015 * scale, 0.008 * scale + 3.5 * float(jitter))
    return fine.smoothed, over(tuning.landing), over(tuning.lifting), raised, fine.sigma


Span = tuple[int, int]


def spans_of(landing: Array, lifting: Array, rate: float, tuning: Tuning) -> list[Span]:
    """Frames `[first, last)` of plants of one foot, by its speed alone."""
    n = len(landing)
    down = landing < 1
    for i in range(1, n):
        down[i] |= down[i - 1] and lifting[i] < 1
    edges = np.flatnonzero(np.diff(np.concatenate([[False], down, [False]]).astype(int)))
    spans: list[Span] = []

    def no_swing(first: int, last: int) -> bool:
        if first == last:
            return True
        top = min(landing[first:last].max(), lifting[first:last].max())
        brief = (last - first) / rate < tuning.shortest_swing
        cut = first == 0 or last == n
        return bool(top < 1.15 or (brief and (not cut or top < 2)))

    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        while last > first + 1 and last < n and lifting[last - 1] >= 1:
            last -= 1
        if no_swing(spans[-1][1] if spans else 0, first):
            first = spans.pop()[0] if spans else 0
        spans.append((first, last))
    if spans and no_swing(spans[-1][1], n):
        spans[-1] = (spans[-1][0], n)
    return [
        (first, last)
        for first, last in spans
        if landing[first:last].min() < 0.7
        and ((last - first) / rate >= tuning.shortest_plant or first == 0 or last == n)
    ]


def without_raised(
    spans: list[Span], points: Array, rate: float, high: float, shortest: float
) -> list[Span]:
    """Plants without the moments in their midst at which the whole foot is raised."""
    if points.shape[1] < 2:
        return spans
    margin = max(1, int(shortest * rate))
    result: list[Span] = []
    for start, end in spans:
        heights = points[start:end, :2, 2]
        low = np.sort(heights, axis=0)[int(0.2 * (len(heights) - 1))]
        above = (heights - low).min(axis=1)
        last, first, i = len(above), 0, margin
        while i + margin < last:
            if above[i] <= high:
                i += 1
                continue
            begin = finish = i
            while begin > first and above[begin - 1] > 0.3 * high:
                begin -= 1
            while finish < last and above[finish] > 0.3 * high:
                finish += 1
            i = finish + 1
            if finish - begin < margin or begin < first + margin or finish + margin > last:
                continue
            result.append((start + first, start + begin))
            first = finish
        result.append((start + first, end))
    return result


def without_false_swings(spans: list[Span], points: Array, rate: float, scale: float) -> list[Span]:
    """Plants between which the foot neither goes anywhere, rises nor turns are one."""
    around = max(1, int(0.12 * rate))
    center = points.mean(axis=1)
    height = points[:, :2, 2].min(axis=1)
    result: list[Span] = []
    for first, last in spans:
        if result:
            began, ended = result[-1]
            old = slice(max(began, ended - around), ended)
            new = slice(first, min(last, first + around))
            moved = center[new].mean(axis=0) - center[old].mean(axis=0)
            rise = height[ended:first].max() - max(height[old].mean(), height[new].mean())
            turn = 0.0
            if points.shape[1] > 1:
                ahead = points[:, 1, :2] - points[:, 0, :2]
                (x, y), (u, v) = ahead[old].mean(axis=0), ahead[new].mean(axis=0)
                turn = abs(float(np.arctan2(x * v - y * u, x * u + y * v)))
            moved[2] = height[new].mean() - height[old].mean()
            went = float(np.linalg.norm(moved))
            if went < 0.03 * scale and rise < 0.03 * scale and turn < 0.17:
                result[-1] = (began, last)
                continue
        result.append((first, last))
    return result


def crossing(before: float, after: float) -> float:
    """Where between two frames, 0 to 1, a ratio passes 1; halfway where something else told."""
    return 0.5 if (before < 1) == (after < 1) else (before - 1) / (before - after)


def since_rest(ratio: Array, passed: float, rate: float, blur: float) -> float:
    """How many frames before `passed`, in which it is 1, a ratio that grows was at rest.

    `ratio` begins with the first frame at which it is over 1, which is at `-passed` from there.
    """
    steepest, last, last_at = 0.0, 1.0, 0.0
    for k, value in enumerate(ratio[: max(1, int(0.08 * rate))].tolist()):
        away = k + passed
        if value >= 3:
            reached = last_at + (away - last_at) * (3 - last) / (value - last)
            steepest = 2 / max(reached, 1e-9)
            break
        if away > 0:
            steepest = max(steepest, (value - 1) / away)
        last, last_at = value, away
    if steepest <= 0:
        return 0.0
    return float(np.clip(1 / steepest - blur * rate, 0.0, 0.05 * rate))


def measured(
    foot: int,
    span: Span,
    points: Array,
    landing: Array,
    lifting: Array,
    rate: float,
    sigma: float | None,
) -> Found:
    """A plant with its times between frames, its place, heading and confidence."""
    first, last = span
    n = len(landing)
    begins, ends = 0.0, float(n - 1)
    if first > 0:
        part = crossing(landing[first - 1], landing[first])
        begins = first - 1 + part
        if sigma is not None and landing[first - 1] >= 1:
            begins += since_rest(landing[first - 1 :: -1], part, rate, 1.2 * sigma)
    if last < n:
        part = crossing(lifting[last - 1], lifting[last])
        ends = last - 1 + part
        if sigma is not None and lifting[last] >= 1:
            ends -= since_rest(lifting[last:], 1 - part, rate, 0.8 * sigma)
    least = (last - first) / 2
    if sigma is not None and ends - begins < least:
        middle = (begins + ends) / 2
        begins, ends = middle - least / 2, middle + least / 2
    start, end = begins / rate, ends / rate
    core = landing[first:last]
    core = np.flatnonzero(core <= max(np.sort(core)[(len(core) - 1) // 2], 0.05)) + first
    parts = min(points.shape[1], 2)
    place = points[core][:, :parts].mean(axis=(0, 1))
    heading = np.nan
    if parts > 1:
        ahead = (points[core, 1] - points[core, 0]).mean(axis=0)
        heading = float(np.arctan2(ahead[1], ahead[0]))
    lift = np.sort(np.minimum(lifting[first:last], 1.0))
    confidence = 1.0 - float(lift[(len(lift) - 1) // 2])
    around = max(1, int(0.15 * rate))
    for side in (lifting[max(0, first - around) : first], lifting[last : last + around]):
        confidence *= 0.8 if len(side) == 0 else min(1.0, float(side.max()) / 2)
    return Found(foot, first, last, start, end, 0.0, place, heading, confidence)


def on_the_ground(
    plants: list[Found], points: Array, rate: float, scale: float, tuning: Tuning
) -> list[Found]:
    """The plants without those of feet held still in the air; levels and heights are set."""
    if not plants:
        return []
    lowest = np.array(
        [points[p.first : p.last, p.foot, :2, 2].min(axis=0) for p in plants]
    )  # plants, parts; not the tips, which hang low in the air
    # How much higher than the first part the others are in plants.
    rest = np.sort(lowest - lowest[:, :1], axis=0)[(len(plants) - 1) // 2]
    for plant, heights in zip(plants, lowest, strict=True):
        plant.level = float((heights - rest).min())
        assert plant.place is not None
        plant.place[2] = plant.level
        plant.flat = bool(np.abs(heights - heights[0] - rest).max() < 0.03 * scale)
    band = tuning.band * scale
    left = list(plants)
    for plant in sorted(plants, key=lambda plant: -plant.level):
        if _held_in_air(plant, left, points, rate, band, scale):
            left.remove(plant)
    return left


def _held_in_air(
    plant: Found, others: list[Found], points: Array, rate: float, band: float, scale: float
) -> bool:
    during = [
        other
        for other in others
        if other.foot != plant.foot
        and min(other.end, plant.end) - max(other.start, plant.start) > 0.03
    ]
    apart = [other for other in others if other is not plant and other not in during]
    before = [other for other in apart if other.end <= plant.start and plant.start - other.end < 1]
    after = [other for other in apart if other.start >= plant.end and other.start - plant.end < 1]
    near = [max(before, key=lambda p: p.end)] if before else []
    near += [min(after, key=lambda p: p.start)] if after else []
    over_near = bool(near) and plant.level > max(other.level for other in near) + 0.6 * band
    if over_near and plant.end - plant.start < 0.35 and _falling(plant, points, rate):
        return True
    if not during:
        return False
    if plant.level <= max(other.level for other in during) + band:
        return False
    if _alone(plant, others) >= 0.25:
        return False
    # Whether it will, or did, is not known of one that is cut off; feet that hang are not flat.
    if (plant.first == 0 or plant.last == len(points)) and plant.flat:
        return False
    # Something is known to be there where another plant carried the body at that height.
    for other in others:
        if other is plant or abs(other.level - plant.level) > band or _alone(other, others) < 0.2:
            continue
        assert other.place is not None
        assert plant.place is not None
        away = float(np.hypot(*(other.place - plant.place)[:2]))
        if away < 0.4 * scale:
            return False
    return True


def _alone(plant: Found, others: list[Found]) -> float:
    """How long [s] a plant carries the body without the other foot."""
    shared = (
        max(min(other.end, plant.end) - max(other.start, plant.start), 0.0)
        for other in others
        if other.foot != plant.foot
    )
    return plant.end - plant.start - sum(shared)


def _falling(plant: Found, points: Array, rate: float) -> bool:
    """Whether the foot's height bends down as in free flight."""
    first, last = max(plant.first - 1, 0), min(plant.last + 1, len(points))
    if last - first < 4:
        return True
    height = points[first:last, plant.foot, :, 2].mean(axis=1)
    at = np.arange(last - first) / rate
    return bool(2 * np.polyfit(at - at.mean(), height, 2)[0] < -2.0)
