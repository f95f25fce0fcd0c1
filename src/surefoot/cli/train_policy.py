"""`surefoot train policy`: a simulated body learns a task."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot.cli import options
from surefoot.errors import InputError

if TYPE_CHECKING:
    from surefoot.physics.policies import Task, Trained

_BAR = 30


def add_arguments(actions: Any) -> None:
    """Declares the action and its arguments."""
    parser: ArgumentParser = actions.add_parser(
        "policy", help="a policy that walks a simulated body to a goal", allow_abbrev=False
    )
    parser.add_argument("--body", metavar="NAME", required=True, help="humanoid, bird or raptor")
    parser.add_argument(
        "--task",
        metavar="NAME",
        required=True,
        help="go-to-line, heading, go-to-point, go-to-point-with-heading, heading-with-speed or"
        " robust-walk",
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="(BODY-TASK.policy)")
    parser.add_argument(
        "--workers", metavar="N", type=options.THREADS, default=2, help="that simulate (2)"
    )
    parser.add_argument(
        "--backend",
        metavar="NAME",
        default="threads",
        help="who they are: threads of this process, or joblib's loky, dask or ray (threads)",
    )
    parser.add_argument(
        "--states",
        metavar="N",
        type=options.whole(1),
        help="explore at most so many; the body's own otherwise",
    )
    parser.add_argument("--fresh", action="store_true", help="explore anew what is kept")
    parser.add_argument(
        "--tries",
        metavar="N",
        type=options.whole(),
        default=0,
        help="then try it from so many states (0)",
    )
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Trains, writes the policy, and tells what came of it."""
    from dataclasses import replace

    from surefoot.physics import load_body, policies

    body, task = load_body(args.body), task_named(args.task)
    setup = policies.setup_for(body, task)
    if args.states is not None:
        setup = replace(setup, limits=replace(setup.limits, states=args.states))
    workers = policies.Workers(count=args.workers, backend=args.backend)
    output: Path = args.output or Path(f"{body.name}-{task.name}.policy")
    trained = policies.train(
        body,
        task,
        setup=setup,
        workers=workers,
        sweeping=policies.Sweeping(threads=workers.count),
        fresh=args.fresh,
        progress=_progress,
    )
    trained.policy.save(output)
    for line in _told(trained):
        args.report.say(line)
    args.report.put(files=[str(output)])
    args.report.say(f"{output}: {output.stat().st_size / 1e6:.2f} MB")
    if args.tries:
        args.report.say(policies.tried(trained, task, args.tries, threads=workers.count))
    return 0


def task_named(name: str) -> Task:
    """A task of the paper's."""
    from surefoot.errors import one_of
    from surefoot.physics import policies

    if name not in policies.TASKS:
        raise InputError(one_of("task", name, policies.TASKS))
    return policies.TASKS[name]()


def _told(trained: Trained) -> list[str]:
    explored, report = trained.explored, trained.solution.report
    viable = explored.viable.sum(axis=1)
    closed = "closed" if explored.closed else f"not closed, {explored.beyond} led on"
    return [
        f"{len(explored.states)} states on each foot from {explored.trusted} trusted ones"
        f" ({closed}), {explored.steps} steps; {trained.exploring:.0f} s of core time",
        f"{len(explored.actions)} actions, {viable.mean():.1f} viable in a state"
        f" ({viable.min()} to {viable.max()})",
        f"values {report}; {trained.sweeping:.1f} s of core time",
    ]


def _progress(stage: str, share: float) -> None:
    """A bar on the standard error, where that is a terminal."""
    if sys.stderr.isatty():
        done = round(_BAR * share)
        bar = "#" * done + "." * (_BAR - done)
        end = "\n" if share >= 1.0 else ""
        print(f"\r{stage:<16} [{bar}] {100 * share:3.0f}%", end=end, file=sys.stderr, flush=True)
