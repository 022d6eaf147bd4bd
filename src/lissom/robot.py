"""Robot: the front door. A model with its equations of motion; knows names and shapes, and no formula."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from .algorithms import inverse_dynamics as tasks
from .algorithms.task import Task
from .compiler import caller, jit
from .compiler.lower.kernel import kernel_ir
from .compiler.program import OperationCount
from .compiler.run import Function
from .compiler.threads import get_threads
from .errors import CompilerError, NameLookupError, StateError, suggest
from .model import JointKind, Model
from .model.names import coordinate_names, velocity_names
from .wrench import BaseMotion, Wrench, side_by_side

ALGORITHMS = ("inverse_dynamics", "bias_forces", "gravity_forces", "joint_wrenches")
BACKENDS = ("llvm", "numpy")


def load(
    path: str | PathLike[str], base: str = "fixed", mimic: bool = True, friction: bool | None = None, strict: bool = False
) -> Robot:
    """Read a robot from a file.

    Args:
        path: URDF (.urdf), MJCF (.xml, .mjcf) or lissom's YAML (.yaml, .yml; trees and Denavit-Hartenberg tables).
        base: "fixed", or "floating" to let the base link move freely (7 coordinates and 6 velocities come first).
        mimic: honour mimic joints as geared couplings; False leaves them independent.
        friction: whether joint friction in the file enters the equations; None follows the format (URDF: no, as in
            Pinocchio; MJCF and YAML: yes).
        strict: refuse doubtful inertias instead of warning of them.

    Raises:
        FileError: the file cannot be understood; the message names file and line.
    """
    from .read import load_model

    return Robot(load_model(path, base=base, mimic=mimic, friction=friction, strict=strict))


class Robot:
    """A robot: its model, and the model's equations of motion compiled for this machine.

    Every function takes arrays of shape (n,) for one state or (..., n) for many; the leading axes are the batch. SI units,
    radians. `out=` takes a float64 array for the result.

    Args:
        model: what the robot is.
        backend: "llvm" for machine code, "numpy" for the slow and readable definition; None takes machine code where the
            compiler works.
    """

    def __init__(self, model: Model, backend: str | None = None) -> None:
        if not isinstance(model, Model):
            raise StateError(f"Robot needs a Model, got {type(model).__name__}; lissom.load(path) reads one from a file")
        if backend not in (None, *BACKENDS):
            raise StateError(f"no backend {backend!r}; {suggest(str(backend), BACKENDS)}")
        self.model = model
        self._chosen_backend = backend

    def __repr__(self) -> str:
        return f"<Robot {self.name!r}: {len(self.moving_joint_names)} moving joints, nq = {self.nq}, nv = {self.nv}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Robot, (self.model, self._chosen_backend)

    @functools.cached_property
    def backend(self) -> str:
        """What computes: "llvm" or "numpy"."""
        if self._chosen_backend is not None:
            return self._chosen_backend
        try:
            jit.vector_width()
        except CompilerError as error:
            warnings.warn(f"{error}; results are the same, but slower", RuntimeWarning, stacklevel=3)
            return "numpy"
        return "llvm"

    @property
    def name(self) -> str:
        """Name of the robot."""
        return self.model.name

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self.model.nq

    @property
    def nv(self) -> int:
        """Number of velocities, accelerations and joint forces."""
        return self.model.nv

    @functools.cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Joints with coordinates of their own, in their order."""
        return tuple(j.name for j in self.model.independent_joints)

    @functools.cached_property
    def moving_joint_names(self) -> tuple[str, ...]:
        """All joints that move, coupled ones too, in the order of `joint_wrenches`."""
        return tuple(j.name for j in self.model.joints if j.kind is not JointKind.FIXED)

    @functools.cached_property
    def link_names(self) -> tuple[str, ...]:
        """All links."""
        return tuple(link.name for link in self.model.links)

    def neutral(self) -> np.ndarray:
        """Return the configuration (nq,) with every joint at zero and every quaternion at rest."""
        q = [0.0] * self.nq
        start = 0
        for joint in self.model.independent_joints:
            start += joint.kind.nq
            if joint.kind in (JointKind.SPHERICAL, JointKind.FLOATING):
                q[start - 1] = 1.0
        return np.array(q)

    def inverse_dynamics(
        self,
        q: Any,
        qd: Any,
        qdd: Any,
        external: Mapping[str, Wrench] | None = None,
        *,
        base_motion: BaseMotion | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return the joint forces that produce an acceleration: tau = M(q) qdd + h(q, qd) [N m or N].

        Args:
            q: coordinates (..., nq) [rad or m].
            qd: velocities (..., nv).
            qdd: accelerations (..., nv).
            external: for a link's name, the wrench that acts on it; the Wrench names its frame and point.
            base_motion: prescribed motion of the base.
            out: float64 array (..., nv) for the result.

        Returns:
            tau (..., nv). The first six of a floating base are force and moment on it, in its own frame.

        Raises:
            StateError: a size, type or number is wrong; the message says which.
        """
        return self._forces("inverse_dynamics", (q, qd, qdd), external, base_motion, out)

    def bias_forces(
        self,
        q: Any,
        qd: Any,
        external: Mapping[str, Wrench] | None = None,
        *,
        base_motion: BaseMotion | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return h(q, qd) = inverse_dynamics(q, qd, 0): Coriolis, centrifugal, gravity, friction forces (..., nv) [N m or N]."""
        return self._forces("bias_forces", (q, qd), external, base_motion, out)

    def gravity_forces(
        self,
        q: Any,
        external: Mapping[str, Wrench] | None = None,
        *,
        base_motion: BaseMotion | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return g(q) = inverse_dynamics(q, 0, 0): joint forces that hold the robot still (..., nv) [N m or N]."""
        return self._forces("gravity_forces", (q,), external, base_motion, out)

    def joint_wrenches(
        self,
        q: Any,
        qd: Any,
        qdd: Any,
        external: Mapping[str, Wrench] | None = None,
        *,
        frame: str = "joint",
        base_motion: BaseMotion | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return the force [N] and moment [N m] through every moving joint, on its child: (..., n_joints, 6).

        Args:
            q, qd, qdd, external, base_motion, out: as in `inverse_dynamics`.
            frame: axes of the components. "joint": the joint's frame, moved with the child; "link": the child link's frame
                (another one in standard Denavit-Hartenberg tables); "parent": the parent link's; "world". Moments are
                about the joint's origin, for "link" about the link's.
        """
        if frame not in tasks.WRENCH_FRAMES:
            raise StateError(f"no frame {frame!r}; {suggest(str(frame), tasks.WRENCH_FRAMES)}")
        return self._evaluate("joint_wrenches", (q, qd, qdd), external, base_motion, out, frame=frame)

    def operation_count(self, algorithm: str, regrouped: bool = True) -> OperationCount:
        """Return how many operations one evaluation takes; `regrouped=False` counts without base parameters."""
        return self._task(algorithm, regrouped).program(self.name).operation_count()

    def program(self, algorithm: str, form: str = "program") -> str:
        """Return the generated program as text: form "program" (readable), "llvm" or "assembly"."""
        program = self._task(algorithm).program(self.name)
        if form == "program":
            return program.text()
        if form not in ("llvm", "assembly"):
            raise StateError(f"no form {form!r}; {suggest(form, ('program', 'llvm', 'assembly'))}")
        ir = kernel_ir(program, jit.vector_width())
        return ir if form == "llvm" else jit.assembly(ir)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file: lissom's YAML (.yaml) or URDF (.urdf)."""
        from .write import save

        save(self.model, path)

    def _task(self, algorithm: str, regrouped: bool = True) -> Task:
        if algorithm not in ALGORITHMS:
            raise NameLookupError("algorithm", algorithm, ALGORITHMS)
        make: Any = getattr(tasks, algorithm)
        return make(self.model) if algorithm == "joint_wrenches" else make(self.model, regrouped=regrouped)  # type: ignore[no-any-return]

    def _forces(self, name: str, state: tuple[Any, ...], external: Any, base_motion: Any, out: Any) -> np.ndarray:
        if external is None and base_motion is None and name not in self.__dict__:
            self._bind(name)
        return self._evaluate(name, state, external, base_motion, out)

    def _bind(self, name: str) -> None:
        """Put a built-in function in the place of a method: from now on plain calls go straight to machine code."""
        if self.backend != "llvm":
            return
        get_threads()  # batches from a certain size are split; the built-in function has to know
        function = self._function(name, (), False, ())
        kernel = function.kernel
        method = getattr(self, name)
        signature = {"inverse_dynamics": "q, qd, qdd", "bias_forces": "q, qd", "gravity_forces": "q"}[name]
        doc = f"{name}({signature}, external=None, *, base_motion=None, out=None)\n--\n\n{method.__doc__}"
        sizes = [port.size for port in function.task.inputs]
        built_in = caller.make(name, doc, kernel.addresses, sizes, self.nv, method, kernel)
        if built_in is not None:
            self.__dict__[name] = built_in

    def _evaluate(
        self, name: str, state: tuple[Any, ...], external: Any, base_motion: Any, out: Any, **options: Any
    ) -> np.ndarray:
        arguments = list(state)
        if base_motion is not None:
            if not isinstance(base_motion, BaseMotion):
                raise StateError(f"base_motion must be a lissom.BaseMotion, got {type(base_motion).__name__}")
            arguments.append(base_motion.packed())
        acting = self._check_external(external)
        if acting:
            arguments.append(side_by_side({link: w.packed() for link, w in acting.items()}, "external wrenches"))
        key = tuple((link, wrench.frame) for link, wrench in acting.items())
        return self._function(name, key, base_motion is not None, tuple(options.items()))(arguments, out)

    def _check_external(self, external: Any) -> dict[str, Wrench]:
        if external is None:
            return {}
        if not isinstance(external, Mapping):
            raise StateError(
                f"external must map links to wrenches, {{'tool': lissom.Wrench(...)}}, got {type(external).__name__}"
            )
        for link, wrench in external.items():
            self.model.link(link)  # a wrong name raises
            if not isinstance(wrench, Wrench):
                raise StateError(
                    f"external wrench on {link!r} must say its frame: "
                    "lissom.Wrench(force, moment, frame='link' or 'world', point=...)"
                )
        return {link: external[link] for link in self.link_names if link in external}

    @functools.cached_property
    def _functions(self) -> dict[Any, Function]:
        return {}

    def _function(self, name: str, external: tuple[Any, ...], moving: bool, options: tuple[Any, ...]) -> Function:
        key = (name, external, moving, options)
        function = self._functions.get(key)
        if function is None:
            task = getattr(tasks, name)(self.model, external, moving, **dict(options))
            shape = (len(self.moving_joint_names), 6) if name == "joint_wrenches" else (self.nv,)
            function = self._functions[key] = Function(self.model, task, shape, self.backend, self._describe)
        return function

    def _describe(self, argument: str, entry: int) -> str:
        names = {"q": coordinate_names, "qd": velocity_names, "qdd": velocity_names}
        return f"joint {names[argument](self.model)[entry]!r}" if argument in names else "given in the call"
