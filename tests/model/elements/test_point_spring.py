"""Force elements of a model: fields, errors, and what keeps them."""

import math
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from lissom import PointSpring, Robot
from lissom.errors import ModelError, NameLookupError
from lissom.model.elements.element import MOST, ForceElement
from lissom.model.elements.table import KINDS
from lissom.model.lock import locked
from lissom.model.payload import with_payload
from lissom.robots import five_bar_model, hua_arm_model, planar_two_link_model, tree_model
from support.states import error, random_states

pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
ENDS = ("base", (0, 0, 1), "hand", (0.1, 0, 0))


def sprung(model, **fields):
    names = [link.name for link in model.links]
    spring = PointSpring("tendon", names[0], (0.1, 0.2, 0.3), names[-1], (0.0, 0.1, 0.0), 80.0, 0.2, 3.0)
    return model.replace(force_elements=(spring,), **fields)


def test_fields_are_plain_and_frozen():
    spring = PointSpring("s", "base", np.array([0, 0, 1]), "hand", [np.float64(0.1), 0, -0.0], 80)
    assert spring == PointSpring("s", *ENDS, 80.0, 0.0, 0.0) and hash(spring) == hash(PointSpring("s", *ENDS, 80.0))
    assert type(spring.stiffness) is float and spring.point_a == (0.0, 0.0, 1.0)
    assert spring.ends == (("base", (0.0, 0.0, 1.0)), ("hand", (0.1, 0.0, 0.0)))
    assert not spring.damped and PointSpring("s", *ENDS, 0.0, damping=1.0).damped
    with pytest.raises(FrozenInstanceError):
        spring.rest = 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 3}, "the name of a force element must be text, got 3"),
        ({"name": " "}, "a force element has no name"),
        ({"link_a": 4}, "force element 's': link_a must be text"),
        ({"point_b": (1, 2)}, "force element 's': point_b must be three numbers, got 2"),
        ({"point_a": (0, math.nan, 0)}, "force element 's': point_a must be finite"),
        ({"stiffness": "stiff"}, "force element 's': stiffness must be a number, got 'stiff'"),
        ({"stiffness": -1.0}, r"force element 's': stiffness must be zero or positive and finite \[N/m\], got -1"),
        ({"rest": -0.1}, r"rest must be zero or positive and finite \[m\], got -0.1"),
        ({"damping": math.inf}, r"damping must be zero or positive and finite \[N s/m\], got inf"),
        ({"stiffness": 0.0}, "stiffness and damping are both zero; give one of them"),
        ({"link_b": "base"}, "force element 's': both ends are on link 'base'; a spring acts between two links"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    values = dict(zip((field.name for field in fields(PointSpring)), ("s", *ENDS, 80.0, 0.0, 0.0), strict=True))
    with pytest.raises(ModelError, match=message):
        PointSpring(**{**values, **change})


def test_a_model_checks_links_names_and_kinds():
    model = planar_two_link_model()
    a, b = model.links[0].name, model.links[-1].name
    spring = PointSpring("s", a, (0, 0, 0), b, (0, 0, 1), 1.0)
    with pytest.raises(NameLookupError, match=rf"no link '{b}x'.*end of force element 's'.*did you mean '{b}'"):
        model.replace(force_elements=(PointSpring("s", a, (0, 0, 0), b + "x", (0, 0, 1), 1.0),))
    with pytest.raises(ModelError, match="two force elements are called 's'"):
        model.replace(force_elements=(spring, spring))
    with pytest.raises(ModelError, match="a sequence of ForceElement, got 3"):
        model.replace(force_elements=3)
    with pytest.raises(ModelError, match="such as PointSpring, got 'tendon'"):
        model.replace(force_elements=["tendon"])
    many = tuple(PointSpring(f"s{k}", a, (0, 0, 0), b, (0, 0, 1), 1.0) for k in range(MOST + 1))
    with pytest.raises(ModelError, match="1001 force elements, expected at most 1000"):
        model.replace(force_elements=many)


def test_equal_models_have_equal_fingerprints_and_elements_count():
    model = planar_two_link_model()
    assert sprung(model).fingerprint == sprung(model).fingerprint != model.fingerprint
    softer = sprung(model).replace(force_elements=(PointSpring("tendon", *_ends(model), 79.0, 0.2, 3.0),))
    assert softer.fingerprint != sprung(model).fingerprint
    assert repr(sprung(model)).count("1 force element") == 1


def _ends(model):
    element = sprung(model).force_elements[0]
    return element.link_a, element.point_a, element.link_b, element.point_b


def test_changes_of_a_model_keep_its_elements():
    model = sprung(planar_two_link_model())
    kept = model.force_elements
    for changed in (
        model.without_friction(),
        model.with_joints(lambda joint: joint),
        with_payload(model, 2.0),
        locked(model, {model.joints[0].name: 0.3}),
        Robot(model).with_payload(1.0).model,
        sprung(hua_arm_model()).with_rigid_drives(),
        sprung(five_bar_model()).without_loops(),
    ):
        assert [e.name for e in changed.force_elements] == ["tendon"]
    assert model.without_friction().force_elements == kept and kept[0].damping == 3.0


def test_a_locked_robot_with_elements_moves_as_the_whole_one_with_joints_at_rest():
    model = sprung(tree_model(4, branching=1, seed=3, kinds=["revolute", "prismatic"]))
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=4)
    qd[1] = qdd[1] = 0.0
    rest, free = Robot(locked(model, {robot.joint_names[1]: q[1]}), backend="numpy"), [0, 2, 3]
    assert error(rest.inverse_dynamics(q[free], qd[free], qdd[free]), robot.inverse_dynamics(q, qd, qdd)[free]) < 1e-11


@pytest.mark.parametrize("kind", KINDS.values())
def test_a_kind_has_fields_that_files_can_say(kind):
    assert issubclass(kind, ForceElement) and [field.name for field in fields(kind)][0] == "name"
    assert {field.type for field in fields(kind)} <= {"str", "Vector3", "float"}


def test_the_interface_asks_for_what_is_missing():
    class Mute(ForceElement):
        pass

    for ask in (lambda x: x.ends, lambda x: x.damped, lambda x: x.forces([], []), lambda x: x.energy([])):
        with pytest.raises(AssertionError, match="Mute"):
            ask(Mute())
