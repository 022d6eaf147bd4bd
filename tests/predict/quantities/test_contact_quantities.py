"""Quantities under unknown loads and of contacts: values beside the robot's own functions, derivatives beside complex steps."""

import numpy as np
import pytest

from lissom import LissomError, Robot, StateError, Wrench
from lissom.predict import State, Surface
from lissom.predict.data.channels import Channel
from lissom.predict.data.contact import new_contact
from lissom.predict.quantities.by_name import Quantities
from lissom.robots import tree_model
from support.complex_step import H, evaluate
from support.states import error

MODEL = tree_model(6, branching=1.5, skew=0.7, seed=4, kinds=["revolute", "prismatic", "revolute"], drives=True)
TIP, OTHER = MODEL.links[-1].name, MODEL.links[-2].name
SOLE = ((0.1, -0.2, 0.3), (0.2, -0.2, 0.3), (0.1, 0.3, 0.3), (0.2, 0.3, 0.3))
SLOPE = Surface(normal=(0.3, 0.2, 1.0), point=(0.1, 0.2, -0.5), along=(1, 1, 0))
LID = Surface(normal=(0.3, -0.2, 1.0), point=(0.1, 0.2, -0.5), link=OTHER)


def with_contacts(robot, surface, points=SOLE, push=True, **options):
    """Quantities of a robot with a contact whose place is unknown, and a wrench on the same link."""
    told = {"friction": 0.7, "place": None, "cone": "pyramid", "faces": 4, "during": None, **options}
    contact = new_contact(robot, "foot", TIP, points, surface=surface, **told)
    found = Quantities(robot, {TIP: Wrench([1.0, 2.0, 3.0], axes="world")})
    if push:
        found = found.with_channel(Channel("push", ("fx", "mz"), ("N", "N m"), 1, TIP, "link", (0.3, 0.2, 0.1)), ())
    found = found.with_channel(Channel("foot_force", contact.entries, ("N",) * len(contact.entries), touch=contact.touch), ())
    found = found.with_channel(Channel("foot_place", contact.placed, ("m",) * len(contact.placed), 0), ())
    found.contacts["foot"] = contact
    return found


def state_of(quantity, joints, rows=3, seed=0):
    rng = np.random.default_rng(seed)
    n = quantity.depends.shape[1]
    rates = [rng.uniform(-1.5, 1.5, (rows, n)) for _ in range(4)]
    if quantity.name == "pressure_point":
        rates[0][:, joints:] += 20.0
    return State(tuple(rates))


def step(quantity, state):
    """Derivatives by complex steps: through the task's text where there is one, else through `values`."""
    R, (K, n) = len(quantity.orders), state.rates[0].shape
    found = np.zeros((R, K, quantity.size, n))
    for r, order in enumerate(quantity.orders):
        for j in range(n):
            rates = [rate.astype(complex) for rate in state.rates]
            rates[order][:, j] += 1j * H
            moved = State(tuple(rates))
            if hasattr(quantity, "_maker"):
                task = quantity._maker(quantity.robot.model, **quantity._options)
                y = evaluate(task, [np.broadcast_to(x, (K, x.shape[-1])) for x in quantity._arguments(moved)])
            else:
                y = quantity.values(moved)
            found[r, :, :, j] = y.imag / H
    return found


BOTH = (("a slope", SLOPE), ("a lid", LID))
CASES = {
    "power on the ground": ("power", None),
    **{f"{name} on {where}": (name, surface) for name in ("torque", "torque_rate") for where, surface in BOTH},
    "joint_wrench on a lid": ("joint_wrench", LID),
    "joint_wrench on a slope": ("joint_wrench", SLOPE),
    **{f"{name} on {where}": (name, surface) for name in ("gap", "gap_rate", "pressure_point") for where, surface in BOTH},
    **{f"{name} on a slope": (name, SLOPE) for name in ("friction", "contact_force", "contact_force_rate")},
    "clearance on a lid": ("clearance", LID),
}  # fmt: skip


def quantity_of(name, surface, **options):
    quantities = with_contacts(Robot(MODEL), surface, **options)
    if name == "joint_wrench":
        return quantities.get(name, joint=MODEL.joints[1].name)
    if name == "clearance":
        return quantities.get(name, link=TIP, points=SOLE, surface=surface)
    more = {} if name in ("torque", "power", "torque_rate") else {"contact": "foot"}
    return quantities.get(name, **more)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("case", CASES)
def test_derivatives_are_complex_steps(case):
    quantity = quantity_of(*CASES[case])
    state = state_of(quantity, MODEL.nv if quantity.path else 0)
    exact = step(quantity, state)
    D = np.array(quantity.derivatives(state))
    assert error(D, exact) < 1e-11
    assert not (exact[:, :, ~quantity.depends]).any()  # entries that are said not to depend on a column
    weights = np.random.default_rng(1).uniform(-1, 1, (len(state), quantity.size))
    curvature = quantity.curvature(state, weights)
    H = np.zeros((len(state), *(len(quantity.orders), D.shape[3]) * 2)) if curvature is None else curvature
    h, slopes = 1e-5, np.zeros_like(H)
    for r, order in enumerate(quantity.orders):
        for j in range(D.shape[3]):
            sides = []
            for sign in (1, -1):
                rates = [rate.copy() for rate in state.rates]
                rates[order][:, j] += sign * h
                sides.append(np.einsum("ke,rkej->krj", weights, quantity.derivatives(State(tuple(rates)))))
            slopes[:, r, j] = (sides[0] - sides[1]) / (2 * h)
    assert error(H, slopes) < 1e-6


FLOATING = tree_model(4, branching=1.5, skew=0.7, seed=6, kinds=["floating", "revolute", "prismatic", "revolute"], drives=True)


@pytest.mark.slow
@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ["torque", "torque_rate", "gap", "gap_rate", "pressure_point"])
def test_derivatives_along_paths_of_floating_robots_are_complex_steps(name):
    robot, links = Robot(FLOATING), [link.name for link in FLOATING.links]
    surface = Surface(normal=(0.3, -0.2, 1.0), point=(0.1, 0.2, -0.5), link=links[1] if name == "torque_rate" else None)
    contact = new_contact(robot, "foot", links[-1], SOLE, 0.7, surface, None, "pyramid", 4, None)
    quantities = Quantities(robot).with_channel(Channel("foot_force", contact.entries, ("N",) * 12, touch=contact.touch), ())
    quantities = quantities.with_channel(Channel("foot_place", contact.placed, ("m",) * 3, 0), ()).with_contact(contact)
    quantity = quantities.get(name, **({} if "torque" in name else {"contact": "foot"}))
    state = state_of(quantity, FLOATING.nv)
    assert error(np.array(quantity.derivatives(state)), step(quantity, state)) < 1e-10


def test_exact_cones_and_points_in_line():
    quantity = quantity_of("friction", SLOPE, cone="cone")
    state = state_of(quantity, 0)
    assert error(np.array(quantity.derivatives(state)), step(quantity, state)) < 1e-12
    f = state.rates[0].reshape(3, 4, 3)
    assert error(quantity.values(state), 0.49 * f[..., 2] ** 2 - f[..., 0] ** 2 - f[..., 1] ** 2) < 1e-12
    assert quantity_of("gap", SLOPE, points=SOLE[:2]).size == 5 and quantity_of("gap", SLOPE, points=SOLE[0]).size == 3
    in_line = [(0.1 * k, 0.2, 0.0) for k in range(4)]
    assert quantity_of("gap", SLOPE, points=in_line).size == 5


def forces_on_links(robot, q, f, surface):
    """External wrenches of forces f (4, 3) at the sole: about the origins of links, along the world's axes."""
    poses = dict(zip(robot.link_names, robot.link_poses(q), strict=True))
    A = np.array(surface.axes)
    if surface.link is not None:
        A = poses[surface.link][:3, :3] @ A
    T = poses[TIP]
    places = np.array(SOLE) @ T[:3, :3].T + T[:3, 3]
    F = f @ A.T

    def about(link, sign):
        origin = poses[link][:3, 3]
        return Wrench(sign * F.sum(0), sign * np.cross(places - origin, F).sum(0), axes="world")

    return {TIP: about(TIP, 1.0)} | ({} if surface.link is None else {surface.link: about(surface.link, -1.0)})


@pytest.mark.sweep("llvm-surface0", "numpy-surface1")
@pytest.mark.parametrize("surface", [SLOPE, LID])
def test_torques_and_wrenches_are_those_under_the_forces(surface, backend):
    robot = Robot(MODEL, backend=backend)
    n = MODEL.nv
    quantities = with_contacts(robot, surface, push=False)
    rng = np.random.default_rng(3)
    q, qd, qdd = rng.uniform(-1, 1, (3, n))
    f = rng.uniform(-5, 5, (4, 3))
    external = forces_on_links(robot, q, f, surface)
    own = external[TIP]
    external[TIP] = Wrench(own.force + [1.0, 2.0, 3.0], own.moment, axes="world")
    state = State(tuple(np.concatenate([x, f.ravel()])[None] for x in (q, qd, qdd, 0 * q)))
    tau = robot.inverse_dynamics(q, qd, qdd, external=external)
    assert error(quantities.get("torque").values(state)[0], tau) < 1e-12
    assert error(quantities.get("power").values(state)[0], tau * qd) < 1e-12
    wrenches = robot.joint_wrenches(q, qd, qdd, external=external)
    for k, joint in enumerate(robot.wrench_names):
        assert error(quantities.get("joint_wrench", joint=joint).values(state)[0], wrenches[k]) < 1e-12


@pytest.mark.parametrize("surface", [SLOPE, LID])
def test_torque_rates_are_rates_of_torques(surface):
    quantities = with_contacts(Robot(MODEL), surface)
    torque, rate = quantities.get("torque"), quantities.get("torque_rate")
    rng = np.random.default_rng(5)
    c = rng.uniform(-1, 1, (5, torque.n))  # coefficients of a polynomial in time

    def motion(t, order):
        powers = [
            np.polynomial.Polynomial(column).deriv(order)(t) if order else np.polynomial.Polynomial(column)(t) for column in c.T
        ]
        return np.array(powers).T

    t = np.array([0.1, 0.4])
    h = 1e-5
    taus = [torque.values(State(tuple(motion(t + d, r) for r in range(4)))) for d in (-2 * h, -h, h, 2 * h)]
    slope = (taus[0] - 8 * taus[1] + 8 * taus[2] - taus[3]) / (12 * h)
    assert error(rate.values(State(tuple(motion(t, r) for r in range(4)))), slope) < 1e-8


def test_gaps_are_coordinates_on_the_surface():
    robot = Robot(MODEL)
    q = np.random.default_rng(2).uniform(-1, 1, MODEL.nv)
    for surface in (SLOPE, LID):
        poses = dict(zip(robot.link_names, robot.link_poses(q), strict=True))
        x = np.array(SOLE) @ poses[TIP][:3, :3].T + poses[TIP][:3, 3]
        if surface.link is not None:
            x = (x - poses[OTHER][:3, 3]) @ poses[OTHER][:3, :3]
        seen = (x - surface.point) @ np.array(surface.axes)
        place = np.array([0.2, -0.1, 0.6])
        quantities = with_contacts(robot, surface)
        state = State((np.concatenate([q, place])[None],) + (np.zeros((1, MODEL.nv + 3)),) * 3)
        way = seen[1] - seen[0]
        third = 2 if quantities.contacts["foot"].tips[2] == 2 else 3
        rows = [*(seen[0, :2] - place[:2]), seen[0, 2], seen[1, 2], way[1] * np.cos(0.6) - way[0] * np.sin(0.6), seen[third, 2]]
        assert error(quantities.get("gap", contact="foot").values(state)[0], np.array(rows)) < 1e-12
        clearance = quantities.get("clearance", link=TIP, points=SOLE, surface=surface)
        assert error(clearance.values(State((q[None],) * 4))[0], seen[:, 2]) < 1e-12
        forces = np.random.default_rng(3).uniform(1, 5, (4, 3))
        pressed = quantities.get("pressure_point", contact="foot")
        state = State((np.concatenate([q, forces.ravel()])[None],) * 4)
        assert error(pressed.values(state)[0], forces[:, 2] @ seen[:, :2] / forces[:, 2].sum()) < 1e-12


def test_a_friction_pyramid_is_inside_its_cone_and_touches_it_at_its_edges():
    quantities = with_contacts(Robot(MODEL), SLOPE, points=SOLE[0], faces=5)
    friction = quantities.get("friction", contact="foot")
    angle = np.linspace(0, 2 * np.pi, 181)
    edge = 0.7 * np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def inside(scale):
        f = np.column_stack([scale * edge, np.ones(len(edge))])
        return (friction.values(State((f,) * 4)) >= -1e-12).all(axis=1)

    assert not inside(1.0 + 1e-9).any() and inside(np.cos(np.pi / 5)).all()
    assert inside(1.0)[[0, 36, 72, 108, 144]].all()  # one edge along t1


BAD = {
    "no link": ({"link": "foot"}, "no link 'foot'"),
    "no points": ({"points": []}, "expected 1 to 100 points"),
    "a point of two numbers": ({"points": [(0, 1)]}, "expected three numbers in the link's frame"),
    "the same point twice": ({"points": [(0, 1, 0), (0, 1, 0)]}, "points 1 and 2 of contact 'foot' are the same"),
    "points that no plane has": ({"points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0.2)]}, "off the plane"),
    "no friction": ({"friction": 0.0}, "friction of contact 'foot' is 0"),
    "a friction that is no number": ({"friction": "high"}, "expected a coefficient"),
    "a cone of another kind": ({"cone": "box"}, "no cone 'box'"),
    "two faces": ({"faces": 2}, "expected a whole number from 3 to 100"),
    "a place of two numbers": ({"place": (0.0, 0.0)}, r"expected \(x, y, heading\)"),
    "a surface of its own": ({"surface": Surface(link=TIP)}, "cannot rest on a surface of its own"),
    "a surface of another kind": ({"surface": 3}, "expected a lissom.predict.Surface"),
    "a surface with an unknown field": ({"surface": {"heigth": 0.1}}, "did you mean 'height'"),
    "no name": ({"name": ""}, "expected text"),
}


@pytest.mark.parametrize("what", BAD)
def test_contacts_that_cannot_be_are_refused(what):
    given, message = BAD[what]
    told = {"name": "foot", "link": TIP, "points": SOLE, "friction": 0.8, "surface": None}
    told |= {"place": None, "cone": "pyramid", "faces": 4, "during": None, **given}
    with pytest.raises(LissomError, match=message):
        new_contact(Robot(MODEL), **told)


def test_surfaces_that_cannot_be_are_refused():
    for given, message in (
        ({"normal": (0, 0, 0)}, "normal of a surface is zero"),
        ({"point": (0, 0)}, "expected three numbers"),
        ({"along": (0, 0, 2)}, "not a direction in the plane"),
        ({"link": 3}, "expected a name"),
    ):
        with pytest.raises(StateError, match=message):
            Surface(**given)
    with pytest.raises(LissomError, match="no contact 'hand'"):
        Quantities(Robot(MODEL)).get("gap", contact="hand")
