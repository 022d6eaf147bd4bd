"""Motion and torques of a prediction at any time, those of motors behind springs too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...algorithms.elastic.path_tasks import driving_places
from ...arrays import Times
from ...errors import StateError
from ...locks import lazy_property
from ...protocol import DrivenRobot
from ...robot import Robot
from ...robot.elastic import DriveMotion
from ...spline import SplinePath
from ...wrench import Wrench
from ..data.part import AnyPath
from ..problem.description import Description
from ..quantities.by_name import Quantities
from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS, State
from .loads import loaded_quantities, reaction_state

if TYPE_CHECKING:
    from .prediction import Prediction


class WithDrives:
    """What `Prediction` knows of its motion and of the torques of drives."""

    description: Description
    path: SplinePath
    channels: dict[str, AnyPath]

    @property
    def robot(self) -> DrivenRobot:
        """The robot."""
        return self.description.robot

    def states(self, t: Times) -> tuple[np.ndarray, ...]:
        """Return the columns of the path (..., n) at times, and three rates: q, qd, qdd and qddd of joints of one axis."""
        return self.path.states(t)

    def coordinates(self, t: Times) -> tuple[np.ndarray, ...]:
        """Return q (..., nq), qd and qdd (..., nv) of the whole robot at times: joints, then motors behind springs."""
        if self._followed:
            found = self.drives(t)
            motors = found.theta, found.theta_rate, found.theta_acceleration
            joints = self._elastic.joint_state(self._rates(t)[:3])
            return tuple(np.concatenate(both, axis=-1) for both in zip(joints, motors, strict=True))
        return self.robot.path_state(self._rates(t), external=self._external(t))

    def drives(self, t: Times) -> DriveMotion:
        """Return theta of motors behind springs at times, its rates, and tau, as in `elastic_inverse_dynamics`."""
        robot = self._elastic
        if not self._followed:
            return robot.elastic_inverse_dynamics(*robot.joint_state(self._rates(t)[:5]), external=self._external(t))
        y, e = self._under(self._drive_motion, t), robot.n_elastic
        return DriveMotion(y[..., :e], y[..., e : 2 * e], y[..., 2 * e : 3 * e], y[..., 3 * e :])

    def deflections(self, t: Times) -> np.ndarray:
        """Return theta - q - rest of elastic drives (..., n_elastic) [rad or m] at times."""
        robot = self._elastic
        if self._followed:
            return self._under(self._loaded_quantities.get("deflection"), t)
        return robot.drive_deflections(*robot.joint_state(self._rates(t)[:3]), external=self._external(t))

    def torques(self, t: Times) -> np.ndarray:
        """Return joint torques (..., nv) [N m or N] at times, as `simulate` takes them.

        Zero at joints behind springs and along undriven columns, see `imbalance`.
        """
        tau = self._every_torque(t)
        tau[..., self._undriven] = 0.0
        return tau

    def imbalance(self, t: Times) -> np.ndarray:
        """Return the forces [N or N m] (..., undriven) that the equations of motion of undriven columns lack at times.

        Zero at the instants at which they are enforced; between these, the error of the spline.
        """
        return self._every_torque(t)[..., self._undriven]

    def torque_rates(self, t: Times) -> np.ndarray:
        """Return rates of the joint torques (..., nv) [N m/s or N/s] at times, those of unknown loads included."""
        if self.description.ground is not None:
            times = np.asarray(t, dtype=float)
            rate = self._loaded_quantities.with_ground(self.description.ground).get("torque_rate")
            state = reaction_state(cast("Prediction", self), times.ravel(), rate)
            return rate.values(state).reshape(*times.shape, -1)
        if not any(channel.load is not None for channel in self.description.channels):
            return self.robot.path_torque_rates(self._rates(t, 1), external=self._external(t))
        own = self._under(self._loaded_quantities.get("torque_rate"), t)
        if not self._followed:
            return own
        robot = self._elastic
        found = np.zeros((*own.shape[:-1], robot.model.nv))
        found[..., driving_places(robot.model)] = own
        return found

    def _every_torque(self, t: Times) -> np.ndarray:
        """Return the torques (..., nv), those of undriven columns too."""
        if self._followed:
            return self.drives(t).tau
        return self.robot.path_torques(self._rates(t), external=self._external(t))

    def _under(self, quantity: Quantity, t: Times) -> np.ndarray:
        """Return a quantity (..., size) of the path and of loads at times."""
        times = np.asarray(t, dtype=float)
        splines, flat = [self.path, *(self.channels[name] for name in quantity.channels)], times.ravel()
        orders = range(max(ORDERS, max(quantity.orders) + 1))
        state = State(tuple(np.concatenate([spline.rate(flat, order) for spline in splines], axis=-1) for order in orders))
        return quantity.values(state).reshape(*times.shape, -1)

    @lazy_property
    def _loaded_quantities(self) -> Quantities:
        """The quantities of the robot under the loads of the motion."""
        return loaded_quantities(self.description)

    @lazy_property
    def _drive_motion(self) -> Quantity:
        """What `elastic_inverse_dynamics` returns, under the loads of the motion."""
        robot = self._elastic
        labels = [str(k) for k in range(3 * robot.n_elastic + robot.model.nv)]
        return self._loaded_quantities.under_loads("drive_motion", labels, robot.path_task("drive_motion"))

    @property
    def _followed(self) -> bool:
        """Whether motors behind springs follow loads that change."""
        return self.robot.n_elastic > 0 and any(channel.load is not None for channel in self.description.channels)

    @property
    def _undriven(self) -> list[int]:
        """Undriven columns by number."""
        return [self.robot.path_columns.index(name) for name in self.description.undriven]

    def _rates(self, t: Any, more: int = 0) -> list[np.ndarray]:
        """Return the path and the derivatives that torques depend on, and some more of them."""
        return [self.path.rate(t, order) for order in range(self.robot.path_order + 1 + more)]

    @property
    def _elastic(self) -> Robot:
        """The robot, if it has motors behind springs."""
        if not self.robot.n_elastic:
            raise StateError(
                f"robot {self.robot.name!r} has no motors behind springs, so no drives or deflections; use states and torques"
            )
        return cast("Robot", self.robot)

    def _external(self, t: Times, contacts: bool = True) -> Mapping[str, Wrench] | None:
        """Return the external wrenches at times, those of channels too."""
        raise NotImplementedError
