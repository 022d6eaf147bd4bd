"""A robot that holds the box with the person: both are one model, the box is fixed to the robot, and hands hold it too.

The loop from the ground through the person, the box and the robot is closed by the contacts of hands and soles: who bears
how much is found with the motion, within the strengths of the person, and the torques, speeds and ranges of the robot.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import ModelError, NameLookupError, StateError, is_choice, suggest
from ..loading.load import load
from ..model import Inertia, Joint, JointKind, Link, Model
from ..model.beside import with_robot
from ..model.free_body import with_box
from ..model.pose import Pose, rotation_about
from ..model.shape import Box, Shape
from ..predict import MotionProblem
from ..robot import Robot

NAME = "cobot"
GRIP = f"{NAME}_grip"
SHARE = 0.5  # of the box's weight that the robot bears at rest, as postures at both ends are sought; chosen
EFFORT = 0.01  # weight of the robot's squared torques over its limits, beside the person's effort of weight 1
SEEDS = 23  # random postures from which the search begins, beside one in the middle of the ranges
PEAK = 1.9  # largest over mean speed of a motion that begins and ends at rest
ROLLS = 4  # quarter turns of the flange about its axis
# how the box's axes stand in the flange's frame, whose z points into the box
SIDES_OF_BOX = {"top": np.diag([-1.0, 1.0, -1.0]), "far": np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])}


@dataclass(frozen=True)
class Cobot:
    """A robot on a fixed base that holds the box with the person.

    Attributes:
        robot: a built-in name, such as "panda", a file that `lissom.load` reads, or a Model: an arm with limits of torque.
        base: where its base is [m]: x ahead of the person's ankles, y to the left, and height.
        turn: of its base about the vertical [rad]; half a turn, unless given: it faces the person.
        grip: the side of the box that it holds in the middle: "top", or "far", that away from the person.
        link: that holds the box, with its z axis into the box; None for the last link.
    """

    robot: str | Model = "panda"
    base: tuple[float, float, float] = (0.9, 0.0, 0.4)
    turn: float = math.pi
    grip: str = "top"
    link: str | None = None

    def __post_init__(self) -> None:
        place = np.asarray(self.base, dtype=float) if not isinstance(self.base, str) else np.zeros(0)
        if place.shape != (3,) or not np.isfinite([*place, self.turn]).all():
            raise StateError(
                f"base and turn of the cobot are {self.base!r} and {self.turn!r}, expected x, y, height [m], and rad"
            )
        if not is_choice(self.grip, SIDES_OF_BOX):
            raise StateError(f"grip of the cobot is {self.grip!r}; {suggest(str(self.grip), SIDES_OF_BOX)}")

    def model(self) -> Model:
        """Return the robot's model.

        Raises:
            ModelError: a joint has no limit of torque, or does not turn or slide.
        """
        from ..robots import BUILTIN

        source = f"robots:{self.robot}" if isinstance(self.robot, str) and self.robot in BUILTIN else self.robot
        found = source if isinstance(source, Model) else load(source).model
        for joint in found.joints:
            if joint.kind is JointKind.FIXED:
                continue
            if joint.kind not in (JointKind.REVOLUTE, JointKind.PRISMATIC) or joint.coupling is not None:
                raise ModelError(
                    f"joint {joint.name!r} of cobot {found.name!r} does not turn or slide by itself, as those of arms do"
                )
            if not all(map(math.isfinite, (joint.limits.lower, joint.limits.upper, joint.limits.effort, joint.limits.velocity))):
                raise ModelError(f"joint {joint.name!r} of cobot {found.name!r} lacks a limit of range, speed or torque")
        return found


class Holding(NamedTuple):
    """A robot that holds a box.

    Attributes:
        arm: its model.
        place: of its base.
        grip: pose of the box in the frame of the link that holds it.
        link: that holds it.
        ends: coordinates at both ends of the motion.
    """

    arm: Model
    place: Pose
    grip: Pose
    link: str
    ends: tuple[np.ndarray, np.ndarray]

    def beside(self, model: Model, mass: float, size: Sequence[float]) -> Model:
        """Return a model with the robot and the box that it holds, of a mass [kg] and of edges (3,) [m]."""
        return _holding(model, self, mass, size)

    @property
    def limits(self) -> dict[str, tuple[float, float, float, float]]:
        """Lower and upper range, speed and torque by joint, as it is called beside the person."""
        moving = (joint for joint in self.arm.joints if joint.kind is not JointKind.FIXED)
        own = {f"{NAME}_{joint.name}": joint.limits for joint in moving}
        return {name: (x.lower, x.upper, x.velocity, x.effort) for name, x in own.items()}

    def keep(self, problem: MotionProblem) -> None:
        """Keep the ranges, speeds and torques of the robot, and minimize what it strains."""
        names, (low, high, speed, effort) = list(self.limits), np.array(list(self.limits.values())).T
        problem.limit("position", low, high, entries=names, hull=True)
        problem.limit("velocity", -speed, speed, entries=names, hull=True)
        problem.limit("torque", -effort, effort, entries=names)
        problem.minimize("integral", EFFORT, "torque", entries=names, scale=effort)


def hold(cobot: Cobot, ends: Sequence[np.ndarray], mass: float, size: Sequence[float], duration: float) -> Holding:
    """Return the robot with postures for a box whose middle is at two places: near to each other, and of small torques.

    Raises:
        StateError: it does not reach both places.
    """
    arm = cobot.model()
    links = [link.name for link in arm.links]
    link = cobot.link or links[-1]
    if link not in links:
        raise NameLookupError("link", link, links, f" of cobot {arm.name!r}")
    c, s = math.cos(cobot.turn), math.sin(cobot.turn)
    place = Pose(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)), cobot.base)
    start, middle, end = (_level(at) for at in (ends[0], 0.5 * (ends[0] + ends[1]), ends[1]))
    moving = [joint.limits for joint in arm.joints if joint.kind is not JointKind.FIXED]
    low, high, speed, effort = (np.array([getattr(x, way) for x in moving]) for way in ("lower", "upper", "velocity", "effort"))
    share = np.random.default_rng(0).uniform(size=(SEEDS, len(moving)))
    seeds = np.concatenate([0.5 * (low + high)[None], low + (high - low) * share])
    best: tuple[float, Holding] | None = None
    away = size[2] / 2 if cobot.grip == "top" else size[0] / 2
    for roll in range(ROLLS):
        turn = rotation_about((0.0, 0.0, 1.0), roll * math.pi / 2)
        grip = Pose(turn @ SIDES_OF_BOX[cobot.grip], (0.0, 0.0, away))
        own = Holding(arm, place, grip, link, (seeds[0], seeds[0]))
        alone = Robot(own.beside(Model("ground", (Link("ground"),), ()), SHARE * mass, size), backend="numpy")
        ways = {"restarts": 0, "throw": False}
        half = alone.inverse_kinematics("box", np.tile(middle, (len(seeds), 1, 1)), q0=seeds, **ways)  # type: ignore[arg-type]
        found = [alone.inverse_kinematics("box", np.tile(at, (len(seeds), 1, 1)), q0=half.q, **ways) for at in (start, end)]  # type: ignore[arg-type]
        both = half.reached & found[0].reached & found[1].reached
        rate = PEAK * np.abs(found[1].q - found[0].q) / (speed * duration)
        strain = [np.abs(alone.gravity_torques(one.q)) / effort for one in (found[0], half, found[1])]
        cost = np.where(both, np.max([rate, *strain], axis=(0, 2)), np.inf)
        k = int(np.argmin(cost))
        if np.isfinite(cost[k]) and (best is None or cost[k] < best[0]):
            best = float(cost[k]), own._replace(ends=(found[0].q[k], found[1].q[k]))
    if best is None:
        where = ", ".join(f"{x:g}" for x in cobot.base)
        raise StateError(
            f"cobot {arm.name!r} at ({where}) m does not hold the box by its {cobot.grip} side at both ends, level and within "
            "its ranges; move its base, or let it grip another side"
        )
    return best[1]


def _holding(model: Model, own: Holding, mass: float, size: Sequence[float]) -> Model:
    """Return a model with the robot, and the box fixed to it."""
    box = with_box(Model("box", (Link("ground"),), ()), "box", mass, size).link("box")
    found = with_robot(model, own.arm, NAME, own.place)
    grip = Joint(GRIP, JointKind.FIXED, f"{NAME}_{own.link}", "box", origin=own.grip)
    shape = Shape("box", Box(size), role="both")  # type: ignore[arg-type]
    inertia: Inertia | None = box.inertia
    return found.replace(links=(*found.links, Link("box", inertia)), joints=(*found.joints, grip), shapes=(*found.shapes, shape))


def _level(at: np.ndarray) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = at
    return pose
