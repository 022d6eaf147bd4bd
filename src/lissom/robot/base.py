"""RobotBase: a model with names, a backend, and the evaluation of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, Self

import numpy as np

from ..algorithms.dynamics.momentum import total_mass
from ..compiler.backend import Backend, check_backend, find_backend, with_precision
from ..compiler.cuda.backend import CUDA
from ..compiler.run import Function, as_array
from ..errors import StateError
from ..locks import lazy_property, once_property
from ..memory import FEWER, check_result, samples_of
from ..model import JointKind, Model
from ..model.names import coordinate_names, velocity_names
from ..model.show import counted
from .check import common_lead
from .entry import TaskMaker
from .options import BASE_MOTION, EXTERNAL, choose


class RobotBase:
    """Base class of Robot."""

    def __init__(self, model: Model, *, backend: Backend | str | None = None, precision: str = "double") -> None:
        if not isinstance(model, Model):
            raise StateError(f"Robot needs a Model, got {type(model).__name__}; lissom.load(path) reads one from a file")
        check_backend(backend)
        backend = with_precision(backend, precision)
        self._model = model
        self._chosen_backend = backend
        self._functions: dict[Any, Function] = {}
        self._quick_calls: dict[Any, Callable[..., np.ndarray]] = {}

    def __repr__(self) -> str:
        return f"<Robot {self.name!r}: {counted(len(self.moving_joint_names), 'moving joint')}, nq = {self.nq}, nv = {self.nv}>"

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(getattr(type(self), name, None), lazy_property):
            raise AttributeError(
                f"{name!r} of a {type(self).__name__} cannot be set: it follows from the model. Change the model "
                f"(robot.model.replace, robot.model.with_joints) and make another {type(self).__name__} of it"
            )
        super().__setattr__(name, value)

    @property
    def _choices(self) -> dict[str, Any]:
        """Arguments by name that make another robot of this kind like this one, beside its model."""
        return {"backend": self._chosen_backend}

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (type(self), self.model, self._choices)

    @once_property
    def backend(self) -> Backend:
        """The backend; its `name` is "llvm" or "numpy", or that of your own backend."""
        return find_backend(self._chosen_backend)

    def to(self, backend: Backend | str, *, precision: str = "double", device: int = 0) -> Self:
        """Return a robot of the same model whose functions another backend computes.

        Args:
            backend: "llvm", "numpy" or "cuda", or an object.
            precision: of "cuda": "double" or "single", which arrays on the card must have too.
            device: of "cuda": number of the card.

        Raises:
            DeviceError: there is no card, or no driver.
        """
        check_backend(backend)
        chosen = find_backend(backend)
        if isinstance(backend, str) and isinstance(chosen, CUDA):
            chosen = CUDA(precision, device)
        elif device:
            raise StateError(f"device={device!r} is of backend 'cuda', got {backend!r}")
        chosen = with_precision(chosen, precision)
        chosen.check()
        return type(self)(self.model, **{**self._choices, "backend": chosen})

    @property
    def model(self) -> Model:
        """The model; another model is another robot."""
        return self._model

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
        """Number of velocities, accelerations and joint torques."""
        return self.model.nv

    @lazy_property
    def joint_names(self) -> tuple[str, ...]:
        """Joints that have coordinates, in their order."""
        return tuple(j.name for j in self.model.independent_joints)

    @lazy_property
    def moving_joint_names(self) -> tuple[str, ...]:
        """All joints that move, coupled ones too, in the order of `joint_wrenches`."""
        return tuple(j.name for j in self.model.joints if j.kind is not JointKind.FIXED)

    @lazy_property
    def link_names(self) -> tuple[str, ...]:
        """All links."""
        return tuple(link.name for link in self.model.links)

    @lazy_property
    def total_mass(self) -> float:
        """Mass of all links that move [kg]."""
        return total_mass(self.model)

    def neutral(self) -> np.ndarray:
        """Return the configuration (nq,) with every joint at zero and every quaternion at rest."""
        return np.array(self.model.layout.neutral)

    def save(self, path: str | PathLike[str], *, lossy: bool = False) -> None:
        """Write the model to a file: lissom's YAML (.yaml), or URDF (.urdf), which `lossy` lets drop what it cannot express."""
        from ..write import save

        save(self.model, path, lossy)

    def _loads(self, external: Any, base_motion: Any) -> tuple[list[np.ndarray], dict[str, Any]]:
        """Return the loads of a task, in its order, and their options."""
        chosen = choose("loads", (EXTERNAL, BASE_MOTION), self, {"external": external, "base_motion": base_motion})
        return [chosen.arguments[name] for name in ("base_motion", "external") if name in chosen.arguments], chosen.options

    def _function(self, maker: TaskMaker, shape: tuple[int, ...], **options: Any) -> Function:
        """Return the function of a task, the same one for the same options."""
        key = task_key(maker, options)
        function = self._functions.get(key)
        if function is None:
            function = Function(self.model, maker(self.model, **options), shape, self.backend, self._describe)
        return self._functions.setdefault(key, function)  # another thread may have been first

    def _quick(self, maker: TaskMaker, shape: tuple[int, ...], **options: Any) -> Callable[..., np.ndarray]:
        """Return a function of a task's arguments and out=, machine code from the first line on where possible."""
        key = task_key(maker, options)
        quick = self._quick_calls.get(key)
        return self._built_in(key, self._function(maker, shape, **options), maker) if quick is None else quick

    def _built_in(
        self, key: Any, function: Function, maker: Callable[..., Any], missing: str = "raise"
    ) -> Callable[..., np.ndarray]:
        """Return a built-in function where possible, the same one for the same key; `missing` is that of `Function`."""
        slow = function.call_or_nan if missing == "nan" else function.call
        made = function.built_in(maker.__name__, maker.__doc__ or "", slow)
        return self._quick_calls.setdefault(key, slow if made is None else made)  # another thread may have been first

    def _together(self, q: Any, qd: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return a state with leading axes broadcast."""
        q, qd = as_array(q, "q", self.nq, self.name), as_array(qd, "qd", self.nv, self.name)
        check_result(samples_of([q, qd]), self.nq + self.nv, f"states of {self.name!r}", FEWER)
        for name, x in (("q", q), ("qd", qd)):
            for at in map(tuple, np.argwhere(~np.isfinite(x)).tolist()):
                raise StateError(f"{name}{list(at)} ({self._describe(name, at[-1])}) is {x[at]}; every input must be finite")
        lead = common_lead(1, q=q.shape, qd=qd.shape)
        return np.broadcast_to(q, (*lead, self.nq)), np.broadcast_to(qd, (*lead, self.nv))

    def _describe(self, argument: str, entry: int) -> str:
        names = {"q": coordinate_names} | dict.fromkeys(("qd", "qdd", "qddd", "tau", "given"), velocity_names)
        return f"joint {names[argument](self.model)[entry]!r}" if argument in names else "given in the call"


def _made(kind: type[RobotBase], model: Model, choices: Mapping[str, Any]) -> RobotBase:
    """Return the robot that was pickled."""
    return kind(model, **choices)


def task_key(maker: TaskMaker, options: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the key of a robot's task; the maker itself is part of it: two of one name may hold different numbers."""
    return maker, tuple(sorted(options.items())) if options else ()
