"""Denavit-Hartenberg tables, standard and modified."""

import textwrap
import warnings

import numpy as np
import pytest

import lissom
from lissom import Robot
from lissom.errors import FileError
from lissom.model import JointKind
from lissom.read import dh
from lissom.read.yaml import parse_yaml

LINK = "mass: 1, inertia: [1, 1, 1, 0, 0, 0]"


def table(convention, *rows, extra=""):
    return f"lissom: 1\nkind: dh\nconvention: {convention}\nname: t\n{extra}joints:\n" + "".join(
        f"  - {{{row}}}\n" for row in rows
    )


def Rx(t):
    return np.array([[1, 0, 0, 0], [0, np.cos(t), -np.sin(t), 0], [0, np.sin(t), np.cos(t), 0], [0, 0, 0, 1]])


def Rz(t):
    return np.array([[np.cos(t), -np.sin(t), 0, 0], [np.sin(t), np.cos(t), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def T(x, z):
    M = np.eye(4)
    M[0, 3], M[2, 3] = x, z
    return M


def as4(pose):
    return np.vstack([np.column_stack([pose.R, pose.p]), [0, 0, 0, 1]])


# theta, d, a, alpha of a PRR arm
ROWS = [(0.3, 0.1, 0.2, 0.5), (-0.4, 0.2, 0.3, -1.1), (0.7, -0.3, 0.1, 0.9)]
KINDS = ["prismatic", "revolute", "revolute"]
Q = [0.25, -0.8, 1.3]


def standard_model():
    rows = [f"kind: {k}, theta: {t}, d: {d}, a: {a}, alpha: {al}, {LINK}" for k, (t, d, a, al) in zip(KINDS, ROWS, strict=True)]
    return parse_yaml(table("standard", *rows))


def test_standard_rows_are_Rz_Tz_Tx_Rx_with_the_coordinate_on_theta_or_d(link_poses):
    expected = np.eye(4)
    poses = link_poses(standard_model(), Q)
    for i, (kind, q, (theta, d, a, alpha)) in enumerate(zip(KINDS, Q, ROWS, strict=True), 1):
        sliding = kind == "prismatic"
        expected = expected @ Rz(theta + (0 if sliding else q)) @ T(0, d + (q if sliding else 0)) @ T(a, 0) @ Rx(alpha)
        assert np.allclose(as4(poses[f"link_{i}"]), expected, atol=1e-14)


def test_modified_rows_are_Khalils_transform(link_poses):
    gamma, b, alpha, d, theta, r = 0.1, 0.2, 0.3, 0.4, 0.5, 0.6
    row = f"gamma: {gamma}, b: {b}, alpha: {alpha}, d: {d}, theta: {theta}, r: {r}, {LINK}"
    before = Rz(gamma) @ T(0, b) @ Rx(alpha) @ T(d, 0)
    turned = link_poses(parse_yaml(table("modified", row)), [0.7])["link_1"]
    assert np.allclose(as4(turned), before @ Rz(theta + 0.7) @ T(0, r), atol=1e-14)
    slid = link_poses(parse_yaml(table("modified", f"sigma: 1, {row}")), [0.7])["link_1"]
    assert np.allclose(as4(slid), before @ Rz(theta) @ T(0, r + 0.7), atol=1e-14)


def test_standard_and_modified_tables_of_one_robot_agree(link_poses):
    # modified row j has alpha and a of standard row j-1; the last two of them are left for the tool
    shifted = [(0.0, 0.0), *((a, alpha) for _, _, a, alpha in ROWS)]
    rows = [
        f"kind: {k}, theta: {t}, r: {d}, d: {a}, alpha: {al}, {LINK}"
        for k, (t, d, _, _), (a, al) in zip(KINDS, ROWS, shifted[:-1], strict=True)
    ]
    a, alpha = shifted[-1]
    modified = parse_yaml(table("modified", *rows, extra=f"tool: {{xyz: [{a}, 0, 0], rpy: [{alpha}, 0, 0]}}\n"))
    assert np.allclose(as4(link_poses(modified, Q)["tool"]), as4(link_poses(standard_model(), Q)["link_3"]), atol=1e-14)
    assert all(j.tail == modified.joints[0].tail for j in modified.joints)


def test_antecedents_make_a_tree(link_poses):
    model = parse_yaml(
        table(
            "modified",
            f"name: trunk, r: 1, {LINK}",
            f"name: left, antecedent: trunk, gamma: pi/2, d: 0.5, {LINK}",
            f"name: right, antecedent: 1, gamma: -pi/2, d: 0.5, {LINK}",
            f"name: hand, link: hand_link, antecedent: link_2, d: 0.25, {LINK}",
            f"name: other, antecedent: base, d: 2, {LINK}",
            f"name: last, antecedent: 0, sigma: 2, d: 3, {LINK}",
        )
    )
    assert [j.parent for j in model.joints] == ["base", "link_1", "link_2", "link_1", "base", "base"]
    poses = link_poses(model, np.zeros(model.nq))
    assert np.allclose(poses["hand_link"].p, [0, 0.75, 1])
    assert np.allclose(poses["link_3"].p, [0, -0.5, 1])
    assert model.joint("last").kind is JointKind.FIXED


def test_khalils_inertial_parameters_are_moved_to_the_center_of_mass():
    m, c, I = 2.0, np.array([0.1, 0.2, 0.3]), np.array([[1, 0.1, 0.2], [0.1, 1.2, 0.3], [0.2, 0.3, 1.5]])
    J = I + m * (c @ c * np.eye(3) - np.outer(c, c))
    moments = ", ".join(repr(float(J[i, j])) for i, j in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)])
    first = ", ".join(repr(float(x)) for x in m * c)
    row = f"mass: {m}, first_moment: [{first}], inertia_origin: [{moments}]"
    inertia = parse_yaml(table("modified", row)).link("link_1").inertia
    assert np.allclose(inertia.com, c)
    assert np.allclose(inertia.tensor, I)


def test_drive_data_tool_base_and_gravity_are_read():
    model = parse_yaml(
        table(
            "standard",
            f"name: a, {LINK}, limits: {{upper: 1}}, friction: {{viscous: 2, coulomb: 3}}, rotor_inertia: 4",
            f"name: b, kind: continuous, {LINK}, coupling: {{joint: a}}",
            extra="gravity: [0, 0, 0]\nbase: ground\ntool: {name: tip, on: a, xyz: [1, 0, 0]}\n",
        )
    )
    a = model.joint("a")
    assert (a.limits.upper, a.friction.viscous, a.friction.coulomb, a.rotor_inertia) == (1, 2, 3, 4)
    assert (model.base, model.gravity, model.nv) == ("ground", (0, 0, 0), 1)
    assert model.joint("tip_fixed").parent == "link_1"


@pytest.mark.filterwarnings("error")
def test_a_rotor_alone_makes_a_joint_with_inertia():
    robot = Robot(parse_yaml(table("modified", "rotor_inertia: 2")), backend="numpy")
    assert robot.forward_dynamics([0.3], [0.1], [1.0]) == pytest.approx([0.5])


def test_the_example_in_the_documentation_loads():
    example = "\n".join(line for line in dh.__doc__.splitlines() if line.startswith("    "))
    assert parse_yaml(textwrap.dedent(example)).nv == 2


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (table("modified", f"a: 1, {LINK}"), 6, "'a' is not in a modified table; .*Craig's a is d here"),
        (table("standard", f"r: 1, {LINK}"), 6, "'r' is not in a standard table; .*'convention: modified'"),
        (table("standard", f"antecedent: base, {LINK}"), 6, "'antecedent' is not in a standard table"),
        (table("standard", f"thetta: 1, {LINK}"), 6, "unknown key 'thetta' in item 1 .* did you mean 'theta'"),
        (table("standrd", LINK), 3, "'convention' of the document must be one of standard, modified, got 'standrd'"),
        (table("standard", f"kind: spherical, {LINK}"), 6, "must be one of revolute, continuous, prismatic, fixed"),
        (table("standard", f"sigma: 3, {LINK}"), 6, "must be one of 0, 1, 2, got '3'"),
        (table("standard", f"sigma: 0, kind: fixed, {LINK}"), 6, "row 1 gives both kind and sigma"),
        (
            table("modified", LINK, f"antecedent: joint_3, {LINK}"),
            7,
            "row 2: no earlier row is called 'joint_3'; did you mean 'joint_1'",
        ),
        (table("standard", "a: 1"), 6, "joint 'joint_1' moves no mass"),
        (table("standard", LINK, "a: 1"), 7, "joint 'joint_2' moves no mass"),
        (table("standard", "mass: 0"), 6, "has mass 0; leave the mass out"),
        (
            table("standard", f"kind: fixed, rotor_inertia: 1, {LINK}"),
            6,
            "friction and rotor inertia belong to single-axis joints",
        ),
        (table("standard", f"name: a, {LINK}", f"name: a, {LINK}"), 7, "two joints are called 'a'"),
        (table("standard", f"link: base, {LINK}"), 6, "two links are called 'base'"),
        (table("standard", LINK, extra="tool: {on: nowhere}\n"), 5, "the tool is on 'nowhere', which is not a row"),
        (table("standard").replace("joints:", "joints: []"), 5, "the table has no rows"),
        ("lissom: 1\nkind: dh\nname: t\nconvention: standard\n", 1, "a Denavit-Hartenberg table needs the key 'joints'"),
        ("lissom: 1\nkind: dh\nname: t\njoints: []\n", 1, "a Denavit-Hartenberg table needs the key 'convention'"),
    ],
)
def test_refusals_name_line_and_reason(text, line, said):
    with pytest.raises(FileError, match=said) as caught:
        parse_yaml(text, path="t.yaml")
    assert caught.value.line == line


def test_massless_rows_are_allowed_when_said_to_be_meant():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse_yaml(table("modified", LINK, "massless: true")).link("link_2").massless


TABLE = """lissom: 1
kind: dh
convention: standard
name: two links
joints:
  - {{a: 0.4, alpha: pi/2, {first}}}
  - {{a: 0.3, mass: 2, com: [-0.1, 0, 0], inertia: [0.01, 0.02, 0.03, 0, 0, 0]}}
"""


def test_an_inertia_without_mass_has_a_remedy_that_can_be_followed():
    with pytest.raises(FileError, match=r":6: row 1 .* has mass 0; .* write mass: 1e-9 .* rotor_inertia"):
        parse_yaml(TABLE.format(first="mass: 0, inertia: [0, 0.35, 0, 0, 0, 0]"))
    # about its own axis, y of the frame behind alpha = 90deg, the first link feels 0.35: both ways say so
    with pytest.warns(lissom.ModelWarning, match="triangle"):
        light = lissom.Robot(parse_yaml(TABLE.format(first="mass: 1e-9, inertia: [0, 0.35, 0, 0, 0, 0]")), backend="numpy")
    exact = lissom.Robot(parse_yaml(TABLE.format(first="massless: true, rotor_inertia: 0.35")), backend="numpy")
    state = ([0.3, -0.7], [1.1, 0.4], [2.0, -1.0])
    np.testing.assert_allclose(light.inverse_dynamics(*state), exact.inverse_dynamics(*state), rtol=0, atol=1e-7)


def test_a_mass_of_zero_and_nothing_else_is_left_out():
    with pytest.raises(FileError, match="has mass 0; leave the mass out, and write massless: true"):
        parse_yaml(TABLE.format(first="mass: 0"))
    assert parse_yaml(TABLE.format(first="massless: true")).nv == 2
