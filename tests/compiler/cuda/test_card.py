"""A real card, where there is one; `tools/gpu_check.py` checks more."""

import numpy as np
import pytest

import lissom
from lissom import CUDA, DeviceError, Robot
from lissom.compiler.cuda.kernel import Kernel
from lissom.compiler.cuda.limbs import limbs_of
from lissom.compiler.cuda.warps import WARPS
from lissom.predict.batch.recorded import NAMES
from lissom.robots import five_bar_model, panda_model, tree_model
from support.batch import transcription, vectors
from support.states import error, random_states


def there_is_a_card():
    try:
        CUDA().check()
    except DeviceError:
        return False
    return True


pytestmark = pytest.mark.skipif(not there_is_a_card(), reason="no NVIDIA card, or no driver")
MODELS = {"panda": panda_model(), "floating": tree_model(5, seed=5, floating=True)}


@pytest.mark.parametrize("n", [1, 33, 1000])
@pytest.mark.parametrize(("precision", "least"), [("double", 1e-11), ("single", 1e-3)])
@pytest.mark.parametrize("function", ["inverse_dynamics", "forward_dynamics"])
@pytest.mark.parametrize("name", MODELS)
def test_a_card_agrees_with_numpy(name, function, precision, least, n):
    card, definition = (Robot(MODELS[name], backend=b) for b in (CUDA(precision), "numpy"))
    state = random_states(MODELS[name], n)
    expected = getattr(definition, function)(*state)
    assert error(getattr(card, function)(*state), expected) < least
    for arrays in ([card.backend.array(x) for x in state], [card.backend.array(np.ascontiguousarray(x.T)).T for x in state]):
        assert error(getattr(card, function)(*arrays).copy_to_host(), expected) < least
    card.backend.synchronize()


@pytest.mark.parametrize("n", [1, 33, 5000])
def test_warps_on_limbs_agree_with_numpy(monkeypatch, n):
    monkeypatch.setattr(Kernel, "local", True)
    model = tree_model(28, branching=4.0, seed=3, floating=True, kinds=["revolute"])
    assert limbs_of(model, WARPS) is not None
    card, definition = (Robot(model, backend=b) for b in ("cuda", "numpy"))
    state = random_states(model, n)
    some = slice(0, n, max(1, n // 200))
    for name in ("forward_dynamics", "inverse_dynamics"):
        expected = getattr(definition, name)(*(x[some] for x in state))
        for arrays in ([card.backend.array(x) for x in state], [card.backend.array(np.ascontiguousarray(x.T)).T for x in state]):
            assert error(getattr(card, name)(*arrays).copy_to_host()[some], expected) < 1e-11
    card.backend.synchronize()


def test_long_rows_on_a_card():
    card, definition = (Robot(tree_model(12, seed=1), backend=b) for b in ("cuda", "numpy"))
    q = random_states(card.model, 3000)[0]
    found = card.mass_matrix(card.backend.array(q)).copy_to_host()
    assert error(found, definition.mass_matrix(q)) < 1e-11


def test_too_much_memory_is_said():
    with pytest.raises(lissom.DeviceError, match="out of memory; pass fewer samples"):
        lissom.compiler.cuda.device.Memory(CUDA().card(), 1 << 50)


def test_closed_robots_and_second_derivatives_on_a_card():
    card, definition = (lissom.ClosedRobot(five_bar_model(), backend=b) for b in ("cuda", "numpy"))
    q = definition.home() + np.linspace(-0.1, 0.1, 202).reshape(101, 2)
    given = [card.backend.array(x) for x in (q, 0.3 * q, -0.2 * q)]
    found = card.inverse_dynamics(*given).copy_to_host()
    assert error(found, definition.inverse_dynamics(q, 0.3 * q, -0.2 * q)) < 1e-9
    card, definition = (Robot(MODELS["panda"], backend=b) for b in ("cuda", "numpy"))
    state = [*random_states(card.model, 50), np.ones((50, 7))]
    found = card.inverse_dynamics_hessian(*(card.backend.array(x) for x in state)).copy_to_host()
    assert error(found, definition.inverse_dynamics_hessian(*state)) < 1e-11


@pytest.mark.parametrize("n", [1, 70, 40_000])
def test_simulation_on_a_card(n):
    card, definition = (Robot(MODELS["panda"], backend=b) for b in ("cuda", None))
    q, qd, _ = random_states(card.model, n)
    runs = []
    for robot in (card, definition):
        law = lissom.control.ComputedTorque(robot, lissom.control.Sine(0.3, 2.0, n=7), 100.0)
        runs.append(robot.simulate(q, qd, 0.05, law, method="rk4", dt=1e-3, sample=0.02))
    for name in ("q", "qd", "qdd", "tau"):
        assert error(*(getattr(x, name) for x in runs)) < 1e-11, name


@pytest.mark.parametrize("n", [1, 33, 2000])
@pytest.mark.parametrize(("precision", "least"), [("double", 1e-12), ("single", 1e-2)])
def test_functions_of_many_motion_problems_on_a_card(precision, least, n):
    p = lissom.MotionProblem(Robot(MODELS["panda"]), control_points=8, points_per_span=2, duration=(0.3, 3.0))
    p.start(np.zeros(7)).end(np.full(7, 0.5)).limit("torque", -80, 80).limit("velocity", -2, 2, hull=True)
    p.limit("link_position", -1, 1, link=p.robot.link_names[-1]).minimize("time").minimize("integral", 1e-3, "torque")
    host, functions = p.functions(), p.functions(CUDA(precision))
    x, direction, multipliers = vectors(transcription(p), n)
    some = slice(0, n, max(1, n // 20))
    wanted = host.evaluate(x[some], *NAMES, direction=direction[some], multipliers=multipliers[some])
    there = CUDA(precision).array
    for columns in (False, True):
        given = [there(np.ascontiguousarray(a.T)).T if columns else there(a) for a in (x, direction, multipliers)]
        found = functions.evaluate(given[0], *NAMES, direction=given[1], multipliers=given[2])
        for name, own, expected in zip(NAMES, found, wanted, strict=True):
            assert error(own.copy_to_host()[some], expected) < least, name
