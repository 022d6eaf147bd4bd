"""OpenSim models for tests, made with OpenSim's own interface."""

from __future__ import annotations

import numpy as np


def every_joint(opensim, path, seed=1):
    """Write a model with a chain of every joint that lissom reads, at skew frames; one runs from body to ground."""
    o, rng = opensim, np.random.default_rng(seed)

    def vec(scale=0.3):
        return o.Vec3(*(float(x) for x in rng.uniform(-scale, scale, 3)))

    def body(name):
        a, b, c = rng.uniform(0.05, 0.08, 3)
        xy, xz, yz = rng.uniform(-0.005, 0.005, 3)
        mass = float(rng.uniform(0.5, 2.0))
        made = o.Body(name, mass, vec(), o.Inertia(float(a), float(b), float(c), float(xy), float(xz), float(yz)))
        model.addBody(made)
        bodies[name] = made
        return made

    bodies = {}
    model = o.Model()
    model.setName("every_joint")
    model.setGravity(o.Vec3(0.3, -9.7, 0.4))
    holder = model.getGround()
    kinds = (o.FreeJoint, o.PinJoint, o.SliderJoint, o.UniversalJoint, o.GimbalJoint, o.BallJoint, o.PlanarJoint, o.WeldJoint)
    for kind in kinds:
        name = kind.__name__.replace("Joint", "").lower()
        made = body(name)
        model.addJoint(kind(f"{name}_joint", holder, vec(), vec(), made, vec(), vec()))
        holder = made
    for kind, more in (
        (o.EllipsoidJoint, (o.Vec3(0.1, 0.2, 0.3),)),
        (o.EllipsoidJoint, (o.Vec3(0.2, 0.2, 0.2),)),
        (o.ScapulothoracicJoint, (o.Vec3(0.15, 0.2, 0.1), o.Vec2(0.05, -0.02), 0.3)),
    ):
        made = body(f"ellipsoid_{len(bodies)}")
        model.addJoint(kind(f"{made.getName()}_joint", holder, vec(), vec(), made, vec(), vec(), *more))
        holder = made
    # a joint whose child carries its parent: from the body to the ground
    for kind in (o.PinJoint, o.GimbalJoint):
        made = body(f"backward_{kind.__name__}")
        model.addJoint(kind(f"from_{kind.__name__}", made, vec(), vec(), model.getGround(), vec(), vec()))
    made = body("custom")
    model.addJoint(custom(o, "custom_joint", bodies["pin"], made, vec))
    backward = body("backward_custom")
    model.addJoint(custom(o, "custom_backward", backward, bodies["slider"], vec, "b"))
    for k in range(3):
        mark = o.Marker(f"mark_{k}", bodies[("ball", "custom", "free")[k]], vec())
        model.addMarker(mark)
    frame = o.PhysicalOffsetFrame("offset", made, o.Transform(vec()))
    made.addComponent(frame)
    model.addMarker(o.Marker("on_offset", frame, vec()))
    couple(o, model, "gimbal_joint_coord_1", "custom_a", o.LinearFunction(0.4, 0.1))
    couple(o, model, "from_GimbalJoint_coord_0", "custom_a", spline(o))
    model.finalizeConnections()
    model.printToXML(str(path))
    return path


def spline(o, count=6):
    """Return a SimmSpline of some points."""
    made = o.SimmSpline()
    for x, y in zip((-2.0, -1.2, -0.5, 0.1, 0.9, 1.6)[:count], (0.1, 0.3, 0.15, -0.1, 0.2, 0.25), strict=False):
        made.addPoint(x, y)
    return made


def couple(o, model, follower, leader, function):
    """Add a constraint that couples two coordinates."""
    made = o.CoordinateCouplerConstraint()
    made.setName(f"{follower}_follows")
    names = o.ArrayStr()
    names.append(leader)
    made.setIndependentCoordinateNames(names)
    made.setDependentCoordinateName(follower)
    made.setFunction(function)
    model.addConstraint(made)


def custom(o, name, parent, child, vec, prefix="custom"):
    """Return a custom joint of two coordinates that move five axes, by every function that lissom reads.

    Its third rotation is constant: for a third one by a function, or after a constant one, OpenSim's velocities are not
    the rates of its places (`test_against_opensim.py`).
    """
    transform = o.SpatialTransform()
    line = o.PiecewiseLinearFunction()
    for x, y in ((-2.0, 0.3), (-0.5, -0.1), (0.2, 0.2), (1.5, 0.1)):
        line.addPoint(x, y)
    first, second = f"{prefix}_a", f"{prefix}_b"
    inner = spline(o, 3)
    inner.thisown = False  # the multiplier owns it
    times = o.MultiplierFunction(inner, 0.7)
    powers = o.Vector(3, 0.0)
    for k, value in enumerate((0.1, 0.7, -0.05)):
        powers.set(k, value)
    axes = {
        "rotation1": (first, o.LinearFunction(1.0, 0.0), (0, 0, 1)),
        "rotation2": (second, o.LinearFunction(-1.0, 0.0), (0.6, 0.8, 0)),
        "rotation3": ("", o.Constant(0.3), (1, 0, 0.2)),
        "translation1": (first, times, (1, 0, 0)),
        "translation2": (first, o.PolynomialFunction(powers), (0, 2, 0)),
        "translation3": (second, line, (0, 0.1, 1)),
    }
    for key, (coordinate, function, direction) in axes.items():
        axis = getattr(transform, f"upd_{key}")()
        if coordinate:
            names = o.ArrayStr()
            names.append(coordinate)
            axis.setCoordinateNames(names)
        axis.set_function(function)
        axis.setAxis(o.Vec3(*(float(x) for x in direction)))
    return o.CustomJoint(name, parent, vec(), vec(), child, vec(), vec(), transform)


def turns_in_turn(opensim, path, second, third):
    """Write a body on a custom joint that turns by "a", then by `second` and `third`: coordinates and a function of them."""
    o = opensim
    model = o.Model()
    model.setName("turns")
    body = o.Body("body", 1.3, o.Vec3(0.1, 0.2, 0.3), o.Inertia(0.06, 0.07, 0.08, 0.001, 0.002, 0.003))
    model.addBody(body)
    transform = o.SpatialTransform()
    rows = ((("a",), o.LinearFunction(1.0, 0.0), (0.0, 0.0, 1.0)), (*second, (1.0, 0.0, 0.0)), (*third, (0.0, 1.0, 0.0)))
    for k, (coordinates, function, direction) in enumerate(rows):
        axis = getattr(transform, f"upd_rotation{k + 1}")()
        names = o.ArrayStr()
        for name in coordinates:
            names.append(name)
        axis.setCoordinateNames(names)
        axis.set_function(function)
        axis.setAxis(o.Vec3(*direction))
    zero = o.Vec3(0)
    model.addJoint(o.CustomJoint("joint", model.getGround(), zero, zero, body, zero, zero, transform))
    model.finalizeConnections()
    model.printToXML(str(path))
    return path
