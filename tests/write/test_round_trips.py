"""Writing and reading gives the model back: YAML to the last bit, URDF to rounding."""

import math
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lissom.model import (
    Coupling,
    Friction,
    Inertia,
    Joint,
    JointKind,
    Limits,
    Link,
    Model,
    Motion,
    Motor,
    Polynomial,
    Pose,
    Spline,
    Spring,
)
from lissom.model.joint import SINGLE_DOF
from lissom.model.pose import rotation_from_quaternion, rotation_from_rpy
from lissom.read.urdf import parse_urdf, read_urdf
from lissom.read.yaml import parse_yaml
from lissom.write import to_urdf, to_yaml
from lissom.write.urdf_values import to_rpy

pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
FILES = [file for file in sorted(ROBOTS.rglob("*.urdf")) if file.name not in ("falcon.urdf", "ur3.urdf")]

finite = st.floats(-1e6, 1e6)
positive = st.floats(1e-6, 1e6)
vectors = st.tuples(finite, finite, finite)
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=8).filter(lambda s: s.strip())
quarter = st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi, 1.0, -2.5])


@st.composite
def poses(draw):
    rotation = draw(
        st.sampled_from([np.eye(3)])
        | st.tuples(quarter, quarter, quarter).map(lambda rpy: rotation_from_rpy(*rpy))
        | st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(x * x for x in q) > 1e-3).map(rotation_from_quaternion)
    )
    return Pose(rotation, draw(vectors))


@st.composite
def inertias(draw):
    a, b, c = draw(positive), draw(positive), draw(positive)
    R = np.array(draw(poses()).rotation)
    I = R @ np.diag([a + b, a + c, b + c]) @ R.T
    return Inertia(draw(positive), draw(vectors), (I + I.T) / 2)


@st.composite
def drives(draw, earlier):
    lower, upper = sorted((draw(finite), draw(finite)))
    limits = draw(st.sampled_from([Limits(), Limits(lower, upper), Limits(effort=abs(upper)), Limits(lower, upper, 1.0, 2.0)]))
    coupling = Coupling(draw(st.sampled_from(earlier)), draw(finite), draw(finite)) if earlier and draw(st.booleans()) else None
    friction = Friction(draw(st.just(0.0) | positive), draw(st.just(0.0) | positive))
    rotor, spring = draw(st.just(0.0) | positive), Spring(draw(positive), draw(finite), draw(st.just(0.0) | positive))
    spring = draw(st.sampled_from([None, spring]))
    return {"limits": limits, "friction": friction, "coupling": coupling, "rotor_inertia": rotor, "spring": spring}


SQUARE = [((0.0, 0.0, 1.0), (0.6, 0.8, 0.0)), ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0))]


@st.composite
def functions(draw):
    """Polynomials and splines."""
    if draw(st.booleans()):
        return Polynomial(tuple(draw(st.lists(finite, min_size=1, max_size=4))))
    values = draw(st.lists(st.floats(-10, 10), min_size=4, max_size=6))
    return Spline(tuple(float(k) for k in range(len(values))), tuple(values), draw(st.sampled_from(["natural", "cubic"])))


@st.composite
def motions(draw):
    """Motions of custom joints, of which one function at least changes."""
    pairs = st.tuples(st.sampled_from([(0.0, 0.0, 1.0), (0.6, 0.0, 0.8)]), functions())
    turn = ((0.0, 1.0, 0.0), Polynomial((0.0, 1.0)))
    unit = draw(st.sampled_from(["rad", "m"]))
    return Motion(tuple(draw(st.lists(pairs, max_size=3))), (*draw(st.lists(pairs, max_size=2)), turn), unit)


@st.composite
def models(draw, plain=False):
    """Random trees of up to six links; `plain` ones hold only what URDF can say."""
    count = draw(st.integers(1, 6))
    word = names.filter(lambda s: not any(c < " " for c in s)) if plain else names
    link_names = draw(st.lists(word, min_size=count, max_size=count, unique=True))
    joint_names = draw(st.lists(word, min_size=count - 1, max_size=count - 1, unique=True))
    if plain:
        joint_names.sort(key=lambda s: s.encode())
    kinds = [k for k in JointKind if not (plain and (k is JointKind.SPHERICAL or not k.traits.in_urdf))]
    links = [Link(name, draw(st.none() | inertias())) for name in link_names]
    joints: list[Joint] = []
    for i, name in enumerate(joint_names, 1):
        kind = draw(st.sampled_from(kinds))
        parent = link_names[draw(st.integers(0, i - 1))]
        extra = {}
        if kind in SINGLE_DOF:
            extra = draw(drives([j.name for j in joints if j.kind in SINGLE_DOF]))
            if plain:
                extra["rotor_inertia"], extra["spring"] = 0.0, None
                if kind is JointKind.CONTINUOUS:
                    extra["limits"] = Limits(effort=3.0)
        axis = draw(vectors.filter(lambda v: sum(x * x for x in v) > 1e-6))
        if plain and kind not in SINGLE_DOF and kind is not JointKind.PLANAR:
            axis = (0.0, 0.0, 1.0)
        if kind is JointKind.HELICAL:
            extra["pitch"] = draw(finite)
        if kind is JointKind.UNIVERSAL:
            axis, extra["second_axis"] = draw(st.sampled_from(SQUARE))
        if kind is JointKind.CUSTOM:
            axis, extra["motion"] = (0.0, 0.0, 1.0), draw(motions())
        tail = Pose() if plain else draw(st.just(Pose()) | poses())
        joints.append(Joint(name, kind, parent, link_names[i], draw(st.just(Pose()) | poses()), axis, tail, **extra))
    gravity = (0.0, 0.0, -9.81) if plain else draw(vectors)
    return Model(draw(names), tuple(links), tuple(joints), gravity, draw(motors(joints, link_names, word, plain)))


@st.composite
def motors(draw, joints, link_names, word, plain):
    """Motors of some joints; `plain` ones have nothing but a gear ratio."""
    found = []
    for joint in joints:
        if joint.kind in SINGLE_DOF and draw(st.booleans()):
            taken = {j.name for j in joints} | {motor.name for motor in found}
            name, ratio = draw(word.filter(lambda s, taken=taken: s not in taken)), draw(finite.filter(bool))
            if plain:
                found.append(Motor(name, joint.name, ratio=ratio))
                continue
            across, about = draw(positive), draw(positive)
            inertia = Inertia(draw(positive), (0.0, 0.0, draw(finite)), np.diag([across, across, about]))
            spring = draw(st.none() | st.builds(Spring, positive, finite, st.floats(0, 1e6)))
            friction = Friction(draw(st.floats(0, 1e6)), draw(st.floats(0, 1e6)))
            limits = Limits() if spring is None else draw(st.just(Limits()) | st.just(Limits(-1.5, 2.0, 3.0, math.inf)))
            where, rotor = draw(st.sampled_from(link_names)), draw(st.sampled_from(["full", "reflected"]))
            found.append(Motor(name, joint.name, where, ratio, inertia, draw(poses()), spring, friction, limits, rotor))
    return tuple(found)


relaxed = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@relaxed
@given(models())
def test_yaml_gives_any_model_back_to_the_last_bit(model):
    assert parse_yaml(to_yaml(model)) == model


def test_yaml_keeps_a_tensor_that_is_symmetric_only_to_rounding():
    tensor = ((1.0, 0.1, 0.0), (0.1 + 1e-17 * 2, 1.0, 0.2), (1e-12, 0.2, 1.0))
    model = Model("m", (Link("a", Inertia(1.0, tensor=tensor)),), ())
    assert parse_yaml(to_yaml(model)) == model


def assert_equal_to_rounding(ours, model):
    assert ours.links == model.links
    assert (ours.name, ours.gravity, len(ours.joints)) == (model.name, model.gravity, len(model.joints))
    for a, b in zip(ours.joints, model.joints, strict=True):
        assert (a.name, a.kind, a.parent, a.child, a.axis) == (b.name, b.kind, b.parent, b.child, b.axis)
        assert (a.limits, a.friction, a.coupling, a.tail) == (b.limits, b.friction, b.coupling, b.tail)
        assert a.origin.translation == b.origin.translation
        assert np.allclose(a.origin.R, b.origin.R, rtol=0, atol=3e-15)
    assert ours.motors == model.motors


@relaxed
@given(models(plain=True))
def test_urdf_gives_plain_models_back_to_rounding(model):
    try:
        text = to_urdf(model)
    except ValueError as error:
        assert "characters that XML cannot" in str(error)
        return
    assert_equal_to_rounding(parse_urdf(text, friction=True), model)


@pytest.mark.sweep(12)
@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_published_robots_survive_both_forms(file):
    model = read_urdf(file, base="floating", friction=True)
    assert parse_yaml(to_yaml(model)) == model
    assert_equal_to_rounding(parse_urdf(to_urdf(model), friction=True), model)


@given(st.floats(-4, 4), st.floats(-1e-6, 1e-6), st.floats(-4, 4), st.sampled_from([1, -1]))
def test_angles_are_good_to_rounding_where_pitch_is_a_right_angle(roll, nearly, yaw, sign):
    R = rotation_from_rpy(roll, sign * math.pi / 2 + nearly, yaw)
    assert np.allclose(rotation_from_rpy(*to_rpy(Pose(R))), R, rtol=0, atol=3e-15)


def test_writing_twice_gives_the_same_text():
    model = read_urdf(FILES[0])
    assert to_yaml(model) == to_yaml(parse_yaml(to_yaml(model), mesh_path=ROBOTS))
    assert to_urdf(model) == to_urdf(parse_urdf(to_urdf(model), mesh_path=ROBOTS))
