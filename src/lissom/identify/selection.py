"""Selection: which parameters of a robot are estimated, which are held at the values of its model, and what bounds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from ..algorithms.derivatives.regressor import DRIVE, INERTIAL, SPRING
from ..errors import IdentificationError, suggest
from ..model import Model
from ..parameters import inertial_parameter_names, inertial_parameters
from ..tree import BASE, lump

TEN = len(INERTIAL)
GROUPS = {
    "links": tuple(f"*.{name}" for name in INERTIAL),
    "rotors": ("*.rotor_inertia",),
    "friction": ("*.viscous", "*.coulomb"),
    "springs": tuple(f"*.{name}" for name in SPRING),
    "offsets": ("*.offset",),
}
USUAL = ("links", "rotors", "friction", "springs")


@dataclass(frozen=True, eq=False)
class Selection:
    """Parameters by columns of the regressor, the offsets of torques after them.

    Attributes:
        model: the tree of the robot.
        names: of all columns.
        values: of the model, zeros for offsets.
        own: of the links and joints themselves, without the parts of motors that count in them: what a model is written with.
        free: whether a column is estimated (n,).
        links: names of links with a free column, and the first of their ten columns.
        positive: columns that cannot be negative: friction, rotor inertia, stiffness, damping.
        added: name of the link on which a body is estimated that is not in the model; "" for none.
    """

    model: Model
    names: tuple[str, ...]
    values: np.ndarray
    own: np.ndarray
    free: np.ndarray
    links: dict[str, int]
    positive: np.ndarray
    added: str = ""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def offsets(self) -> int:
        """Number of the first offset."""
        return len(self.names) - sum(name.endswith(".offset") for name in self.names)

    @property
    def prior(self) -> np.ndarray:
        """Values that estimates are compared with (n,): the model's, zeros for a body that is added."""
        return np.where(self.free, 0.0, self.values) if self.added else self.values


def select(robot: Any, estimate: Sequence[str] | str = USUAL, known: Sequence[str] | str = ()) -> Selection:
    """Return the parameters to estimate.

    Args:
        robot: a Robot or ClosedRobot.
        estimate: groups, "links", "rotors", "friction", "springs", "offsets", and patterns of names: "link_3.*", "*.viscous".
        known: groups and patterns of parameters that are held at the model's values.

    Raises:
        IdentificationError: a pattern fits no parameter, or none is left.
    """
    model, names, values, own = _all(robot)
    free = _fitting(names, estimate, "estimate") & ~_fitting(names, known, "known")
    # frames without mass add nothing to the body that they are fixed to
    carriers = _carriers(model)
    for k, link in enumerate(model.links):
        if link.name not in carriers:
            free[TEN * k : TEN * (k + 1)] = False
    if not free.any():
        raise IdentificationError(
            f"no parameter of {robot.name!r} is left to be estimated: name others to estimate, or fewer that are known"
        )
    links = {x.name: TEN * k for k, x in enumerate(model.links) if free[TEN * k : TEN * (k + 1)].any()}
    return Selection(model, names, values, own, free, links, _positive(names))


def select_added(robot: Any, link: str, more: Sequence[str] | str = ()) -> Selection:
    """Return the parameters of a body that is fixed to a link and not in the model, and further ones of the robot."""
    model, names, values, own = _all(robot)
    model.link(link)
    if lump(model).places[link][0] == BASE:
        raise IdentificationError(f"link {link!r} does not move, so that torques do not show what it carries; give another link=")
    start = TEN * [x.name for x in model.links].index(link)
    free = _fitting(names, more, "estimate") if more else np.zeros(len(names), dtype=bool)
    if free[: TEN * len(model.links)].any():
        raise IdentificationError("beside a payload, friction, rotors, springs and offsets can be estimated, not links")
    free[start : start + TEN] = True
    return Selection(model, names, values, own, free, {link: start}, _positive(names), added=link)


def _all(robot: Any) -> tuple[Model, tuple[str, ...], np.ndarray, np.ndarray]:
    model = robot.model.without_loops()
    names = (*inertial_parameter_names(model), *(f"{name}.offset" for name in robot.torque_names))
    values = np.concatenate([inertial_parameters(model), np.zeros(len(robot.torque_names))])
    bare = model.replace(motors=()) if model.motors and not model.elastic_motors else model
    own = values.copy()
    if model.motors:
        own[: TEN * len(model.links)] = _links_alone(bare)
        for k, name in enumerate(names[TEN * len(model.links) :], TEN * len(model.links)):
            own[k] = _drive_alone(model, name, values[k])
    return model, names, values, own


def _links_alone(model: Model) -> np.ndarray:
    from ..model.check import inertia_about

    found = np.zeros((len(model.links), TEN))
    for row, link in zip(found, model.links, strict=True):
        if link.inertia is not None:
            I, m, c = inertia_about(link.inertia, np.eye(3), np.zeros(3)), link.inertia.mass, np.array(link.inertia.com)
            row[:] = m, *(m * c), I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]
    return found.ravel()


def _drive_alone(model: Model, name: str, value: float) -> float:
    """Return the part of a drive's parameter that is the joint's own: motors that do not spin count in those of their joint."""
    owner, _, what = name.rpartition(".")
    joint = next((joint for joint in model.joints if joint.name == owner), None)
    if joint is None or what not in DRIVE:
        return value
    return {"rotor_inertia": joint.rotor_inertia, "viscous": joint.friction.viscous, "coulomb": joint.friction.coulomb}[what]


def _fitting(names: Sequence[str], patterns: Sequence[str] | str, option: str) -> np.ndarray:
    patterns = [patterns] if isinstance(patterns, str) else list(patterns)
    found = np.zeros(len(names), dtype=bool)
    for pattern in patterns:
        own = GROUPS.get(pattern, (pattern,))
        fits = np.array([any(fnmatchcase(name, one) for one in own) for name in names])
        if not fits.any() and pattern not in GROUPS:
            raise IdentificationError(f"{option}: no parameter is called {pattern!r}; {suggest(pattern, [*GROUPS, *names])}")
        found |= fits
    return found


def _carriers(model: Model) -> set[str]:
    """Return the links whose ten parameters count: those with mass, and of a moving body without any, its first link."""
    tree, found = lump(model), {link.name for link in model.links if link.inertia is not None}
    loaded = {tree.places[name][0] for name in found}
    for joint in model.joints:
        body = tree.places[joint.child][0]
        if body != BASE and body not in loaded:
            found.add(joint.child)
            loaded.add(body)
    return found


def _positive(names: Sequence[str]) -> np.ndarray:
    return np.array([name.rpartition(".")[2] in (*DRIVE, "stiffness", "damping") for name in names])
