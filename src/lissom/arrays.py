"""Types of array arguments, with shapes and units. Leading axes are the batch and follow NumPy's broadcasting rules.

Anything that `numpy.asarray` takes is accepted: arrays, lists, numbers. Results are float64 arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike as ArrayLike

# motion of a robot; nq coordinates and nv velocities
Positions = Annotated[ArrayLike, "(..., nq) [rad or m]"]
Velocities = Annotated[ArrayLike, "(..., nv) [rad/s or m/s]"]
Accelerations = Annotated[ArrayLike, "(..., nv) [rad/s^2 or m/s^2]"]
Jerks = Annotated[ArrayLike, "(..., nv) [rad/s^3 or m/s^3]"]
Snaps = Annotated[ArrayLike, "(..., nv) [rad/s^4 or m/s^4]"]
Crackles = Annotated[ArrayLike, "(..., nv) [rad/s^5 or m/s^5]"]
Torques = Annotated[ArrayLike, "(..., nv) [N m or N]"]

# closed robots: nq coordinates as above, one torque for each active joint, and all joints of the tree
DriveAccelerations = Annotated[ArrayLike, "(..., n_active) [rad/s^2 or m/s^2]"]
DriveTorques = Annotated[ArrayLike, "(..., n_active) [N m or N]"]
TreePositions = Annotated[ArrayLike, "(..., nq of the tree) [rad or m]"]
TreeVelocities = Annotated[ArrayLike, "(..., nv of the tree) [rad/s or m/s]"]
TreeTorques = Annotated[ArrayLike, "(..., nv of the tree) [N m or N]"]

# space
Vectors = Annotated[ArrayLike, "(..., 3)"]
Poses = Annotated[ArrayLike, "(..., 4, 4)"]
Quaternions = Annotated[ArrayLike, "(..., 4), x y z w"]
PointOnLink = Annotated[ArrayLike, "(..., 3) [m], in the link's frame"] | Literal["origin"]  # of the world

Orientations = Annotated[ArrayLike, "(..., 3, 3) rotation matrices, or (..., 4) quaternions x y z w"]

# limits, gains and other numbers per joint
PerJoint = Annotated[ArrayLike, "one number for all joints, or (..., n)"]
Gains = Annotated[ArrayLike, "positive: one number for all joints, or (n,)"]
JointBounds = Annotated[ArrayLike, "magnitudes: one for all joints, or (nv,); or (2, nv) lowest and highest; inf: no limit"]
Waypoints = Annotated[ArrayLike, "(m, nq) [rad or m]"]

# inertia of a body about its center of mass
InertiaTensor = Annotated[ArrayLike, "(3, 3), or (6,) ixx iyy izz ixy ixz iyz [kg m^2]"]

# arguments of a function of a robot, in its order or by name; some of them may be None where a docstring says what that means
State = Sequence[ArrayLike] | Mapping[str, ArrayLike]
PartialState = Sequence[ArrayLike | None] | Mapping[str, ArrayLike | None]

# motion problems; a mapping gives values by the names of joints or entries
AtEnd = ArrayLike | Mapping[str, ArrayLike] | None  # (nq,), (nv,) or one number; "free" or None leave it free
EntryValues = ArrayLike | Mapping[str, float]  # one number for all entries, or (entries,), in the quantity's unit
Instants = Annotated[ArrayLike, "fractions from 0 to 1 of the duration"]
Curve = ArrayLike | Callable[[float], ArrayLike]  # a number, (entries,), rows (m, entries), or a function of the fraction

# the rest
Random = np.random.Generator | int | None  # a generator, a seed, or None to draw differently every time
Times = Annotated[ArrayLike, "(...,) [s]"]
Out = np.ndarray | None  # a float64 array for the result
