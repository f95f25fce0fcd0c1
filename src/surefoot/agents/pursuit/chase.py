"""One pursuit as it goes on: episodes, one after the other, and where they begin.

A search that an episode does not finish is gone on with in the next one, from the same moment of
the course; what was run is recalled. While it goes on it begins a little ahead of the character.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

import numpy as np

from surefoot.agents.pursuit.episodes import Episode
from surefoot.agents.pursuit.result import Pursuit
from surefoot.agents.pursuit.settings import PursuitSettings
from surefoot.agents.pursuit.targets import AnyTarget, Sighting, as_target, ground_below, sight
from surefoot.agents.senses import Belief, Senses
from surefoot.character import Character
from surefoot.errors import ProblemError
from surefoot.planning import Cost, Goal, Status
from surefoot.planning.plan import Outcome
from surefoot.planning.spacetime import SpaceTime
from surefoot.planning.spacetime.course import TICK
from surefoot.planning.spacetime.ongoing import Ongoing
from surefoot.planning.spacetime.planner import ON_ITS_WAY
from surefoot.planning.spacetime.traveller import Traveller
from surefoot.world import Place, Trajectory, World

LOOK = 0.1
"""[s] between moments at which it is looked whether the target is caught."""

TOLERANCE = 0.5
"""[m] How near to the target plans lead."""

SPEED = 1.5
"""[m/s] at which somebody goes on from where the target was to where it is."""

LEVEL = 0.5
"""[m] above or below that still counts as near."""

AHEAD = 6.0
"""[s] for which a new plan is verified at once; the rest is, before it comes to that."""

FARTHEST = 4.0
"""So many times its horizon a plan may last where the target is farther away than that."""

SOONEST, START = 0.5, 1.0
"""[s] ahead of which a plan begins that leads far away: while no way is known, and else."""

NODE = (0.6, 2.0)
"""[s] ahead, at least and at most, of a node that it begins at rather."""

NEAR, LONG = 12.0, 0.5
"""[m] from the target at which plans begin at once, and [s] that count as later than that."""

HASTIER = 1.25
"""How many times as hastily it is searched while no way is known."""

AIM, AIM_SHARE = 0.5, 0.05
"""[m] by which the target may move before it is aimed at anew, or this part of how far it is."""

REPAIRS = 1
"""Times in an episode that it is searched again without a way that does not hold."""

POLISH = 80
"""Evaluations of an episode that may look for a sooner way than one that is known."""

SETTING_UP, TELLING = 40, 60
"""Evaluations that it is worth to begin a search, and to tell and verify a plan."""

LITTLE = 5
"""Evaluations that are not worth going on with a search."""

ENOUGH = 50
"""Evaluations that tell how long one takes."""

SOON = 3.0
"""[s]: a course that gets there so soon is left for whatever leads on."""

SOONER = 0.3
"""[s] by which a new plan must be sooner there to leave one that is under way."""


@dataclass(frozen=True, eq=False)
class Quest:
    """A search that goes on over some episodes.

    Attributes:
        starts: [s] where in the course its plans begin.
        aim: where the target was when it began.
        ongoing: the search.
        known: how bodies move, as far as was known then.
    """

    starts: float
    aim: Place
    ongoing: Ongoing
    known: dict[str, Trajectory]


class Chase:
    """One pursuit as it goes on."""

    def __init__(
        self, world: World, character: Character, start: Place, target: AnyTarget,
        settings: PursuitSettings, planner: SpaceTime, cost: Cost | None, t: float,
        duration: float, heading: float, senses: Senses, capabilities: tuple[str, ...] | None,
        rates: Sequence[float] | None,
    ) -> None:  # fmt: skip
        self.world, self.settings = world, settings
        self.target = as_target(target, world)
        self.begins, self.ends, self.now = t, t + duration, t
        self.belief = Belief(world, senses)
        self.belief.look(t, world.position(start, t), heading)
        self.traveller = Traveller(
            self.belief.world, character, start, planner, t=t,
            until=t + duration + FARTHEST * settings.horizon, heading=heading, cost=cost,
            capabilities=capabilities,
        )  # fmt: skip
        self.traveller.stay()
        self.episodes: list[Episode] = []
        self.caught: float | None = None
        self.stuck = False
        self._looked = t
        self._rates = list(rates) if rates is not None else None
        self._seen_on: Place | None = None  # where something last carried the target
        self._towards: Place | None = None  # where the course leads, if it gets there
        self._arrives = np.inf  # [s] when it does
        self._horizon = settings.horizon  # [s] of the next plan
        self._quest: Quest | None = None  # to go on with
        # Landmarks, and what controllers know of themselves, are found before time counts.
        self.traveller.search(Goal(start), t, horizon=1.0).go_on(1)

    @property
    def over(self) -> bool:
        """Whether the target is caught, or cannot be any more."""
        return self.caught is not None or self.stuck or self.now >= self.ends

    def episode(self) -> None:
        """Sees the target, plans, takes the plan up, and goes on to the next episode."""
        settings, course = self.settings, self.traveller.course
        self._keep_on_feet()
        if self.stuck:
            return
        begins, budget, rate = self.now, self._budget(), self._rate()
        self.target.point(begins - self.belief.senses.reaction)  # whatever that takes is not ours
        begun, busy = perf_counter(), process_time()
        if not self.traveller.verify(begins + AHEAD):
            self._towards = self._quest = None
        node, before = self._nodes(begins)
        doubtful = self._look_around(begins)
        seen = sight(self.target, self.belief.world, begins - self.belief.senses.reaction)
        place = seen.ahead(self.belief.world, settings.lead) or self._seen_on
        self._seen_on = place
        due = begins + budget / rate / 1e3
        why = "nothing carries the target"
        ran, found, taken, starts = 0, False, False, self._start(due, seen)
        if place is not None:
            try:
                quest = self._quest = self._asked(seen, place, due)
                starts = quest.starts
                ran, found, taken, why = self._plan(quest, seen, place, budget, doubtful)
            except ProblemError as wrong:
                self._quest, why = None, str(wrong)
        if doubtful and not taken:
            self._stop(starts)
            self._quest = None
        here = self.world.position(course.place(starts), starts)
        episode = Episode(
            begins=begins, starts=starts, node=node, edge=node - before, target=place,
            budget=budget, rate=rate, evaluations=ran,
            milliseconds=1e3 * (perf_counter() - begun), core=1e3 * (process_time() - busy),
            found=found, taken=taken, distance=float(np.linalg.norm(seen.point - here)), why=why,
        )  # fmt: skip
        self.episodes.append(episode)
        self.now = begins + max(episode.spent, self._pause())
        self._look()

    def _start(self, due: float, seen: Sighting) -> float:
        """[s]: where in the course a plan begins that is due.

        Near the target as soon as can be; else a little later, where a way ends if that can be: a
        search may go on for some episodes before one is there, and what the course does then is
        what the last search has seen.
        """
        course = self.traveller.course
        if self.settings.seams == "nodes":
            return course.node(due)
        if self._near(due, seen):
            return self._seam(due)
        if self._towards is None:
            return self._seam(due + SOONEST)
        node = course.node(due + NODE[0])
        if node <= due + NODE[1] and self._seam(node) == node:
            return node
        return self._seam(due + START)

    def _seam(self, t: float) -> float:
        """[s]: the first seam from `t` on with both feet on one body for a while, or the end.

        Who gets ready to depart is left alone until then: who would have to come to a stand again
        first misses what it waits for.
        """
        traveller, course = self.traveller, self.traveller.course
        starts = traveller.seam(t)
        while starts < course.end:
            departs = course.readies(starts)
            if departs is not None:
                return departs
            if course.steady(starts):
                break
            starts = traveller.seam(min(starts + TICK, course.end))
        return starts

    def _near(self, t: float, seen: Sighting) -> bool:
        here = self.world.position(self.traveller.course.place(t), t)
        return float(np.linalg.norm(seen.point - here)) <= NEAR

    def _asked(self, seen: Sighting, place: Place, due: float) -> Quest:
        """The search that is gone on with, or a new one."""
        quest = self._quest
        known = {body.name: body.trajectory for body in self.belief.world}
        memory = None
        if quest is not None and self._near(due, seen) and quest.starts > due + LONG:
            quest = None
        if quest is not None and quest.starts >= due and quest.known == known:
            here = self.world.position(self.traveller.course.place(quest.starts), seen.t)
            left = float(np.linalg.norm(seen.point - here))
            if self._apart(place, quest.aim, seen.t) <= max(AIM, AIM_SHARE * left):
                return quest
            starts, memory = quest.starts, quest.ongoing.memory
        else:
            starts = self._start(due, seen)
        goal = Goal(place, tolerance=min(TOLERANCE, 0.7 * self.settings.catch))
        ongoing = self.traveller.search(
            goal, starts, horizon=self._horizon, longest=FARTHEST * self.settings.horizon,
            memory=memory, haste=HASTIER if self._towards is None else 1.0,
        )  # fmt: skip
        # Who was far away once is so for a while, and may be near again.
        self._horizon = max(0.95 * ongoing.problem.horizon, self.settings.horizon)
        return Quest(starts, place, ongoing, known)

    def _plan(
        self, quest: Quest, seen: Sighting, place: Place, budget: int, doubtful: bool
    ) -> tuple[int, bool, bool, str]:
        """Searches on, and takes up what is found where that is better.

        Gives how many trajectories were run, whether a way was found, whether it was taken up,
        and a sentence where it was not.
        """
        ongoing, before = quest.ongoing, quest.ongoing.ran
        # Who may try next to nothing does not pay for what is around it.
        pays = budget >= 2 * max(SETTING_UP, TELLING)
        most = budget - SETTING_UP if pays and ongoing.outcome is None else budget
        last = quest.starts < self.now + self._pause() + budget / self._rate() / 1e3
        for _ in range(1 + REPAIRS):
            left = most - (ongoing.ran - before)
            if left < LITTLE:
                break
            outcome = ongoing.go_on(left, polish=POLISH)
            found, arrives = ongoing.reached, outcome.arrives if ongoing.reached else np.inf
            if not found and not last:
                return ongoing.ran - before, False, False, "it takes longer"
            if not outcome.legs or not (doubtful or self._better(quest, arrives, seen, place)):
                return ongoing.ran - before, found, False, ""
            if pays and not last and most - (ongoing.ran - before) < TELLING:
                return ongoing.ran - before, found, False, "it is told in the next episode"
            solved = ongoing.told(quest.starts + AHEAD)
            if solved is None:
                continue
            taken = bool(solved.played) and self.traveller.go_on(quest.starts, solved)
            if taken:
                self._towards = quest.aim if found else None
                self._arrives = arrives
            return ongoing.ran - before, found, taken, ""
        return ongoing.ran - before, False, False, "what was found does not hold"

    def _look_around(self, t: float) -> bool:
        """Brings what is believed up to date; whether the course does not hold any more."""
        if self.belief.senses.knows_all:
            return False
        course = self.traveller.course
        here = self.world.position(course.place(t), t)
        if self.belief.look(t, here, course.heading(t, self.world)):
            self.traveller.forget_landmarks()
        left = course.plan(
            self.belief.world, character=self.traveller.character.name,
            skills=self.traveller.skills, goal=Goal(course.last.place), status=ON_ITS_WAY,
            statistics={}, planner="",
        )  # fmt: skip
        return any(wrong.time > t for wrong in left.check(self.belief.world).violations)

    def _stop(self, starts: float) -> None:
        """Stands still where the way on does not hold and there is no other."""
        kept = self.traveller.course.played
        self.traveller.course.cut(starts)
        if not self.traveller.stay():
            self.traveller.course.played = kept

    def _budget(self) -> int:
        """Evaluations: 1.5 times what the last episode took, within bounds."""
        settings = self.settings
        tried = [each.evaluations for each in self.episodes if each.evaluations > 0]
        if not tried:
            return min(settings.first, settings.most)
        wanted = int(np.ceil(settings.margin * tried[-1]))
        return min(max(wanted, settings.least), settings.most)

    def _pause(self) -> float:
        """[s] to the next episode: shorter while no way is known."""
        settings = self.settings
        return settings.pause if self._towards is not None else min(settings.hurry, settings.pause)

    def _rate(self) -> float:
        """[evaluations/ms] by which this episode's time is reckoned."""
        settings, count = self.settings, len(self.episodes)
        if self._rates is not None:
            return self._rates[min(count, len(self._rates) - 1)]
        # What few evaluations take is mostly what is around them.
        measured = [each for each in self.episodes if each.evaluations >= ENOUGH]
        if settings.clock == "counts" or not measured:
            return settings.rate
        return measured[-1].evaluations / measured[-1].milliseconds

    def _better(self, quest: Quest, arrives: float, seen: Sighting, place: Place) -> bool:
        """Whether a new plan is better than to go on.

        Who leads to where the target was seen before goes on from there: where that is not far
        off, only what is sooner there is better. Who changes course at every glance gets nowhere.
        """
        ends_soon = self._arrives < quest.starts + SOON
        if self._towards is None or ends_soon:
            return True
        off, away = (self._apart(place, aim, seen.t) for aim in (quest.aim, self._towards))
        if arrives == np.inf:
            here = self.traveller.course.place(seen.t)
            left = seen.point - self.world.position(here, seen.t)
            return away >= 0.5 * float(np.linalg.norm(left))
        return arrives + off / SPEED < self._arrives + away / SPEED - SOONER

    def _apart(self, a: Place, b: Place, t: float) -> float:
        return float(np.linalg.norm(self.world.position(a, t) - self.world.position(b, t)))

    def _nodes(self, t: float) -> tuple[float, float]:
        """[s]: the next node after a moment, and the one before it."""
        nodes = self.traveller.course.nodes
        later = [node for node in nodes if node > t + 1e-9]
        earlier = [node for node in nodes if node <= t + 1e-9]
        return min(later, default=nodes[-1]), max(earlier, default=nodes[0])

    def _keep_on_feet(self) -> None:
        """Whoever comes to where the course ends stays there, as long as it is being planned."""
        course, need = self.traveller.course, self._budget() / self._rate() / 1e3
        while course.end < self.now + need + NODE[1] + 1.0:
            if not self.traveller.stay():
                self.stuck = course.end < self.now + need + 1.0
                return

    def _look(self) -> None:
        """Whether the target was caught meanwhile: near, with the feet on the ground."""
        course = self.traveller.course
        until = min(self.now, self.ends)
        while self._looked < until and self.caught is None:
            t = self._looked = min(self._looked + LOOK, until)
            here = self.world.position(course.place(t), t)
            away = self.target.point(t) - here
            near = float(np.hypot(away[0], away[1])) <= self.settings.catch
            if near and abs(float(away[2])) <= LEVEL and course.seam(t) == t and course.landed(t):
                self.caught = t

    def result(self) -> Pursuit:
        """What was done, up to the catch."""
        course = self.traveller.course
        end = self.caught if self.caught is not None else min(self.now, course.end)
        end = course.seam(end)
        while not course.landed(end):
            end = course.seam(min(end + TICK, course.end))
        course.cut(end)
        point = self.target.point(end)
        place = ground_below(self.world, point, end) or Place(None, point)
        if self.caught is not None:
            status = Status(Outcome.REACHED, f"caught at {end:.2f} s")
        elif self.stuck:
            why = "no plan was ready, and one cannot stay there"
            status = Status(Outcome.EXHAUSTED, f"stuck at {end:.2f} s: {why}")
        else:
            status = Status(Outcome.OUT_OF_TIME, f"not caught by {end:.2f} s")
        statistics: dict[str, int | float] = {
            "episodes": len(self.episodes),
            "trajectories_evaluated": sum(each.evaluations for each in self.episodes),
            "search_ms": round(sum(each.milliseconds for each in self.episodes), 3),
        }
        # What was done is told of the world as it is, whatever was believed.
        self.traveller.world = self.world
        plan = self.traveller.plan(
            Goal(place, tolerance=self.settings.catch + 0.1), status, statistics
        )
        return Pursuit(
            plan=plan, episodes=tuple(self.episodes), world=self.world,
            character=self.traveller.character, target=self.target, caught=self.caught,
        )  # fmt: skip
