"""Marks on links: frames, centers of mass and motors."""

from __future__ import annotations

import math

import numpy as np

from ...model import JointKind, Model
from .forms import cylinder, triad
from .poses import matrix, placed
from .scene import Color
from .stage import Stage

FRAME, BALL, MOTOR = 0.08, 0.022, 0.06  # lengths, in sizes of the robot
WHOLE: Color = (0.85, 0.2, 0.15, 1.0)
EACH: Color = (0.95, 0.65, 0.15, 1.0)
HOUSING: Color = (0.25, 0.27, 0.3, 1.0)
TOTAL = "center of mass"


def draw_frames(stage: Stage) -> None:
    """Draw the axes x, y and z of every link in red, green and blue, and larger ones of the world."""
    stage.add(0, triad(), "frames", (1.0, 1.0, 1.0, 1.0), "world", scale=1.6 * FRAME * stage.size)
    for link, body in stage.body.items():
        stage.add(body, triad(), "frames", (1.0, 1.0, 1.0, 1.0), link, scale=FRAME * stage.size)


def draw_centers_of_mass(stage: Stage) -> None:
    """Draw the center of mass of all that moves, as `Robot.center_of_mass`, and smaller ones of links, by their mass."""
    masses = _masses(stage.model)
    heaviest = max((mass for _, mass, _ in masses), default=0.0)
    for link, mass, com in masses:
        if mass > 0.0:
            radius = max(0.25, math.cbrt(mass / heaviest)) * 0.7 * BALL * stage.size
            stage.ball(stage.body[link], com, radius, "com", EACH, f"{link}: {mass:.4g} kg")
    weights, total = total_weights(stage.model)
    if total > 0.0:
        poses = np.broadcast_to(np.eye(4), (len(stage.times), 4, 4)).copy()
        poses[:, :3, 3] = np.einsum("tkij,kj->ti", stage.poses[:, :, :3], weights)
        body = stage.add_body(TOTAL, poses)
        stage.ball(body, np.zeros(3), BALL * stage.size, "com", WHOLE, f"{TOTAL}: {total:.4g} kg")


def total_weights(model: Model) -> tuple[np.ndarray, float]:
    """Return weights (n_links, 4) of the links' poses, and the mass of all that moves [kg].

    The center of mass of all that moves is the sum over links of R w[:3] + p w[3], R and p being the link's pose.
    """
    moving, place = _moving(model), {link.name: k for k, link in enumerate(model.links)}
    masses = [(place[link], mass, com) for link, mass, com in _masses(model) if link in moving]
    total = sum(mass for _, mass, _ in masses)
    weights = np.zeros((len(place), 4))
    for k, mass, com in masses if total > 0.0 else ():
        weights[k] += mass / total * np.append(com, 1.0)
    return weights, total


def draw_motors(stage: Stage) -> None:
    """Draw a cylinder along the axis of every motor, on the link that carries it."""
    length, joints = MOTOR * stage.size, {joint.name: joint for joint in stage.model.joints}
    for motor in stage.model.motors:
        link = motor.link or joints[motor.joint].parent
        pose = matrix(motor.origin) @ placed(np.array([0.0, 0.0, -0.5 * length]))
        stage.add(stage.body[link], cylinder(), "motors", HOUSING, motor.name, pose, (0.4 * length, 0.4 * length, length))


def _masses(model: Model) -> list[tuple[str, float, np.ndarray]]:
    """Return link, mass and center of mass of links, and of rotors on the links that carry them."""
    found = [(link.name, link.inertia.mass, np.array(link.inertia.com)) for link in model.links if link.inertia is not None]
    joints = {joint.name: joint for joint in model.joints}
    for motor in model.motors:
        if motor.inertia is not None:
            com = motor.origin.R @ np.array(motor.inertia.com) + motor.origin.p
            found.append((motor.link or joints[motor.joint].parent, motor.inertia.mass, com))
    return found


def _moving(model: Model) -> set[str]:
    """Return the links that are not one body with the base."""
    still = {model.base}
    for joint in model.joints:  # parents come first
        if joint.kind is JointKind.FIXED and joint.parent in still:
            still.add(joint.child)
    return {link.name for link in model.links} - still
