"""Kinematics, as methods: poses and motion of links, and inverse kinematics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..arrays import Accelerations, Jerks, Orientations, Out, PointOnLink, Poses, Positions, Times, Vectors, Velocities
from ..compiler.run import as_array
from ..errors import ConvergenceError, StateError
from ..inverse_kinematics import IKResult, Settings, Target, solve
from ..manifold import configuration_difference, integrate_configuration
from ..memory import FEWER, check_result, samples_of
from ..model import Joint, JointKind, Pose
from .bound import bound
from .check import as_flag, check_link, common_lead
from .functions import Functions

TINY = 1e-150  # length below which a quaternion counts as zero: squares of smaller numbers are zero


class Kinematics(Functions):
    """Poses, velocities, accelerations, jerks and Jacobians of links.

    The world is the frame of the base link. A motion is (linear, angular), with components along `axes`, those of the "world" or
    of the "link", of the point of the link given as `point`: three numbers in the link's frame, None for the frame's origin, or
    "origin" for the one that is at the world's origin now. (Pinocchio: LOCAL_WORLD_ALIGNED is axes="world", LOCAL is
    axes="link", WORLD is axes="world", point="origin".)
    """

    def link_pose(self, q: Positions, link: str, *, out: Out = None) -> np.ndarray:
        """Return the pose of a link's frame in the world: homogeneous matrices (..., 4, 4), lengths in m."""
        return self._call("link_pose", (q,), out, link=link)

    @bound
    def link_poses(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return the poses of all links in the world (..., n_links, 4, 4), in the order of `link_names`."""
        return self._call("link_poses", (q,), out)

    def link_velocity(
        self, q: Positions, qd: Velocities, link: str, *, axes: str = "world", point: PointOnLink | None = None, out: Out = None
    ) -> np.ndarray:
        """Return the velocity of a link, linear [m/s] and angular [rad/s] (..., 6).

        Args:
            q, qd: coordinates (..., nq) and velocities (..., nv).
            link: its name.
            axes: along which components are given: "world" or "link".
            point: the point of the link, in the link's frame (..., 3) [m]; None is the frame's origin, "origin" the point of
                the link that is at the world's origin now.
            out: float64 array (..., 6) for the result.
        """
        return self._call("link_velocity", (q, qd), out, link=link, axes=axes, point=point)

    def link_acceleration(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        link: str,
        *,
        axes: str = "world",
        point: PointOnLink | None = None,
        classical: bool = True,
        out: Out = None,
    ) -> np.ndarray:
        """Return the acceleration of a link, linear [m/s^2] and angular [rad/s^2] (..., 6), without gravity.

        Args:
            q, qd, qdd: coordinates (..., nq), velocities and accelerations (..., nv).
            link, axes, point, out: as in `link_velocity`.
            classical: True for the rate of a point's velocity, as an accelerometer without gravity measures it; False for
                Featherstone's spatial acceleration, smaller by w x v: the rate of the velocity at a fixed point in space.
        """
        more = {"link": link, "axes": axes, "point": point, "classical": classical}
        return self._call("link_acceleration", (q, qd, qdd), out, **more)

    def link_jerk(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        link: str,
        *,
        axes: str = "world",
        point: PointOnLink | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the jerk of a link, linear [m/s^3] and angular [rad/s^3] (..., 6): the rate of its classical acceleration.

        Args:
            q, qd, qdd, qddd: coordinates (..., nq), velocities, accelerations and the rates of their entries (..., nv).
            link, point, out: as in `link_velocity`.
            axes: as in `link_velocity`, of the jerk seen from the world.
        """
        return self._call("link_jerk", (q, qd, qdd, qddd), out, link=link, axes=axes, point=point)

    def jacobian(
        self, q: Positions, link: str, *, axes: str = "world", point: PointOnLink | None = None, out: Out = None
    ) -> np.ndarray:
        """Return J (..., 6, nv) with link_velocity(q, qd, link, axes, point) = J qd.

        Args:
            q: coordinates (..., nq).
            link, axes, point: as in `link_velocity`.
            out: float64 array (..., 6, nv) for the result.
        """
        return self._call("jacobian", (q,), out, link=link, axes=axes, point=point)

    def jacobian_rate_product(
        self, q: Positions, qd: Velocities, link: str, *, axes: str = "world", point: PointOnLink | None = None, out: Out = None
    ) -> np.ndarray:
        """Return J-dot qd (..., 6): the rate of the components of J qd, less J qdd.

        Along the world's axes that is the classical acceleration of the point at qdd = 0, at the world's origin the spatial one.
        Along the link's axes it is less by w x v, since the axes turn.

        Args:
            q, qd, link, axes, point, out: as in `link_velocity`.
        """
        return self._call("jacobian_rate_product", (q, qd), out, link=link, axes=axes, point=point)

    def integrate(self, q: Positions, v: Velocities, dt: Times = 1.0) -> np.ndarray:
        """Return the configuration (..., nq) after the constant velocity v (..., nv) for the time dt [s] from q.

        Exact on every kind of joint: quaternions stay of length one, a floating base moves along a screw.
        """
        q, v, dt = self._configuration(q, "q"), finite_array(v, "v", self.nv, self.name), as_times(dt)
        common_lead(q=q.shape[:-1], v=v.shape[:-1], dt=dt.shape)
        with np.errstate(over="ignore", invalid="ignore"):
            return expect_finite(integrate_configuration(self.model, q, v, dt))

    def difference(self, start: Positions, end: Positions) -> np.ndarray:
        """Return the velocity (..., nv) that leads from configuration `start` to `end` (..., nq) in one second.

        It is the inverse of `integrate`; rotations of spherical, planar and floating joints are between -pi and pi.
        """
        start, end = self._configuration(start, "start"), self._configuration(end, "end")
        common_lead(start=start.shape[:-1], end=end.shape[:-1])
        with np.errstate(over="ignore", invalid="ignore"):
            return expect_finite(configuration_difference(self.model, start, end))

    def inverse_kinematics(
        self,
        link: str,
        pose: Pose | Poses | None = None,
        *,
        position: Vectors | None = None,
        orientation: Orientations | None = None,
        point: Vectors | None = None,
        q0: Positions | None = None,
        limits: bool = True,
        tolerance: float = 1e-8,
        max_iterations: int = 200,
        restarts: int = 30,
        seed: int = 0,
        throw: bool = True,
    ) -> IKResult:
        """Return a configuration that puts a link, or a point of it, at a target.

        Args:
            link: its name.
            pose: wanted pose in the world (..., 4, 4), or a lissom.Pose.
            position, orientation: or only a part of it: position (..., 3) [m]; rotation matrix (..., 3, 3), or quaternion
                x y z w (..., 4).
            point: the point to be at the position, in the link's frame (..., 3) [m]; None is the frame's origin.
            q0: where the search starts (..., nq), brought within the limits; None is `neutral`.
            limits: whether joints keep their limits.
            tolerance: largest error that counts as reached [m and rad].
            max_iterations: per start.
            restarts: number of random starts if the first does not reach; the same ones for the same `seed`.
            throw: raise ConvergenceError where a target is missed; False returns the result with its status.

        Raises:
            ConvergenceError: a target is missed; the message gives the error and the limits that hold the link.
        """
        target = Target.of(check_link(self, link), pose, position, orientation, point)
        if all(joint.kind is JointKind.FIXED for joint in self._joints_to(link)):
            raise StateError(f"no joint moves link {link!r}: it is fixed to the base {self.model.base!r}")
        settings = Settings(as_flag(limits, "limits"), tolerance, max_iterations, restarts, seed)
        start = self.neutral() if q0 is None else self._configuration(q0, "q0")
        lead = common_lead(q0=start.shape[:-1], **target.shapes)
        start = np.broadcast_to(start, (*lead, self.nq))
        result = replace(solve(self, target, start, lead, settings), robot=self, target=target)
        if as_flag(throw, "throw") and not result.reached.all():
            raise ConvergenceError(f"link {link!r} of {self.name!r}: {result.report()}", result)
        return result

    def _joints_to(self, link: str) -> list[Joint]:
        holder = {joint.child: joint for joint in self.model.joints}
        path = []
        while link in holder:
            path.append(holder[link])
            link = holder[link].parent
        return path

    def _configuration(self, q: Any, name: str) -> np.ndarray:
        return self._expect_turns(finite_array(q, name, self.nq, self.name), name)

    def _expect_turns(self, q: np.ndarray, name: str) -> np.ndarray:
        """Return coordinates, of joints alone too, or raise a StateError for a quaternion of zeros."""
        for joint, where in self.model.layout.quaternions:
            if not (np.abs(q[..., where]).max(axis=-1) > TINY).all():
                raise StateError(f"{name}: the quaternion of joint {joint.name!r} is zero (no rotation is x y z w = 0 0 0 1)")
        return q


def as_times(dt: Any) -> np.ndarray:
    """Return times as finite numbers, or raise a StateError."""
    try:
        times = np.asarray(dt, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"dt must be a time [s] or an array of times, got {dt!r}") from None
    if not np.isfinite(times).all():
        raise StateError("dt is not finite")
    return times


def expect_finite(result: np.ndarray) -> np.ndarray:
    """Return a result, or raise a StateError where it is not finite though the arguments are."""
    if not np.isfinite(result).all():
        raise StateError("the result is not finite: the numbers are too large")
    return result


def finite_array(value: Any, name: str, size: int, robot: str) -> np.ndarray:
    """Return `value` as finite numbers with `size` entries on the last axis, or raise a StateError that names it."""
    array = as_array(value, name, size, robot)
    check_result(samples_of([array]), size, f"{name} of {robot!r}", FEWER)
    if not np.isfinite(array).all():
        raise StateError(f"{name} is not finite")
    return array
