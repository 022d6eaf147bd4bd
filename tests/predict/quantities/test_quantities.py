"""Quantities of motion problems: values beside the robot's own functions and Pinocchio, derivatives beside complex steps."""

import numpy as np
import pytest

import lissom
from lissom import Robot, Wrench
from lissom.predict import Quantity, State
from lissom.predict.quantities.by_name import Quantities
from lissom.robots import tree_model
from support.complex_step import H, evaluate
from support.states import error

MODEL = tree_model(5, branching=1.5, skew=0.7, seed=4, kinds=["revolute", "prismatic", "revolute"], drives=True)
TIP, SIDE = MODEL.links[-1].name, MODEL.links[2].name
JOINT = MODEL.independent_joints[-1].name
LOADS = {
    TIP: Wrench(force=[3.0, -2.0, 4.0], moment=[0.3, 0.1, -0.2], point=[0.1, 0.2, -0.1], axes="link"),
    SIDE: Wrench(force=[-1.0, 5.0, 2.0], axes="world"),
}
POINT, CENTER = (0.1, -0.2, 0.3), (0.5, 0.4, -0.3)
# name, options, orders that it depends on
EVERY = [
    ("position", {}, (0,)),
    ("velocity", {}, (1,)),
    ("acceleration", {}, (2,)),
    ("jerk", {}, (3,)),
    ("torque", {}, (0, 1, 2)),
    ("torque_rate", {}, (0, 1, 2, 3)),
    ("power", {}, (0, 1, 2)),
    ("drawn_power", {"rounding": 3.0}, (0, 1, 2)),
    *[("joint_wrench", {"joint": JOINT, "axes": axes}, (0, 1, 2)) for axes in ("joint", "link", "parent", "world")],
    ("joint_wrench", {"joint": JOINT, "components": ("fz", "mx")}, (0, 1, 2)),
    ("link_position", {"link": TIP, "point": POINT}, (0,)),
    ("link_rotation", {"link": TIP}, (0,)),
    ("distance_squared", {"link": TIP, "point": POINT, "center": CENTER}, (0,)),
    ("distance_squared", {"link": TIP, "point": POINT, "center": CENTER, "other": SIDE}, (0,)),
    ("swing_product", {"link": TIP, "root": SIDE, "other": SIDE, "other_root": "link_1", "direction": (3.0, 0.0, 4.0)}, (0,)),
    ("center_of_mass", {}, (0,)),
    ("kinetic_energy", {}, (0, 1)),
    *[("link_velocity", {"link": TIP, "point": POINT, "axes": axes}, (0, 1)) for axes in ("world", "link")],
    ("speed_squared", {"link": TIP, "point": POINT}, (0, 1)),
    *[("link_acceleration", {"link": TIP, "point": POINT, "axes": axes}, (0, 1, 2)) for axes in ("world", "link")],
    ("orientation", {"link": TIP, "target": (0.3, -0.2, 0.5, 0.8)}, (0,)),
    ("link_pose", {"link": TIP, "target": np.diag([1.0, -1.0, -1.0, 1.0]), "point": (0.1, -0.2, 0.3)}, (0,)),
    ("tilt", {"link": TIP, "axis": (1.0, 2.0, -0.5), "direction": (0.3, 0.4, 1.0)}, (0,)),
    *[("momentum", {"about": about}, (0, 1)) for about in ("com", "origin")],
    ("center_of_mass_velocity", {}, (0, 1)),
]
IDS = [name + "".join(f" {value}" for key, value in options.items() if key in ("axes", "components", "other", "about"))
       for name, options, _ in EVERY]  # fmt: skip


def random_state(model, count, seed=0):
    rng = np.random.default_rng(seed)
    return State(tuple(rng.uniform(-1.5, 1.5, (count, model.nv)) for _ in range(4)))


@pytest.fixture(scope="module", params=["llvm", "numpy"])
def quantities(request):
    return Quantities(Robot(MODEL, backend=request.param), LOADS)


@pytest.mark.sweep(10)
@pytest.mark.parametrize(("name", "options", "orders"), EVERY, ids=IDS)
def test_derivatives_and_curvature_are_those_of_complex_steps(quantities, name, options, orders):
    quantity = quantities.get(name, **options)
    state = random_state(MODEL, 3, seed=1)
    n, k, rows = MODEL.nv, len(state), len(orders)
    assert quantity.orders == orders
    values, slopes = quantity.values(state), quantity.derivatives(state)
    assert values.shape == (k, quantity.size) == (k, len(quantity.labels)) == (k, len(quantity.units()))
    assert slopes.shape == (rows, k, quantity.size, n) and quantity.depends.shape == (quantity.size, n)
    weights = np.random.default_rng(2).normal(size=values.shape)
    bend = quantity.curvature(state, weights)
    if name in ("position", "velocity", "acceleration", "jerk"):
        assert np.array_equal(values, state.rates[orders[0]]) and bend is None
        assert np.array_equal(slopes[0], np.broadcast_to(np.eye(n), (k, n, n)))
        return
    for row, order in enumerate(orders):
        theirs = np.array([stepped(quantity, state, order, joint) for joint in range(n)])  # (n, K, size)
        assert error(slopes[row], np.moveaxis(theirs, 0, -1)) < 1e-11
        assert not slopes[row][:, ~quantity.depends].any()
    # curvature: central differences of the derivatives just proven, and symmetry
    assert bend.shape == (k, rows, n, rows, n)
    h = 1e-5
    for row, order in enumerate(orders):
        for joint in range(n):
            plus, minus = (quantity.derivatives(moved(state, order, joint, x)) for x in (h, -h))
            theirs = np.einsum("rkej,ke->krj", (plus - minus) / (2 * h), weights)
            assert np.abs(bend[:, row, joint] - theirs).max() < 1e-7 * max(1.0, np.abs(bend).max())
    assert error(bend, bend.transpose(0, 3, 4, 1, 2)) < 1e-12


def moved(state, order, joint, step):
    rates = [np.array(x, dtype=complex if isinstance(step, complex) else float) for x in state.rates]
    rates[order][:, joint] += step
    return State(tuple(rates))


def stepped(quantity, state, order, joint):
    """Return the derivative of the entries by a complex step through the task itself."""
    if quantity.name == "drawn_power":
        P, slope = quantity.power.values(state), stepped(quantity.power, state, order, joint)
        w = quantity.width
        return np.imag(0.5 * (P + 1j * H * slope + np.sqrt((P + 1j * H * slope) ** 2 + w * w))) / H
    task = quantity._maker(quantity.robot.model, **quantity._options)
    arguments = quantity._arguments(moved(state, order, joint, 1j * H))
    return np.imag(evaluate(task, arguments)) / H


@pytest.mark.sweep("numpy")
def test_values_are_those_of_the_robot(quantities):
    robot, state = quantities.robot, random_state(MODEL, 4, seed=3)
    q, qd, qdd, qddd = state.rates
    tau = robot.inverse_dynamics(q, qd, qdd, external=LOADS)

    def of(name, **options):
        return quantities.get(name, **options).values(state)

    assert error(of("torque"), tau) < 1e-13
    assert error(of("torque_rate"), robot.torque_rates(q, qd, qdd, qddd, external=LOADS)) < 1e-12
    assert error(of("power"), tau * qd) < 1e-13
    number = robot.moving_joint_names.index(JOINT)
    for axes in ("joint", "link", "parent", "world"):
        wrenches = robot.joint_wrenches(q, qd, qdd, external=LOADS, axes=axes)
        assert error(of("joint_wrench", joint=JOINT, axes=axes), wrenches[:, number]) < 1e-12
    whole = of("joint_wrench", joint=JOINT)
    assert np.array_equal(of("joint_wrench", joint=JOINT, components=("mx", "fz")), whole[:, [3, 2]])
    assert np.array_equal(of("joint_wrench", joint=JOINT, components="fy"), whole[:, [1]])
    pose = robot.link_pose(q, TIP)
    place = (pose @ [*POINT, 1.0])[:, :3]
    assert error(of("link_position", link=TIP, point=POINT), place) < 1e-13
    assert error(of("link_rotation", link=TIP), pose[:, :3, :3].reshape(-1, 9)) < 1e-13
    assert error(of("distance_squared", link=TIP, point=POINT, center=CENTER)[:, 0], ((place - CENTER) ** 2).sum(1)) < 1e-12
    there = (robot.link_pose(q, SIDE) @ [*CENTER, 1.0])[:, :3]
    ours = of("distance_squared", link=TIP, point=POINT, center=CENTER, other=SIDE)[:, 0]
    assert error(ours, ((place - there) ** 2).sum(1)) < 1e-12
    assert error(of("center_of_mass"), robot.center_of_mass(q)) < 1e-13
    assert error(of("kinetic_energy"), robot.kinetic_energy(q, qd)) < 1e-13


def test_torques_energies_and_places_are_those_of_pinocchio(quantities):
    pytest.importorskip("pinocchio")
    import pinocchio as pin

    from support.peer import Peer

    peer, state = Peer(MODEL), random_state(MODEL, 3, seed=4)
    for k, (q, qd, qdd, _) in enumerate(zip(*state.rates, strict=True)):
        fext = peer.external(q, LOADS)
        theirs = peer.tau(q, qd, qdd, fext) + peer.friction(qd)
        assert error(quantities.get("torque").values(state)[k], theirs) < 1e-12
        assert error(quantities.get("power").values(state)[k], theirs * qd) < 1e-12
        wrench = peer.wrenches(q, qd, qdd, fext)[[j.name for j in peer.moving].index(JOINT)]
        assert error(quantities.get("joint_wrench", joint=JOINT).values(state)[k], wrench) < 1e-12
        pose = peer.world(q, TIP)
        assert error(quantities.get("link_position", link=TIP, point=POINT).values(state)[k], pose.act(np.array(POINT))) < 1e-12
        assert error(quantities.get("link_rotation", link=TIP).values(state)[k], pose.rotation.ravel()) < 1e-12
        com = pin.centerOfMass(peer.model, peer.data, peer.q(q))
        assert error(quantities.get("center_of_mass").values(state)[k], com) < 1e-12
        M = pin.crba(peer.model, peer.data, peer.q(q))
        M = np.triu(M) + np.triu(M, 1).T
        assert error(quantities.get("kinetic_energy").values(state)[k], [0.5 * (peer.G @ qd) @ M @ (peer.G @ qd)]) < 1e-12


def test_torque_rates_are_the_slope_of_torques_along_a_motion(quantities):
    path = lissom.SplinePath(np.random.default_rng(5).normal(size=(9, MODEL.nv)), 1.3, 5)
    t, h = np.array([0.2, 0.61, 1.0]), 1e-5
    after, before = (quantities.get("torque").values(State(path.states(t + x))) for x in (h, -h))
    # friction's sign may turn between the two: it does not for these
    assert error(quantities.get("torque_rate").values(State(path.states(t))), (after - before) / (2 * h)) < 1e-7


@pytest.mark.slow
def test_one_instant_is_as_good_as_many(quantities):
    state = random_state(MODEL, 6, seed=6)
    for name, options, _ in EVERY:
        quantity = quantities.get(name, **options)
        weights = np.ones((6, quantity.size))
        for k in (0, 5):
            one = State(tuple(x[k : k + 1] for x in state.rates))
            assert error(quantity.values(one), quantity.values(state)[k : k + 1]) < 1e-12
            assert error(quantity.derivatives(one), quantity.derivatives(state)[:, k : k + 1]) < 1e-12
            if quantity.curvature(state, weights) is not None:
                assert error(quantity.curvature(one, weights[:1]), quantity.curvature(state, weights)[k : k + 1]) < 1e-11


def test_at_rest_torques_depend_on_velocities_by_viscous_friction_only():
    state = random_state(MODEL, 2, seed=7)
    still = State((state.rates[0], 0 * state.rates[1], *state.rates[2:]))
    viscous = np.array([j.friction.viscous for j in MODEL.independent_joints])
    assert viscous.any()
    by_speed = Quantities(Robot(MODEL, backend="numpy"), LOADS).get("torque").derivatives(still)[1]
    assert error(by_speed, np.broadcast_to(np.diag(viscous), by_speed.shape)) < 1e-9


def test_units_follow_the_kind_of_joint():
    quantities = Quantities(lissom.robots.rp())
    assert quantities.get("position").units() == ("m", "rad")
    assert quantities.get("jerk").units() == ("m/s^3", "rad/s^3")
    assert quantities.get("torque").units() == ("N", "N m")
    assert quantities.get("torque_rate").units() == ("N/s", "N m/s")
    assert quantities.get("power").units() == ("W", "W")
    joint = lissom.robots.rp().joint_names[0]
    wrench = quantities.get("joint_wrench", joint=joint, components=("fx", "mz"))
    assert wrench.units() == ("N", "N m") and wrench.labels == (f"{joint}.fx", f"{joint}.mz")


def test_the_same_options_give_the_same_quantity():
    quantities = Quantities(lissom.robots.rr())
    link = lissom.robots.rr().model.links[-1].name
    one = quantities.get("link_position", link=link, point=[0.1, 0.0, 0.0])
    assert quantities.get("link_position", point=(0.1, 0.0, 0.0), link=link) is one
    assert quantities.get("link_position", point=np.array([0.1, 0.0, 0.0]), link=link) is one
    assert quantities.get("link_position", link=link) is not one


def test_a_bare_quantity_computes_nothing():
    bare, state = Quantity(), random_state(MODEL, 1)
    for call in (bare.values, bare.derivatives, lambda s: bare.curvature(s, np.zeros((1, 1)))):
        with pytest.raises(NotImplementedError):
            call(state)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("torqe", {}, "no quantity 'torqe'; did you mean 'torque'"),
        ("speed", {}, "no quantity 'speed'; did you mean 'speed_squared'"),
        ("joint_wrench", {}, "'joint_wrench' needs joint=, the name of a joint"),
        ("joint_wrench", {"joint": "elbo"}, "no .*joint 'elbo'"),
        ("joint_wrench", {"joint": JOINT, "components": ("fq",)}, "no component 'fq' of a wrench"),
        ("joint_wrench", {"joint": JOINT, "components": ()}, r"components of a wrench are \[\], expected one or more, each once"),
        ("joint_wrench", {"joint": JOINT, "components": ("fx", "fx")}, "expected one or more, each once"),
        ("joint_wrench", {"joint": JOINT, "axes": "sky"}, "axes"),
        ("link_position", {"link": [TIP]}, r"link is \['.*'\], expected a name"),
        ("link_position", {"link": TIP, "point": {"x": 1.0}}, "point of quantity 'link_position' is {'x': 1.0}"),
        ("drawn_power", {"rounding": 0.0}, r"rounding is 0.0, expected a positive number \[W\]"),
        ("link_position", {"link": "hnad"}, "no link 'hnad'"),
        ("link_rotation", {"link": TIP, "point": POINT}, "'link_rotation' has no option point=; expected one of 'link'"),
        ("distance_squared", {"link": TIP, "other": "hnad"}, "no link 'hnad'"),
        ("position", {"link": TIP}, "'position' has no option link="),
        ("link_position", {"link": TIP, "point": (0.0, 1.0)}, "point"),
        ("link_position", {"link": TIP, "point": (0.0, 1.0, np.nan)}, "point"),
        ("distance_squared", {"link": TIP, "center": (0.0, 1.0)}, "center"),
    ],
)
def test_wrong_names_and_options_are_told(name, options, message):
    with pytest.raises(lissom.LissomError, match=message):
        Quantities(Robot(MODEL, backend="numpy")).get(name, **options)
