"""An anatomy as tables of MuJoCo's indices, for the native controller."""

from __future__ import annotations

from typing import Any

import numpy as np

from surefoot.physics.anatomy import SIDES, Anatomy


def tables(anatomy: Anatomy, model: Any) -> dict[str, Any]:
    """What the native controller knows of the body, by MuJoCo's indices."""
    rows: list[tuple[int, ...]] = []
    for part in anatomy.parts:
        body = int(model.body(part.name).id)
        for joint in part.joints:
            found = model.joint(joint.name)
            rows.append(
                (
                    body,
                    int(model.body_parentid[body]),
                    int(found.qposadr[0]),
                    int(found.dofadr[0]),
                    joint.channels,
                    int(joint.held == "heading"),
                )
            )
    names = anatomy.joint_names
    legs: list[tuple[int, ...]] = []
    feet = np.zeros(int(model.ngeom), dtype=np.int32)
    for number, side in enumerate(SIDES, start=1):
        roll = f"{side} ankle roll"
        legs.append(
            (
                names.index(f"{side} hip"),
                names.index(f"{side} ankle"),
                names.index(roll) if roll in names else -1,
                int(model.body(anatomy.turned_by(f"{side} knee").name).id),
                int(model.body(anatomy.turned_by(f"{side} ankle").name).id),
            )
        )
        for part in anatomy.leg(side):
            for i, shape in enumerate(part.shapes):
                if shape.sole:
                    feet[int(model.geom(f"{part.name} {i}").id)] = number
    gains = (
        *anatomy.root_gains,
        anatomy.hip_damping,
        anatomy.twist_share,
        anatomy.stance_twist_limit,
        anatomy.fall_height,
        *anatomy.ligaments,
    )
    return {
        "joints": np.array(rows, dtype=np.int32),
        "stiffness": np.array([joint.stiffness for joint in anatomy.joints]),
        "limits": np.array([joint.limit for joint in anatomy.joints]),
        "legs": np.array(legs, dtype=np.int32),
        "feet": feet,
        "gains": np.array(gains),
        "root": int(model.body(anatomy.root.name).id),
        "bodies": len(anatomy.parts),
    }
