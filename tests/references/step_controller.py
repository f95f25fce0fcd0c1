"""Torques of a step controller, written to be read: the native one must agree with it.

After Yin et al. 2007, as coros2009 uses it (sections 3 and 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from surefoot.math import rotations
from surefoot.physics import Body, Gait

X, Y, Z = np.eye(3)


def spline(knots: np.ndarray, phase: float) -> float:
    """Catmull-Rom as four-point blends, with the ends doubled."""
    points = np.concatenate([knots[:1], knots, knots[-1:]])
    at = min(max(phase, 0.0), 1.0) * (len(knots) - 1)
    i = min(int(at), len(knots) - 2)
    t = at - i
    basis = 0.5 * np.array([[0, 2, 0, 0], [-1, 0, 1, 0], [2, -5, 4, -1], [-1, 3, -3, 1]])
    return float(np.array([1, t, t * t, t**3]) @ basis @ points[i : i + 4])


def turned(x: float, y: float, z: float) -> np.ndarray:
    """About x, then y, then z."""
    q = rotations.from_axis_angle(X, x)
    q = rotations.multiply(rotations.from_axis_angle(Y, y), q)
    return rotations.multiply(rotations.from_axis_angle(Z, z), q)


def error(wanted: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """The turn from actual to wanted, in the world."""
    return rotations.to_rotation_vector(rotations.multiply(wanted, rotations.inverse(actual)))


@dataclass
class Ground:
    """A floor that moves: about a point, all in the world."""

    point: np.ndarray
    velocity: np.ndarray
    spin: np.ndarray
    acceleration: np.ndarray


def centre_of(model: Any, data: Any) -> tuple[np.ndarray, np.ndarray]:
    """A walker's centre of mass and how it moves; the walker is body 1 and what hangs on it."""
    own = np.flatnonzero(model.body_rootid == 1)
    masses = model.body_mass[own]
    centre = (masses[:, None] * data.xipos[own]).sum(axis=0) / masses.sum()
    jacobian = np.zeros((3, model.nv))
    mujoco.mj_jacSubtreeCom(model, data, jacobian, 1)
    return centre, jacobian @ data.qvel


def felt_up(ground: Ground, centre: np.ndarray, moving: np.ndarray) -> np.ndarray:
    """Against gravity as who rides feels it: the frame's acceleration, round it and across it."""
    arm = centre - ground.point
    across = moving - ground.velocity - np.cross(ground.spin, arm)
    pull = ground.acceleration + np.cross(ground.spin, np.cross(ground.spin, arm))
    pull = pull + 2 * np.cross(ground.spin, across)
    aside = pull[:2] / 9.81
    aside = aside * min(1.0, 0.3 / max(np.linalg.norm(aside), 1e-12))
    up = np.array([*aside, 1.0])
    return up / np.linalg.norm(up)


def torques(
    body: Body,
    model: Any,
    data: Any,
    gait: Gait,
    beat: np.ndarray,
    ground: Ground | None = None,
) -> np.ndarray:
    """Generalised forces `(nv,)`; `data` must be up to date (mj_forward)."""
    anatomy = body.anatomy
    stance, elapsed, heading = int(beat[0]), beat[1], beat[2]
    standing, swinging = ("left", "right") if stance == 0 else ("right", "left")
    phase = min(1.0, elapsed / gait.step_time)
    heading += gait.turn * phase
    centre, moving = centre_of(model, data)
    up, turning = Z, 0.0
    if ground is not None:
        up, turning = felt_up(ground, centre, moving), float(ground.spin[2])
        moving = moving - ground.velocity - np.cross(ground.spin, centre - ground.point)
        heading += turning * elapsed
    ahead = rotations.multiply(rotations.between(Z, up), rotations.from_axis_angle(Z, heading))
    knots = gait.compiled(anatomy)[1][stance]
    targets = [spline(row, phase) for row in knots]

    # The body's centre beyond the stance ankle, and its velocity, along the heading.
    beyond = centre - data.xpos[model.body(f"{standing} foot").id]
    beyond = beyond - up * beyond[2] / up[2]
    forward = np.array([np.cos(heading), np.sin(heading), 0.0])
    left = np.array([-np.sin(heading), np.cos(heading), 0.0])
    further = gait.ahead.place * beyond @ forward
    further += gait.ahead.speed * (moving @ forward - gait.ahead.wanted)
    aside = gait.sideways.place * beyond @ left
    aside += gait.sideways.speed * (moving @ left - gait.sideways.wanted)

    out = np.zeros(model.nv)
    on_root = np.zeros(3)
    channel = 0
    for joint in anatomy.joints:
        target = targets[channel : channel + joint.channels]
        channel += joint.channels
        found = model.joint(joint.name)
        dof, at = found.dofadr[0], found.qposadr[0]
        part = model.body(anatomy.turned_by(joint.name).name).id
        if joint.name == f"{standing} hip" or joint.stiffness == 0:
            continue
        if joint.kind == "hinge":
            wanted = target[0]
            shin = data.xmat[model.body(f"{swinging} shin").id].reshape(3, 3)
            if joint.name == f"{swinging} ankle":
                wanted -= np.arcsin(shin[2, 0])
            if joint.name == f"{swinging} ankle roll":
                wanted -= np.arcsin(shin[2, 1])
            pull = joint.stiffness * (wanted - data.qpos[at])
            out[dof] = np.clip(pull, -joint.limit, joint.limit)
            continue
        turn = data.xmat[part].reshape(3, 3)
        if joint.name == f"{swinging} hip":
            wanted = rotations.multiply(
                ahead, turned(target[0] + aside, target[1] - further, target[2])
            )
            spin = np.zeros(6)
            mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, part, spin, 0)
            pull = joint.stiffness * error(wanted, data.xquat[part])
            pull = turn.T @ (pull - anatomy.hip_damping * (spin[:3] - turning * Z))
            pull[2] *= anatomy.twist_share
        elif joint.held == "heading":
            wanted = rotations.multiply(ahead, turned(*target))
            pull = turn.T @ (joint.stiffness * error(wanted, data.xquat[part]))
        else:
            parent = data.xquat[model.body_parentid[part]]
            wanted = rotations.multiply(parent, turned(*target))
            pull = turn.T @ (joint.stiffness * error(wanted, data.xquat[part]))
        pull = np.clip(pull, -joint.limit, joint.limit)
        out[dof : dof + 3] = pull
        if anatomy.turned_by(joint.name).parent == anatomy.root.name:
            relative = data.qvel[dof : dof + 3]
            on_root += turn @ (pull - joint.damping * relative)

    # Newton's third law: the stance hip carries what the root needs and what the others take.
    stiffness, damping, limit = anatomy.root_gains
    root = model.body(anatomy.root.name).id
    spin = np.zeros(6)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, root, spin, 0)
    needed = stiffness * error(rotations.multiply(ahead, turned(*targets[-3:])), data.xquat[root])
    needed = np.clip(needed - damping * (spin[:3] - turning * Z), -limit, limit)
    hip = model.joint(f"{standing} hip").dofadr[0]
    thigh = data.xmat[model.body(f"{standing} thigh").id].reshape(3, 3)
    share = gait.hold + (1 - gait.hold) * beat[3]
    pull = np.clip(share * thigh.T @ (-needed - on_root), -400.0, 400.0)
    pull[2] = np.clip(pull[2], -anatomy.stance_twist_limit, anatomy.stance_twist_limit)
    out[hip : hip + 3] = pull

    # Ligaments: what a thigh twists against the root, beyond what is free, is pulled back.
    free, stiffness = anatomy.ligaments
    for side in ("left", "right"):
        joint = model.joint(f"{side} hip")
        w, _, _, z = data.qpos[joint.qposadr[0] : joint.qposadr[0] + 4]
        twist = 2 * np.arctan(z / w)
        beyond = np.sign(twist) * max(0.0, abs(twist) - free)
        out[joint.dofadr[0] + 2] -= np.clip(stiffness * beyond, -60.0, 60.0)
    return out
