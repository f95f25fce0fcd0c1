"""`surefoot clips`: what is in a folder of motion capture, and a library made of it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot.cli import options
from surefoot.cli.report import Report
from surefoot.errors import FileError, InputError

if TYPE_CHECKING:
    from surefoot.motion import Library, Steps
    from surefoot.motion.library.figures import ClipFigures

NAME = "clips"
HELP = "inspect motion capture: clips, foot plants, steps; or build a library of it"

PLOTS = Path("clip-plots")
"""Where plots go when nothing else is said."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action")
    inspect = actions.add_parser(
        "inspect",
        help="show clips, foot plants, steps and quality figures, with a plot for each clip",
        allow_abbrev=False,
    )
    inspect.add_argument(
        "source",
        metavar="SOURCE",
        type=Path,
        nargs="?",
        help="a folder of BVH and glTF files, also in folders below; one such file; or a library"
        " file; the built-in library of an adult when not given",
    )
    inspect.add_argument("--clip", metavar="NAME", action="append", help="only this one")
    inspect.add_argument("--steps", action="store_true", help="list every step")
    inspect.add_argument("--notes", action="store_true", help="tell what was assumed")
    inspect.add_argument(
        "--plots", metavar="DIR", type=Path, default=PLOTS, help=f"where plots go ({PLOTS})"
    )
    inspect.add_argument("--no-plots", action="store_true", help="draw none")
    build = actions.add_parser("build", help="make a library file of clips", allow_abbrev=False)
    build.add_argument(
        "source",
        metavar="SOURCE",
        type=Path,
        nargs="?",
        help="a folder of BVH and glTF files, or one such file; the built-in library of an adult"
        " when not given",
    )
    build.add_argument(
        "-o", "--output", metavar="FILE", type=Path, required=True, help="the library file"
    )
    for action in (inspect, build):
        action.add_argument(
            "--scale",
            metavar="METRES",
            type=options.POSITIVE,
            help="metres in one unit of the files",
        )
        action.add_argument(
            "--up", metavar="AXIS", help="upward axis of the files: x, y, z, -y ..."
        )
        action.add_argument(
            "--rate", metavar="HZ", type=options.POSITIVE, help="frames a second of the files"
        )
        action.add_argument(
            "--floor",
            metavar="KIND",
            default="auto",
            help="still, moving (treadmills, clips played on the spot), or auto: as the feet show",
        )
        options.add_json(action)


def run(args: Namespace) -> int:
    """Inspects or builds."""
    if args.action is None:
        raise InputError("clips needs an action: inspect or build; see `surefoot clips --help`")
    library = _library(args)
    if args.action == "build":
        return _build(library, args)
    return _inspect(library, args)


def _library(args: Namespace) -> Library:
    from surefoot.motion import PlantSettings, build_library, load_library
    from surefoot.motion.formats import read_clips
    from surefoot.motion.formats.folder import KINDS

    source: Path | None = args.source
    if source is None:
        from surefoot.character import people
        from surefoot.motion.default import default_library

        return default_library(people.adult())
    settings = PlantSettings(floor=args.floor)
    reading: dict[str, Any] = {"scale": args.scale, "up": args.up, "rate": args.rate}
    if source.suffix.lower() in KINDS and not source.is_dir():
        return build_library(read_clips(source, **reading), settings=settings)
    if source.is_file():
        if args.action == "build":
            kinds = ", ".join(KINDS)
            raise FileError(
                f"{source}: is a file; build needs a folder or a file of motion ({kinds})"
            )
        return load_library(source)
    return build_library(source, settings=settings, **reading)


def _build(library: Library, args: Namespace) -> int:
    from surefoot.motion import save_library

    output, report = args.output, args.report
    save_library(library, output)
    report.say(f"{output}: {_summary(library)}, {output.stat().st_size / 1e6:.1f} MB")
    report.put(files=[str(output)], library=_library_facts(library))
    _tell_left_out(library, report)
    return 0


def _inspect(library: Library, args: Namespace) -> int:
    from surefoot.motion.library.figures import clip_figures

    names = list(args.clip or library.names)
    figures = [clip_figures(library, name) for name in names]
    report: Report = args.report
    report.put(clips=figures, library=_library_facts(library))
    _print_table(report, _HEADINGS, [_row(one) for one in figures])
    report.say(f"\n{_summary(library)}")
    if args.steps or args.clip:
        for name in names:
            report.say(f"\nsteps of {name}")
            _print_table(report, _STEP_HEADINGS, _step_rows(library.steps.of_clip(name)))
    else:
        report.say()
        _print_table(report, _MODE_HEADINGS, _mode_rows(library.steps))
    if args.notes or args.clip:
        _tell_notes(library, names, report)
    _tell_left_out(library, report)
    if not args.no_plots:
        _draw(library, figures, args.plots)
        report.say(f"\nplots: {args.plots}/ ({len(names)})")
    return 0


def _summary(library: Library) -> str:
    return (
        f"{len(library)} clips, {library.duration:.1f} s, {len(library.steps)} steps"
        f" ({2 * len(library.steps)} with their mirror images,"
        f" {2 * library.steps.nbytes / 1e3:.0f} kB)"
    )


# --- tables ---------------------------------------------------------------------------------------

_HEADINGS = (
    "clip", "steps", "s", "1/s", "plants", "m/s", "turn", "slide", "floor", "knees",
)  # fmt: skip
_STEP_HEADINGS = (
    "mode", "support", "swing", "start", "end", "m/s", "root x, y", "foot x, y, z", "moves",
    "turns", "sure",
)  # fmt: skip
_MODE_HEADINGS = ("mode", "steps", "s", "m/s", "moves", "turns")


def _row(one: ClipFigures) -> list[str]:
    from math import degrees

    modes = ", ".join(f"{count} {mode}" for mode, count in one.modes.items())
    knees = f"{degrees(one.quality.knee_speed):.0f}/s"
    if one.quality.knee_pops:
        knees += f", {one.quality.knee_pops} pops"
    return [
        one.name,
        modes,
        f"{one.duration:.2f}",
        f"{one.rate:.0f}",
        f"{one.plants}",
        _known(one.speed, "{:.2f}"),
        f"{degrees(one.turn):+.0f}",
        _known(100 * one.slide, "{:.1f} cm/s"),
        _known(100 * one.floor, "{:.0f} cm"),
        knees,
    ]


def _step_rows(steps: Steps) -> list[list[str]]:
    from math import degrees

    return [
        [
            step.mode,
            step.support,
            step.swing,
            f"{step.start:.2f}",
            f"{step.end:.2f}",
            f"{step.speed:.2f}",
            f"{step.root[0]:+.2f} {step.root[1]:+.2f}",
            f"{step.foot[0]:+.2f} {step.foot[1]:+.2f} {step.foot[2]:+.2f}",
            f"{degrees(step.movement_angle):+.0f}",
            f"{degrees(step.rotation_angle):+.0f}",
            f"{100 * step.confidence:.0f}%",
        ]
        for step in steps
    ]


def _mode_rows(steps: Steps) -> list[list[str]]:
    from math import degrees

    from surefoot.motion.steps import MODES

    rows: list[list[str]] = []
    for mode in MODES:
        some = list(steps.of(mode))
        if not some:
            continue
        ranges = (
            ([step.duration for step in some], "{:.2f}"),
            ([step.speed for step in some], "{:.2f}"),
            ([degrees(step.movement_angle) for step in some], "{:+.0f}"),
            ([degrees(step.rotation_angle) for step in some], "{:+.0f}"),
        )
        spread = [f"{form.format(min(v))} .. {form.format(max(v))}" for v, form in ranges]
        rows.append([mode, str(len(some)), *spread])
    return rows


def _known(value: float, form: str) -> str:
    return "-" if value != value else form.format(value)


def _print_table(report: Report, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns of words to the left, of numbers to the right."""
    widths = [
        max(len(heading), *(len(row[i]) for row in rows)) if rows else len(heading)
        for i, heading in enumerate(headings)
    ]
    words = {"clip", "steps", "mode", "support", "swing", "knees"}
    for row in (headings, *rows):
        cells = [
            f"{cell:<{width}}" if heading in words else f"{cell:>{width}}"
            for cell, width, heading in zip(row, widths, headings, strict=True)
        ]
        report.say("  ".join(cells).rstrip())


# --- what else there is to say --------------------------------------------------------------------


def _tell_notes(library: Library, names: Sequence[str], report: Report) -> None:
    """Each note once, with the clips it is about."""
    about: dict[str, list[str]] = {}
    for name in names:
        for note in library.clip(name).notes:
            about.setdefault(note, []).append(name)
    report.put(notes=about)
    shared = {note: whom for note, whom in about.items() if len(whom) > 1}
    for note, whom in sorted(shared.items(), key=lambda item: -len(item[1])):
        which = "all clips" if len(whom) == len(library) else ", ".join(whom)
        report.say(f"\n{which}: {note}")
    own = [f"{whom[0]}: {note}" for note, whom in about.items() if len(whom) == 1]
    if own:
        report.say("\n" + "\n".join(own))


def _tell_left_out(library: Library, report: Report) -> None:
    report.put(left_out=[str(one) for one in library.left_out])
    if library.left_out:
        report.say(f"\nleft out: {len(library.left_out)}")
        for one in library.left_out:
            report.say(f"  {one}")


def _library_facts(library: Library) -> dict[str, Any]:
    return {"clips": len(library), "duration": library.duration, "steps": len(library.steps)}


def _draw(library: Library, figures: Sequence[ClipFigures], folder: Path) -> None:
    from surefoot.animation.plots import plot_clip
    from surefoot.motion.plants import foot_paths

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise FileError(f"{folder}: cannot be made: {reason.strerror}") from reason
    used: Counter[str] = Counter()
    for one in figures:
        index = library.index(one.name)
        name = one.name.replace("/", "-").replace("\\", "-")
        used[name] += 1
        if used[name] > 1:
            name += f"-{used[name]}"
        picture = plot_clip(
            foot_paths(library.clips[index], library.measures[index]),
            library.plants[index],
            library.steps.of_clip(one.name),
            title=f"{one.name}   {one.duration:.2f} s at {one.rate:.0f} frames a second",
            notes=f"{one.plants} plants, {one.steps} steps; planted feet slide at"
            f" {_known(100 * one.slide, '{:.1f} cm/s')}",
        )
        picture.save(folder / f"{name}.png")
