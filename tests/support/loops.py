"""Closed robots for tests, and two outside judges: Pinocchio's constraint dynamics, and free bodies with multipliers."""

import numpy as np
import pinocchio as pin

from lissom import Inertia, Joint, Link, Loop, Model, Pose
from lissom.model import JointKind, LoopKind
from lissom.model.pose import rotation_from_quaternion
from support.kinematics import cross, link_poses, rate_of_coordinates
from support.peer import to_pinocchio

H = 1e-30


def some_inertia(rng):
    """Return the inertia of a cloud of points."""
    points, masses = rng.uniform(-0.15, 0.15, (6, 3)), rng.uniform(0.2, 1.0, 6)
    com = masses @ points / masses.sum()
    r = points - com
    I = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, r, strict=True))
    return Inertia(float(masses.sum()), tuple(com + rng.uniform(-0.1, 0.1, 3)), I)


def some_pose(rng, size=0.3):
    """Return a frame turned and shifted at random."""
    return Pose(rotation_from_quaternion(rng.normal(size=4)), tuple(rng.uniform(-size, size, 3)))


def planar_loop(seed, n=4, cut=None, active=None):
    """Return a planar chain of n revolute joints closed at the base, cut at joint `cut`, in a plane of any direction.

    The mechanism is the same whichever joint is cut: points of the polygon, links between them, inertias fixed in the links.
    """
    rng = np.random.default_rng(seed)
    angles = np.sort(rng.uniform(0, 2 * np.pi, n)) + np.arange(n) * 0.05
    radius = rng.uniform(0.6, 1.0, n)
    points = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.zeros(n)], axis=1)
    R = rotation_from_quaternion(rng.normal(size=4))
    points = points @ R.T
    axis = R[:, 2]
    inertias = [some_inertia(rng) for _ in range(n)]
    # link k goes from point k to point k + 1; link 0 is the base; all link frames stand at their first point, world's axes
    names = ["base", *(f"link_{k}" for k in range(1, n))]
    links = [Link("base"), *(Link(names[k], inertias[k]) for k in range(1, n))]
    cut = n // 2 if cut is None else cut
    joints, loops = [], []
    place = {names[k]: points[k] for k in range(n)}

    def joint(k):  # between link k - 1 and link k, at point k; k = 0 is between the last link and the base
        return names[k - 1], names[k], points[k]

    order = range(1, n) if cut == 0 else [*range(1, cut), 0, *range(n - 1, cut, -1)]
    seen = {"base"}
    for k in order:
        one, two, point = joint(k)
        parent, child = (one, two) if one in seen else (two, one)
        seen.add(child)
        tail = Pose(translation=tuple(place[child] - point))
        origin = Pose(translation=tuple(point - place[parent]))
        name = f"joint_{k}"
        turn = axis if parent == one else -axis
        joints.append(Joint(name, "revolute", parent, child, origin, tuple(turn), tail))
    one, two, point = joint(cut)
    frames = Pose(translation=tuple(point - place[one])), Pose(translation=tuple(point - place[two]))
    loops.append(Loop("cut", "revolute", one, two, *frames, axis=tuple(axis)))
    return Model(f"planar_{seed}_{n}_{cut}", tuple(links), tuple(joints), loops=tuple(loops), active=active)


def spatial_loop(seed, kind, legs=(3, 4)):
    """Return two chains from the base, closed by a cut joint of some kind; with six or more joints it moves."""
    rng = np.random.default_rng(seed)
    links, joints, ends = [Link("base")], [], []
    kinds = ["revolute", "prismatic", "revolute", "spherical", "revolute", "revolute"]
    for side, n in zip("ab", legs, strict=True):
        parent = "base"
        for k in range(n):
            link = Link(f"{side}{k}", some_inertia(rng))
            axis = rng.normal(size=3)
            kind_k = "revolute" if k == 0 else kinds[int(rng.integers(len(kinds)))]
            joints.append(Joint(f"joint_{side}{k}", kind_k, parent, link.name, some_pose(rng), tuple(axis)))
            links.append(link)
            parent = link.name
        ends.append(parent)
    loop = Loop(
        "cut", kind, ends[0], ends[1], some_pose(rng), some_pose(rng), tuple(rng.normal(size=3)), tuple(rng.normal(size=3))
    )
    return Model(f"spatial_{seed}", tuple(links), tuple(joints), loops=(loop,))


class Pinocchio:
    """The same mechanism in Pinocchio, loops as contact constraints between two joints."""

    def __init__(self, model: Model) -> None:
        self.model = to_pinocchio(model)
        self.data = self.model.createData()
        poses = _placed(model)
        self.contacts, self.states = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for loop in model.loops:
            (i, A), (j, B) = (
                (poses[link][0], poses[link][1] * pin.SE3(pose.R, pose.p))
                for link, pose in ((loop.first, loop.first_pose), (loop.second, loop.second_pose))
            )
            kind = {LoopKind.SPHERICAL: pin.ContactType.CONTACT_3D, LoopKind.RIGID: pin.ContactType.CONTACT_6D}[loop.kind]
            self.contacts.append(pin.RigidConstraintModel(kind, self.model, i, A, j, B, pin.ReferenceFrame.LOCAL))
        self.states.extend(contact.createData() for contact in self.contacts)
        pin.initConstraintDynamics(self.model, self.data, self.contacts, self.states)
        self.settings = pin.ProximalSettings(1e-14, 0.0, 1)

    def accelerations(self, q, v, tau):
        """Return the accelerations of the tree under forces along all of its velocities."""
        return pin.constraintDynamics(self.model, self.data, q, v, tau, self.contacts, self.states, self.settings).copy()

    def forces(self, q, v, a):
        """Return the forces of the tree without its loops."""
        return pin.rnea(self.model, self.data, q, v, a)

    def jacobian(self, q):
        """Return the constraint Jacobian."""
        pin.computeJointJacobians(self.model, self.data, q)
        for contact, state in zip(self.contacts, self.states, strict=True):
            contact.calc(self.model, self.data, state)
        return pin.getConstraintsJacobian(self.model, self.data, self.contacts, self.states)


def _placed(model):
    """Return for each link the index of Pinocchio's joint that carries it, and its pose there."""
    places = {model.base: (0, pin.SE3.Identity())}
    number = 0
    for joint in model.joints:
        index, pose = places[joint.parent]
        pose = pose * pin.SE3(joint.origin.R, joint.origin.p)
        if joint.kind is not JointKind.FIXED:
            number += 1
            index, pose = number, pin.SE3.Identity()
        places[joint.child] = (index, pose * pin.SE3(joint.tail.R, joint.tail.p))
    return places


class FreeBodies:
    """A mechanism of single-axis and floating joints as free bodies, all joints, also cut ones, being constraints.

    Positions are multiplied out joint by joint, velocities are their complex steps; nothing of lissom's recursions is used. Where
    constraints are redundant the smallest multipliers are taken.
    """

    def __init__(self, model: Model, q, qd) -> None:
        self.model = model
        tree = model.without_loops()
        (now, joints), (later, _) = link_poses(tree, q), link_poses(tree, q + 1j * H * np.array(rate_of_coordinates(tree, q, qd)))
        self.index = {link.name: k for k, link in enumerate(link for link in model.links if link.name != model.base)}
        self.n = 6 * len(self.index)
        self.state = {}
        for name, (R, p) in now.items():
            dR, dp = (np.imag(x) / H for x in later[name])
            W = dR @ R.T
            self.state[name] = np.real(R), np.real(p), dp, np.array([W[2, 1], W[0, 2], W[1, 0]])
        self.rows, self.owner = [], []
        self.drives = {}
        for joint in model.joints:
            if joint.kind is JointKind.FLOATING:
                continue  # it holds nothing
            R, p = (np.real(x) for x in joints[joint.name])
            z = R @ np.array(joint.axis)
            slides = joint.kind is JointKind.PRISMATIC
            self._hold(joint.name, joint.parent, joint.child, p, z, slides)
            self.drives[joint.name] = (joint.parent, joint.child, p, z, slides)
        for loop in model.loops:
            R, p, _, _ = self.state[loop.second]
            point, z = p + R @ loop.second_pose.p, R @ loop.second_pose.R @ np.array(loop.axis)
            if loop.kind is LoopKind.SPHERICAL:
                for axis in np.eye(3):
                    self._row(loop.name, loop.first, loop.second, point, axis, True)
            else:
                self._hold(loop.name, loop.first, loop.second, point, z, loop.kind is LoopKind.PRISMATIC)

    def _hold(self, name, first, second, point, z, slides):
        x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
        x /= np.linalg.norm(x)
        normal = (x, np.cross(z, x))
        for axis in normal if slides else np.eye(3):
            self._row(name, first, second, point, axis, True)
        for axis in np.eye(3) if slides else normal:
            self._row(name, first, second, point, axis, False)

    def _row(self, name, first, second, point, direction, linear):
        J, bias = self._relative(first, second, point, direction, linear)
        self.rows.append((J, bias))
        self.owner.append((name, direction, linear))

    def _relative(self, first, second, point, direction, linear):
        """Return the row of speed along a direction that is fixed in the first link, and its rate without acceleration."""
        J, bias = np.zeros(self.n), 0.0
        for sign, name in ((1.0, second), (-1.0, first)):
            _, p, v, w = self.state[name]
            r = point - p
            if linear:
                bias += sign * direction @ np.cross(w, np.cross(w, r))
            if name in self.index:
                at = 6 * self.index[name]
                J[at : at + 3] += sign * direction if linear else 0.0
                J[at + 3 : at + 6] += sign * (np.cross(r, direction) if linear else direction)
        w1, w2 = self.state[first][3], self.state[second][3]
        if linear:
            velocity = [self.state[k][2] + np.cross(self.state[k][3], point - self.state[k][1]) for k in (first, second)]
            # the point of the second link moves on, seen from the first
            bias -= 2 * direction @ np.cross(w1, velocity[1] - velocity[0])
        else:
            bias += np.cross(w1, direction) @ (w2 - w1)
        return J, bias

    def solve(self, tau):
        """Return accelerations {joint: rate} and, as `wrenches`, {joint or loop: (force, moment)} on the second link.

        Moments are about the joint. `tau` is {joint: force}.
        """
        M, f = np.zeros((self.n, self.n)), np.zeros(self.n)
        for name, k in self.index.items():
            R, p, v, w = self.state[name]
            inertia, at = self.model.link(name).inertia, 6 * k
            if inertia is None:
                continue
            c = R @ np.array(inertia.com)
            C = cross(c)
            I = R @ np.array(inertia.tensor) @ R.T - inertia.mass * C @ C
            # about the link's origin
            block = np.block([[inertia.mass * np.eye(3), -inertia.mass * C], [inertia.mass * C, I]])
            M[at : at + 6, at : at + 6] = block
            f[at : at + 3] = inertia.mass * (np.array(self.model.gravity) - np.cross(w, np.cross(w, c)))
            f[at + 3 : at + 6] = np.cross(c, inertia.mass * np.array(self.model.gravity)) - np.cross(w, I @ w)
        for name, force in tau.items():
            first, second, point, z, slides = self.drives[name]
            J, _ = self._relative(first, second, point, z, slides)
            f += J * force
        J, bias = np.array([r for r, _ in self.rows]), np.array([b for _, b in self.rows])
        whole = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
        both = np.linalg.lstsq(whole, np.concatenate([f, -bias]), rcond=1e-11)[0]
        self.acceleration, multipliers = both[: self.n], both[self.n :]
        self.wrenches = {}
        for (name, direction, linear), x in zip(self.owner, multipliers, strict=True):
            force, moment = self.wrenches.setdefault(name, [np.zeros(3), np.zeros(3)])
            (force if linear else moment)[:] += x * direction
        found = {}
        for name, (first, second, point, z, slides) in self.drives.items():
            J, b = self._relative(first, second, point, z, slides)
            found[name] = J @ self.acceleration + b
            if name in tau:
                self.wrenches[name][0 if slides else 1] += tau[name] * z
        return found
