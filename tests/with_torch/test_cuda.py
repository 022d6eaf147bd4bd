"""Functions of a robot on tensors of a card, where there is one: values and gradients are those of the processor."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra `torch`)")
if not torch.cuda.is_available():
    pytest.skip("torch sees no NVIDIA card", allow_module_level=True)

from torch.autograd import gradcheck, gradgradcheck  # noqa: E402

import lissom.torch  # noqa: E402
from lissom import Robot, StateError, Wrench  # noqa: E402
from lissom.robots import five_bar_model, rp_model, tree_model  # noqa: E402
from support.states import error, random_states  # noqa: E402

MODELS = {"rp": rp_model(), "floating": tree_model(2, seed=5, kinds=["spherical"], floating=True)}


def both(model, **options):
    return lissom.torch.Robot(Robot(model, backend="cuda", **options)), Robot(model, backend="numpy")


def state(model, lead=(4,), **options):
    return [torch.tensor(x, device="cuda", **options) for x in random_states(model, lead, seed=1)]


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("lead", [(), (1,), (33,), (2, 3), (0,)], ids=str)
def test_values_and_gradients_are_those_of_the_processor(model, lead):
    card, robot = both(model)
    x = state(model, lead, requires_grad=True)
    ours, there = card.inverse_dynamics(*x), [y.detach().cpu().numpy() for y in x]
    assert ours.is_cuda and error(ours.detach().cpu().numpy(), robot.inverse_dynamics(*there)) < 1e-12
    found = torch.autograd.grad(ours.sum(), x)
    theirs = robot.vjp("inverse_dynamics", tuple(there), np.ones((*lead, robot.nv)))
    assert error(found[1].cpu().numpy(), theirs.dqd) < 1e-12


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_gradcheck_passes_on_the_card(model):
    card, _ = both(model)
    x = state(model, (2,), requires_grad=True)
    assert gradcheck(card.inverse_dynamics, x, check_forward_ad=True) and gradcheck(card.forward_dynamics, x)
    assert gradgradcheck(card.inverse_dynamics, [y[0].detach().requires_grad_() for y in x])


def test_transforms_compile_broadcasts_and_streams_agree():
    card, robot = both(rp_model())
    x = state(rp_model())
    theirs = robot.inverse_dynamics_derivatives(*(y.cpu().numpy() for y in x))
    by_q = torch.func.vmap(torch.func.jacrev(card.inverse_dynamics))(*x)
    assert error(by_q.cpu().numpy(), theirs.dq) < 1e-12
    compiled = torch.compile(card.inverse_dynamics, backend="aot_eager")
    assert torch.equal(compiled(*x), card.inverse_dynamics(*x))
    assert torch.equal(card.inverse_dynamics(x[0], x[1][0], x[2]), card.inverse_dynamics(x[0], x[1][:1].expand(4, 2), x[2]))
    assert torch.equal(card.mass_matrix(x[0].T.contiguous().T), card.mass_matrix(x[0]))
    expected = card.inverse_dynamics(*x) + 1
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream()):
        assert torch.equal(card.inverse_dynamics(*(y + 0 for y in x)) + 1, expected)


def test_loads_parameters_and_closed_robots_work():
    card, robot = both(rp_model())
    x, link = state(rp_model()), robot.link_names[-1]
    push = {link: Wrench((1.0, 2.0, 3.0), axes="world")}
    theirs = robot.inverse_dynamics(*(y.cpu().numpy() for y in x), external=push)
    assert error(card.inverse_dynamics(*x, external=push).cpu().numpy(), theirs) < 1e-12
    p = card.inertial_parameters().requires_grad_()
    assert torch.allclose(card.forward_dynamics(*x, parameters=p), card.forward_dynamics(*x), rtol=1e-10)
    assert torch.autograd.grad(card.forward_dynamics(*x, parameters=p).sum(), p)[0].is_cuda
    closed = lissom.torch.Robot(lissom.ClosedRobot(five_bar_model(), backend="cuda"))
    q = torch.tensor(closed.robot.home() + 0.05, device="cuda", requires_grad=True)
    assert gradcheck(closed.potential_energy, (q,)) and closed.kinetic_energy(q, q).is_cuda
    # the second is too far from home for the kernel
    far = closed.robot.home() + np.array([[0.05, -0.02], [0.9, 0.8]])
    ours = closed.potential_energy(torch.tensor(far, device="cuda"))
    assert error(ours.cpu().numpy(), lissom.ClosedRobot(five_bar_model(), backend="numpy").potential_energy(far)) < 1e-10


def test_single_precision_is_single():
    card, robot = both(rp_model(), precision="single")
    x = [y.float() for y in state(rp_model())]
    ours = card.inverse_dynamics(*x)
    assert ours.dtype is torch.float32
    assert error(ours.cpu().numpy(), robot.inverse_dynamics(*(y.cpu().numpy() for y in x))) < 1e-5
    with pytest.raises(StateError, match=r"q has dtype torch.float64, and the robot computes in single precision: give q.float"):
        card.inverse_dynamics(x[0].double(), *x[1:])


def test_tensors_of_another_memory_are_refused():
    card, robot = both(rp_model())
    x = state(rp_model())
    with pytest.raises(StateError, match=r"q is on the device 'cpu', and the robot computes on 'cuda:0'.*robot.to\('llvm'\)"):
        card.inverse_dynamics(x[0].cpu(), *x[1:])
    with pytest.raises(StateError, match=r"q is on the device 'cuda:0', and the robot computes on 'cpu'.*robot.to\('cuda'\)"):
        lissom.torch.Robot(robot).inverse_dynamics(*x)
