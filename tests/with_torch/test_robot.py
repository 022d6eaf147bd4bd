"""Functions of a robot on tensors: values, derivatives to any order, transforms of torch, memory, and what is refused."""

import copy
import gc
import threading

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra `torch`)")

from torch.autograd import forward_ad, gradcheck, gradgradcheck  # noqa: E402

import lissom.torch  # noqa: E402
from lissom import Robot, StateError, Wrench  # noqa: E402
from lissom.robots import five_bar, hua_arm_model, rp_model, tree_model  # noqa: E402
from support.states import error, random_states  # noqa: E402

RP = lissom.torch.Robot(Robot(rp_model()))
TREE = lissom.torch.Robot(Robot(tree_model(2, seed=5, kinds=["spherical"], floating=True)))
NAMES = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "kinetic_energy", "center_of_mass", "link_pose", "link_velocity")


def state(model, lead=(2,), grad=True, seed=1):
    """Return q, qd, qdd (..., n) as tensors."""
    return [torch.tensor(x, requires_grad=grad) for x in random_states(model.robot.model, lead, seed=seed)]


def arguments(model, name, **options):
    """Return a function and its state."""
    if name.startswith("link"):
        options["link"] = model.robot.link_names[-1]
    return lambda *x: getattr(model, name)(*x, **options), state(model)[: len(model.robot.catalogue[name].state)]


def numpy_of(tensors):
    return [x.detach().numpy() for x in tensors]


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_the_robot(name):
    x = state(TREE, (3, 2))[: len(TREE.robot.catalogue[name].state)]
    options = {"link": TREE.robot.link_names[-1]} if name.startswith("link") else {}
    ours = getattr(TREE, name)(*x, **options).detach().numpy()
    assert error(ours, getattr(TREE.robot, name)(*numpy_of(x), **options)) < 1e-15
    one = getattr(TREE, name)(*(y[0, 0] for y in x), **options).detach().numpy()
    assert one.shape == ours[0, 0].shape and error(one, ours[0, 0]) < 1e-12


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model", [RP, TREE], ids=["rp", "floating"])
def test_gradcheck_passes_with_quaternions_too(model, name):
    f, x = arguments(model, name)
    assert gradcheck(f, x, check_forward_ad=True, check_batched_grad=name == "inverse_dynamics")


@pytest.mark.parametrize("model", [RP, TREE], ids=["rp", "floating"])
def test_gradgradcheck_passes(model):
    assert gradgradcheck(model.inverse_dynamics, state(model, ()))


def test_gradients_are_tangential_to_the_sphere():
    q, qd, qdd = state(TREE)
    (gradient,) = torch.autograd.grad(TREE.inverse_dynamics(q, qd, qdd).square().sum(), q)
    for _, where in TREE.robot.model.layout.quaternions:
        assert (gradient[:, where] * q[:, where]).sum(-1).abs().max() < 1e-9 * gradient.abs().max()
        assert gradient[:, where].abs().max() > 0


def test_transforms_of_torch_agree():
    x = state(RP, (3,), grad=False)
    f, func = RP.inverse_dynamics, torch.func
    whole = RP.robot.inverse_dynamics_derivatives(*numpy_of(x))
    for way in (func.jacrev, func.jacfwd):
        for k, part in enumerate(whole):
            assert error(func.vmap(way(f, argnums=k))(*x).numpy(), part) < 1e-12
    hessian = func.vmap(func.hessian(lambda q, qd, qdd: f(q, qd, qdd).sum()))(*x)
    by_hand = RP.robot.inverse_dynamics_hessian(*numpy_of(x), np.ones(2))[:, :2, :2]
    assert error(hessian.numpy(), by_hand) < 1e-12
    mapped = func.vmap(f, in_dims=(1, None, 0), out_dims=1)(x[0].T, x[1][0], x[2])
    assert torch.equal(mapped.T, f(x[0], x[1][:1], x[2]))


def test_tangents_move_forward():
    x, v = state(RP, grad=False), state(RP, grad=False, seed=2)
    with forward_ad.dual_level():
        dual = RP.inverse_dynamics(*(forward_ad.make_dual(a, b) for a, b in zip(x, v, strict=True)))
        tangent = forward_ad.unpack_dual(dual).tangent
    assert error(tangent.numpy(), RP.robot.jvp("inverse_dynamics", tuple(numpy_of(x)), tuple(numpy_of(v)))) < 1e-13


def test_compiled_functions_are_the_same_without_a_break_in_the_graph():
    link = TREE.robot.link_names[-1]

    def loss(q, qd, qdd):
        return TREE.inverse_dynamics(q, qd, qdd).square().sum(-1) + TREE.link_pose(q, link=link)[..., :3, 3].sum(-1)

    x = state(TREE)
    compiled = torch.compile(loss, fullgraph=True, backend="aot_eager")
    assert torch.allclose(compiled(*x), loss(*x), rtol=1e-13)
    ours, theirs = (torch.autograd.grad(f(*x).sum(), x) for f in (compiled, loss))
    assert all(torch.allclose(a, b, rtol=1e-12, atol=1e-12) for a, b in zip(ours, theirs, strict=True))


def test_compiled_maps_and_exported_modules_are_the_same():
    class Torques(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = RP

        def forward(self, q, qd, qdd):
            return 2 * self.model.inverse_dynamics(q, qd, qdd)

    x = state(RP, (3,), grad=False)
    exported = torch.export.export(Torques(), tuple(x)).module()
    assert torch.equal(exported(*x), 2 * RP.inverse_dynamics(*x))
    mapped = torch.compile(torch.func.vmap(RP.inverse_dynamics), fullgraph=True, backend="aot_eager")
    assert torch.equal(mapped(*x), RP.inverse_dynamics(*x))


def test_operators_follow_the_rules_of_torch():
    from lissom.torch import compiled

    own = RP.inverse_dynamics.choose(False).operation
    torch.library.opcheck(compiled.evaluate, (state(RP), own.name))


def test_leading_axes_broadcast_and_memory_may_have_gaps():
    q, qd, qdd = state(RP, (4,))
    one, wide = qd[:1].detach().requires_grad_(), torch.zeros(4, 5, dtype=torch.float64)
    wide[:, 1:3] = qdd.detach()
    assert torch.equal(RP.inverse_dynamics(q, one[0], wide[:, 1:3]), RP.inverse_dynamics(q, one.expand(4, 2), qdd))
    assert gradcheck(RP.inverse_dynamics, (q.reshape(2, 2, 2), one[0], qdd[:2]))
    assert RP.inverse_dynamics(*(x[:0] for x in (q, qd, qdd))).shape == (0, 2)
    assert RP.mass_matrix(q.T.contiguous().T).shape == (4, 2, 2) and RP.kinetic_energy(q[0], qd[0]).shape == ()


def test_tensors_are_read_and_written_in_place(monkeypatch):
    x, seen = state(RP, grad=False), {}
    own = RP.inverse_dynamics.choose(False).operation
    run = own.run

    def watched(*tables, out):
        seen["in"], seen["out"] = [a.ctypes.data for a in tables], out.ctypes.data
        return run(*tables, out=out)

    monkeypatch.setitem(own.__dict__, "run", watched)
    result = RP.inverse_dynamics(*x)
    assert seen["in"] == [a.data_ptr() for a in x] and seen["out"] == result.data_ptr()


def test_single_precision_is_computed_in_double():
    x = [y.detach().float().requires_grad_() for y in state(RP)]
    result = RP.inverse_dynamics(*x)
    assert result.dtype is torch.float32
    assert torch.equal(result, RP.inverse_dynamics(*(y.double() for y in x)).float())
    result.sum().backward()
    assert x[0].grad.dtype is torch.float32
    assert RP.inverse_dynamics(x[0], x[1].double(), x[2]).dtype is torch.float64


def test_parameters_are_differentiated():
    names, p = RP.robot.inertial_parameter_names, RP.inertial_parameters().requires_grad_()
    q, qd, qdd = state(RP)
    assert len(names) == len(p)
    for name, third in (("inverse_dynamics", qdd), ("forward_dynamics", qdd)):
        f = getattr(RP, name)
        assert torch.allclose(f(q, qd, third, parameters=p), f(q, qd, third), rtol=1e-12)
        assert gradcheck(lambda p, q, f=f, x=third: f(q, qd.detach(), x.detach(), parameters=p), (p, q))
    assert torch.allclose(RP.mass_matrix(q, parameters=p), RP.mass_matrix(q), rtol=1e-12)


def test_masses_centers_and_inertias_make_parameters():
    model = RP.robot.model
    inertias = [link.inertia for link in model.links if link.inertia is not None]
    mass, center = torch.tensor([x.mass for x in inertias]), torch.tensor(np.array([x.com for x in inertias]))
    about = torch.tensor(np.array([x.tensor for x in inertias]))
    ten = lissom.torch.link_parameters(mass.double(), center, about)
    whole = RP.robot.inertial_parameters(drives=False).reshape(-1, 10)
    assert error(ten.numpy(), whole[whole.any(-1)]) < 1e-14
    assert gradcheck(lissom.torch.link_parameters, [x.double().requires_grad_() for x in (mass, center, about)])
    with pytest.raises(StateError, match=r"expected \(..., 3\) and \(..., 3, 3\)"):
        lissom.torch.link_parameters(mass, center[:, :2], about)


def test_loads_are_constants_of_any_batch():
    x, link = state(RP, (3,)), RP.robot.link_names[-1]
    push = {link: Wrench(np.array([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), axes="world")}
    ours = RP.inverse_dynamics(*x, external=push)
    assert error(ours.detach().numpy(), RP.robot.inverse_dynamics(*numpy_of(x), external=push)) < 1e-15
    assert gradcheck(lambda q: RP.inverse_dynamics(q, *x[1:], external=push), x[:1])


def test_regressors_have_their_zeros():
    x = state(RP)
    assert error(RP.inverse_dynamics_regressor(*x).detach().numpy(), RP.robot.inverse_dynamics_regressor(*numpy_of(x))) < 1e-15
    assert gradcheck(RP.inverse_dynamics_regressor, x)


def test_elastic_arms_have_their_functions():
    arm = lissom.torch.Robot(Robot(hua_arm_model(), backend="numpy"))
    n = arm.robot.link_nv
    path = [torch.rand(n, dtype=torch.float64, requires_grad=True) for _ in range(5)]
    assert "elastic_inverse_dynamics" in arm.functions
    (rate,) = torch.autograd.grad(arm.elastic_inverse_dynamics(*path).sum(), path[4])
    whole = arm.robot.derivatives("elastic_inverse_dynamics", tuple(numpy_of(path)))
    assert error(rate.numpy(), whole.dqdddd.sum(0)) < 1e-9


def test_closed_robots_are_differentiated_to_any_order():
    robot = five_bar()
    model = lissom.torch.Robot(robot)
    rng = np.random.default_rng(0)
    q = torch.tensor(robot.home() + 0.05 * rng.normal(size=(2, 2)), requires_grad=True)
    qd, qdd = (torch.tensor(rng.normal(size=(2, 2)), requires_grad=True) for _ in range(2))
    assert error(model.inverse_dynamics(q, qd, qdd).detach().numpy(), robot.inverse_dynamics(*numpy_of((q, qd, qdd)))) < 1e-15
    assert gradcheck(model.inverse_dynamics, (q, qd, qdd), check_forward_ad=True)
    assert gradgradcheck(model.kinetic_energy, (q, qd))
    link = robot.link_names[-1]
    by_q = torch.func.vmap(torch.func.jacrev(lambda q: model.link_pose(q, link=link)))(q.detach())
    assert error(by_q.numpy(), robot.derivatives("link_pose", (q.detach().numpy(),), link=link).dq) < 1e-12
    with pytest.raises(Exception, match="closed robots cannot be compiled"):
        torch.compile(lambda q: model.kinetic_energy(q, qd), fullgraph=True, backend="aot_eager")(q)


def test_threads_share_a_robot():
    x, found = state(TREE, (64,)), []
    expected = torch.autograd.grad(TREE.inverse_dynamics(*x).sum(), x)

    def work():
        for _ in range(20):
            own = [y.detach().clone().requires_grad_() for y in x]
            found.append(torch.autograd.grad(TREE.inverse_dynamics(*own).sum(), own))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80
    assert all(torch.equal(a, b) for one in found for a, b in zip(one, expected, strict=True))


def test_a_model_keeps_its_robot_when_copied():
    other = copy.deepcopy(RP)
    x = state(RP)
    assert torch.equal(other.inverse_dynamics(*x), RP.inverse_dynamics(*x))


def test_wrong_tensors_say_what_was_expected():
    q, qd, qdd = state(RP)
    with pytest.raises(StateError, match=r"q is of type ndarray, expected a tensor: torch.as_tensor\(q\)"):
        RP.inverse_dynamics(q.detach().numpy(), qd, qdd)
    with pytest.raises(StateError, match=r"qd has shape \(2, 3\), expected \(..., 2\)"):
        RP.inverse_dynamics(q, torch.zeros(2, 3, dtype=torch.float64), qdd)
    with pytest.raises(StateError, match=r"q has shape \(\), expected"):
        RP.inverse_dynamics(torch.tensor(1.0), qd, qdd)
    with pytest.raises(StateError, match="q has dtype torch.int64, expected float64, or float32"):
        RP.inverse_dynamics(torch.zeros(2, dtype=torch.int64), qd, qdd)
    with pytest.raises(StateError, match=r"q is on the device 'meta', and the robot computes on 'cpu': give q.to\('cpu'\)$"):
        RP.inverse_dynamics(q.to("meta"), qd, qdd)
    with pytest.raises(StateError, match=r"the leading axes of q \(2, 2\), qd \(3, 2\), qdd \(2, 2\) do not fit together"):
        RP.inverse_dynamics(q, torch.zeros(3, 2, dtype=torch.float64), qdd)
    with pytest.raises(StateError, match="every input must be finite"):
        RP.inverse_dynamics(q * torch.nan, qd, qdd)


@pytest.mark.slow
def test_nothing_is_kept_over_many_calls():
    resource = pytest.importorskip("resource", reason="the memory of a process is read by its usage of resources")
    x = state(RP)

    def calls(n):
        for _ in range(n):
            torch.autograd.grad(RP.inverse_dynamics(*x).sum(), x)
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = calls(2_000)
    assert calls(20_000) - before < 4_000  # kB on Linux
