"""Ideal actuators of OpenSim's force sets, such as residuals at the pelvis and reserves at joints: read, and their torques."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from ..errors import suggest
from ..model.pose import ZERO3, Vector3
from ..read.osim.forces import read_actuator
from ..read.osim.parts import ActuatorPart
from ..read.osim.values import Values, opened, title
from ..read.xml import Element
from ..robot import Robot
from ..wrench import Wrench
from .model import OsimModel

GROUND = "ground"


@dataclass(frozen=True)
class Actuator:
    """An ideal actuator: at a control of one it has the force `optimal` [N m or N].

    Attributes:
        name: of the actuator.
        optimal, least, most: its force at a control of one, and the bounds of its control.
        coordinate: that it drives; "" for one that acts on a body.
        body: on which a force or torque acts; `other`: of a torque, the body on which the opposite one acts.
        direction: of the force or torque, of length one, in the ground's axes if `in_ground`, else the body's.
        point: of a force in the body's frame [m], or in the ground's if `point_in_ground`; None: it is a torque.
    """

    name: str
    optimal: float = 1.0
    least: float = -np.inf
    most: float = np.inf
    coordinate: str = ""
    body: str = ""
    other: str = GROUND
    direction: Vector3 = ZERO3
    point: Vector3 | None = None
    in_ground: bool = True
    point_in_ground: bool = False

    def torques(self, model: OsimModel, q: np.ndarray) -> np.ndarray:
        """Return the torques (N, nv) of `model.robot`'s coordinates for a force of one [N m or N], at coordinates q (N, nq)."""
        robot = model.robot
        if not self.coordinate:
            found = np.zeros((len(q), robot.nv))
            for link, load in self.wrenches(robot, q).items():
                J = robot.jacobian(q, link)
                found += np.einsum("nij,ni->nj", J, np.concatenate([load.force, load.moment], axis=1))
            return found
        names = [joint.name for joint in robot.model.independent_joints]
        found = np.zeros((len(q), robot.nv))
        leader, law = model.leader_of(self.coordinate, f"actuator {self.name!r}")
        if leader in names:  # a locked coordinate has none
            k = names.index(leader)
            found[:, k] = 1.0 if law is None else law.derivatives(q[:, k], 1)[1]
        return found

    def wrenches(self, robot: Robot, q: np.ndarray) -> dict[str, Wrench]:
        """Return what a force of one does to bodies, along the world's axes and about the origins of their links."""
        if self.coordinate:
            return {}
        pose = robot.link_pose(q, self.body)
        along = np.broadcast_to(self.direction, (len(q), 3))
        if not self.in_ground:
            along = np.einsum("nij,nj->ni", pose[:, :3, :3], along)
        if self.point is None:
            found = {self.body: Wrench(0.0 * along, along, axes="world")}
            if self.other != GROUND:
                found[self.other] = Wrench(0.0 * along, -along, axes="world")
            return found
        arm = np.asarray(self.point) - pose[:, :3, 3] if self.point_in_ground else pose[:, :3, :3] @ np.asarray(self.point)
        return {self.body: Wrench(along, np.cross(arm, along), axes="world")}


def model_actuators(model: OsimModel) -> tuple[Actuator, ...]:
    """Return the coordinate actuators that a model has itself, and that are switched on."""
    return tuple(_of_coordinate(part) for part in model.parts.actuators if part.acts)


def read_actuators(path: str | os.PathLike[str], model: OsimModel) -> tuple[Actuator, ...]:
    """Return the actuators of a file with a <ForceSet>: CoordinateActuator, PointActuator and TorqueActuator.

    Raises:
        FileError: the file has no actuators, others than these, or names what the model does not have; with the line.
    """
    root, values = opened(path)
    source = values.source
    element = root.only("ForceSet", source)
    if element is None:
        raise source.error("<OpenSimDocument> has no <ForceSet>; give a file of residual and reserve actuators", root.line)
    values = Values(source, {child.tag: child for holder in element.all("defaults") for child in holder.children})
    holder = element.only("objects", source)
    found: dict[str, Actuator] = {}
    for child in holder.children if holder is not None else []:
        if not values.acts(child, "appliesForce"):
            continue
        actuator = _read(child, values, model)
        if actuator.name in found:
            raise source.error(f"two actuators are called {actuator.name!r}", child.line)
        if actuator.optimal == 0.0 or not actuator.least <= actuator.most:
            what = f"<optimal_force> {actuator.optimal:g} and controls from {actuator.least:g} to {actuator.most:g}"
            raise source.error(f"{title(child)} can do nothing: {what}", child.line)
        found[actuator.name] = actuator
    if not found:
        raise source.error("<ForceSet> has no actuator that acts", element.line)
    return tuple(found.values())


def _of_coordinate(part: ActuatorPart) -> Actuator:
    return Actuator(part.name, part.optimal_force, part.least, part.most, coordinate=part.coordinate)


def _read(element: Element, values: Values, model: OsimModel) -> Actuator:
    source = values.source

    def body(tag: str) -> str:
        name = values.text(element, tag, f"socket_{tag}").rsplit("/", 1)[-1]
        bodies = (GROUND, *(own.name for own in model.parts.bodies))
        if name not in bodies:
            raise source.error(f"{title(element)}: <{tag}> names no body {name!r}; {suggest(name, bodies)}", element.line)
        return name

    if element.tag == "CoordinateActuator":
        own = _of_coordinate(read_actuator(element, values))
        if own.coordinate not in model.coordinates:
            names = tuple(model.coordinates)
            what = f"{title(element)} drives {own.coordinate!r}, which is no coordinate; {suggest(own.coordinate, names)}"
            raise source.error(what, element.line)
        return own
    if element.tag not in ("PointActuator", "TorqueActuator"):
        known = "CoordinateActuator, PointActuator and TorqueActuator"
        raise source.error(f"{title(element)} among the actuators; expected {known}", element.line)
    force = element.tag == "PointActuator"
    direction = np.array(values.vector(element, "direction" if force else "axis"))
    if not direction.any():
        raise source.error(f"{title(element)} has no direction", element.line)
    first = body("body" if force else "bodyA")
    other = GROUND if force else body("bodyB")
    if first == GROUND and not force:
        first, other, direction = other, first, -direction
    if first == GROUND:
        raise source.error(f"{title(element)} acts on the ground alone", element.line)
    x, y, z = direction / np.sqrt(direction @ direction)
    return Actuator(
        values.name(element),
        values.finite(element, "optimal_force", 1.0),
        values.number(element, "min_control", -np.inf),
        values.number(element, "max_control", np.inf),
        body=first,
        other=other,
        direction=(float(x), float(y), float(z)),
        point=values.vector(element, "point") if force else None,
        in_ground=values.flag(element, "force_is_global", False) if force else values.flag(element, "torque_is_global", True),
        point_in_ground=values.flag(element, "point_is_global", False) if force else False,
    )
