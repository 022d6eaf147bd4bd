"""Muscles of a robot: lengths and moment arms of their paths, and forces and joint torques from these, in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..algorithms.derivatives import directional
from ..compiler.run import Function, as_array
from ..errors import ModelError, StateError
from ..locks import once_property
from ..robot.robot import Robot
from ..wrench import Wrench
from . import tasks, tension
from .equilibrium import Balance, Equilibrium
from .muscle import Curves, Muscle


class Analysis(NamedTuple):
    """What muscles do in states, each (..., number of muscles).

    Attributes:
        lengths, rates: of the whole muscles [m, m/s].
        fiber_lengths, fiber_velocities: [m, m/s].
        cosines: of the angles between fibers and tendons.
        active, passive: forces along the tendons [N].
    """

    lengths: np.ndarray
    rates: np.ndarray
    fiber_lengths: np.ndarray
    fiber_velocities: np.ndarray
    cosines: np.ndarray
    active: np.ndarray
    passive: np.ndarray

    @property
    def forces(self) -> np.ndarray:
        """Active and passive forces along the tendons [N]."""
        return self.active + self.passive


class Muscles:
    """Muscles of a robot.

    Functions take arrays (..., nq), (..., nv) and (..., number of muscles), whose leading axes are the batch.

    Args:
        robot: whose links carry the paths.
        muscles: in the order of all results.

    Raises:
        ModelError: two muscles have one name.
        NameLookupError: a path names a link or coordinate that the robot does not have.
    """

    def __init__(self, robot: Robot, muscles: Sequence[Muscle]) -> None:
        if not isinstance(robot, Robot):
            raise StateError(f"muscles need a lissom.Robot, got {type(robot).__name__}; lissom.load(path) reads one")
        self.robot, self.muscles = robot, tuple(muscles)
        if not self.muscles:
            raise ModelError("no muscles; give one at least")
        for muscle in self.muscles:
            tasks.check_path(robot.model, muscle.path)
            if self.names.count(muscle.name) > 1:
                raise ModelError(f"two muscles are called {muscle.name!r}; names must be unique")
        self._paths = tuple(muscle.path for muscle in self.muscles)
        self._functions: dict[str, Function] = {}
        self.driving: dict[Any, Any] = {}  # what motion problems have recorded of these muscles

    def __repr__(self) -> str:
        return f"<Muscles of {self.robot.name!r}: {len(self)} muscles>"

    def __len__(self) -> int:
        return len(self.muscles)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the muscles."""
        return tuple(muscle.name for muscle in self.muscles)

    def with_curves(self, curves: Curves) -> Muscles:
        """Return the same muscles with other curves, such as the smooth ones of `DeGrooteFregly`, all alike."""
        return Muscles(self.robot, [replace(muscle, curves=curves) for muscle in self.muscles])

    def _path_function(self, name: str, maker: Any, shape: tuple[int, ...], **options: Any) -> Function:
        function = self._functions.get(name)
        if function is None:
            robot = self.robot
            function = Function(robot.model, maker(robot.model, **options), shape, robot.backend, robot._describe)
        return self._functions.setdefault(name, function)

    def lengths(self, q: Any) -> np.ndarray:
        """Return the lengths of the paths (..., muscles) [m]."""
        made = self._path_function("lengths", tasks.path_lengths, (len(self),), paths=self._paths)
        return made((q,))  # type: ignore[no-any-return]

    def moment_arms(self, q: Any) -> np.ndarray:
        """Return the moment arms (..., muscles, nv) [m, or nothing for slides]: how fast a path shortens, -dl/dq, exactly.

        A force F of a muscle has the joint torques F times its row.
        """
        shape = (len(self), self.robot.nv)
        made = self._path_function("arms", tasks.moment_arms, shape, paths=self._paths)
        return made((q,))  # type: ignore[no-any-return]

    def lengths_and_arms(self, q: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return lengths (..., muscles) [m] and moment arms by tension (..., muscles, nv) [m, or nothing for slides].

        These are OpenSim's moment arms: the work of a unit tension along the straight parts of a path, whose touching points
        count as parts of the surfaces. Where a path is as short as its surfaces let it be they are those of `moment_arms`;
        around ellipsoids, tori and cylinders that are not exact they differ by up to millimeters. They take less time.
        """
        lengths, arms = self._path_function("tension", tension.lengths_and_arms, (), paths=self._paths)((q,))
        return lengths, arms.reshape(*arms.shape[:-1], len(self), self.robot.nv)

    def rates(self, q: Any, qd: Any) -> np.ndarray:
        """Return the rates of the lengths (..., muscles) [m/s]."""
        made = self._path_function("rates", directional.jvp, (len(self),), of=tasks.path_lengths, along=("q",), paths=self._paths)
        return made((q, qd))  # type: ignore[no-any-return]

    def torques(self, q: Any, forces: Any) -> np.ndarray:
        """Return the joint torques (..., nv) of forces along the paths (..., muscles) [N m or N]."""
        return np.einsum("...mv,...m->...v", self.moment_arms(q), self._of_muscles(forces, "forces"))  # type: ignore[no-any-return]

    def torque_change(self, q: Any, forces: Any, direction: Any) -> np.ndarray:
        """Return how the torques of constant forces change along a velocity (..., nv), by second derivatives of the lengths."""
        made = self._path_function("change", tasks.torque_change, (self.robot.nv,), paths=self._paths)
        return made((q, self._of_muscles(forces, "forces"), direction))  # type: ignore[no-any-return]

    def analysis(self, q: Any, qd: Any, activations: Any, taut: bool = False) -> Analysis:
        """Return what muscles with rigid tendons do at activations (..., muscles).

        `taut`: rates by tension, as OpenSim's (`lengths_and_arms`), not those of the lengths.
        """
        if taut:
            lengths, arms = self.lengths_and_arms(q)
            rates = -np.einsum("...mv,...v->...m", arms, as_array(qd, "qd", self.robot.nv, self.robot.name))
        else:
            lengths, rates = self.lengths(q), self.rates(q, qd)
        made = self._path_function("analysis", tasks.analysis, (), muscles=self.muscles)
        return Analysis(lengths, rates, *made((lengths, rates, self._of_muscles(activations, "activations"))))

    def forces(self, q: Any, qd: Any, activations: Any) -> np.ndarray:
        """Return the forces of muscles with rigid tendons (..., muscles) [N] at activations from 0 to 1."""
        made = self._path_function("forces", tasks.forces, (len(self),), muscles=self.muscles)
        return made((self.lengths(q), self.rates(q, qd), self._of_muscles(activations, "activations")))  # type: ignore[no-any-return]

    def wrenches(self, q: Any, forces: Any, taut: bool = False) -> dict[str, Wrench]:
        """Return the wrenches of forces along the paths (..., muscles) [N] on the links that they pull.

        Moments are about the links' origins. Where a path slides around a surface, this is what the path as a whole does to the
        surface's link. A point that moves with a coordinate acts on its joint, too, by a torque that is part of `torques` alone.
        `taut`: the tension of the straight parts, as in `lengths_and_arms` and in OpenSim, not the derivatives of the lengths.
        """
        links = tasks.pulled_links(self.robot.model, self._paths)
        shape = (len(self), len(links), 6)
        if taut:
            pulls = self._path_function("taut pulls", tension.pulls_of_tension, shape, paths=self._paths)((q,))
        else:
            made = self._path_function("pulls", tasks.pulls, shape, paths=self._paths)
            pulls = made((q, np.zeros(6 * len(links))))
        total = np.einsum("...mlk,...m->...lk", pulls, self._of_muscles(forces, "forces"))
        found = {}
        for k, link in enumerate(links):
            force, moment = total[..., k, :3], total[..., k, 3:]
            origin = self.robot.link_pose(q, link=link)[..., :3, 3]
            found[link] = Wrench(force, moment - np.cross(origin, force), axes="world")
        return found

    def joint_reactions(
        self,
        q: Any,
        qd: Any,
        qdd: Any,
        forces: Any,
        external: Mapping[str, Wrench] | None = None,
        axes: str = "world",
        taut: bool = False,
    ) -> np.ndarray:
        """Return force and moment through every moving joint on its child (..., joints, 6), with forces of muscles [N].

        What muscles do is not part of it: it is what bones and ligaments carry, and what torques remain on the joints.

        Args:
            q, qd, qdd: the motion.
            forces: along the paths (..., muscles) [N].
            external: other wrenches on links, by name, as in `Robot.joint_wrenches`.
            axes: of the results, as in `Robot.joint_wrenches`.
            taut: as in `wrenches`.
        """
        loads: dict[str, Wrench] = dict(external or {})
        for link, pull in self.wrenches(q, forces, taut).items():
            loads[link] = pull if link not in loads else self._sum(pull, loads[link], q, link)
        return self.robot.joint_wrenches(q, qd, qdd, external=loads, axes=axes)

    def _sum(self, pull: Wrench, other: Wrench, q: Any, link: str) -> Wrench:
        """Return the sum of two wrenches on a link; the first is along the world's axes, about the link's origin."""
        R = self.robot.link_pose(q, link=link)[..., :3, :3]
        force, moment = (np.asarray(x) for x in (other.force, other.moment))
        if other.axes == "link":
            force, moment = (np.einsum("...ij,...j->...i", R, x) for x in (force, moment))
        arm = np.einsum("...ij,...j->...i", R, np.asarray(other.point))
        return Wrench(pull.force + force, pull.moment + moment + np.cross(arm, force), axes="world")

    def equilibrium(self, q: Any, activations: Any, qd: Any = None) -> Equilibrium:
        """Return the fibers that balance their elastic tendons, at activations (..., muscles) of at least 0.01.

        This is what OpenSim's `equilibrateMuscles` sets the fibers to: a whole batch at once, by Newton's steps in brackets.
        Fibers are at rest, but for those of Thelen's curves in a motion `qd`, as in OpenSim (`equilibrium.py`), whose rates of
        lengths are by tension, too.
        """
        lengths, arms = self.lengths_and_arms(q)
        velocity = as_array(np.zeros(self.robot.nv) if qd is None else qd, "qd", self.robot.nv, self.robot.name)
        rates = -np.einsum("...mv,...v->...m", arms, velocity)
        return self._balance(*np.broadcast_arrays(lengths, rates, self._of_muscles(activations, "activations")))

    @once_property
    def _balance(self) -> Balance:
        return Balance(self.robot, self.muscles)

    def _of_muscles(self, value: Any, name: str) -> np.ndarray:
        return as_array(value, name, len(self), self.robot.name)
