"""Protocol: the interface of `Robot`, rigid or elastic, and `ClosedRobot` for prediction, timing and control.

A path has one column per velocity that can be chosen freely: of the joints of a tree, without the motors behind springs, whose
motion follows from that of their joints; of the active joints of a closed robot, from which all others follow. Columns add up:
those of joints of one axis are their coordinates, others have charts (`algorithms/derivatives/chart.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from .arrays import Accelerations, Jerks, Positions, Velocities
from .errors import StateError

if TYPE_CHECKING:
    from .compiler.task import Task
    from .derivatives import Derivatives
    from .model import Joint, Model
    from .model.limits import CoordinateLimits
    from .simulate import Trajectory
    from .wrench import BaseMotion, Wrenches


class PathTask(NamedTuple):
    """A function of a path and its derivatives, to be compiled for a robot.

    Attributes:
        maker: makes the task. Its inputs are some of q, qd, qdd, ... of the path, external wrenches where `loaded`, and then
            `path_inputs` of the robot.
        options: of the maker.
        loaded: whether the task takes external wrenches.
        weight: the largest sum of orders of derivatives in one product, None if unknown. Second derivatives by the
            r-th and the s-th derivative of the path are zero where r + s is more: a torque, of weight 2, has M qdd and qd qd,
            but nothing with qdd qd.
        derivatives: maker of all first derivatives, if there is a faster way than differentiating the task.
        entries: rows and columns where derivatives may differ from zero; None for all.
        changing: whether the maker has an option changing=, with which the task takes rates of external wrenches, too.
    """

    maker: Callable[..., Task]
    options: Mapping[str, Any] = {}
    loaded: bool = True
    weight: int | None = None
    derivatives: Callable[..., Task] | None = None
    entries: tuple[np.ndarray, np.ndarray] | None = None
    changing: bool = False


class DrivenRobot(Protocol):
    """A robot for prediction, timing and control."""

    @property
    def name(self) -> str:
        """Name of the robot."""

    @property
    def model(self) -> Model:
        """The robot's model."""

    @property
    def backend(self) -> Any:
        """What computes."""

    @property
    def nq(self) -> int:
        """Number of coordinates."""

    @property
    def nv(self) -> int:
        """Number of velocities."""

    @property
    def total_mass(self) -> float:
        """Mass of all links [kg]."""

    @property
    def n_elastic(self) -> int:
        """Number of motors behind springs, whose coordinates are the last of q; a path leaves them out."""

    @property
    def link_nv(self) -> int:
        """Number of velocities without the motors behind springs."""

    @property
    def _elastic_drives(self) -> tuple[Any, ...]:
        """The motors behind springs with their joints."""

    @property
    def coordinate_joints(self) -> tuple[Joint, ...]:
        """Joints that the coordinates belong to, in their order, motors behind springs last."""

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Their names."""

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of velocities and accelerations."""

    @property
    def torque_names(self) -> tuple[str, ...]:
        """Names of the entries of tau."""

    @property
    def free_names(self) -> tuple[str, ...]:
        """Velocities without a drive."""

    @property
    def link_names(self) -> tuple[str, ...]:
        """All links."""

    @property
    def wrench_names(self) -> tuple[str, ...]:
        """Joints in the order of `joint_wrenches`."""

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        """Units of the coordinates."""

    @property
    def velocity_units(self) -> tuple[str, ...]:
        """Units of the velocities."""

    @property
    def torque_units(self) -> tuple[str, ...]:
        """Units of tau."""

    @property
    def limits(self) -> CoordinateLimits:
        """Limits of coordinates and velocities, and `effort` of tau, as arrays."""

    @property
    def _effort_limits(self) -> tuple[float, ...]:
        """Largest permitted magnitudes of tau; infinity where there is no limit."""

    @property
    def has_friction(self) -> bool:
        """Whether torques include friction."""

    @property
    def path_columns(self) -> tuple[str, ...]:
        """Names of the columns of a path."""

    def path_at(self, q: np.ndarray) -> np.ndarray:
        """Return the columns of a path (..., n) at coordinates (..., nq), without motors behind springs."""

    @property
    def path_order(self) -> int:
        """Highest derivative of a path that torques depend on: 2, and 4 with motors behind springs."""

    @property
    def path_quantities(self) -> tuple[str, ...]:
        """Names that `path_task` knows."""

    def _together(self, q: Positions, qd: Velocities) -> tuple[np.ndarray, np.ndarray]:
        """Return a state with leading axes broadcast."""

    def _loads(self, external: Wrenches | None, base_motion: BaseMotion | None) -> tuple[list[np.ndarray], dict[str, Any]]:
        """Return external wrenches as inputs of a task, and the options of the task for them."""

    def path_task(self, name: str, **options: Any) -> PathTask:
        """Return a quantity as a function of a path."""

    def path_inputs(self, q: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the last inputs of path tasks, at coordinates of a path (K, n)."""

    def path_function(self, maker: Callable[..., Task], shape: tuple[int, ...], **options: Any) -> Callable[..., np.ndarray]:
        """Return the compiled function of a path task or of its derivatives: of its arguments, rows of arrays, and out=."""

    def path_state(self, rates: Sequence[np.ndarray], *, external: Wrenches | None = None) -> tuple[np.ndarray, ...]:
        """Return q, qd and qdd, given a path and its derivatives up to `path_order`."""

    def path_torques(self, rates: Sequence[np.ndarray], *, external: Wrenches | None = None) -> np.ndarray:
        """Return tau, given a path and its derivatives up to `path_order`."""

    def path_torque_rates(self, rates: Sequence[np.ndarray], *, external: Wrenches | None = None) -> np.ndarray:
        """Return the rates of tau, given a path and its derivatives up to one more than `path_order`."""

    def neutral(self) -> np.ndarray:
        """Return the coordinates of the zero position, of a closed robot those of its home."""

    def at_rest(self, q: Positions, *, external: Wrenches | None = None) -> np.ndarray:
        """Return coordinates (..., nq) with the joints at q and motors behind springs in static equilibrium."""

    def reachable(self, q: np.ndarray) -> np.ndarray:
        """Return whether the robot can be at coordinates (K, nq)."""

    def expect_reach(self, q: np.ndarray) -> None:
        """Raise StateError where the robot cannot be at coordinates of a path (n,)."""

    def poses_along(self, q: np.ndarray) -> np.ndarray:
        """Return the poses of all links (K, n_links, 4, 4) along a motion (K, nq), for pictures."""

    def as_trajectory(
        self, t: np.ndarray, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, tau: np.ndarray, *, external: Wrenches | None = None
    ) -> Trajectory:
        """Return a motion under these external wrenches as a trajectory of this robot."""

    def inverse_dynamics(
        self, q: Positions, qd: Velocities, qdd: Accelerations, *, external: Wrenches | None = None
    ) -> np.ndarray:
        """Return tau."""

    def gravity_torques(self, q: Positions, *, external: Wrenches | None = None) -> np.ndarray:
        """Return tau that holds the robot still."""

    def bias_torques(self, q: Positions, qd: Velocities, *, external: Wrenches | None = None) -> np.ndarray:
        """Return tau without acceleration."""

    def kinetic_energy(self, q: Positions, qd: Velocities) -> np.ndarray:
        """Return the kinetic energy [J]."""

    def potential_energy(self, q: Positions) -> np.ndarray:
        """Return the potential energy in gravity [J]."""

    def spring_energy(self, q: Positions) -> np.ndarray:
        """Return the energy in springs [J]."""

    @property
    def simulate(self) -> Callable[..., Trajectory]:
        """Simulate: a function of q0, qd0, the duration and torques that returns the motion."""

    def torque_rates(
        self, q: Positions, qd: Velocities, qdd: Accelerations, qddd: Jerks, *, external: Wrenches | None = None
    ) -> np.ndarray:
        """Return the rates of tau."""

    def inverse_dynamics_derivatives(
        self, q: Positions, qd: Velocities, qdd: Accelerations, *, external: Wrenches | None = None
    ) -> Derivatives:
        """Return the derivatives of tau."""

    def joint_wrenches(
        self, q: Positions, qd: Velocities, qdd: Accelerations, *, external: Wrenches | None = None, axes: str = "joint"
    ) -> np.ndarray:
        """Return the reaction force and moment of every joint (..., n, 6)."""


COUNTS = ("no", "one", "two", "three", "four", "five", "six")


def expect_drives(robot: DrivenRobot, what: str, columns: bool = False) -> None:
    """Raise StateError unless every coordinate has its own drive, and velocities are the rates of coordinates.

    Args:
        robot: the robot of a path or a controller.
        what: user of the robot, for the message: "a motion problem".
        columns: whether joints may be of any kind, of a robot whose path has a column for each velocity.
    """
    columns = columns and len(robot.path_columns) == robot.link_nv
    for joint in robot.coordinate_joints:
        if not joint.kind.traits.adds_up and not columns:
            units = joint.kind.traits.rate_units_of(joint)
            chain = [f"{COUNTS[units.count(u)]} {kind}" for u, kind in (("m", "prismatic"), ("rad", "revolute")) if u in units]
            raise StateError(
                f"joint {joint.name!r} is {joint.kind.value}: {what} needs joints whose velocities are the rates of their "
                f"coordinates; describe it by {' and '.join(chain)} joint{'s' if len(units) > 1 else ''}"
            )
    elastic = [motor for motor in robot.model.motors if motor.elastic]
    if elastic and robot.path_order == 2:  # the path does not give the motion of motors behind springs
        raise StateError(
            f"joint {elastic[0].joint!r} of {robot.name!r} is driven through a spring by {elastic[0].name!r}; {what} of a closed "
            "robot needs rigid drives: use model.with_rigid_drives()"
        )
    if robot.free_names:
        raise StateError(
            f"{robot.name!r} has velocities without a drive ({', '.join(robot.free_names)}); {what} needs a drive for each "
            "coordinate"
        )
    if len(robot.torque_names) != robot.nv:
        raise StateError(
            f"{robot.name!r} has {len(robot.torque_names)} drives for {robot.nv} coordinates; {what} needs as many active joints "
            "as there are degrees of freedom"
        )
