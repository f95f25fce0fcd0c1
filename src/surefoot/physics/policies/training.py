"""Training: trusted states, exploration, value iteration, a policy; each kept, none done twice."""

from __future__ import annotations

import hashlib
import inspect
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from surefoot.caches import folder
from surefoot.caches import say as tell
from surefoot.learning import Solution
from surefoot.physics.body import Body
from surefoot.physics.extra import engine
from surefoot.physics.policies.exploring import Explored, Progress, content, explore
from surefoot.physics.policies.instancing import Sweeping, instanced, lost, sight, solved
from surefoot.physics.policies.journal import Journal
from surefoot.physics.policies.lessons import Lessons, learned_recovery
from surefoot.physics.policies.metric import Learned, Metric
from surefoot.physics.policies.policy import Model, Policy
from surefoot.physics.policies.pushed import pushed
from surefoot.physics.policies.recovery import Recovery
from surefoot.physics.policies.setups import Setup, setup_for
from surefoot.physics.policies.tasks import Seen, Task
from surefoot.physics.policies.trusted import chosen, cycles, sequences
from surefoot.physics.policies.wandering import learned, wander
from surefoot.physics.policies.workers import Workers
from surefoot.physics.stage import Stage
from surefoot.physics.states import States, gathered


@dataclass(frozen=True, eq=False, kw_only=True)
class Trained:
    """A policy and how it came about.

    Attributes:
        policy: to use.
        explored: the dynamics it rests on.
        solution: values and how they were found.
        seen: what the task knows of the explored states.
        exploring, sweeping: [s] of core time that this process spent on each.
    """

    policy: Policy
    explored: Explored
    solution: Solution
    seen: Seen
    exploring: float
    sweeping: float


def train(
    body: Body,
    task: Task,
    *,
    setup: Setup | None = None,
    earlier: Explored | None = None,
    sweeping: Sweeping | None = None,
    workers: Workers | None = None,
    keep: Path | str | None = "cache",
    fresh: bool = False,
    told: Callable[[str], None] = tell,
    progress: Progress | None = None,
) -> Trained:
    """A policy for a body and a task.

    Args:
        body: who.
        task: what for.
        setup: actions and limits; the built-in ones when not given.
        earlier: an exploration before a gait was edited: only what changed is simulated again.
        sweeping: how values are found.
        workers: who simulates.
        keep: a folder that explorations are kept in and resumed from; the user's cache when not
            given; None keeps nothing.
        fresh: whether to explore anew.
        told: called with sentences about what does not go as it should.
        progress: told the stage and how much of it is done, 0 to 1.
    """
    setup = setup or setup_for(body, task)
    place = cache_folder() if isinstance(keep, str) else keep
    began = time.process_time()
    explored = explored_for(
        body, setup, earlier=earlier, workers=workers, place=place, fresh=fresh, told=told,
        progress=progress,
    )  # fmt: skip
    if explored.warning():
        told(explored.warning())
    between = time.process_time()
    seen = sight(Stage(body), setup.steady)(explored.states)
    sweeping = sweeping or Sweeping()
    table = instanced(explored, task.space)
    solution = solved(explored, task, seen, sweeping, table=table, progress=progress)
    if not solution.report.converged:
        told(f"{task.name}: values did not settle: {solution.report}")
    model = Model(
        table=table, values=solution.values.reshape(table.states, -1).astype(np.float16),
        acting=task.acting(np.abs(explored.motion), table.viable), discount=sweeping.discount,
        stuck=lost(table, sweeping.discount),
    )  # fmt: skip
    policy = policy_of(explored, task, solution, setup.steady, model)
    if setup.lessons is not None:
        policy = replace(policy, recovery=recovery_for(
            body, setup, setup.lessons, workers=workers, place=place, told=told, progress=progress,
        ))  # fmt: skip
    ended = time.process_time()
    return Trained(
        policy=policy, explored=explored, solution=solution, seen=seen,
        exploring=between - began, sweeping=ended - between,
    )  # fmt: skip


def policy_of(
    explored: Explored, task: Task, solution: Solution, steady: str, model: Model | None = None
) -> Policy:
    """The policy that a solution makes; with a model it looks ahead."""
    n = len(explored.states)
    return Policy(
        body=explored.body,
        task=task.name,
        actions=explored.actions,
        space=task.space,
        sided=task.sided,
        steady=steady,
        model=model,
        weights=explored.weights,
        features=explored.features.astype(np.float32),
        best=solution.policy.reshape(n, -1).astype(np.int8),
        note=f"{n} states, {explored.steps} steps; {solution.report}",
    )


def cache_folder() -> Path | None:
    """Where explorations are kept; None where nothing should be."""
    place = folder()
    return None if place is None else place / "policies"


def explored_for(
    body: Body,
    setup: Setup,
    *,
    earlier: Explored | None = None,
    workers: Workers | None = None,
    place: Path | None = None,
    fresh: bool = False,
    told: Callable[[str], None] = tell,
    progress: Progress | None = None,
) -> Explored:
    """The exploration of a set-up: read, gone on with, or made."""
    workers = workers or Workers()
    if earlier is None:
        trusted, weights = trusted_for(body, setup, workers=workers, place=place, told=told)
    else:
        trusted, weights = carried_trust(body, setup, earlier), earlier.weights
    name = f"explored-{body.name}-{setup.name}-{_hash(body, setup, trusted, earlier)}.journal"
    keep = None if place is None else place / name
    if fresh and keep is not None:
        keep.unlink(missing_ok=True)
    return explore(
        body, setup.actions, trusted, setup.limits, weights=weights,
        earlier=earlier, workers=workers, keep=keep, told=told, progress=progress,
    )  # fmt: skip


def recovery_for(
    body: Body,
    setup: Setup,
    lessons: Lessons,
    *,
    workers: Workers | None = None,
    place: Path | None = None,
    told: Callable[[str], None] = tell,
    progress: Progress | None = None,
) -> Recovery:
    """What a set-up's lessons teach: read or learned."""
    key = _hash(body, setup, lessons=lessons)
    path = None if place is None else place / f"recovery-{body.name}-{setup.name}-{key}.journal"
    journal = Journal(path, key, told)
    if not journal.records:
        threads = (workers or Workers()).count
        found = learned_recovery(
            body, setup.actions, setup.steady, lessons, threads=threads, progress=progress
        )
        journal.add(found.packed())
    recovery = Recovery.unpacked(journal.records[0])
    assert recovery is not None
    return recovery


def trusted_for(
    body: Body,
    setup: Setup,
    *,
    workers: Workers,
    place: Path | None,
    told: Callable[[str], None],
) -> tuple[States, Learned | None]:
    """The trusted states of a set-up, and its metric if it is a learned one: read or made."""
    key = _hash(body, setup)
    path = None if place is None else place / f"trusted-{body.name}-{setup.name}-{key}.journal"
    journal = Journal(path, key, told)
    if not journal.records:
        stage = Stage(body)
        states, metric = made_trusted(stage, setup, threads=workers.count)
        record = {"positions": states.positions, "velocities": states.velocities}
        if metric is not None:
            record["matrix"] = metric.matrix
        journal.add(record)
    record = journal.records[0]
    beats = np.tile([0.0, 0.0, 0.0, 1.0], (len(record["positions"]), 1))
    states = States(positions=record["positions"], velocities=record["velocities"], beats=beats)
    return states, Learned(matrix=record["matrix"]) if "matrix" in record else None


def carried_trust(body: Body, setup: Setup, earlier: Explored) -> States:
    """What was trusted before an edit, and the steady states of what was edited.

    Nobody wanders again: where steps led is kept as the metric told it then.
    """
    before = {content(earlier.body, action) for action in earlier.actions}
    edited = [action for action in setup.actions if content(body, action) not in before]
    stage = Stage(body)
    sets = [earlier.states[: earlier.trusted], *cycles(stage, edited).values()]
    return chosen(Metric(stage, earlier.weights), sets, setup.limits.novelty)


def made_trusted(stage: Stage, setup: Setup, *, threads: int = 1) -> tuple[States, Learned | None]:
    """Steady states of all actions, then what good changes between them pass through.

    With a learned metric the changes are random ones, from which the metric is learned as well; the
    paper's way is every change between two basic actions.
    """
    steady = cycles(stage, setup.actions)
    everywhere = gathered(list(steady.values()))
    if setup.wandering:
        origins = everywhere
        if setup.kick:
            after = pushed(stage, everywhere, setup.actions, kick=setup.kick, threads=threads)
            origins = gathered([everywhere, after])
        wandered = wander(stage, origins, setup.actions, bodies=setup.wandering, threads=threads)
        weights = learned(wandered, len(setup.actions))
        sets = [origins, wandered.passed]
        return chosen(Metric(stage, weights), sets, setup.limits.novelty), weights
    origins = gathered([steady[i] for i in range(len(setup.basic)) if i in steady])
    # One foot is enough: on the other everything is the mirror image.
    changes = sequences(stage, origins[::2], setup.actions, threads=threads)
    return chosen(Metric(stage), [everywhere, changes], setup.limits.trust), None


def _hash(
    body: Body,
    setup: Setup,
    trusted: States | None = None,
    earlier: Explored | None = None,
    lessons: Lessons | None = None,
) -> str:
    source = "".join(inspect.getsource(sys.modules[each.__module__]) for each in (cycles, wander))
    total = hashlib.sha256(f"{engine().__version__} {setup!r} {source}".encode())
    total.update(body.mjcf().encode())
    if setup.kick:
        total.update(repr(setup.kick).encode())
    for action in setup.actions:
        total.update(content(body, action))
    if trusted is not None:
        total.update(trusted.positions.tobytes())
    if earlier is not None:
        total.update(earlier.outcomes.tobytes())
    if lessons is not None:
        modules = learned_recovery.__module__, Recovery.__module__
        total.update(repr(lessons).encode())
        total.update("".join(inspect.getsource(sys.modules[name]) for name in modules).encode())
    return total.hexdigest()[:16]
