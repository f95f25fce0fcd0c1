"""`surefoot crowd`: many characters, live, in one world; checked, scored and written."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from surefoot.cli import options
from surefoot.cli.report import Report, world_facts
from surefoot.errors import FileError, InputError

if TYPE_CHECKING:
    from surefoot.agents.play import Played
    from surefoot.agents.scenes import CrowdScene

NAME = "crowd"
HELP = "run a crowd live, look for bodies that touch, and write the animation"

_ENDINGS = {"output": (".glb", ".gltf"), "picture": (".png",), "record": (".json",),
            "trajectories": (".csv",)}  # fmt: skip


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    options.add_input(parser, (*options.WORLDS, "crowd", "SteerSuite or Menge file"), optional=True)
    options.add_options(parser, "start", "goal", "character", "scale", "up", "repeat")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write the animation (.glb, .gltf)"
    )
    parser.add_argument("--picture", metavar="FILE", type=Path, help="write a picture (.png)")
    parser.add_argument("--record", metavar="FILE", type=Path, help="write a recording (.json)")
    parser.add_argument(
        "--trajectories",
        metavar="FILE",
        type=Path,
        help="write agent, t, x, y, z, heading of each frame (.csv)",
    )
    parser.add_argument("--replay", metavar="FILE", type=Path, help="run a recording again")
    parser.add_argument("--agents", metavar="N", type=options.AGENTS, help="how many")
    parser.add_argument(
        "--seed", metavar="N", type=options.SEED, help="of what is left to chance, 0"
    )
    parser.add_argument("--duration", metavar="S", type=options.SECONDS, help="at most so long [s]")
    parser.add_argument(
        "--fps", metavar="N", type=options.FPS, default=30.0, help="of the file, 30"
    )
    parser.add_argument(
        "--rate", metavar="N", type=options.FPS, default=60.0, help="frames planned a second, 60"
    )
    parser.add_argument(
        "--milliseconds",
        metavar="MS",
        type=options.POSITIVE,
        help="that planning may take in a frame",
    )
    parser.add_argument("--threads", metavar="N", type=options.THREADS, help="how many to use, 1")
    parser.add_argument(
        "--serve", metavar="PORT", type=options.PORT, help="let an engine on this machine drive it"
    )
    parser.add_argument("--scores", action="store_true", help="print SteerBench's scores")
    parser.add_argument(
        "--table",
        metavar="FOLDER",
        type=Path,
        help="play every SteerSuite and Menge scene in a folder, and print a table of scores",
    )
    parser.add_argument(
        "--most",
        metavar="N",
        type=options.AGENTS,
        help="with --table: leave out scenes with more people",
    )
    parser.add_argument("--list", action="store_true", help="list the built-in crowds")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Runs a crowd; 0 when everybody arrives and nobody touches anybody."""
    _check_outputs(args)
    if args.list:
        return _list(args.report)
    if args.replay is not None:
        return _replay(args)
    if args.table is not None:
        return _table(args)
    if args.input is None:
        raise InputError("which crowd? `surefoot crowd --list` lists them")
    say = args.report.say
    if args.serve is not None:
        return _serve(args, say)
    clock = perf_counter()
    played = _played(args, say)
    took = perf_counter() - clock
    frames = len(played.crowd.frames)
    say(
        f"{frames} frames, {played.crowd.t:.1f} s, in {took:.1f} s"
        f" ({frames / max(took, 1e-9):.0f} frames a second with poses kept)"
    )
    say(str(played.crowd.report()))
    say(", ".join(f"{event}: {count}" for event, count in played.crowd.events.items()))
    args.report.put(
        name=played.scene.name, world=world_facts(played.crowd.world), notes=played.scene.notes,
        seconds=played.crowd.t, frames=frames, took=took, report=played.crowd.report(),
        events=played.crowd.events,
    )  # fmt: skip
    sound = _judged(played, args, say)
    _write(played, args)
    return 0 if sound else 1


def _scene(args: Namespace, say: Callable[[str], None]) -> CrowdScene:
    """What was asked for, with the settings that were given."""
    from surefoot.scenario.crowds import crowd_of
    from surefoot.scenario.inputs import InputKind

    found = options.find(args)
    if found.kind not in (InputKind.SCENE, InputKind.WORLD):
        options.refuse(args, found, "start", "goal", "character", "scale", "up")
    scene = crowd_of(found, lambda: options.load_scenario(args, found), args.seed, args.agents)
    say(f"{scene}; {scene.description}")
    for note in scene.notes:
        say(f"note: {note}")
    settings = scene.settings
    if args.milliseconds is not None:
        settings = replace(settings, milliseconds=args.milliseconds)
    if args.threads is not None:
        settings = replace(settings, threads=args.threads)
    return replace(scene, settings=settings)


def _serve(args: Namespace, say: Callable[[str], None]) -> int:
    from surefoot.agents.play import gather
    from surefoot.agents.serving import CrowdServer

    crowd = gather(_scene(args, say))
    server = CrowdServer(crowd, port=args.serve)
    say(f"serving on {server.host}, port {server.port}; Ctrl-C ends it")
    server.serve()
    return 0


def _played(args: Namespace, say: Callable[[str], None]) -> Played:
    from surefoot.agents.play import play

    return play(
        _scene(args, say),
        dt=1.0 / args.rate,
        duration=args.duration,
        progress=None if args.report.is_silent else _progress,
    )


def _judged(played: Played, args: Namespace, say: Callable[[str], None]) -> bool:
    """Whether everybody arrived and nobody touched anybody; says so."""
    from surefoot.agents.collisions import find_touches
    from surefoot.agents.scores import score

    touches = find_touches(played.film)
    for contact in touches.contacts[:20]:
        args.report.warn(str(contact))
    count = len(played.scene.walkers)
    ends = find_touches(played.film, trunks=False)
    say(
        f"{played.arrived} of {count} arrived; {len(touches.contacts)} contacts in"
        f" {touches.frames} frames, {len(ends.contacts)} by heads, hands and feet alone;"
        f" least gap between bodies {touches.nearest:.3f} m"
    )
    args.report.put(
        walkers=count, arrived=played.arrived, contacts=len(touches.contacts),
        contacts_of_ends=len(ends.contacts), least_gap=touches.nearest,
    )  # fmt: skip
    for agent in played.crowd.agents:
        why = played.crowd.why(agent)
        if why and not played.crowd.arrived(agent):
            say(f"agent {agent}: {why}")
    if args.scores:
        scores = score(played.film, touches)
        say(scores.table())
        args.report.put(scores=scores)
    return played.arrived == count and not touches.contacts


def _write(played: Played, args: Namespace) -> None:
    from surefoot.agents.showing import film_picture, save_film

    if args.output is not None:
        save_film(args.output, played.film, fps=args.fps, notes=played.scene.notes)
        args.report.wrote(args.output)
    if args.picture is not None:
        film_picture(played.film).save(args.picture)
        args.report.wrote(args.picture)
    if args.record is not None:
        played.crowd.recording().save(args.record)
        args.report.wrote(args.record)
    if args.trajectories is not None:
        played.film.save_trajectories(args.trajectories)
        args.report.wrote(args.trajectories)


def _replay(args: Namespace) -> int:
    from surefoot.agents import Recording
    from surefoot.agents.film import Film
    from surefoot.agents.showing import save_film

    say = args.report.say
    recording = Recording.load(args.replay)
    film: Film | None = None
    for crowd in recording.replay(threads=args.threads):
        film = film or Film(crowd.world)
        if args.output is not None or args.trajectories is not None:
            film.shoot(crowd)
    say(f"{len(recording)} frames came out as they were recorded, to the last bit")
    if args.output is not None and film is not None:
        save_film(args.output, film, fps=args.fps)
        args.report.wrote(args.output)
    if args.trajectories is not None and film is not None:
        film.save_trajectories(args.trajectories)
        args.report.wrote(args.trajectories)
    return 0


def _table(args: Namespace) -> int:
    """Plays all scenes of a folder; 0 when every one could be."""
    from surefoot.agents.settings import CrowdSettings
    from surefoot.agents.tournament import HEADER, played, scene_files

    if not args.table.is_dir():
        raise FileError(f"{args.table}: there is no such folder")
    files = scene_files(args.table)
    if not files:
        raise FileError(f"{args.table}: there are no SteerSuite or Menge scenes")
    settings = CrowdSettings(threads=args.threads or 1, milliseconds=args.milliseconds)
    say = args.report.say
    say("| " + " | ".join(HEADER) + " |")
    say("|" + "---|" * len(HEADER))
    wrong = 0
    for result in played(
        files,
        seed=args.seed or 0,
        duration=args.duration,
        rate=args.rate,
        settings=settings,
        most=args.most,
    ):
        say(result.line())
        args.report.append("scenes", result)
        wrong += bool(result.wrong)
    return 1 if wrong else 0


def _list(report: Report) -> int:
    from surefoot.agents import scenes

    for name in scenes.names():
        scene = scenes.load(name)
        report.say(f"{scene}; {scene.description}")
        facts = {"name": name, "description": scene.description, "agents": len(scene.walkers)}
        report.append("crowds", facts)
    return 0


def _check_outputs(args: Namespace) -> None:
    for option, allowed in _ENDINGS.items():
        path: Path | None = getattr(args, option)
        if path is None:
            continue
        if path.suffix.lower() not in allowed:
            raise FileError(f"{path}: the name must end in {' or '.join(allowed)}")
        if not path.parent.is_dir():
            raise FileError(f"{path}: there is no folder {path.parent}")


def _progress(share: float) -> None:
    if sys.stderr.isatty():
        end = "\r\x1b[K" if share >= 1.0 else ""
        print(f"\r\x1b[Kcrowd {share:.0%}{end}", end="", file=sys.stderr, flush=True)
