"""What a goal asks to be visited, and in which order that is best (bandi2000, 5.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf

from surefoot.errors import ProblemError
from surefoot.planning.goals import AllOf, AnyGoal, AnyOf, Goal, Region

Leaf = Goal | Region

MOST_EXACT = 10
"""Goals whose best order is found exactly; with more, the nearest that may come next is next."""

MOST_ALTERNATIVES = 256
"""Ways to combine any of several with all of several that are looked at."""


@dataclass(frozen=True)
class Errand:
    """Places to visit.

    Attributes:
        tasks: each is done at any one of its places or regions.
        before: pairs (i, j): task i comes before task j.
    """

    tasks: tuple[tuple[Leaf, ...], ...]
    before: frozenset[tuple[int, int]] = frozenset()

    def ready(self, done: int, task: int) -> bool:
        """Whether a task can come next when those in the bits of `done` are done."""
        return all(done >> i & 1 for i, j in self.before if j == task)


def errands(goal: AnyGoal) -> list[Errand]:
    """The errands, one of which must be done."""
    if isinstance(goal, Goal | Region):
        return [Errand(((goal,),))]
    parts = [errands(part) for part in goal.goals]
    if isinstance(goal, AnyOf):
        single = [part for part in parts if len(part) == 1 and len(part[0].tasks) == 1]
        leaves = tuple(leaf for part in single for leaf in part[0].tasks[0])
        others = [errand for part in parts if part not in single for errand in part]
        found = ([Errand((leaves,))] if leaves else []) + others
    else:
        found = list(_combined(parts, goal))
    return found


def _combined(parts: Sequence[Sequence[Errand]], goal: AllOf) -> Iterator[Errand]:
    count = 1
    for part in parts:
        count *= len(part)
    if count > MOST_ALTERNATIVES:
        raise ProblemError(
            f"the goal combines any of several with all of several in {count} ways, more than"
            f" {MOST_ALTERNATIVES}"
        )
    for choice in product(*parts):
        tasks: list[tuple[Leaf, ...]] = []
        before: set[tuple[int, int]] = set()
        last: range | None = None
        for errand in choice:
            here = range(len(tasks), len(tasks) + len(errand.tasks))
            before |= {(i + here.start, j + here.start) for i, j in errand.before}
            if goal.ordered and last is not None:
                before |= set(product(last, here))
            tasks += errand.tasks
            last = here
        yield Errand(tuple(tasks), frozenset(before))


Costs = Callable[[Leaf | None, Leaf], float]
"""What it costs to get to a place from another one, or from the start (None)."""


def best_order(errand: Errand, costs: Costs) -> tuple[float, list[Leaf]]:
    """The cheapest order in which to visit one place for each task, and its cost.

    Infinite when some task cannot be got to; the order is then one as far as it goes.
    """
    if len(errand.tasks) > MOST_EXACT:
        return _nearest_first(errand, costs)
    # By the tasks done and the place where the last one was done: cost, and from where.
    best: dict[tuple[int, Leaf | None], tuple[float, tuple[int, Leaf | None] | None]]
    best = {(0, None): (0.0, None)}
    layer: list[tuple[int, Leaf | None]] = [(0, None)]
    farthest: tuple[int, Leaf | None] = (0, None)
    for _ in errand.tasks:
        following: dict[tuple[int, Leaf | None], None] = {}
        for state in layer:
            done, here = state
            so_far = best[state][0]
            for task, leaves in enumerate(errand.tasks):
                if done >> task & 1 or not errand.ready(done, task):
                    continue
                for leaf in leaves:
                    total = so_far + costs(here, leaf)
                    key = (done | 1 << task, leaf)
                    if total < best.get(key, (inf, None))[0]:
                        best[key] = (total, state)
                        following[key] = None
        if not following:
            return inf, _traced(best, farthest)
        layer = list(following)
        farthest = min(layer, key=lambda key: best[key][0])
    return best[farthest][0], _traced(best, farthest)


def _traced(
    best: dict[tuple[int, Leaf | None], tuple[float, tuple[int, Leaf | None] | None]],
    last: tuple[int, Leaf | None],
) -> list[Leaf]:
    order: list[Leaf] = []
    at: tuple[int, Leaf | None] | None = last
    while at is not None:
        if at[1] is not None:
            order.append(at[1])
        at = best[at][1]
    return order[::-1]


def _nearest_first(errand: Errand, costs: Costs) -> tuple[float, list[Leaf]]:
    done, total = 0, 0.0
    order: list[Leaf] = []
    while len(order) < len(errand.tasks):
        here = order[-1] if order else None
        options = [
            (costs(here, leaf), task, leaf)
            for task, leaves in enumerate(errand.tasks)
            if not done >> task & 1 and errand.ready(done, task)
            for leaf in leaves
        ]
        cost, task, leaf = min(options, key=lambda option: option[:2])
        if cost == inf:
            return inf, order
        total, done = total + cost, done | 1 << task
        order.append(leaf)
    return total, order
