"""The front door: names and sizes, what a call may look like, and every refusal."""

import copy
import pickle
import sys
import threading
import warnings

import numpy as np
import pytest

import lissom
from lissom import BaseMotion, Inertia, Joint, Link, Model, NameLookupError, Robot, StateError, Wrench, robots
from lissom.robots import tree_model
from support.states import error, random_states

nan, inf = float("nan"), float("inf")


@pytest.fixture(scope="module")
def model():
    return tree_model(4, seed=21, kinds=["revolute", "spherical", "prismatic", "planar"], floating=True, coupled=0.3)


@pytest.fixture
def robot(model, backend):
    return Robot(model, backend=backend)


@pytest.fixture(params=["first call", "later call"])
def arm(request, backend):
    """A robot of two joints; later calls go through the built-in function."""
    arm = Robot(robots.planar_two_link_model(), backend=backend)
    if request.param == "later call":
        for lead in ((), (3,)):
            arm.inverse_dynamics(*np.zeros((3, *lead, 2)))
            arm.bias_torques(*np.zeros((2, *lead, 2)))
            arm.gravity_torques(np.zeros((*lead, 2)))
    return arm


def test_names_and_sizes_are_those_of_the_model(model, robot):
    assert robot.name == model.name
    assert (robot.nq, robot.nv) == (model.nq, model.nv)
    assert robot.joint_names == tuple(j.name for j in model.independent_joints)
    assert robot.moving_joint_names == tuple(j.name for j in model.joints if j.kind.nv)
    assert robot.link_names == tuple(link.name for link in model.links)
    assert repr(robot) == f"<Robot {model.name!r}: 5 moving joints, nq = {model.nq}, nv = {model.nv}>"
    assert repr(robots.tree(1)) == "<Robot 'tree_1_1.5_0': 1 moving joint, nq = 4, nv = 3>"


def test_neutral_configuration_is_at_rest(robot):
    q = robot.neutral()
    assert q.shape == (robot.nq,)
    assert sorted(q)[-2:] == [1.0, 1.0]
    assert np.count_nonzero(q) == 2
    robot.gravity_torques(q)


def test_model_is_needed():
    with pytest.raises(StateError, match=r"Robot needs a Model, got str; lissom.load\(path\) reads one from a file"):
        Robot("ur5.urdf")


def test_unknown_backend_is_refused(model):
    with pytest.raises(StateError, match="no backend 'lvm'; did you mean 'llvm'"):
        Robot(model, backend="lvm")
    with pytest.raises(StateError, match=r"no backend 'cuda:1'; of several cards .* robot.to\('cuda', device=1\)"):
        Robot(model).to("cuda:1")


def test_backend_is_machine_code_where_the_compiler_works(model):
    assert Robot(model).backend.name == "llvm"
    assert Robot(model, backend="numpy").backend.name == "numpy"


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))], ids=["copy", "deepcopy", "pickle"]
)
def test_copies_compute_the_same(robot, model, again):
    state = random_states(model, 3, seed=1)
    tau = robot.inverse_dynamics(*state)
    other = again(robot)
    assert other is not robot
    assert (other.model, other.backend) == (robot.model, robot.backend)
    assert np.array_equal(other.inverse_dynamics(*state), tau)


def test_arguments_may_be_named(arm):
    q, qd, qdd = random_states(arm.model, 3, seed=2)
    tau, out = arm.inverse_dynamics(q, qd, qdd), np.empty((3, 2))
    assert np.array_equal(arm.inverse_dynamics(q=q, qd=qd, qdd=qdd), tau)
    assert np.array_equal(arm.inverse_dynamics(q, qdd=qdd, qd=qd), tau)
    assert arm.inverse_dynamics(q, qd, qdd=qdd, out=out) is out
    assert np.array_equal(out, tau)
    assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, external=None), tau)
    assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, out=None), tau)
    assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, external=None, base_motion=None, out=None), tau)
    assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, external={}), tau)
    assert np.array_equal(arm.bias_torques(q=q, qd=qd), arm.bias_torques(q, qd))
    assert np.array_equal(arm.gravity_torques(q=q), arm.gravity_torques(q))


def test_external_may_be_positional_or_named(arm):
    state = random_states(arm.model, seed=2)
    push = {arm.link_names[-1]: Wrench((0, 0, 5), axes="world")}
    one = arm.inverse_dynamics(*state, external=push)
    assert np.array_equal(arm.inverse_dynamics(*state, external=push), one)
    assert not np.array_equal(arm.inverse_dynamics(*state), one)
    out = np.empty(2)
    assert arm.inverse_dynamics(*state, external=push, out=out) is out
    assert np.array_equal(out, one)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r, x: r.inverse_dynamics(x, x), "qdd"),
        (lambda r, x: r.inverse_dynamics(), "q"),
        (lambda r, x: r.inverse_dynamics(x, x, x, None), "positional"),
        (lambda r, x: r.inverse_dynamics(x, x, x, q=x), "multiple values for argument 'q'"),
        (lambda r, x: r.inverse_dynamics(x, x, x, tau=x), "unexpected keyword argument 'tau'"),
        (lambda r, x: r.inverse_dynamics(x, x, x, out=None, axes="world"), "unexpected keyword argument 'axes'"),
        (lambda r, x: r.gravity_torques(x, x=x), "unexpected keyword argument 'x'"),
        (lambda r, x: r.bias_torques(x), "qd"),
    ],
)
def test_calls_of_the_wrong_form_are_type_errors(arm, call, message):
    with pytest.raises(TypeError, match=message):
        call(arm, np.zeros(2))


def test_methods_keep_their_documentation(arm):
    assert "joint torques" in arm.inverse_dynamics.__doc__
    assert arm.inverse_dynamics.__name__ == "inverse_dynamics"


@pytest.mark.parametrize(
    ("index", "value", "message"),
    [
        (1, [0.0], r"qd has size 1, expected nv = 2 \(robot 'planar_two_link'\)"),
        (0, np.zeros((2, 5)), r"q has size 5, expected nq = 2 .*pass shape \(N, n\), not \(n, N\)"),
        (2, np.zeros((4, 3)), r"qdd has size 3, expected nv = 2 \(robot 'planar_two_link'\)$"),
        (0, 1.0, "q is a single number, expected nq = 2"),
        (0, np.float64(1.0), "q is a single number"),
        (0, np.zeros(()), "q is a single number"),
        (0, [], "q has size 0, expected nq = 2"),
        (0, ["a", "b"], "q has dtype <U1, expected real numbers"),
        (1, [1j, 0], r"qd has dtype complex128, expected real numbers \(float64\)"),
        (1, [True, False], "qd has dtype bool"),
        (2, [None, 1.0], "qdd has dtype object"),
        (0, None, "q has dtype object"),
        (0, [[0.0, 1.0], [2.0]], "q is not an array of numbers"),
        (0, {"a": 1}, "q has dtype object"),
        (1, np.array(["2024-01-01"] * 2, "datetime64[D]"), "qd has dtype datetime64"),
    ],
)
def test_wrong_arrays_are_refused_by_name(arm, index, value, message):
    state = [np.zeros(2), np.zeros(2), np.zeros(2)]
    state[index] = value
    with pytest.raises(StateError, match=message):
        arm.inverse_dynamics(*state)


def test_a_method_that_was_not_called_is_named(arm):
    with pytest.raises(StateError, match=r"q is a function or method, expected an array of numbers: call it, neutral\(\)"):
        arm.inverse_dynamics(arm.neutral, np.zeros(2), np.zeros(2))


def test_batches_that_do_not_fit_are_refused(arm):
    with pytest.raises(StateError, match=r"leading axes of q \(3, 2\), qd \(4, 2\), qdd \(2,\) do not fit together"):
        arm.inverse_dynamics(np.zeros((3, 2)), np.zeros((4, 2)), np.zeros(2))


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ([0.0, 0.0], "out must be a NumPy array, got list"),
        (np.zeros(2, np.float32), "out has dtype float32, expected float64"),
        (np.zeros(2, int), "out has dtype int64, expected float64"),
        (np.zeros(2, ">f8"), "out has dtype >f8, expected float64"),
        (np.zeros(3), r"out has shape \(3,\), expected \(2,\)"),
        (np.zeros((1, 2)), r"out has shape \(1, 2\), expected \(2,\)"),
        (np.broadcast_to(0.0, 2), "out is read-only"),
        (np.frombuffer(bytes(16)), "out is read-only"),
    ],
)
def test_wrong_out_is_refused(arm, out, message):
    with pytest.raises(StateError, match=message):
        arm.inverse_dynamics(*np.zeros((3, 2)), out=out)


def test_wrong_out_of_a_batch_is_refused(arm):
    with pytest.raises(StateError, match=r"out has shape \(4, 2\), expected \(5, 2\)"):
        arm.inverse_dynamics(*np.zeros((3, 5, 2)), out=np.zeros((4, 2)))
    with pytest.raises(StateError, match=r"out has shape \(2, 2\), expected \(2, 2, 6\)"):
        arm.joint_wrenches(*np.zeros((3, 2, 2)), out=np.zeros((2, 2)))


@pytest.mark.parametrize("value", [nan, inf, -inf])
@pytest.mark.parametrize(("argument", "name"), [(0, "q"), (1, "qd"), (2, "qdd")])
def test_what_is_not_finite_is_named_with_its_joint(arm, value, argument, name):
    for lead, at, where in (((), (1,), "1"), ((9,), (8, 0), "8, 0"), ((2, 3), (1, 2, 1), "1, 2, 1")):
        state = [np.zeros((*lead, 2)) for _ in range(3)]
        state[argument][at] = value
        joint = arm.joint_names[at[-1]]
        with pytest.raises(StateError, match=rf"{name}\[{where}\] \(joint '{joint}'\) is {value}; every input must be finite"):
            arm.inverse_dynamics(*state)


def test_inputs_that_no_result_shows_must_be_finite_too(backend):
    """Weightless sliding along x: its position moves nothing; a first turn about the vertical feels no angle."""
    body = Inertia(1.0)
    slide, turn = (
        Joint("j", kind, "ground", "body", axis=axis) for kind, axis in (("prismatic", (1, 0, 0)), ("revolute", (0, 0, 1)))
    )
    for joint in (slide, turn):
        robot = Robot(Model("m", (Link("ground"), Link("body", body)), (joint,)), backend=backend)
        for lead in ((), (9,)):
            for argument, name in enumerate(("q", "qd", "qdd")):
                state = [np.zeros((*lead, 1)) for _ in range(3)]
                state[argument][(-1,) * len(lead) + (0,)] = nan
                for _ in range(2):
                    with pytest.raises(StateError, match=rf"{name}\[.*0\] \(joint 'j'\) is nan"):
                        robot.inverse_dynamics(*state)


def test_velocity_used_only_by_its_sign_must_be_finite(backend):
    body, friction = Inertia(1.0), lissom.Friction(coulomb=1.0)
    joint = Joint("j", "prismatic", "ground", "body", friction=friction)
    robot = Robot(Model("m", (Link("ground"), Link("body", body)), (joint,)), backend=backend)
    tau = robot.inverse_dynamics(np.zeros((3, 1)), [[-2.0], [0.0], [1e-300]], np.zeros((3, 1)))
    assert np.allclose(tau[:, 0], [8.81, 9.81, 10.81])
    for lead in ((), (9,)):
        with pytest.raises(StateError, match=r"qd\[.*0\] \(joint 'j'\) is nan"):
            robot.inverse_dynamics(np.zeros((*lead, 1)), np.full((*lead, 1), nan), np.zeros((*lead, 1)))


def test_zero_quaternions_are_named(backend):
    robot = Robot(tree_model(2, kinds=["spherical", "floating"], seed=1), backend=backend)
    q, qd, qdd = random_states(robot.model, 5, seed=1)
    for joint, start in (("joint_1", 0), ("joint_2", 4 if robot.model.joint("joint_1").kind.nq == 4 else 7)):
        kind = robot.model.joint(joint).kind
        zero = q.copy()
        zero[3, start + kind.nq - 4 : start + kind.nq] = 0
        with pytest.raises(
            StateError, match=rf"the result of sample .*3.* is not finite: the quaternion of joint '{joint}' is zero"
        ):
            robot.inverse_dynamics(zero, qd, qdd)
        with pytest.raises(StateError, match=rf"the result is not finite: the quaternion of joint '{joint}' is zero"):
            robot.inverse_dynamics(zero[3], qd[3], qdd[3])


def test_numbers_too_large_are_told(arm):
    state = np.zeros((3, 2))
    state[1] = 1e200
    with pytest.raises(StateError, match=r"the result is not finite: the numbers are too large \(the largest is 1e\+200 in qd\)"):
        arm.inverse_dynamics(*state)


def test_wrong_external_is_refused(arm):
    state, link = np.zeros((3, 2)), arm.link_names[1]
    with pytest.raises(StateError, match=r"external must map links to wrenches, .*'tool': lissom.Wrench\(...\)\}, got list"):
        arm.inverse_dynamics(*state, external=[1])
    with pytest.raises(StateError, match=f"external wrench on '{link}' must say its axes"):
        arm.inverse_dynamics(*state, external={link: (0, 0, 1)})


def test_external_on_an_unknown_link_is_refused(arm):
    last = arm.link_names[-1]
    with pytest.raises(NameLookupError, match=f"no link '{last}x' .*did you mean '{last}'"):
        arm.inverse_dynamics(*np.zeros((3, 2)), external={last + "x": Wrench(axes="link")})


def test_wrenches_that_do_not_fit_are_refused(arm):
    a, b = arm.link_names[1:3]
    wrenches = {a: Wrench(np.zeros((2, 3)), axes="link"), b: Wrench(np.zeros((3, 3)), axes="link")}
    with pytest.raises(StateError, match=rf"{a} \(2, 9\), {b} \(3, 9\) of the external wrenches do not fit together"):
        arm.inverse_dynamics(*np.zeros((3, 2)), external=wrenches)
    with pytest.raises(StateError, match=r"q \(4, 2\).*external \(2, 9\) do not fit together"):
        arm.inverse_dynamics(*np.zeros((3, 4, 2)), external={a: wrenches[a]})


def test_order_of_external_wrenches_does_not_matter(arm):
    a, b = arm.link_names[1:3]
    one, two = Wrench((1, 2, 3), axes="link"), Wrench((3, 2, 1), (1, 1, 1), axes="world")
    state = random_states(arm.model, seed=1)
    assert np.array_equal(
        arm.inverse_dynamics(*state, external={a: one, b: two}), arm.inverse_dynamics(*state, external={b: two, a: one})
    )


def test_wrench_turned_bad_after_it_was_made_is_refused(arm):
    force = np.zeros(3)
    wrench = Wrench(force, axes="link")
    force[1] = nan
    with pytest.raises(StateError, match=r"external\[1\] \(given in the call\) is nan"):
        arm.inverse_dynamics(*np.zeros((3, 2)), external={arm.link_names[1]: wrench})


def test_wrong_base_motion_is_refused(arm):
    with pytest.raises(StateError, match="base_motion must be a lissom.BaseMotion, got tuple"):
        arm.inverse_dynamics(*np.zeros((3, 2)), base_motion=(0, 0, 0, 1))
    still = arm.inverse_dynamics(*np.ones((3, 2)), base_motion=BaseMotion())
    assert error(still, arm.inverse_dynamics(*np.ones((3, 2)))) < 1e-13


def test_unknown_axes_are_refused(arm):
    with pytest.raises(StateError, match="no axes 'wrld' of joint wrenches; did you mean 'world'"):
        arm.joint_wrenches(*np.zeros((3, 2)), axes="wrld")


def test_unknown_functions_and_forms_are_refused(arm):
    with pytest.raises(NameLookupError, match="no function 'inverse_dynamic'; did you mean 'inverse_dynamics'"):
        arm.operation_count("inverse_dynamic")
    with pytest.raises(StateError, match="no form 'asembly'; did you mean 'assembly'"):
        arm.program("inverse_dynamics", form="asembly")


def test_programs_can_be_read():
    arm = robots.planar_two_link()
    text = arm.program("gravity_torques")
    assert text.startswith("# gravity_torques of planar_two_link: ")
    assert "tau[1] = v" in text
    assert "define i64 @batch" in arm.program("gravity_torques", form="llvm")
    assert "ret" in arm.program("gravity_torques", form="assembly")


def test_regrouping_never_costs_operations():
    for make in (robots.stanford, robots.puma560, robots.rr, robots.rp):
        robot = make()
        few, many = (robot.operation_count("inverse_dynamics", regrouped=r) for r in (True, False))
        assert few.multiplications + few.additions <= many.multiplications + many.additions
        gravity = robot.operation_count("gravity_torques")
        assert gravity.multiplications < few.multiplications


def test_robot_that_cannot_move_has_no_forces(backend):
    robot = Robot(Model("still", (Link("a"), Link("b", Inertia(1.0))), (Joint("j", "fixed", "a", "b"),)), backend=backend)
    for _ in range(2):
        assert robot.inverse_dynamics([], [], []).shape == (0,)
        assert robot.inverse_dynamics(*np.zeros((3, 5, 0))).shape == (5, 0)
        assert robot.gravity_torques(np.zeros((5, 0))).shape == (5, 0)
        assert robot.joint_wrenches([], [], []).shape == (0, 6)
        assert robot.joint_wrenches(*np.zeros((3, 4, 0))).shape == (4, 0, 6)


def test_calls_give_no_warnings(robot, model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = random_states(model, 9, seed=1)
        robot.inverse_dynamics(*state)
        robot.joint_wrenches(*(x[0] for x in state))


def test_load_reads_and_save_writes(tmp_path):
    robots.stanford().save(tmp_path / "arm.yaml")
    assert lissom.load(tmp_path / "arm.yaml").model == robots.stanford().model


def test_masked_arrays_are_refused(arm):
    q = np.ma.masked_array(np.zeros(arm.nq), mask=[True] + [False] * (arm.nq - 1))
    with pytest.raises(StateError, match=r"q is a masked array; fill the masked entries first: q.filled\(value\)"):
        arm.inverse_dynamics(q, np.zeros(arm.nv), np.zeros(arm.nv))


def test_a_method_that_is_overridden_goes_on_being_called(model):
    class Louder(Robot):
        def inverse_dynamics(self, *state, **more):
            return super().inverse_dynamics(*state, **more) + 100.0

    state = random_states(model, seed=1)
    quiet = Robot(model).inverse_dynamics(*state)
    loud = Louder(model)
    for _ in range(3):
        assert np.allclose(loud.inverse_dynamics(*state), quiet + 100.0)


def test_the_model_of_a_robot_does_not_change(robot):
    with pytest.raises(AttributeError, match="model"):
        robot.model = robot.model


def test_a_bound_function_survives_pickling(arm):
    state = random_states(arm.model, seed=1)
    again = pickle.loads(pickle.dumps(arm.inverse_dynamics))
    assert np.array_equal(again(*state), arm.inverse_dynamics(*state))


def test_threads_may_share_the_first_call_of_many_robots(model):
    state = random_states(model, seed=1)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(10):
            robot = Robot(model, backend="llvm")
            together = [threading.Thread(target=robot.inverse_dynamics, args=state) for _ in range(6)]
            for thread in together:
                thread.start()
            for thread in together:
                thread.join()
    finally:
        sys.setswitchinterval(before)
