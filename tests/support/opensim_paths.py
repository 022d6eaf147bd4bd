"""Muscles and surfaces of random sizes on a ball joint, made with OpenSim's API and with lissom's classes."""

import numpy as np

from lissom import Inertia, Joint, JointKind, Link, Model, Pose
from lissom.model.pose import rotation_about
from lissom.muscles import Path, Point, Surface, Wrap

KINDS = {"sphere": "WrapSphere", "cylinder": "WrapCylinder", "ellipsoid": "WrapEllipsoid", "torus": "WrapTorus"}


def ball():
    """Return a model: a body on a ball joint."""
    return Model(
        "ball", (Link("ground"), Link("a", Inertia(1, (0, 0, 0), np.eye(3)))), (Joint("j", JointKind.SPHERICAL, "ground", "a"),)
    )


class Judge:
    """A path over a surface on the ground, from the ground to the body."""

    def __init__(self, opensim, kind, side, seed):
        rng = np.random.default_rng(seed)
        self.o, self.model = opensim, opensim.Model()
        body = opensim.Body("a", 1, opensim.Vec3(0), opensim.Inertia(1, 1, 1))
        self.model.addBody(body)
        self.model.addJoint(opensim.BallJoint("j", self.model.getGround(), body))
        r, angles, place = rng.uniform(0.03, 0.06), rng.uniform(-1, 1, 3), rng.uniform(-0.01, 0.01, 3)
        wrap = getattr(opensim, KINDS[kind])()
        if kind == "ellipsoid":
            sizes = tuple(rng.uniform(0.02, 0.06, 3))
            wrap.set_dimensions(opensim.Vec3(*sizes))
        elif kind == "torus":
            sizes = (r / 4, r)
            wrap.set_inner_radius(sizes[0])
            wrap.set_outer_radius(sizes[1])
        else:
            sizes = (r, 0.5)[: 2 if kind == "cylinder" else 1]
            wrap.set_radius(r)
            if kind == "cylinder":
                wrap.set_length(0.5)
        wrap.setName("w")
        wrap.set_xyz_body_rotation(opensim.Vec3(*angles))
        wrap.set_translation(opensim.Vec3(*place))
        wrap.set_quadrant(side.replace("+", ""))
        self.model.getGround().addWrapObject(wrap)
        p1, p2 = rng.uniform(-0.02, 0.02, 3) + [-0.12, 0, 0], rng.uniform(-0.02, 0.02, 3) + [0.12, 0, 0]
        self.force = opensim.PathActuator()
        self.force.setName("m")
        self.force.addNewPathPoint("p1", self.model.getGround(), opensim.Vec3(*p1))
        self.force.addNewPathPoint("p2", body, opensim.Vec3(*p2))
        self.model.addForce(self.force)
        self.force.updGeometryPath().addPathWrap(wrap)
        self.state = self.model.initSystem()
        self.rng = rng
        self.surface = Surface("w", kind, "ground", turned(angles, place), sizes, side)
        self.points = (Point("ground", tuple(p1)), Point("a", tuple(p2)))

    def path(self, **options):
        """Return lissom's path."""
        return Path(self.points, (Wrap(self.surface, **options),))

    def lengths(self, n):
        """Return n configurations (n, 4) of lissom, OpenSim's lengths, and its moment arms about the axes x, y, z at zero."""
        q, found = [], []
        coordinates = self.model.getCoordinateSet()
        for angles in self.rng.uniform(-1.2, 1.2, (n, 3)):
            for k in range(3):
                coordinates.get(k).setValue(self.state, angles[k], False)
            self.model.realizePosition(self.state)
            found.append(self.force.getGeometryPath().getLength(self.state))
            turn = self.model.getBodySet().get("a").getTransformInGround(self.state).R().convertRotationToQuaternion()
            q.append([turn.get(1), turn.get(2), turn.get(3), turn.get(0)])
        return np.array(q), np.array(found)


def turned(angles, place):
    """Return the pose with rotations about the body's own x, then y, then z axis."""
    R = np.eye(3)
    for axis, angle in zip(np.eye(3), angles, strict=True):
        R = R @ rotation_about(tuple(axis), angle)
    return Pose(R, tuple(place))
