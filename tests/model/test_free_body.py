"""Free boxes beside a robot."""

import numpy as np
import pytest

import lissom
from lissom import ModelError
from lissom.model.free_body import with_box
from lissom.predict.problem_file.read import parse

TEXT = (
    "lissom: 1\nkind: motion\nname: test\nrobot: {model: robots:panda, boxes: [{name: box, mass: 2, size: [0.24, 0.3, 0.2]}]}\n"
)
TEXT += "duration: 1\nminimize: time\n"


def test_a_box_falls_and_turns_as_a_box_and_the_robot_does_not_feel_it():
    panda, robot = lissom.robots.panda(), parse(TEXT).robot
    assert robot.nq == panda.nq + 7 and robot.nv == panda.nv + 6
    assert robot.model == with_box(panda.model, "box", 2.0, (0.24, 0.3, 0.2))
    q, qd, tau = np.zeros(14), np.zeros(13), np.zeros(13)
    q[-1] = 1.0
    tau[-1] = 1.0  # [N m] about z
    qdd = robot.forward_dynamics(q, qd, tau)
    alone = panda.forward_dynamics(q[:7], qd[:7], tau[:7])
    assert np.allclose(qdd[:7], alone, rtol=1e-9)
    assert np.allclose(qdd[7:], [0, 0, -9.81, 0, 0, 12 / (2 * (0.24**2 + 0.3**2))], atol=1e-9)


def test_a_box_is_drawn():
    (shape,) = (shape for shape in parse(TEXT).robot.model.shapes if shape.link == "box")
    assert shape.geometry == lissom.model.Box((0.24, 0.3, 0.2))


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"name": "link_1"}, "link_1"), ({"mass": 0.0}, "mass must be positive"), ({"size": (1.0, -1.0, 1.0)}, "size of a box")],
)
def test_an_impossible_box_is_refused(changes, message):
    given = {"name": "box", "mass": 1.0, "size": (1.0, 1.0, 1.0)} | changes
    with pytest.raises(ModelError, match=message):
        with_box(lissom.robots.panda_model(), **given)
