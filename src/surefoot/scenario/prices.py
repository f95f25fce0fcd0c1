"""The `cost` of a scenario: a name, or a table of weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from surefoot.character import Character
from surefoot.errors import one_of
from surefoot.planning import Cost, costs
from surefoot.scenario import kinds
from surefoot.scenario.tables import Table
from surefoot.world import World

_PLAIN: Mapping[str, Callable[[], Cost]] = {
    "time": costs.time,
    "effort": costs.effort,
    "least_motion": costs.least_motion,
}
_NAMED: Mapping[str, Callable[[str], Cost]] = {"avoid": costs.avoid, "prefer": costs.prefer}

_weight = kinds.number(at_least=0.0, at_most=1e6)


def read_cost(parent: Table, world: World | None, character: Character | None) -> Cost:
    """The `cost` in a table; time when it is missing.

    Args:
        parent: the table that has it.
        world: whose tags there are to avoid; not looked at when None.
        character: whose capabilities there are to prefer; not looked at when None.
    """
    if isinstance(parent.data.get("cost", "time"), str):
        return _PLAIN[parent.get("cost", kinds.choice("cost", _PLAIN), "time")]()
    before = parent.problems.found
    table = parent.table("cost", (*_PLAIN, *_NAMED))
    parts = [
        _PLAIN[name]() * weight
        for name in _PLAIN
        if (weight := table.get(name, _weight, 0.0)) > 0.0
    ]
    tags = None if world is None else {tag for body in world for tag in body.tags}
    skills = None if character is None else set(character.capabilities)
    for name, what, known in (("avoid", "tag", tags), ("prefer", "capability", skills)):
        weights = table.table(name)
        for entry in weights.data:
            if known is not None and entry not in known:
                weights.problems.add(weights.under(entry), one_of(what, entry, known))
            elif (weight := weights.get(entry, _weight, 0.0)) > 0.0:
                parts.append(_NAMED[name](entry) * weight)
    if not parts:
        if table.problems.found == before:
            table.problems.add(table.key, "expected at least one weight > 0")
        return costs.time()
    total = parts[0]
    for part in parts[1:]:
        total += part
    if world is not None and character is not None:
        # Tags are the user's own; some cannot be charged for.
        with table.problems.at(table.key):
            total.table(world, character)
    return total
