"""Human: a Robot that knows whose body it has."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...algorithms.dynamics.inverse_dynamics import inverse_dynamics
from ...arrays import ArrayLike, Positions
from ...compiler.backend import Backend
from ...errors import ModelError, NameLookupError, StateError, is_choice, suggest
from ...model import JointKind, Model
from ...model.lock import locked
from ...robot import Robot
from .body import Body, Segment
from .changes import Changes, changed
from .points import Point, points_of
from .strength import Drive, is_of_body, warn_of_age
from .tree import GLOBAL, full_model, mirror_partner, mirror_sign

# frozen in walking (Barman's thesis, 2020, section 5.1: upper spine, neck, clavicles, wrists; 38 of 55 stay). Neck, clavicles and
# wrists are 13, so that four axes of the spine are frozen, more than one joint has: which ones is our choice
STILL_IN_WALKING = ("neck_", "clavicle_", "wrist_", "spine_4_", "spine_3_torsion")
ACTIVE = ("walking",)
CHANGES = tuple(name for name in inspect.signature(changed).parameters if name not in ("model", "body", "before"))


class Human(Robot):
    """A person: a Robot with the points, strengths and symmetry of its body. Made by `human`.

    Attributes:
        body: stature, mass, sex, age, and `body.segments`, those of the source by name.
        changes: what differs from a healthy person without load, beside masses and springs of the model; see `with_changes`.
    """

    def __init__(
        self, model: Model, *, backend: Backend | str | None = None, body: Body | None = None, changes: Changes | None = None
    ) -> None:
        super().__init__(model, backend=backend)
        if not isinstance(body, Body):
            raise StateError(
                f"a Human needs the Body that its model was made for, got {type(body).__name__}; "
                "lissom.robots.human(...) makes both"
            )
        self.body, self.changes = body, Changes() if changes is None else changes

    def __repr__(self) -> str:
        b = self.body
        return f"<Human: {b.sex}, {b.stature:g} m, {b.mass:g} kg, {self.nv} degrees of freedom>"

    @property
    def _choices(self) -> dict[str, Any]:
        return {**super()._choices, "body": self.body, "changes": self.changes}

    def locked(self, positions: Mapping[str, float]) -> Human:
        """Return the person with joints locked at positions [rad or m], given by name."""
        return type(self)(locked(self.model, positions), **self._choices)

    def with_changes(self, **changes: Any) -> Human:
        """Return the person with a load, other joints or weaker muscles. Joints are "left_knee_flexion", "left_knee", or "knee".

        Args:
            backpack: its mass [kg].
            hand_load: mass in the right hand [kg], or {"left": ..., "right": ...}.
            stiff: springs beside the muscles of joints: {"left_knee": stiffness [N m/rad]}, or (stiffness, angle of rest [rad]).
            fused: joints that do not move: names, or angles [rad] by name.
            weakness: share of strength that is lost by muscles, {"left_ankle": 0.5}: those of a joint, or a group ("left_" and)
                "hip_flexors", "hip_extensors", "hip_abductors", "hip_adductors", "knee_flexors", "knee_extensors",
                "dorsiflexors", "plantarflexors". Of joints also a pair of shares, of the negative and of the positive way.
            orthosis: {"left_ankle": stiffness}, or {"left_ankle": {"stiffness": ..., "angle": ..., "mass": ...}}: a spring, and
                a mass [kg] on both sides of the joint.
            prosthesis: {"left": stiffness} of a foot below the knee, or {"left": {"stiffness": ..., "angle": ..., "share": ...,
                "toes": ...}}: ankle and toes have springs and no muscles, shank and foot a share of their mass (0.6).
            crouch: smallest angle of both knees [rad].

        Raises:
            ModelError: a value that no person has.
            NameLookupError: no such joint, side or muscle group.
        """
        unknown = [name for name in changes if name not in CHANGES]
        if unknown:
            raise NameLookupError("change", unknown[0], CHANGES, " of a person")
        model, found = changed(self.model, self.body, self.changes, **changes)
        return type(self)(model, **{**self._choices, "changes": found})

    @property
    def symmetric(self) -> bool:
        """Whether left and right are alike: masses, springs, ranges and strengths."""
        names, can = set(self.joint_names), self.strengths
        if any(mirror_partner(name) not in names for name in names):
            return False
        if any(can[name] != can[mirror_partner(name)] for name in can if mirror_partner(name) != name):
            return False
        state = np.random.default_rng(0).uniform(-1.0, 1.0, (3, self.nv))
        both = [np.array([x, self.mirror(x)]) for x in state]
        ((tau, other),) = inverse_dynamics(self.model).evaluate(both)  # once: compiling would take longer
        return bool(np.abs(tau - self.mirror(other)).max() <= 1e-9 * self.total_mass * 9.81)

    @property
    def global_joints(self) -> tuple[str, ...]:
        """Joints from the ground to the pelvis that move: no muscle drives them."""
        return tuple(name for name in self.joint_names if name in GLOBAL)

    @property
    def points(self) -> dict[str, Point]:
        """Points of soles, hands and head by name: link, and position in its frame [m] (see `lissom.robots.human.points`)."""
        return points_of(self.body)

    def point_position(self, q: Positions, point: str) -> np.ndarray:
        """Return the position (..., 3) of a named point in the world [m] at coordinates q (..., nq)."""
        if point not in self.points:
            raise NameLookupError("point", point, self.points, " of a person")
        link, position = self.points[point]
        T = self.link_pose(q, link)
        place: np.ndarray = T[..., :3, :3] @ np.array(position) + T[..., :3, 3]
        return place

    @property
    def segments(self) -> dict[str, Segment]:
        """Segments of the body after the source, by name; those of arms and legs are for one side."""
        return self.body.segments

    @property
    def strengths(self) -> dict[str, Drive]:
        """Range and largest moments of every joint of the body that moves, by name; a model's limit of effort is the larger."""
        return {name: self.changes.of(self.body, name) for name in self.joint_names if is_of_body(name)}

    def mirror(self, values: ArrayLike) -> np.ndarray:
        """Return coordinates, velocities, accelerations or torques (..., nv) of the mirror image, with left and right exchanged.

        Mirrored twice is the same. The mirror is the plane y = 0 of the world.

        Raises:
            StateError: the size is wrong, or a joint moves on one side only.
        """
        found = np.asarray(values, dtype=float)
        if found.ndim == 0 or found.shape[-1] != self.nv:
            raise StateError(f"values to mirror have shape {found.shape}, expected (..., {self.nv}), one per joint")
        columns, signs = self.mirror_columns
        return found[..., columns] * signs

    @property
    def mirror_columns(self) -> tuple[np.ndarray, np.ndarray]:
        """Columns (nv,) and signs (nv,) of the mirror image: mirrored[j] = signs[j] * values[columns[j]]."""
        place = {name: k for k, name in enumerate(self.joint_names)}
        for name in place:
            if mirror_partner(name) not in place:
                raise StateError(
                    f"a person whose joint {name!r} moves and whose {mirror_partner(name)!r} is locked has no mirror image; "
                    "lock both, or none"
                )
        columns = np.array([place[mirror_partner(name)] for name in place])
        return columns, np.array([mirror_sign(name) for name in place])


def human(
    stature: float = 1.75,
    mass: float = 75.0,
    sex: str = "male",
    age: float | None = None,
    active: str | Iterable[str] | None = None,
) -> Human:
    """Return a person as a Robot, with `points`, `strengths`, `segments` and `mirror`; for the arguments see `human_model`."""
    body = Body(stature, mass, sex, age)
    return Human(_model(body, active), body=body)


def human_model(
    stature: float = 1.75,
    mass: float = 75.0,
    sex: str = "male",
    age: float | None = None,
    active: str | Iterable[str] | None = None,
) -> Model:
    """Return a person: 6 global joints to the pelvis, spine 4 x 3, neck 5, arms 2 x 9, legs 2 x 7, after de Leva (1996).

    x is ahead, y left, z up. All coordinates zero: upright, soles on z = 0, arms hanging, thumbs ahead. Every number with its
    source is in `segments.toml` and `joints.toml` of this package; what has no source is marked as chosen.

    Args:
        stature: [m].
        mass: of the whole body [kg].
        sex: "male" or "female", whose proportions and strengths are taken.
        age: [years]; strength falls with it. None: a young adult.
        active: joints that move: None for all; "walking" for the 38 that walk in Barman's thesis; or names, such as
            "left_knee_flexion", or "knee_flexion" for both sides. All others are fixed at zero. The six global joints move.

    Raises:
        ModelError: no adult has such a stature, mass or age, or an argument is unknown.
        NameLookupError: no such joint.
    """
    return _model(Body(stature, mass, sex, age), active)


def _model(body: Body, active: str | Iterable[str] | None) -> Model:
    warn_of_age(body.age)
    model = full_model(body)
    if active is None:
        return model
    moving = _chosen(active, [joint.name for joint in model.joints if joint.kind is not JointKind.FIXED])
    return locked(model, {joint.name: 0.0 for joint in model.joints if joint.name not in moving})


def _chosen(active: str | Iterable[str], names: list[str]) -> set[str]:
    if isinstance(active, str):
        if not is_choice(active, ACTIVE):
            raise ModelError(f"no set of active joints is called {active!r}; {suggest(active, ACTIVE)}, or give a list of joints")
        return {name for name in names if not any(part in name for part in STILL_IN_WALKING)}
    found = set(GLOBAL)
    for name in active:
        sides = {name} if name in names else {f"{side}_{name}" for side in ("left", "right")}
        if not sides <= set(names):
            raise NameLookupError("joint", str(name), names, " of a person")
        found |= sides
    return found
