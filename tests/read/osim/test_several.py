"""Functions of several coordinates that are sums: axes of custom joints, and coordinates that follow several, beside OpenSim."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import lissom
import lissom.osim
from lissom.errors import FileError, StateError
from lissom.muscles import read_muscles
from lissom.osim import Markers, Table, inverse_kinematics, motion_of
from lissom.read import load_model
from support.osim_judge import Judged, judge

BODY = "<Body name='{0}'><mass>1</mass><mass_center>0.1 0.2 0</mass_center><inertia>0.1 0.2 0.25 0 0 0</inertia></Body>"
PIN = """<PinJoint name="{0}_joint"><socket_parent_frame>{1}</socket_parent_frame>
<socket_child_frame>{0}_offset</socket_child_frame><coordinates>
<Coordinate name="{0}"><default_value>{2}</default_value></Coordinate></coordinates>
<frames><PhysicalOffsetFrame name="{0}_offset"><socket_parent>/bodyset/{0}</socket_parent>
<translation>0.1 -0.3 0.05</translation><orientation>0.3 0.2 0.1</orientation></PhysicalOffsetFrame></frames></PinJoint>"""
LINE = "<LinearFunction><coefficients>0.4 -0.7 0.1</coefficients></LinearFunction>"
# c00 c01 c02 c10 c11 c20: powers of the last coordinate count up first
POWERS = """<MultivariatePolynomialFunction><coefficients>0.1 -0.2 0.3 0.5 0 0.25</coefficients><dimension>2</dimension>
<order>2</order></MultivariatePolynomialFunction>"""
COUPLER = """<CoordinateCouplerConstraint name="sum"><coupled_coordinates_function>{0}</coupled_coordinates_function>
<independent_coordinate_names>{1}</independent_coordinate_names><dependent_coordinate_name>{2}</dependent_coordinate_name>
<scale_factor>{3}</scale_factor></CoordinateCouplerConstraint>"""
MARKS = "".join(
    f"<Marker name='m{k}'><socket_parent_frame>/bodyset/{b}</socket_parent_frame><location>0.1 0.{k} 0.2</location></Marker>"
    for k, b in enumerate("abcda")
)


def chain(couplers, joint=""):
    """Pins a, b, c and d in a row."""
    joints = "".join(PIN.format(*row) for row in (("a", "/ground", 0.2), ("b", "/bodyset/a", -0.3), ("c", "/bodyset/b", 0.0)))
    joints += joint or PIN.format("d", "/bodyset/c", 0.0)
    bodies = "".join(BODY.format(name) for name in "abcd")
    return f"""<OpenSimDocument Version="40000"><Model name="chain"><BodySet><objects>{bodies}</objects></BodySet>
<JointSet><objects>{joints}</objects></JointSet><ConstraintSet><objects>{couplers}</objects></ConstraintSet>
<MarkerSet><objects>{MARKS}</objects></MarkerSet></Model></OpenSimDocument>"""


def custom(rotation, translation):
    axes = {"rotation1": ("0 0 1", rotation), "rotation2": ("1 0 0", "<Constant><value>0</value></Constant>")}
    axes |= {"rotation3": ("0 1 0", "<Constant><value>0.0</value></Constant>"), "translation1": ("1 0.5 0", translation)}
    rows = "".join(
        f'<TransformAxis name="{name}"><coordinates>{"" if "Constant>" in law else "d e"}</coordinates><axis>{axis}</axis>{law}'
        "</TransformAxis>"
        for name, (axis, law) in axes.items()
    )
    return f"""<CustomJoint name="last"><socket_parent_frame>/bodyset/c</socket_parent_frame>
<socket_child_frame>/bodyset/d</socket_child_frame><coordinates><Coordinate name="d"/><Coordinate name="e"/></coordinates>
<SpatialTransform>{rows}</SpatialTransform></CustomJoint>"""


def same_places(robot, q, other, names):
    for name in names:
        np.testing.assert_allclose(robot.link_pose(q, name)[:3, 3], other.pose(name)[1], atol=1e-9)
        np.testing.assert_allclose(robot.link_pose(q, name)[:3, :3], other.pose(name)[0], atol=1e-9)


@pytest.mark.parametrize("rotation, translation", [(LINE, LINE), (LINE, POWERS)], ids=["lines", "powers"])
def test_axes_moved_by_several_coordinates_are_those_of_opensim(rotation, translation, tmp_path):
    (tmp_path / "a.osim").write_text(chain("", custom(rotation, translation)))
    model, other = lissom.osim.read(tmp_path / "a.osim"), Judged(tmp_path / "a.osim")
    q = np.random.default_rng(0).uniform(-1, 1, len(model.names))
    other.at(dict(zip(model.names, q, strict=True)))
    same_places(model.tree, q, other, "abcd")
    if translation == LINE:  # OpenSim's polynomials have first derivatives only
        S = other.order(model.names)
        M = other.mass_matrix()[np.ix_(S, S)]
        np.testing.assert_allclose(model.tree.mass_matrix(q), M, atol=1e-9 * np.abs(M).max())


@pytest.mark.parametrize(
    "couplers",
    [
        COUPLER.format(LINE, "a b", "c", 1),
        COUPLER.format(POWERS, "a b", "c", 0.5),
        COUPLER.format(LINE, "a b", "c", 2)
        + COUPLER.format("<LinearFunction><coefficients>-0.5 0.2</coefficients></LinearFunction>", "c", "d", 1),
        COUPLER.format(LINE, "a b", "c", 2) + COUPLER.format(LINE, "c a", "d", 1),
    ],
    ids=["line", "powers", "a row", "shared"],
)
def test_coordinates_follow_several_as_in_opensim(couplers, tmp_path):
    (tmp_path / "a.osim").write_text(chain(couplers))
    model, other = lissom.osim.read(tmp_path / "a.osim"), Judged(tmp_path / "a.osim")
    names = [joint.name for joint in model.robot.model.independent_joints]
    q = np.random.default_rng(1).uniform(-1, 1, len(names))
    # OpenSim's function itself tells where the follower is
    full = dict(zip(names, q, strict=True))
    constraints = other.model.getConstraintSet()
    for k in range(constraints.getSize()):
        made = judge().CoordinateCouplerConstraint.safeDownCast(constraints.get(k))
        leaders, at = made.getIndependentCoordinateNames(), judge().Vector(made.getIndependentCoordinateNames().getSize(), 0.0)
        for i in range(leaders.getSize()):
            at.set(i, float(full[leaders.get(i)]))
        factor = float(made.getPropertyByName("scale_factor").toString())
        full[made.getDependentCoordinateName()] = factor * made.getFunction().calcValue(at)
    other.at(full)
    same_places(model.robot, q, other, "abcd")
    # defaults, motions and fits have the same followers
    at = dict(zip(model.names, model.defaults, strict=True))
    table = Table(tuple(names), np.arange(8) / 8, np.repeat(q[None], 8, axis=0))
    motion = motion_of(model, table)
    rest = {n: at[n] for n in names}
    for n in full:
        assert motion.q[0, model.names.index(n)] == pytest.approx(full[n], abs=1e-12)
    places = np.array([model.robot.link_pose(q, f"m{k}")[:3, 3] for k in range(5)])
    fit = inverse_kinematics(model, Markers([f"m{k}" for k in range(5)], [0.0], places[None]))
    np.testing.assert_allclose(fit.values[0], [full[n] for n in model.coordinates], atol=1e-6)
    assert rest["a"] == 0.2


def test_rates_of_a_sum_are_sums_of_rates(tmp_path):
    (tmp_path / "a.osim").write_text(chain(COUPLER.format(POWERS, "a b", "c", 1)))
    model = lissom.osim.read(tmp_path / "a.osim")
    t = np.linspace(0, 1, 40)
    a, b = np.sin(t), np.cos(2 * t)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motion = motion_of(model, Table(("a", "b"), t, np.column_stack([a, b])))
    k = [model.names.index(n) for n in "abc"]
    (qa, qb, qc), (va, vb, vc) = motion.q[:, k].T, motion.qd[:, k].T
    np.testing.assert_allclose(qc, 0.1 - 0.2 * qb + 0.3 * qb**2 + 0.5 * qa + 0.25 * qa**2, atol=1e-12)
    np.testing.assert_allclose(vc, -0.2 * vb + 0.6 * qb * vb + 0.5 * va + 0.5 * qa * va, atol=1e-12)
    assert model.sums["c"][0][0] == "a" and model.couplings == {}


PIECES = "<PiecewiseLinearFunction><x>-1 0 1</x><y>0 1 0</y></PiecewiseLinearFunction>"


@pytest.mark.parametrize(
    ("couplers", "said"),
    [
        (COUPLER.format(LINE, "a", "c", 1), "a slope and an offset, got"),
        (COUPLER.format(LINE, "a b d", "c", 1), "a LinearFunction of 'a', 'b', 'd' has 3 slopes and an offset, got"),
        (
            COUPLER.format(PIECES, "a b", "c", 1),
            "a PiecewiseLinearFunction of several coordinates, 'a', 'b'; of these lissom has Linear",
        ),
        (COUPLER.format(POWERS.replace("0.5 0 ", "0.5 2 "), "a b", "c", 1), "a term of 'a', 'b' at once"),
        (COUPLER.format(POWERS, "a b d", "c", 1), "has the dimension 3 and an order up to 20, got 2 and 2"),
        (COUPLER.format(POWERS.replace("<order>2", "<order>1e9"), "a b", "c", 1), "an order up to 20, got 2 and 1e"),
        (COUPLER.format(POWERS.replace("0.1 ", ""), "a b", "c", 1), "of this order has 6 coefficients, got 5"),
        (
            COUPLER.format(LINE, "a b", "c", 1) + COUPLER.format(PIECES, "c", "d", 1),
            "'d' is a curve of 'c', which follows several",
        ),
        (
            COUPLER.format(LINE, "a d", "c", 1) + COUPLER.format(LINE, "c b", "d", 1),
            "coordinates are coupled in a circle through 'c'",
        ),
        (
            COUPLER.format(PIECES, "a", "b", 1) + COUPLER.format(PIECES, "a", "c", 1) + COUPLER.format(LINE, "b c", "d", 1),
            "is the sum of two curves of 'a'",
        ),
    ],
)
def test_other_functions_are_refused(couplers, said):
    with pytest.raises(FileError, match=r":\d+: .*" + said):
        load_model(chain(couplers))


def test_a_curve_of_a_sum_is_refused():
    spline = "<SimmSpline><x>-1 0 1</x><y>0 1 0</y></SimmSpline>"
    joint = custom(LINE, LINE).replace("d e</coordinates><axis>1 0.5 0", "d</coordinates><axis>1 0.5 0")
    joint = joint.replace(f"<axis>1 0.5 0</axis>{LINE}", f"<axis>1 0.5 0</axis>{spline}")
    with pytest.raises(FileError, match="coordinate 'd' follows several coordinates, and moves an axis by a curve"):
        load_model(chain(COUPLER.format(LINE, "a b", "d", 1), joint))


def test_long_rows_of_couplers_are_followed():
    one = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
    n = 1100
    bodies = "".join(BODY.format(f"b{k}") for k in range(n))
    joints = "".join(PIN.format(f"b{k}", "/ground", 0.0) for k in range(n))
    couplers = "".join(COUPLER.format(one, f"b{k + 1}", f"b{k}", 1) for k in range(n - 1))
    text = f"""<OpenSimDocument Version="40000"><Model name="many"><BodySet><objects>{bodies}</objects></BodySet>
<JointSet><objects>{joints}</objects></JointSet><ConstraintSet><objects>{couplers}</objects></ConstraintSet></Model></OpenSimDocument>"""
    assert [joint.name for joint in load_model(text).independent_joints] == [f"b{n - 1}"]


def test_points_of_muscles_say_where_they_cannot_follow(tmp_path):
    muscle = """<ForceSet><objects><Thelen2003Muscle name="m"><GeometryPath><PathPointSet><objects>
<PathPoint name="p"><socket_parent_frame>/bodyset/a</socket_parent_frame><location>0 0.1 0</location></PathPoint>
<ConditionalPathPoint name="q"><socket_parent_frame>/bodyset/c</socket_parent_frame><location>0 0.1 0</location>
<socket_coordinate>c</socket_coordinate><range>0 1</range></ConditionalPathPoint></objects></PathPointSet></GeometryPath>
</Thelen2003Muscle></objects></ForceSet></Model>"""
    (tmp_path / "a.osim").write_text(chain(COUPLER.format(LINE, "a b", "c", 1)).replace("</Model>", muscle))
    with pytest.raises(
        FileError, match=r"a\.osim:\d+: point 'q': coordinate 'c' follows several, 'a', 'b', which lissom has not here"
    ):
        read_muscles(tmp_path / "a.osim")


def test_weights_of_a_sum_are_doubted(tmp_path):
    (tmp_path / "a.osim").write_text(chain(COUPLER.format(LINE, "a b", "c", 1)))
    model = lissom.osim.read(tmp_path / "a.osim")
    tasks = lissom.osim.Tasks({"m0": 1.0}, {"c": (1.0, None)})
    with pytest.warns(lissom.ModelWarning, match="the weight of 'c', which follows 'a', 'b', counts for nothing"):
        inverse_kinematics(model, Markers(("m0",), [0.0], [[[0.1, 0.2, 0.3]]]), tasks)
    with pytest.raises(StateError, match="no coordinate 'x' has a weight"):
        inverse_kinematics(
            model, Markers(("m0",), [0.0], [[[0.1, 0.2, 0.3]]]), lissom.osim.Tasks({"m0": 1.0}, {"x": (1.0, None)})
        )
