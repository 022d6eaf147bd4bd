"""MuJoCo as judge of point springs: spatial tendons through two sites, with stiffness, damping and a rest length."""

import numpy as np
import pytest

from lissom import PointSpring, Robot
from lissom.read.mjcf import read_mjcf
from support.states import error

mujoco = pytest.importorskip("mujoco")
from support.mujoco_judge import MODELS, Judge  # noqa: E402 - only where MuJoCo is installed

pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
TOLERANCE = 1e-10

# (body, point), (body, point), stiffness, rest, damping
TENDONS = {
    "hinges": [(("world", (0.1, 0.2, 0.9)), ("b2", (0.1, -0.3, 0.2)), 80.0, 0.3, 4.0)],
    "slides": [
        (("b0", (0.1, 0.0, 0.2)), ("b2", (0.0, 0.3, 0.1)), 50.0, 0.0, 2.0),
        (("b1", (0.2, 0.1, 0.0)), ("b2", (0.1, 0.1, 0.3)), 0.0, 0.0, 3.0),
    ],
    "ball": [(("b0", (0.1, 0.2, 0.0)), ("b2", (0.2, 0.0, 0.1)), 120.0, 0.5, 0.0)],
    "free": [(("world", (0.3, 0.0, 0.1)), ("b0", (0.1, 0.1, 0.1)), 70.0, 0.2, 5.0)],
    "branches": [
        (("b", (0.1, 0.2, 0.3)), ("d", (0.0, 0.2, 0.1)), 90.0, 0.4, 3.0),
        (("e", (0.2, 0.2, 0.0)), ("c", (0.1, 0.0, 0.2)), 60.0, 0.1, 1.0),
    ],
}


def numbers(values):
    return " ".join(map(repr, values))


def with_tendons(text, tendons):
    """Return the MJCF text with a site at each end, put into its body, and the tendons."""
    spatial = ""
    for k, (first, second, stiffness, rest, damping) in enumerate(tendons):
        for end, (body, point) in zip("ab", (first, second), strict=True):
            site = f'<site name="{end}{k}" pos="{numbers(point)}"/>'
            place = "<worldbody>" if body == "world" else f'<body name="{body}"'
            start = text.index(place)
            start = text.index(">", start) + 1
            text = text[:start] + site + text[start:]
        sites = f'<site site="a{k}"/><site site="b{k}"/>'
        spatial += f'<spatial stiffness="{stiffness}" damping="{damping}" springlength="{rest}">{sites}</spatial>'
    return text.replace("</mujoco>", f"<tendon>{spatial}</tendon></mujoco>")


def sprung(tmp_path, name, backend):
    file = tmp_path / "model.xml"
    file.write_text(MODELS[name])
    model = read_mjcf(file)
    springs = []
    for k, (first, second, *rest) in enumerate(TENDONS[name]):
        ends = [(model.base if body == "world" else body, point) for body, point in (first, second)]
        springs.append(PointSpring(f"tendon_{k}", *ends[0], *ends[1], *rest))
    return Robot(model.replace(force_elements=tuple(springs)), backend=backend)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", TENDONS)
def test_torques_are_those_of_mujoco(tmp_path, name, backend):
    judge, robot = Judge(with_tendons(MODELS[name], TENDONS[name])), sprung(tmp_path, name, backend)
    states = judge.states(9, seed=1)
    theirs = np.array([judge.tau(*state) for state in zip(*states, strict=True)])
    assert error(robot.inverse_dynamics(*states), theirs) < TOLERANCE
    plain = Robot(robot.model.replace(force_elements=()), backend=backend)
    assert error(plain.inverse_dynamics(*states), theirs) > 1e-3


@pytest.mark.parametrize("name", ["hinges", "slides"])
def test_accelerations_and_energies_are_those_of_mujoco(tmp_path, name, backend):
    text = with_tendons(MODELS[name], TENDONS[name]).replace("<flag ", '<flag energy="enable" ')
    judge, robot = Judge(text), sprung(tmp_path, name, backend)
    for q, qd, tau in zip(*judge.states(9, seed=4), strict=True):
        judge.d.qpos[:], judge.d.qvel[:], judge.d.qfrc_applied[:] = q, qd, tau
        mujoco.mj_forward(judge.m, judge.d)
        assert error(robot.forward_dynamics(q, qd, tau), judge.d.qacc) < TOLERANCE
        assert robot.potential_energy(q) + robot.spring_energy(q) == pytest.approx(judge.d.energy[0], rel=1e-10, abs=1e-9)
