"""OpenSim's JointReaction: forces and moments through the joints of a model along a trial, with the forces of its muscles.

The bodies move as the forces make them: accelerations are those of forward dynamics, as in OpenSim. The wrench through a joint
is what the bodies beyond it need, less the forces of muscles and the loads on them. Welds, which have no coordinate, get one
here that stands still: the wrench through it is that through the weld.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..doubts import doubt
from ..errors import NameLookupError, StateError, is_choice, suggest
from ..model.show import by_shape
from ..osim.actuators import Actuator, model_actuators
from ..osim.model import OsimModel
from ..osim.table import Table
from ..read.osim.parts import CoordinatePart, JointPart
from ..robot import Robot
from ..wrench import Wrench
from .muscles import Muscles
from .optimize import RESERVE
from .trial import Trial

ON = ("child", "parent")
GROUND = "ground"
STILL = "#weld"  # ending of the coordinates of welds
PARTS = tuple(f"{what}{x}" for what in "fmp" for x in "xyz")


@dataclass(frozen=True, eq=False)
class Reactions:
    """The result of `joint_reactions`.

    Attributes:
        trial: the motion.
        joints: names of the joints.
        labels: of each joint, as "hip_r_on_femur_r_in_ground".
        values: (N, joints, 9) force [N], moment about the joint [N m], and place of the joint [m].
        unmade: (N, nv) torques of the motion that the forces do not make [N m, N].
    """

    trial: Trial
    joints: tuple[str, ...]
    labels: tuple[str, ...]
    values: np.ndarray
    unmade: np.ndarray
    __repr__ = by_shape

    @property
    def table(self) -> Table:
        """All joints as OpenSim's file ReactionLoads.sto: fx to fz, mx to mz, px to pz of each."""
        names = tuple(f"{label}_{part}" for label in self.labels for part in PARTS)
        return Table(names, self.trial.times, self.values.reshape(len(self.values), -1), title="Joint Reaction Loads")


def joint_reactions(
    trial: Trial,
    forces: Table,
    actuators: Sequence[Actuator] = (),
    joints: Sequence[str] | None = None,
    on: str = "child",
    seen: str = GROUND,
) -> Reactions:
    """Return what the joints of a model carry.

    Args:
        trial: a motion of a model with muscles.
        forces: of all muscles [N], and of actuators [N m or N], as of static optimization; interpolated in time.
        actuators: residuals and reserves among the columns, beside the coordinate actuators of the model and columns called as a
            coordinate, with "_reserve".
        joints: names; None takes all, in the order of the file.
        on: the "child" or the "parent", on which the wrench acts.
        seen: the axes and the origin of its components: "ground", the joint's "child" or "parent", or the name of a body.

    Raises:
        FileError: a muscle has no column of forces, or one with gaps.
        NameLookupError: there is no such joint or body.
        StateError: `on` is something else.
    """
    parts = trial.model.parts
    if not is_choice(on, ON):
        raise StateError(f"no on={on!r}; {suggest(str(on), ON)}")
    known = {joint.name: joint for joint in parts.joints}
    for name in joints or ():
        if name not in known:
            raise NameLookupError("joint", name, tuple(known))
    frames = (GROUND, *ON, *(body.name for body in parts.bodies))
    if seen not in frames:
        raise NameLookupError("frame", seen, frames, " for reactions")
    whole = _Whole(trial)
    pulls, torques, loads = _acting(trial, forces, actuators)
    robot, external = trial.model.robot, dict(trial.external) or None
    qdd = robot.forward_dynamics(trial.q, trial.qd, torques, external=external)
    whole.move(qdd)
    wrenches = whole.wrenches(pulls, loads)
    chosen = [known[name] for name in joints or known]
    values = np.stack([whole.reaction(joint, wrenches, on, seen) for joint in chosen], axis=1)
    labels = []
    for joint in chosen:
        bodies = {end: parts.seat(getattr(joint, end))[0] for end in ON}
        labels.append(f"{joint.name}_on_{bodies[on]}_in_{bodies.get(seen, seen)}")
    return Reactions(trial, tuple(joint.name for joint in chosen), tuple(labels), values, trial.torques - torques)


def _acting(trial: Trial, forces: Table, actuators: Sequence[Actuator]) -> tuple[np.ndarray, np.ndarray, list[dict[str, Wrench]]]:
    """Return forces of muscles (N, muscles), the torques of all that acts (N, nv), and wrenches of actuators on bodies."""
    known = {one.name: one for one in (*model_actuators(trial.model), *actuators)}
    known |= {name + RESERVE: Actuator(name + RESERVE, coordinate=name) for name in trial.names if name + RESERVE not in known}
    others = tuple(f"{load.body}_{load.name}_" for load in (trial.loads.loads if trial.loads else ()))  # OpenSim writes them, too
    left = [name for name in forces.names if name not in {*known, *trial.muscles.names} and not name.startswith(others or "\0")]
    if left:
        doubt(str(forces.error(f"columns {', '.join(map(repr, left))} are no muscles or actuators, and left out")))
    used = [known[name] for name in forces.names if name in known]
    values = forces.columns([*trial.muscles.names, *(one.name for one in used)])
    values = np.column_stack([np.interp(trial.times, forces.times, column) for column in values.T])
    n = len(trial.muscles)
    torques = np.einsum("kmv,km->kv", trial.paths[1], values[:, :n])
    loads = []
    for one, force in zip(used, values[:, n:].T, strict=True):
        torques += one.torques(trial.model, trial.q) * force[:, None]
        own = one.wrenches(trial.model.robot, trial.q)
        loads.append({link: _times(load, force) for link, load in own.items()})
    return values[:, :n], torques, loads


def _times(load: Wrench, force: np.ndarray) -> Wrench:
    return Wrench(np.asarray(load.force) * force[:, None], np.asarray(load.moment) * force[:, None], axes="world")


class _Whole:
    """A model in which every body is one: nothing is coupled, locked or welded."""

    def __init__(self, trial: Trial) -> None:
        self.trial, model = trial, trial.model
        self.model = OsimModel(model.path, replace(model.parts, joints=tuple(map(_turning, model.parts.joints))))
        self.robot: Robot = self.model.tree
        self.names = self.model.names
        self.q = self.qd = self.qdd = np.zeros(0)

    def move(self, qdd: np.ndarray) -> None:
        """Set the motion, with accelerations of the coordinates of the trial (N, nv)."""
        trial, model = self.trial, self.trial.model
        at = {name: (trial.q[:, k], trial.qd[:, k], qdd[:, k]) for k, name in enumerate(trial.names)}
        still = np.zeros(len(trial))
        rows = []
        for name in self.names:
            leader, law = model.leader_of(name, "joint reactions")
            if leader in at:
                x, v, a = at[leader]
            else:
                default = model.coordinates[leader].default if leader in model.coordinates else 0.0
                x, v, a = np.full(len(trial), default), still, still
            if law is not None:
                y, slope, bend = (np.broadcast_to(d, x.shape) for d in law.derivatives(x, 2))
                x, v, a = y, slope * v, slope * a + bend * v * v
            rows.append((x, v, a))
        self.q, self.qd, self.qdd = (np.column_stack([row[k] for row in rows]) for k in range(3))

    def wrenches(self, pulls: np.ndarray, loads: Sequence[Mapping[str, Wrench]]) -> dict[str, np.ndarray]:
        """Return the wrench (N, 6) through each joint on its child link, along its axes, with forces of muscles (N, muscles)."""
        own = Muscles(self.robot, self.trial.muscles.muscles).wrenches(self.q, pulls, taut=True)
        total: dict[str, Wrench] = {}
        for part in (own, self.trial.external, *loads):
            for link, load in part.items():
                before = total.get(link)
                total[link] = (
                    load if before is None else Wrench(before.force + load.force, before.moment + load.moment, axes="world")
                )  # type: ignore[operator]
        found = self.robot.joint_wrenches(self.q, self.qd, self.qdd, external=total, axes="link")
        return {name: found[:, k] for k, name in enumerate(self.robot.moving_joint_names)}

    def reaction(self, joint: JointPart, wrenches: Mapping[str, np.ndarray], on: str, seen: str) -> np.ndarray:
        """Return force, moment and place (N, 9) of a joint."""
        parts = self.model.parts
        ends = {end: parts.seat(getattr(joint, end)) for end in ON}
        child = ends["child"][0]
        own = {c.name for c in next(j for j in parts.joints if j.name == joint.name).coordinates}
        last = next(j for j in self.robot.model.joints if j.name in own and j.child in (child, ends["parent"][0]))
        carried = self.pose(last.child)
        force, moment = (np.einsum("nij,nj->ni", carried[:, :3, :3], wrenches[last.name][:, k : k + 3]) for k in (0, 3))
        body, seat = ends[on]
        sign = 1.0 if (last.child == child) == (on == "child") else -1.0
        pose = self.pose(body)
        place = pose[:, :3, :3] @ np.asarray(seat.translation) + pose[:, :3, 3]
        moment = moment + np.cross(carried[:, :3, 3] - place, force)
        frame = self.pose(ends[seen][0] if seen in ON else seen)
        vectors = (sign * force, sign * moment, place - frame[:, :3, 3])
        return np.concatenate([np.einsum("nji,nj->ni", frame[:, :3, :3], x) for x in vectors], axis=1)

    def pose(self, body: str) -> np.ndarray:
        """Return the poses of a body (N, 4, 4)."""
        return self.robot.link_pose(self.q, body)


def _turning(joint: JointPart) -> JointPart:
    """Return a weld as a pin whose coordinate stands still."""
    if joint.kind != "WeldJoint":
        return joint
    still = CoordinatePart(joint.name + STILL, joint.name, joint.line)
    return replace(joint, kind="PinJoint", coordinates=(still,))
