"""lissom's own YAML: trees, and everything that can be wrong with a document."""

import math
import textwrap
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom.errors import FileError, LissomError
from lissom.model import Coupling, Friction, JointKind, Limits, Motion, Polynomial, Spline, Spring
from lissom.read import load_model, tree
from lissom.read.yaml import parse_yaml, read_yaml
from lissom.write.yaml import to_yaml

GOOD = """\
lissom: 1
kind: tree
name: arm
gravity: [0, 0, -1.62]
links:
  - name: base
  - {name: upper, mass: 2, com: [0, 0, 0.1], inertia: [1, 2, 2.5, 0.1, 0.2, 0.3]}
  - name: lower
    mass: 1
    inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
joints:
  - name: j1
    kind: revolute
    parent: base
    child: upper
    origin: {xyz: [0, 0, 1], rpy: [0, 0, pi/2]}
    axis: [0, 0, 2]
    limits: {lower: -90deg, upper: pi, effort: .inf}
    friction: {viscous: 0.1, coulomb: 0.2}
    rotor_inertia: 0.3
  - name: j2
    kind: prismatic
    parent: upper
    child: lower
    tail: {quaternion: [0, 0, 1, 1]}
    coupling: {joint: j1, ratio: 2, offset: 0.5}
"""


def test_a_tree_document_gives_every_field():
    model = parse_yaml(GOOD)
    j1, j2 = model.joints
    assert (model.name, model.gravity, model.base) == ("arm", (0.0, 0.0, -1.62), "base")
    assert model.link("upper").inertia.tensor == ((1.0, 0.1, 0.2), (0.1, 2.0, 0.3), (0.2, 0.3, 2.5))
    assert model.link("upper").inertia.com == (0.0, 0.0, 0.1)
    assert j1.kind is JointKind.REVOLUTE
    assert j1.origin.rotation == ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert (j1.axis, j1.rotor_inertia, j1.friction) == ((0.0, 0.0, 1.0), 0.3, Friction(0.1, 0.2))
    assert j1.limits == Limits(-np.pi / 2, np.pi)
    assert np.allclose(j2.tail.R, [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert j2.coupling == Coupling("j1", 2, 0.5)
    assert parse_yaml(GOOD, mimic=False).nv == 2
    assert parse_yaml(GOOD, friction=False).joints[0].friction == Friction()
    assert parse_yaml(GOOD, base="floating").joints[0].name == "root_joint"


def test_the_example_in_the_documentation_loads():
    example = "\n".join(line for line in tree.__doc__.splitlines() if line.startswith("    "))
    assert parse_yaml(textwrap.dedent(example)).nv == 1


def test_springs_of_trees_and_tables_are_read():
    model = parse_yaml(GOOD.replace("rotor_inertia: 0.3", "spring: {stiffness: 80, rest: 90deg, damping: 0.5}"))
    assert model.joints[0].spring == Spring(80.0, np.pi / 2, 0.5) and model.joints[1].spring is None
    assert parse_yaml(to_yaml(model)) == model
    table = "lissom: 1\nkind: dh\nconvention: modified\nname: t\njoints:\n  - {mass: 2, com: [1, 0, 0], spring: {stiffness: 5}}\n"
    assert parse_yaml(table).joints[0].spring == Spring(5.0)
    assert parse_yaml(table.replace("modified", "standard"), friction=False).joints[0].spring == Spring(5.0)


def test_names_are_texts_whatever_yaml_thinks():
    model = parse_yaml(
        GOOD.replace("name: base", "name: no").replace("parent: base", "parent: no").replace("name: arm", "name: 1.0")
    )
    assert (model.base, model.name) == ("no", "1.0")


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (GOOD, "", None, "the file is empty; a robot starts with 'lissom: 1'"),
        ("lissom: 1", "lisom: 1", 1, "unknown key 'lisom' in the document; did you mean 'lissom'"),
        ("lissom: 1\n", "", 1, "the document has no key 'lissom'"),
        ("kind: tree\n", "", 1, "the document has no key 'kind'"),
        ("lissom: 1", "lissom: 2", 1, "this is version '2' of the format; this lissom reads version 1"),
        ("kind: tree", "kind: three", 2, "'kind' of the document must be one of tree, dh, got 'three'; did you mean 'tree'"),
        ("kind: tree", "kind: scenaro", 2, "must be one of tree, dh, got 'scenaro'; did you mean 'scenario'"),
        ("kind: tree", "kind: scenario", 2, r"this file is a scenario, for `lissom simulate` \(kind: scenario\), not a robot"),
        ("kind: tree", "kind: dh", 5, "unknown key 'links' in the document"),
        ("links:", "links: 5\nx:", 6, "unknown key 'x'"),
        ("name: arm", "name: arm\nname: b", 4, "key 'name' of the document is given twice"),
        ("name: arm", "name:", 3, "'name' of the document must be a text, got nothing"),
        ("[0, 0, -1.62]", "[0, 0]", 4, "'gravity' of the document must be 3 numbers, got 2"),
        ("[0, 0, -1.62]", "down", 4, "'gravity' of the document must be a list, got 'down'"),
        ("[0, 0, -1.62]", "{x: 1}", 4, "'gravity' of the document must be a list, got a mapping"),
        ("mass: 2", "mass: [2]", 7, "must be a number such as 0.5, 1e-3, -pi/2 or 90deg, got a list"),
        ("[0, 0, -1.62]", "[0, 0, g]", 4, "item 3 of 'gravity' of the document must be a number such as"),
        ("- name: base", "- base", 6, "item 1 of 'links' of the document must be a mapping with the keys name, mass"),
        ("- name: base", "- mass: 1", 6, "item 1 of 'links' of the document has no key 'name'"),
        ("name: base", "name: upper", 7, r"two links are called 'upper' \(the first at line 6\)"),
        ("mass: 2", "mas: 2", 7, "unknown key 'mas' in item 2 of 'links' of the document; did you mean 'mass'"),
        ("mass: 2", "mass: 0", 7, "has mass 0; for an inertia without mass"),
        ("mass: 2", "mass: -2", 7, "mass must be positive, got -2"),
        ("mass: 2", "mass: nan", 7, "'mass' of item 2 of 'links' of the document must be a number"),
        ("mass: 2, ", "", 7, "link 'upper' has 'com' but no 'mass'"),
        ("mass: 2", "mass: 2, massless: true", 7, "link 'upper' is marked massless but has a mass; remove one"),
        ("mass: 2", "mass: 2, massless: maybe", 7, "must be one of true, false, got 'maybe'"),
        ("mass: 2", "mass: 2, first_moment: [0, 0, 0]", 7, "link 'upper' mixes com and inertia and first_moment"),
        ("inertia: [1, 2, 2.5, 0.1, 0.2, 0.3]", "inertia: [1, 2]", 7, "must be 6 numbers, got 2"),
        ("[0, 1, 0], [0, 0, 1]]", "[2, 1, 0], [0, 0, 1]]", 9, "inertia is not symmetric"),
        ("    mass: 1\n    inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n", "", 19, "joint 'j2' moves no mass.*massless: true"),
        ("kind: revolute", "kind: screw", 13, "must be one of fixed, revolute, .*, custom, got 'screw'$"),
        ("kind: tree", "kind: walk", 2, "must be one of tree, dh, got 'walk'$"),
        ("kind: revolute", "kind: revolut", 13, "'kind' of joint 'j1' must be one of fixed, revolute.*did you mean 'revolute'"),
        ("    kind: revolute\n", "", 12, "item 1 of 'joints' of the document has no key 'kind'"),
        ("name: j2", "name: j1", 21, "two joints are called 'j1'"),
        ("parent: base", "parent: bse", 12, r"no link 'bse' \(parent of joint 'j1'\); did you mean 'base'"),
        ("joint: j1", "joint: j9", 21, r"no joint 'j9' \(joint 'j2' is coupled to it\)"),
        ("joint: j1", "joint: j2", 21, "joints are coupled in a circle: 'j2' -> 'j2'"),
        ("coupling: {joint: j1, ", "coupling: {", 26, "has no key 'joint'"),
        ("rpy: [0, 0, pi/2]", "rpy: [0, 0, 0], quaternion: [0, 0, 0, 1]", 16, r"gives its rotation 2 times \(rpy, quaternion\)"),
        ("rpy: [0, 0, pi/2]", "quaternion: [0, 0, 0, 0]", 16, "a quaternion must not be zero"),
        ("rpy: [0, 0, pi/2]", "rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 2]]", 16, "rotation is not a proper orthogonal matrix"),
        ("rpy: [0, 0, pi/2]", "rotation: [[1, 0, 0], [0, 1, 0]]", 16, "must be three rows of three numbers, got 2 rows"),
        ("axis: [0, 0, 2]", "axis: [0, 0, 0]", 12, "joint 'j1': its axis has zero length"),
        ("lower: -90deg", "lower: 4", 18, "lower limit 4 is above the upper limit"),
        ("viscous: 0.1", "viscous: -0.1", 19, "viscous friction must be zero or positive"),
        ("rotor_inertia: 0.3", "rotor_inertia: -0.3", 12, "joint 'j1': rotor inertia must be zero or positive"),
        ("rotor_inertia: 0.3", "spring: {stiffness: 0}", 12, "joint 'j1': stiffness of the spring must be positive"),
        ("rotor_inertia: 0.3", "spring: {stiffness: 1, damping: -1}", 12, "joint 'j1': damping of the spring must be zero or"),
        ("rotor_inertia: 0.3", "spring: {stiffness: .nan}", None, "stiffness"),
        ("rotor_inertia: 0.3", "spring: {rest: 1}", 20, "'stiffness'"),
        ("rotor_inertia: 0.3", "spring: {stiffnes: 1}", 20, "did you mean 'stiffness'"),
        ("kind: prismatic", "kind: spherical", 21, "only joints of one coordinate can be coupled"),
        ("kind: revolute", "kind: helical", 12, "joint 'j1': a helical joint needs its pitch"),
        ("kind: revolute", "kind: helical\n    pitch: [1]", 14, "'pitch' of item 1 of 'joints' of the document must be a number"),
        ("kind: revolute", "kind: custom", 12, "joint 'j1': a custom joint needs a motion"),
        (
            "kind: revolute",
            "kind: custom\n    motion: {rotations: [{axis: [0, 0, 1], function: {polynomial: [0, 1]}}]}",
            18,
            "joint 'j1' is custom and takes no 'axis': the axes are those of its 'motion'; remove it",
        ),
        ("kind: revolute", "kind: custom\n    motion: {turns: []}", 14, "unknown key 'turns' in 'motion' of joint 'j1'"),
        ("kind: revolute", "kind: custom\n    motion: {unit: deg}", 14, "must be one of rad, m, got 'deg'"),
        ("kind: revolute", "kind: custom\n    motion: {rotations: [{axis: [0, 0, 1]}]}", 14, "has no key 'function'"),
        (
            "kind: revolute",
            "kind: custom\n    motion: {rotations: [{axis: [0, 0, 1], function: {}}]}",
            14,
            "must be one of polynomial, spline, polyline, composed, got nothing",
        ),
        (
            "kind: revolute",
            "kind: custom\n    motion: {rotations: [{axis: [0, 0, 1], function: {polyline: {at: [0, 0], values: [0, 1]}}}]}",
            14,
            "the points of a polyline must increase, got 0 after 0",
        ),
        (
            "kind: revolute",
            "kind: custom\n    motion: {rotations: [{axis: [0, 0, 1], function: "
            + "{composed: {outer: 1, inner: " * 13
            + "1"
            + "}}" * 13
            + "}]}",
            14,
            "functions are nested more than 10 deep",
        ),
        (
            "kind: revolute",
            "kind: custom\n    motion: {rotations: [{axis: [0, 0, 1], function: {spline: {at: [0, 0], values: [1, 2]}}}]}",
            14,
            "the points of a spline must increase, got 0 after 0",
        ),
        ("links:", "- links:", 5, "not a YAML document"),
        ("name: arm", "name: 'arm", None, "not a YAML document"),
        ("name: arm", "name: a\x07rm", 3, "a character that YAML does not allow"),
        ("name: arm", 'name: "\\Uffffffff"', None, "not a YAML document"),
        (
            "name: arm",
            "name: !!python/object/apply:os.system [ls]",
            3,
            "tag 'tag:yaml.org,2002:python/object/apply:os.system' is not allowed",
        ),
        ("name: arm", "name: !mine arm", 3, "tag '!mine' is not allowed"),
        ("name: arm", "name: &a arm\ngravity: *a", 4, r"aliases \(\*name\) are not allowed"),
        ("name: arm", "name: " + "[" * 60 + "]" * 60, 3, "values are nested more than 40 deep"),
    ],
)
def test_refusals_name_line_and_reason(old, new, line, said):
    assert old in GOOD
    with pytest.raises(FileError, match=said) as caught:
        parse_yaml(GOOD.replace(old, new, 1), path="f.yaml")
    if line is not None:
        assert caught.value.line == line
    assert str(caught.value).startswith("f.yaml:")


def test_a_tree_needs_links():
    with pytest.raises(FileError, match="a tree needs the key 'links'"):
        parse_yaml("lissom: 1\nkind: tree\nname: a\n")


def test_alias_bomb_is_refused():
    bomb = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    with pytest.raises(FileError, match="aliases"):
        parse_yaml(bomb)


def test_endless_nesting_is_refused_quickly():
    with pytest.raises(FileError, match="nested"):
        parse_yaml("[" * 100_000)


def test_too_large_and_wrongly_coded_files_are_refused(tmp_path):
    file = tmp_path / "a.yaml"
    file.write_bytes(b"#" * ((4 << 20) + 1))
    with pytest.raises(FileError, match="larger than 3 MiB"):
        read_yaml(file)
    file.write_bytes(b"name: \xff")
    with pytest.raises(FileError, match=r"a.yaml:1: byte 0xff is not UTF-8"):
        read_yaml(file)


def test_massless_links_are_allowed_when_said_to_be_meant(tmp_path):
    text = GOOD.replace("    mass: 1\n    inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n", "    massless: true\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = parse_yaml(text)
        assert model.link("lower").massless
        assert parse_yaml(to_yaml(model)) == model
        model.without_friction()  # nor later
        file = tmp_path / "a.yaml"
        file.write_text(text)
        assert load_model(file, strict=True) == model


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, len(GOOD)),
    st.integers(0, len(GOOD)),
    st.sampled_from(["", "[", "{", ":", "\t", '"', "&a ", "*a", "!", "- ", "%"]),
)
def test_cut_and_damaged_files_raise_or_load(start, end, inserted):
    for text in (GOOD[:start], GOOD[: min(start, end)] + inserted + GOOD[max(start, end) :]):
        try:
            parse_yaml(text)
        except LissomError as error:
            assert isinstance(error, FileError)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_raises(text):
    with pytest.raises(FileError):
        parse_yaml(text)


def test_files_of_loops_and_robots_are_not_taken_for_one_another(tmp_path):
    (tmp_path / "l.yaml").write_text("lissom: 1\nkind: loops\nloops: []\n")
    with pytest.raises(FileError, match=r"l.yaml:2: this file is the loops of a robot .* `--loops` \(kind: loops\), not a robot"):
        load_model(tmp_path / "l.yaml")
    (tmp_path / "x.yaml").write_text("lissom: 1\nkind: loop\n")
    with pytest.raises(FileError, match="got 'loop'; did you mean 'loops'?"):
        load_model(tmp_path / "x.yaml")
    (tmp_path / "r.yaml").write_text(GOOD)
    with pytest.raises(FileError, match=r"r.yaml:2: this file is a robot \(kind: tree\), not the loops of a robot"):
        load_model(tmp_path / "r.yaml", loops=tmp_path / "r.yaml")


def test_custom_joints_are_read_with_constants_polynomials_and_splines():
    text = """
lissom: 1
kind: tree
name: leg
links: [{name: thigh}, {name: shank, mass: 3.0, com: [0, -0.2, 0]}]
joints:
  - name: knee
    kind: custom
    parent: thigh
    child: shank
    motion:
      unit: rad
      translations:
        - {axis: [0, 1, 0], function: -0.4}
        - {axis: [1, 0, 0], function: {spline: {at: [-120deg, -1, 0, 1], values: [0.1, 0.2, 0, 0.1], ends: cubic}}}
      rotations:
        - {axis: [0, 0, 2], function: {polynomial: [0, 1]}}
"""
    joint = parse_yaml(text).joint("knee")
    assert joint.motion == Motion(
        (((0, 1, 0), Polynomial((-0.4,))), ((1, 0, 0), Spline((-2 * math.pi / 3, -1, 0, 1), (0.1, 0.2, 0, 0.1), "cubic"))),
        (((0, 0, 1), Polynomial((0, 1))),),
    )
