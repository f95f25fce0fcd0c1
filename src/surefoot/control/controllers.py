"""The controllers of a body: trained together, kept, and found by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from surefoot.character import Character
from surefoot.character.measures import Measures
from surefoot.control import keeping
from surefoot.control.announcing import Announcement
from surefoot.control.controller import Controller
from surefoot.control.going import Arrive, Go, arriving_at_a_run, running
from surefoot.control.jumping import Jump, leaping, striding
from surefoot.control.obstacles import Avoid, Corner, avoid_running
from surefoot.control.repertoire import Repertoire, repertoire
from surefoot.control.task import Task
from surefoot.control.training import Learned, learn, prepare
from surefoot.control.waiting import Wait
from surefoot.errors import InputError, one_of
from surefoot.motion.library import Library


def moving_tasks() -> tuple[Task, ...]:
    """The tasks of the built-in controllers that go somewhere."""
    return (
        Go(), running(), Corner(), Avoid(), avoid_running(), striding(), Jump(), leaping(),
    )  # fmt: skip


def standing_tasks() -> tuple[Task, ...]:
    """The tasks of the built-in controllers that go somewhere and stand there."""
    return (Arrive(), arriving_at_a_run())


def built_in_tasks() -> tuple[Task, ...]:
    """The tasks of all built-in controllers: to go, to stand there, and to wait for each."""
    waits = (Wait(next=task) for task in moving_tasks())
    return (*moving_tasks(), *standing_tasks(), *waits)


@dataclass(frozen=True, eq=False)
class Controllers(Mapping[str, Controller]):
    """Controllers by name.

    Attributes:
        repertoire: what all of them act with.
        trained: by name.
        complete: whether none was left out because training was cancelled.
        learned: names of those that were trained for this, and not before.
    """

    repertoire: Repertoire
    trained: Mapping[str, Controller]
    complete: bool = True
    learned: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Controller:
        if name not in self.trained:
            raise InputError(one_of("controller", name, self.trained))
        return self.trained[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.trained)

    def __len__(self) -> int:
        return len(self.trained)

    def waiting_for(self, name: str) -> Controller:
        """The controller that waits for another."""
        return self[f"wait to {name}"]


def train(
    source: Character | Library | Repertoire,
    tasks: Sequence[Task] | None = None,
    *,
    measures: Measures | None = None,
    threads: int = 1,
    fresh: bool = False,
    progress: Callable[[str, float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    told: keeping.Told = keeping.tell,
) -> Controllers:
    """Trains controllers, or takes those that were trained before for the same clips.

    Args:
        source: a character, whose default clips are used; or a library, or a repertoire.
        tasks: what to train for; all built-in ones when not given.
        measures: of the body that a library is played on; its first actor's when not given.
        threads: to use; the result has the same bits at any number.
        fresh: train anew, whatever is kept.
        progress: told which controller is trained and how much of that is done, 0 to 1.
        cancel: asked now and then; once it says true, what was trained so far is given.
        told: told in a sentence when something that was kept cannot be used.

    Raises:
        InputError: clips are missing that a controller needs, which are named.
    """
    acting = source if isinstance(source, Repertoire) else repertoire(source, measures)
    wanted = built_in_tasks() if tasks is None else tuple(tasks)
    for task in wanted:
        task.check(acting)
    trained: dict[str, Controller] = {}
    made: dict[str, Controller] = {}
    learned_now: dict[str, None] = {}
    unkept = _first_of(told)

    def learning(name: str, share: float) -> None:
        learned_now[name] = None
        if progress is not None:
            progress(name, share)

    def make(task: Task) -> Controller | None:
        if task.key in made:
            return made[task.key]
        then = None if task.then is None else make(task.then)
        learned = _learned(
            task, acting, threads, fresh, learning, cancel, told, unkept,
            lambda next_: (done := make(next_)) and done.learned,
        )  # fmt: skip
        if learned is None or (then is None and task.then is not None):
            return None
        made[task.key] = Controller(task, acting, learned, then)
        return made[task.key]

    for task in wanted:
        found = make(task)
        if found is None:
            return Controllers(acting, trained, complete=False, learned=tuple(learned_now))
        trained[task.name] = found
    return Controllers(acting, trained, learned=tuple(learned_now))


def load(
    source: Character | Library | Repertoire,
    tasks: Sequence[Task] | None = None,
    *,
    measures: Measures | None = None,
    threads: int = 1,
    progress: Callable[[str, float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    told: keeping.Told = keeping.tell,
) -> Controllers:
    """Controllers as they were trained before; those that were not are trained now.

    Training is announced in one line on the standard error, with a bar where that is a terminal.

    Args:
        source: see `train`.
        tasks: see `train`.
        measures: see `train`.
        threads: see `train`.
        progress: called with "training" and how much of all of it is done, 0 to 1; never where
            everything was trained before. It stands for the bar.
        cancel: asked now and then; once it says true, what was trained so far is given.
        told: see `train`.
    """
    name = source.name if isinstance(source, Character) else None
    wanted = built_in_tasks() if tasks is None else tuple(tasks)
    with Announcement(name, wanted, progress) as announcement:
        acting = source
        if not isinstance(acting, Repertoire):
            acting = repertoire(acting, measures, progress=announcement.clips)
        announcement.untrained(acting)
        return train(
            acting, wanted, threads=threads, progress=announcement.controller, cancel=cancel,
            told=told,
        )  # fmt: skip


def _first_of(told: keeping.Told) -> keeping.Told:
    """Passes on the first message only: a folder that cannot be written is said once."""
    messages: list[str] = []

    def tell(message: str) -> None:
        if not messages:
            told(message)
        messages.append(message)

    return tell


def _learned(
    task: Task, acting: Repertoire, threads: int, fresh: bool,
    progress: Callable[[str, float], None], cancel: Callable[[], bool] | None,
    told: keeping.Told, unkept: keeping.Told, next_learned: Callable[[Task], Learned | None],
) -> Learned | None:  # fmt: skip
    """What was learned for a task, now or before; None when that was cancelled."""
    path = keeping.path_of(task, acting)
    kept = None if path is None or fresh else keeping.read(path, told)
    if kept is not None and kept.values.shape == (len(acting.states), *task.space.shape):
        ready = prepare(task, acting, kept.worth)
        learned = learn(task, acting, ready=ready, threads=threads, start=kept.values, sweeps=0)
        return replace(learned, solution=replace(learned.solution, report=kept.report))
    if cancel is not None and cancel():
        return None
    progress(task.name, 0.0)
    start, known = (None, None)
    if task.known_from is not None:
        before = next_learned(task.known_from)
        if before is None:
            return None
        start, known = task.known(before.solution)
    ready = prepare(task, acting)
    learned = learn(task, acting, ready=ready, threads=threads, start=start, known=known,
                    progress=progress, cancel=cancel)  # fmt: skip
    if cancel is not None and cancel():
        return None
    progress(task.name, 1.0)
    if path is not None:
        keeping.write(path, learned.solution, ready.worth, unkept)
    return learned
