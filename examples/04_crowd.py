"""A crowd, live: goals handed out, time stepped, poses and footsteps read; and the run repeated."""

from __future__ import annotations

from pathlib import Path

import surefoot as sf


def main(folder: Path) -> None:
    world = sf.World([sf.Body(name="floor", mesh=sf.primitives.slab((16, 16, 0.2)))])
    adult = sf.people.adult()
    crowd = sf.Crowd(
        world,
        [
            sf.Entrant(adult, (-4, 0, 0), goal=(4, 0, 0)),
            sf.Entrant(adult, (4, 0, 0), heading=3.14, goal=(-4, 0, 0)),
            sf.Entrant(adult, (0, -4, 0), heading=1.57, goal=(0, 4, 0)),
        ],
    )
    while not crowd.done and crowd.t < 30:
        crowd.step(1 / 60)
        poses = crowd.poses()  # root (n, 3), rotations (n, joints, 4), contacts (n, 2, 2)
    print(f"{crowd}: {len(crowd.footsteps(0))} footsteps in the last plan of the first")
    print("pelvises at", poses.root.round(2).tolist())
    print({str(event): count for event, count in crowd.events.items() if count})

    crowd.recording().save(folder / "crossing.json")
    *_, again = sf.Recording.load(folder / "crossing.json").replay(threads=2)
    print("replayed to the same bits:", again.digest == crowd.digest)


if __name__ == "__main__":
    main(Path())
