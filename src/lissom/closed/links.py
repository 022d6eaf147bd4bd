"""Motion of the tree and of links of a closed robot, as methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import Accelerations, Out, PointOnLink, Positions, TreePositions, Velocities
from ..compiler.run import as_input
from .functions import ClosedFunctions


class ClosedLinks(ClosedFunctions):
    """Motion of the tree, poses and motion of links, in the coordinates of the active joints.

    The world is the frame of the base link; axes and points are those of `Robot`. `near` and `tree_q` are as in
    `inverse_dynamics`.
    """

    def tree_motion(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations | None = None,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
    ) -> tuple[np.ndarray, ...]:
        """Return configuration, velocities and accelerations of the tree that go with a motion of the coordinates.

        Args:
            q, qd, qdd: coordinates, velocities and accelerations (..., nq); qdd None is zero.
            near, tree_q: as in `inverse_dynamics`.

        Returns:
            (..., nq of the tree), and twice (..., nv of the tree).
        """
        place, nv, maker = self._settled(q, near, tree_q), self.model.nv, self.catalogue["tree_motion"].maker
        qd = as_input(qd, "qd", self.nv, self.name)
        qdd = np.zeros(self.nv) if qdd is None else as_input(qdd, "qdd", self.nv, self.name)
        if self._on_card((place, qd, qdd)):
            moved: Any = self._function(maker, (2 * nv,))([place, qd, qdd])
            return place, moved[..., :nv], moved[..., nv:]
        found = self._or_nan(maker, (2 * nv,), {})(place, qd, qdd)
        if not np.isfinite(found).all():
            found = self._run(maker, [place, qd, qdd], (2 * nv,))
        return np.broadcast_to(place, (*found.shape[:-1], self.model.nq)), found[..., :nv], found[..., nv:]

    def velocity_matrix(
        self,
        q: Positions | None = None,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return G (..., nv of the tree, nv): velocities of the tree are G qd (Khalil 2010, eq. (56))."""
        return self._call("velocity_matrix", (q,), out, near=near, tree_q=tree_q)

    def link_pose(
        self,
        q: Positions | None,
        link: str,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the pose of a link's frame in the world: homogeneous matrices (..., 4, 4), lengths in m."""
        return self._call("link_pose", (q,), out, near=near, tree_q=tree_q, link=link)

    def link_poses(
        self,
        q: Positions | None,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the poses of all links in the world (..., n_links, 4, 4), in the order of `link_names`."""
        return self._call("link_poses", (q,), out, near=near, tree_q=tree_q)

    def link_velocity(
        self,
        q: Positions | None,
        qd: Velocities,
        link: str,
        *,
        axes: str = "world",
        point: PointOnLink | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the velocity of a link, linear [m/s] and angular [rad/s] (..., 6).

        Args:
            q, qd: coordinates (..., nq) and velocities (..., nv).
            link, axes, point: as in `Robot.link_velocity`.
            near, tree_q, out: as in `inverse_dynamics`.
        """
        return self._call("link_velocity", (q, qd), out, near=near, tree_q=tree_q, link=link, axes=axes, point=point)

    def link_acceleration(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        link: str,
        *,
        axes: str = "world",
        point: PointOnLink | None = None,
        classical: bool = True,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the acceleration of a link, linear [m/s^2] and angular [rad/s^2] (..., 6), without gravity.

        Args:
            q, qd, qdd: coordinates (..., nq), velocities and accelerations (..., nv).
            link, axes, point, classical: as in `Robot.link_acceleration`.
            near, tree_q, out: as in `inverse_dynamics`.
        """
        more = {"link": link, "axes": axes, "point": point, "classical": classical}
        return self._call("link_acceleration", (q, qd, qdd), out, near=near, tree_q=tree_q, **more)

    def jacobian(
        self,
        q: Positions | None,
        link: str,
        *,
        axes: str = "world",
        point: PointOnLink | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return J (..., 6, nv) with link_velocity(q, qd, link, axes=axes, point=point) = J qd.

        Args:
            q: coordinates (..., nq).
            link, axes, point: as in `Robot.link_velocity`.
            near, tree_q, out: as in `inverse_dynamics`.
        """
        return self._call("jacobian", (q,), out, near=near, tree_q=tree_q, link=link, axes=axes, point=point)

    def jacobian_rate_product(
        self,
        q: Positions | None,
        qd: Velocities,
        link: str,
        *,
        axes: str = "world",
        point: PointOnLink | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return J-dot qd (..., 6): the rate of the components of J qd, less J qdd; see `Robot.jacobian_rate_product`.

        Args:
            q, qd: coordinates (..., nq) and velocities (..., nv).
            link, axes, point: as in `Robot.link_velocity`.
            near, tree_q, out: as in `inverse_dynamics`.
        """
        more = {"link": link, "axes": axes, "point": point}
        return self._call("jacobian_rate_product", (q, qd), out, near=near, tree_q=tree_q, **more)
