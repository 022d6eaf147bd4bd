"""To a model: parameters of all columns, written into the links, joints, motors and springs that they belong to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..doubts import known_doubts
from ..errors import IdentificationError, ModelError
from ..model import Friction, Inertia, Joint, Link, Model, Motor, Spring
from .selection import TEN, Selection


def inertia_of(ten: np.ndarray) -> Inertia:
    """Return the body of ten parameters: mass, center of mass, inertia about it."""
    m, h = float(ten[0]), ten[1:4]
    xx, xy, yy, xz, yz, zz = ten[4:]
    c = h / m
    about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) - m * (c @ c * np.eye(3) - np.outer(c, c))
    return Inertia(m, tuple(c), tuple(map(tuple, (about + about.T) / 2.0)))  # type: ignore[arg-type]


def to_model(selection: Selection, values: np.ndarray, model: Model, possible: bool) -> Model:
    """Return a model with the free parameters at `values` (n,), all else as before.

    Args:
        selection: what is free.
        values: of all columns.
        model: with loops, if the robot has them.
        possible: whether the values are physically consistent, so that doubts about them are not news.

    Raises:
        IdentificationError: a value has no place in a model, such as a negative mass.
    """
    own = {
        name: float(values[k] - selection.values[k] + selection.own[k])
        for k, name in enumerate(selection.names)
        if selection.free[k]
    }
    parts = values - selection.values + selection.own

    def of_link(link: Link) -> Link:
        if link.name not in selection.links:
            return link
        k = selection.links[link.name]
        try:
            return Link(link.name, inertia_of(parts[k : k + TEN]))
        except (ModelError, ZeroDivisionError) as error:
            raise IdentificationError(
                f"link {link.name!r} would have a mass of {parts[k]:.4g} kg: {error}. Plain least squares may give bodies that "
                "cannot exist; identify with consistent=True for a model"
            ) from None

    def of_joint(joint: Joint) -> Joint:
        changed: dict[str, Any] = {"friction": _friction(joint.name, joint.friction, own)}
        if (rotor := own.get(f"{joint.name}.rotor_inertia")) is not None:
            changed["rotor_inertia"] = rotor
        if joint.spring is not None:
            changed["spring"] = _spring(joint.name, joint.spring, own)
        return replace(joint, **changed)

    def of_motor(motor: Motor) -> Motor:
        changed: dict[str, Any] = {"friction": _friction(motor.name, motor.friction, own)}
        if (spin := own.get(f"{motor.name}.rotor_inertia")) is not None and motor.inertia is not None:
            I = motor.inertia.tensor
            changed["inertia"] = Inertia(motor.inertia.mass, motor.inertia.com, (I[0], I[1], (0.0, 0.0, spin)))
        if motor.spring is not None:
            changed["spring"] = _spring(motor.name, motor.spring, own)
        return replace(motor, **changed)

    try:
        with known_doubts():
            return model.replace(
                links=tuple(map(of_link, model.links)),
                joints=tuple(map(of_joint, model.joints)),
                motors=tuple(map(of_motor, model.motors)),
            )
    except ModelError as error:
        if possible:
            raise
        raise IdentificationError(f"{error}; identify with consistent=True for a model") from None


def _friction(name: str, friction: Friction, own: dict[str, float]) -> Friction:
    viscous, coulomb = own.get(f"{name}.viscous"), own.get(f"{name}.coulomb")
    if viscous is None and coulomb is None:
        return friction
    return Friction(friction.viscous if viscous is None else viscous, friction.coulomb if coulomb is None else coulomb)


def _spring(name: str, spring: Spring, own: dict[str, float]) -> Spring:
    stiffness = own.get(f"{name}.stiffness", spring.stiffness)
    preload = own.get(f"{name}.preload", spring.stiffness * spring.rest)
    return Spring(stiffness, preload / stiffness, own.get(f"{name}.damping", spring.damping))
