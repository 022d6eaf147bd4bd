"""A lissom model in Pinocchio: built joint by joint, rotors too, or Pinocchio's own reading of the same file."""

import numpy as np
import pinocchio as pin

from lissom.model import JointKind, Model
from lissom.model.pose import frame_with_z
from support.rotors import unfolded

_TURNING = (JointKind.REVOLUTE, JointKind.CONTINUOUS)


def to_pinocchio(model: Model) -> pin.Model:
    """Return `model` with every moving joint independent, couplings left out; fixed links are lumped, friction is not there."""
    result = pin.Model()
    result.gravity.linear = np.array(model.gravity)
    places = {model.base: (0, pin.SE3.Identity())}
    for joint in model.joints:
        index, pose = places[joint.parent]
        pose = pose * pin.SE3(joint.origin.R, joint.origin.p)
        if joint.kind is not JointKind.FIXED:
            index = result.addJoint(index, _joint(joint), pose * pin.SE3(_own_frame(joint), np.zeros(3)), joint.name)
            pose = pin.SE3(_own_frame(joint).T, np.zeros(3))
            if joint.kind.nv == 1:
                armature = result.armature.copy()
                armature[result.joints[index].idx_v] = joint.rotor_inertia
                result.armature = armature
        pose = pose * pin.SE3(joint.tail.R, joint.tail.p)
        inertia = model.link(joint.child).inertia
        if inertia is not None and index:
            result.appendBodyToJoint(index, pin.Inertia(inertia.mass, np.array(inertia.com), np.array(inertia.tensor)), pose)
        places[joint.child] = (index, pose)
    return result


def _own_frame(joint) -> np.ndarray:
    """Axes of Pinocchio's joint in lissom's joint frame: its planar joint moves in its own x and y."""
    return frame_with_z(joint.axis) if joint.kind is JointKind.PLANAR else np.eye(3)


def _joint(joint):
    axis = np.array(joint.axis)
    if joint.kind in _TURNING:
        return pin.JointModelRevoluteUnaligned(axis)
    if joint.kind is JointKind.PRISMATIC:
        return pin.JointModelPrismaticUnaligned(axis)
    if joint.kind is JointKind.HELICAL:
        return pin.JointModelHelicalUnaligned(axis, joint.pitch)
    if joint.kind is JointKind.UNIVERSAL:
        return pin.JointModelUniversal(axis, np.array(joint.second_axis))
    return {
        JointKind.SPHERICAL: pin.JointModelSpherical,
        JointKind.PLANAR: pin.JointModelPlanar,
        JointKind.FLOATING: pin.JointModelFreeFlyer,
    }[joint.kind]()


class Peer:
    """Pinocchio's answers in lissom's coordinates.

    Attributes:
        model: of Pinocchio, with every moving joint independent.
        G: velocities of all moving joints are G qd; forces of the independent ones are G' tau.
        places: for each link, Pinocchio's joint and the link's pose in that joint's frame.
    """

    def __init__(self, model: Model, theirs: pin.Model | None = None) -> None:
        own = [j.name for j in model.joints if j.kind is not JointKind.FIXED]
        if theirs is None:
            model = unfolded(model)  # springs of drives apart, its rotors are joints like all others
        self.lissom = model
        self.model = to_pinocchio(model) if theirs is None else theirs
        self.data = self.model.createData()
        self.moving = [j for j in model.joints if j.kind is not JointKind.FIXED]
        self.ids = [self.model.getJointId(j.name) for j in self.moving]
        self.starts, iq, iv = {}, 0, 0
        for joint in model.independent_joints:
            self.starts[joint.name] = (iq, iv)
            iq, iv = iq + joint.kind.nq, iv + joint.kind.nv
        self.G = np.zeros((self.model.nv, model.nv))
        for joint, k in zip(self.moving, self.ids, strict=True):
            coupling = model.resolve_coupling(joint)
            row, column = self.model.joints[k].idx_v, self.starts[coupling.joint][1]
            for i in range(joint.kind.nv):
                self.G[row + i, column + i] = coupling.ratio
        self.places = self._places()
        self.own = [k for k, joint in enumerate(self.moving) if joint.name in own]

    def _places(self):
        places = {self.lissom.base: (0, pin.SE3.Identity())}
        for joint in self.lissom.joints:
            index, pose = places[joint.parent]
            pose = pose * pin.SE3(joint.origin.R, joint.origin.p)
            if joint.kind is not JointKind.FIXED:
                index, pose = self.model.getJointId(joint.name), pin.SE3(_own_frame(joint).T, np.zeros(3))
            places[joint.child] = (index, pose * pin.SE3(joint.tail.R, joint.tail.p))
        return places

    def q(self, q) -> np.ndarray:
        """Return Pinocchio's configuration: angles of its unbounded joints are pairs of cosine and sine."""
        full = np.zeros(self.model.nq)
        for joint, k in zip(self.moving, self.ids, strict=True):
            coupling = self.lissom.resolve_coupling(joint)
            start = self.starts[coupling.joint][0]
            own = np.array(q[start : start + joint.kind.nq])
            if joint.kind.nv == 1:
                own = coupling.ratio * own + coupling.offset
            if joint.kind in (JointKind.SPHERICAL, JointKind.FLOATING):
                own[-4:] /= np.linalg.norm(own[-4:])
            theirs = self.model.joints[k]
            if theirs.nq == len(own) + 1:
                own = np.array([*own[:-1], np.cos(own[-1]), np.sin(own[-1])])
            full[theirs.idx_q : theirs.idx_q + theirs.nq] = own
        return full

    def tau(self, q, qd, qdd, fext=None) -> np.ndarray:
        """Return inverse dynamics without friction."""
        more = () if fext is None else (fext,)
        return self.G.T @ pin.rnea(self.model, self.data, self.q(q), self.G @ qd, self.G @ qdd, *more)

    def gravity(self, q) -> np.ndarray:
        return self.G.T @ pin.computeGeneralizedGravity(self.model, self.data, self.q(q))

    def bias(self, q, qd) -> np.ndarray:
        return self.G.T @ pin.nonLinearEffects(self.model, self.data, self.q(q), self.G @ qd)

    def wrenches(self, q, qd, qdd, fext=None) -> np.ndarray:
        """Return force and moment through every moving joint, in its frame; rotors apart."""
        self.tau(q, qd, qdd, fext)
        turns = [_own_frame(j) for j in self.moving]
        forces = [self.data.f[k] for k in self.ids]
        values = [[*(R @ f.linear), *(R @ f.angular)] for R, f in zip(turns, forces, strict=True)]
        return np.array(values).reshape(-1, 6)[self.own]

    def friction(self, qd) -> np.ndarray:
        """Return what viscous and Coulomb friction of all joints add."""
        damping, loss = np.zeros(self.model.nv), np.zeros(self.model.nv)
        for joint, k in zip(self.moving, self.ids, strict=True):
            if joint.kind.nv == 1:
                damping[self.model.joints[k].idx_v], loss[self.model.joints[k].idx_v] = (
                    joint.friction.viscous,
                    joint.friction.coulomb,
                )
        own = self.G @ qd
        return self.G.T @ (damping * own + loss * np.sign(own))

    def world(self, q, link) -> pin.SE3:
        """Return the pose of a link in the world."""
        pin.forwardKinematics(self.model, self.data, self.q(q))
        index, pose = self.places[link]
        return self.data.oMi[index] * pose

    def external(self, q, wrenches) -> pin.StdVec_Force:
        """Return Pinocchio's forces for lissom's wrenches, {link: Wrench}."""
        fext = pin.StdVec_Force([pin.Force.Zero() for _ in range(self.model.njoints)])
        for link, wrench in wrenches.items():
            index, pose = self.places[link]
            R = self.world(q, link).rotation.T if wrench.axes == "world" else np.eye(3)
            force, moment = R @ wrench.force, R @ wrench.moment + np.cross(wrench.point, R @ wrench.force)
            fext[index] += pose.act(pin.Force(force, moment))
        return fext
