"""Mechanisms with motors in maximal coordinates: every link and every rotor a free rigid body, held together by multipliers.

A joint is five constraints between its two links, a bearing five between a rotor and the link that carries it, a gear or a
coupling one constraint between two speeds. Each constraint pulls with equal and opposite wrenches at the bodies of each of its
pairs, so the multipliers tell what really passes from a parent to a child: bearing forces and the torque of gear, spring and
drive alike. Nothing of lissom's recursions is used; positions are multiplied out, velocities are their complex steps.
"""

from dataclasses import dataclass, field

import numpy as np

from lissom.model import JointKind, Model
from support.kinematics import cross, link_poses
from support.lagrangian import joint_share, motor_share

H = 1e-30


@dataclass
class Body:
    """A free rigid body: where its six accelerations stand, mass, inertia about the center of mass, center, and velocities."""

    start: int
    mass: float
    I: np.ndarray
    c: np.ndarray
    v: np.ndarray
    w: np.ndarray


@dataclass
class Pair:
    """Two bodies that move against each other in one direction z, about or along it, at a point; `first` may be the ground.

    Attributes:
        force, moment: total wrench on the second body, moment about the point.
    """

    first: Body | None
    second: Body
    point: np.ndarray
    z: np.ndarray
    slides: bool
    force: np.ndarray = field(default_factory=lambda: np.zeros(3))
    moment: np.ndarray = field(default_factory=lambda: np.zeros(3))

    def push(self, direction, slides, size):
        """Add a force or a moment on the second body; the first gets the opposite."""
        if slides:
            self.force = self.force + size * direction
        else:
            self.moment = self.moment + size * direction

    def row(self, n, direction, slides):
        """Return the row of relative speed along or about a direction, and what its rate has without accelerations."""
        J, bias = np.zeros(n), 0.0
        sides = [(1.0, self.second)] + ([(-1.0, self.first)] if self.first is not None else [])
        for sign, body in sides:
            r = self.point - body.c
            if slides:
                J[body.start : body.start + 3] += sign * direction
                J[body.start + 3 : body.start + 6] += sign * np.cross(r, direction)
                bias += sign * direction @ np.cross(body.w, np.cross(body.w, r))
            else:
                J[body.start + 3 : body.start + 6] += sign * direction
        if self.first is not None:
            w = self.first.w
            if slides:  # the point moves with the second body
                bias -= 2 * direction @ np.cross(w, self.relative_velocity())
            else:
                bias += np.cross(w, direction) @ (self.second.w - w)
        return J, bias

    def relative_velocity(self):
        def at(body):
            return np.zeros(3) if body is None else body.v + np.cross(body.w, self.point - body.c)

        return at(self.second) - at(self.first)


def normals(z):
    """Return two directions normal to z and to each other."""
    x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    x /= np.linalg.norm(x)
    return x, np.cross(z, x)


class Maximal:
    """A model of single-axis joints without fixed ones, links with mass, motors with rotors, at a state and under forces tau."""

    def __init__(self, model: Model, q, qd) -> None:
        self.model, self.qd, self.q = model, qd, q
        now, before = link_poses(model, q), link_poses(model, q + 1j * H * qd)
        self.bodies: dict[str, Body] = {}
        links, joints = now
        self.axes = {j.name: (joints[j.name][0] @ np.array(j.axis), joints[j.name][1]) for j in model.joints}
        moving = {}
        for name in (model.base, *(joint.child for joint in model.joints)):
            R, p, dR, dp = *links[name], *(np.imag(x) / H for x in before[0][name])
            W = dR @ R.T
            w = np.array([W[2, 1], W[0, 2], W[1, 0]])
            moving[name] = R, p, w, dp
            if name != model.base:
                self._add(name, model.link(name).inertia, R, p, w, dp)
        self.pairs = {j.name: self._pair(j.parent, j.child, *self.axes[j.name], j.kind) for j in model.joints}
        for motor in model.motors:
            R, p, w, dp = moving[motor.link]
            R_m, p_m = R @ motor.origin.R, p + R @ motor.origin.p
            share, _ = motor_share(model, motor)
            spin = motor.ratio * (share @ qd)
            self._add(motor.name, motor.inertia, R_m, p_m, w + spin * R_m[:, 2], dp + np.cross(w, p_m - p))
            self.pairs[motor.name] = self._pair(motor.link, motor.name, R_m[:, 2], p_m, JointKind.REVOLUTE)

    def _add(self, name, inertia, R, p, w, v):
        arm = R @ np.array(inertia.com)
        I = R @ np.array(inertia.tensor) @ R.T
        self.bodies[name] = Body(6 * len(self.bodies), inertia.mass, I, p + arm, v + np.cross(w, arm), w)

    def _pair(self, first, second, z, point, kind):
        return Pair(self.bodies.get(first), self.bodies[second], point, z, kind is JointKind.PRISMATIC)

    def solve(self, tau):
        """Find accelerations and multipliers; `pairs` have the wrenches, {joint or motor: (force, moment)} on the second body."""
        n = 6 * len(self.bodies)
        self._apply(tau)
        M, f = np.zeros((n, n)), np.zeros(n)
        for body in self.bodies.values():
            i = body.start
            M[i : i + 3, i : i + 3], M[i + 3 : i + 6, i + 3 : i + 6] = body.mass * np.eye(3), body.I
            f[i : i + 3] = body.mass * np.array(self.model.gravity)
            f[i + 3 : i + 6] = -np.cross(body.w, body.I @ body.w)
        for pair in self.pairs.values():
            for sign, body in ((1.0, pair.second), (-1.0, pair.first)):
                if body is not None:
                    f[body.start : body.start + 3] += sign * pair.force
                    f[body.start + 3 : body.start + 6] += sign * (pair.moment + cross(pair.point - body.c) @ pair.force)
        constraints = [[(pair, d, s, 1.0)] for pair in self.pairs.values() for d, s in _held(pair)]
        constraints += [[(self.pairs[a], self.pairs[a].z, self.pairs[a].slides, k) for a, k in tie] for tie in self._ties()]
        rows = []
        for parts in constraints:
            found = [(k, *pair.row(n, d, s)) for pair, d, s, k in parts]
            rows.append((sum(k * J for k, J, _ in found), sum(k * b for k, _, b in found)))
        J, bias = np.array([row for row, _ in rows]), np.array([b for _, b in rows])
        A = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
        found = np.linalg.solve(A, np.concatenate([f, -bias]))
        self.acceleration = found[:n]
        for parts, multiplier in zip(constraints, found[n:], strict=True):
            for pair, direction, slides, k in parts:
                pair.push(direction, slides, k * multiplier)
        return {name: (pair.force, pair.moment) for name, pair in self.pairs.items()}

    def rates(self):
        """Return accelerations of joints and motors against what carries them, by name; those of motors divided by the ratio."""
        found = {name: self._rate(pair) for name, pair in self.pairs.items()}
        return {name: x / self.model.motor(name).ratio if name not in self.axes else x for name, x in found.items()}

    def _rate(self, pair):
        J, bias = pair.row(len(self.acceleration), pair.z, pair.slides)
        return J @ self.acceleration + bias

    def _apply(self, tau):
        """Apply drives, springs and friction, each between the two bodies that it stands between."""
        model, q, qd = self.model, self.q, self.qd
        rows = dict(zip((j.name for j in model.independent_joints), tau, strict=True))
        driven = {motor.joint: motor for motor in model.motors if not motor.elastic}
        for joint in model.joints:
            share, offset = joint_share(model, joint)
            own, speed = share @ q + offset, share @ qd
            force = -joint.friction.viscous * speed - joint.friction.coulomb * np.sign(speed)
            if joint.spring is not None:
                force -= joint.spring.stiffness * (own - joint.spring.rest) + joint.spring.damping * speed
            if joint.coupling is None and joint.name not in driven:
                force += rows[joint.name]
            self.pairs[joint.name].push(self.pairs[joint.name].z, self.pairs[joint.name].slides, force)
        for motor in model.motors:
            share, _ = motor_share(model, motor)
            speed = motor.ratio * (share @ qd)
            shaft = -motor.friction.viscous * speed - motor.friction.coulomb * np.sign(speed)
            joint = model.joint(motor.joint)
            if motor.elastic:
                at_joint, offset = joint_share(model, joint)
                stretch = share @ q - at_joint @ q - offset - motor.spring.rest
                pull = motor.spring.stiffness * stretch + motor.spring.damping * (share @ qd - at_joint @ qd)
                self.pairs[joint.name].push(self.pairs[joint.name].z, self.pairs[joint.name].slides, pull)
                shaft += (rows[motor.name] - pull) / motor.ratio
            elif joint.coupling is None:
                shaft += rows[joint.name] / motor.ratio
            self.pairs[motor.name].push(self.pairs[motor.name].z, False, shaft)

    def _ties(self):
        """Speeds that gears and couplings tie to one another: sums of these are zero."""
        for joint in self.model.joints:
            if joint.coupling is not None:
                yield [(joint.name, 1.0), (joint.coupling.joint, -joint.coupling.ratio)]
        for motor in self.model.motors:
            if not motor.elastic:
                yield [(motor.name, 1.0), (motor.joint, -motor.ratio)]


def _held(pair):
    """Return the five directions that a joint holds, and whether they are of sliding."""
    n1, n2 = normals(pair.z)
    if pair.slides:
        return [(n1, True), (n2, True)] + [(axis, False) for axis in np.eye(3)]
    return [(axis, True) for axis in np.eye(3)] + [(n1, False), (n2, False)]
