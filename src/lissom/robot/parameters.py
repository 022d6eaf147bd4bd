"""Parameters, as methods: how joint torques depend on inertias, drives and geometry."""

from __future__ import annotations

import numpy as np

from ..algorithms.derivatives import geometry_tasks, regressor
from ..arrays import Accelerations, Out, Positions, Velocities
from ..errors import StateError
from ..locks import lazy_property
from ..parameters import BaseParameters, base_parameters, inertial_parameter_names, inertial_parameters
from ..tree import lump
from ..wrench import BaseMotion
from .check import as_flag
from .functions import Functions
from .scatter import Places


class Parameters(Functions):
    """The regressor, base parameters, and derivatives by the geometry."""

    def inverse_dynamics_regressor(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        drives: bool = True,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return Y (..., nv, len(pi)) with Y @ pi = inverse_dynamics(q, qd, qdd), pi being `inertial_parameters()`.

        Ten columns for every link in the order of `link_names`, also of links that are fixed to others or without mass; then,
        with `drives`, three for every single-axis joint and every rotor that spins, and three for every spring.
        `inertial_parameter_names` names them.

        Args:
            q: coordinates (..., nq) [rad or m].
            qd, qdd: velocities and accelerations (..., nv).
            drives: False leaves out rotor inertia, friction and springs: Y is (..., nv, 10 n_links).
            base_motion: prescribed motion of the base.
            out: float64 array for the result.

        Raises:
            StateError: a size, type or number is wrong; the message says which.
        """
        return self._call("inverse_dynamics_regressor", (q, qd, qdd), out, drives=drives, base_motion=base_motion)

    def inertial_parameters(self, *, drives: bool = True) -> np.ndarray:
        """Return pi, the parameters in which inverse dynamics is linear, in the order of `inertial_parameter_names`.

        For each link mass [kg], first moments mx my mz (mass times center of mass [kg m]) and inertia Ixx Ixy Iyy Ixz Iyz Izz
        about the origin of the link's frame, along its axes [kg m^2]; zeros for a link without mass. Motors count in the link
        that carries them, all but their spin. Then, with `drives`, for each single-axis joint and each rotor that spins
        rotor_inertia, viscous and coulomb, and for each spring stiffness, preload (stiffness times rest position) and damping.
        """
        return inertial_parameters(self.model, as_flag(drives, "drives"))

    @lazy_property
    def inertial_parameter_names(self) -> tuple[str, ...]:
        """Names of the entries of pi, "forearm.mass", "elbow.viscous"; without drives it is the first 10 n_links of them."""
        return inertial_parameter_names(self.model)

    def base_parameters(self, *, drives: bool = True, tolerance: float = 1e-8, seed: int = 0) -> BaseParameters:
        """Return the combinations of `inertial_parameters` that joint torques depend on: the most that a motion can identify.

        The base is at rest and gravity is the model's; joints may move beyond their limits.

        Args:
            drives: whether rotor inertia, friction and springs are parameters too.
            tolerance: share of a regressor's column that must be independent of the others for its parameter to count.
            seed: of the random states at which the regressor is examined; it changes the result only by rounding.
        """
        if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)) or not 0 < tolerance < 1:
            raise StateError(f"tolerance must be a number between 0 and 1, got {tolerance!r}")
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
            raise StateError(f"seed must be a whole number, 0 or more, got {seed!r}")
        return base_parameters(self.model, as_flag(drives, "drives"), float(tolerance), int(seed))

    def inverse_dynamics_geometry_derivatives(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        part: str = "origin",
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return derivatives of joint torques by small displacements of frames (..., nv, n_joints, 6).

        Entry [..., i, j, :] is that of tau_i by three translations [m] and three rotations [rad] of a frame of joint
        `moving_joint_names[j]`, along and about the frame's own axes. Inertias stay fixed in the link frames, which move along.

        Args:
            q, qd, qdd, base_motion: as in `inverse_dynamics_regressor`.
            part: which of the joint's two frames: "origin", the joint's frame in the parent link, with its axis; "tail", the
                child link's frame in the moved joint (the far end of a link in standard tables).
            out: float64 array for the result.
        """
        return self._call("inverse_dynamics_geometry_derivatives", (q, qd, qdd), out, part=part, base_motion=base_motion)

    def inverse_dynamics_dh_derivatives(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        convention: str | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return derivatives of joint torques by Denavit-Hartenberg parameters (..., nv, n_joints, 4).

        Entry [..., i, j, :] is that of tau_i by theta [rad], d [m], a [m] and alpha [rad] of joint `moving_joint_names[j]`.
        In a modified table a and alpha are those of the same row, before the joint (Khalil's d and alpha; Craig's a and alpha of
        the link before), and d is along the joint's axis (Khalil's r). Inertias stay fixed in the frames of the links.

        Args:
            q, qd, qdd, base_motion: as in `inverse_dynamics_regressor`.
            convention: "standard" or "modified"; None takes the one that the robot's frames are in.
            out: float64 array for the result.

        Raises:
            ModelError: the robot's frames are not those of a table; `inverse_dynamics_geometry_derivatives` takes any robot.
        """
        more = {"convention": convention, "base_motion": base_motion}
        return self._call("inverse_dynamics_dh_derivatives", (q, qd, qdd), out, **more)

    @lazy_property
    def _regressor_places(self) -> dict[bool, Places]:
        found: dict[bool, Places] = {}
        for drives in (False, True):
            shape = self.nv, len(inertial_parameter_names(self.model, drives))
            pairs = np.array(regressor.entries(self.model, drives), dtype=np.intp).reshape(-1, 2)
            found[drives] = shape, pairs @ (shape[1], 1)
        return found

    def _geometry_places(self, size: int) -> Places:
        shape = self.nv, len(self.moving_joint_names), size
        return shape, ((self._related @ (shape[1] * size, size))[:, None] + np.arange(size)).ravel()

    @lazy_property
    def _related(self) -> np.ndarray:
        return np.array(geometry_tasks.entries(lump(self.model)), dtype=np.intp).reshape(-1, 2)
