"""Fronts: robots for other libraries without the library, and what is said where it is missing."""

import copy
import importlib
import pickle
import sys

import numpy as np
import pytest

from lissom import MissingExtraError, Robot, StateError
from lissom.operations import FunctionOn, RobotOn
from lissom.robots import rp_model


class Plain(FunctionOn):
    """On NumPy's arrays, of the same leading axes."""

    def __call__(self, *arguments, **options):
        chosen, given = self.read(arguments, options, self.choose)
        return chosen.operation.run(*given, *chosen.constants)


class PlainRobot(RobotOn):
    function = Plain


MODEL = PlainRobot(Robot(rp_model(), backend="numpy"))
Q = np.array([0.3, 0.4])


def test_functions_have_names_documentation_and_options():
    robot = MODEL.robot
    assert "inverse_dynamics" in dir(MODEL) and "rk4_step" not in MODEL.functions
    assert MODEL.inverse_dynamics.__doc__ == type(robot).inverse_dynamics.__doc__
    assert "inverse_dynamics of 'barman_rp'" in repr(MODEL.inverse_dynamics) and "'barman_rp'" in repr(MODEL)
    link = robot.link_names[-1]
    pose = MODEL.link_velocity(Q, Q, link=link, axes="link")
    assert np.array_equal(pose, robot.link_velocity(Q, Q, link, axes="link"))
    assert MODEL.link_velocity.choose(False, "link", link) is MODEL.link_velocity.choose(False, "link", link)


def test_arguments_may_be_given_by_name():
    assert np.array_equal(MODEL.inverse_dynamics(Q, qdd=Q, qd=2 * Q), MODEL.robot.inverse_dynamics(Q, 2 * Q, Q))


def test_copies_work():
    for other in (copy.deepcopy(MODEL), pickle.loads(pickle.dumps(MODEL))):
        assert np.array_equal(other.gravity_torques(Q), MODEL.gravity_torques(Q))
    assert np.array_equal(pickle.loads(pickle.dumps(MODEL.gravity_torques))(Q), MODEL.gravity_torques(Q))


def test_wrong_calls_say_what_was_expected():
    with pytest.raises(AttributeError, match="no function 'inverse_dynamic' of .*PlainRobot; did you mean 'inverse_dynamics'"):
        MODEL.inverse_dynamic(Q)
    with pytest.raises(AttributeError, match="_hidden"):
        MODEL._hidden  # noqa: B018
    with pytest.raises(StateError, match="inverse_dynamics takes q, qd, qdd, got 1 arguments"):
        MODEL.inverse_dynamics(Q)
    with pytest.raises(StateError, match="inverse_dynamics takes q, qd, qdd; qdd is missing"):
        MODEL.inverse_dynamics(Q, qd=Q)
    with pytest.raises(StateError, match="has no option 'axis'"):
        MODEL.link_velocity(Q, Q, link="link_2", axis="link")


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_a_missing_library_is_named_with_its_extra(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    for module in [x for x in sys.modules if x.startswith(f"lissom.{name}")]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(MissingExtraError, match=rf"lissom.{name} needs the package '{name}'.*lissom\[{name}\]"):
        importlib.import_module(f"lissom.{name}")
