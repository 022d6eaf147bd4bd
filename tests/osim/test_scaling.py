"""Scaled models beside OpenSim's: masses, centers, inertias, joints, markers, muscles; factors of its ScaleTool."""

import numpy as np
import pytest

import lissom.osim
from lissom import FileError, StateError
from lissom.muscles import read_muscles
from lissom.osim import Markers, Measurement, Scaling, read_scaling, scale, scale_factors, write_trc
from support.osim import LEG, published
from support.osim_judge import Judged, in_folder, judge
from support.osim_models import every_joint
from support.osim_scaled import scaled_by_opensim

FACTORS = {"thigh": (1.1, 1.25, 0.9), "shank": (1.2, 1.2, 1.2), "kneecap": (0.8, 1.0, 1.3), "ground": (1.0, 1.1, 1.0)}
SETUP = """<OpenSimDocument Version="40000"><ScaleTool name="someone"><mass>20</mass>
<ModelScaler><apply>true</apply><scaling_order> measurements manualScale</scaling_order>
<MeasurementSet><objects>
<Measurement name="length"><apply>true</apply>
<MarkerPairSet><objects><MarkerPair><markers> A B</markers></MarkerPair>
<MarkerPair><markers> A C</markers></MarkerPair></objects></MarkerPairSet>
<BodyScaleSet><objects><BodyScale name="thigh"><axes> X Y</axes></BodyScale></objects></BodyScaleSet></Measurement>
<Measurement name="off"><apply>false</apply></Measurement>
</objects></MeasurementSet>
<ScaleSet><objects><Scale><scales> 1.1 1.2 1.3</scales><segment>shank</segment><apply>true</apply></Scale></objects></ScaleSet>
<marker_file>trial.trc</marker_file><time_range> 0.1 0.2</time_range>
<preserve_mass_distribution>true</preserve_mass_distribution></ModelScaler></ScaleTool></OpenSimDocument>"""
MARKS = """<MarkerSet name="markerset"><objects>
<Marker name="A"><socket_parent_frame>/bodyset/thigh</socket_parent_frame><location>0.01 0 0.02</location></Marker>
<Marker name="B"><socket_parent_frame>/bodyset/thigh</socket_parent_frame><location>0.05 -0.4 0</location></Marker>
<Marker name="C"><socket_parent_frame>/bodyset/shank</socket_parent_frame><location>0 -0.3 0.04</location></Marker>
</objects></MarkerSet>"""


def leg(tmp_path):
    start, end = LEG.index("<MarkerSet"), LEG.index("</MarkerSet>") + len("</MarkerSet>")
    (tmp_path / "leg.osim").write_text(LEG[:start] + MARKS + LEG[end:])
    return lissom.osim.read(tmp_path / "leg.osim")


def trial():
    rng = np.random.default_rng(0)
    base = np.array([[0.0, 0.9, 0.0], [0.06, 0.4, 0.0], [0.1, 0.1, 0.1]])
    return Markers(("A", "B", "C"), np.arange(40) / 100, base + 0.01 * rng.standard_normal((40, 3, 3)), 100.0)


def same_bodies(parts, model, rel=1e-10):
    for body in parts.bodies:
        other = model.getBodySet().get(body.name)
        assert body.mass == pytest.approx(other.getMass(), rel=rel)
        np.testing.assert_allclose(body.com, [other.getMassCenter().get(k) for k in range(3)], rtol=rel, atol=1e-12)
        moments, products = other.getInertia().getMoments(), other.getInertia().getProducts()
        six = [moments.get(k) for k in range(3)] + [products.get(k) for k in range(3)]
        I = np.array(body.inertia)
        np.testing.assert_allclose([*np.diag(I), I[0, 1], I[0, 2], I[1, 2]], six, rtol=rel, atol=1e-13)


def same_places(model, path):
    other = Judged(path)
    q = np.random.default_rng(1).uniform(-0.5, 0.5, len(model.names))
    other.at(dict(zip(model.names, q, strict=True)))
    for body in model.parts.bodies:
        np.testing.assert_allclose(model.tree.link_pose(q, body.name)[:3, 3], other.pose(body.name)[1], atol=1e-9)
    for name, place in other.markers().items():
        np.testing.assert_allclose(model.tree.link_pose(q, name)[:3, 3], place, atol=1e-9)


def same_muscles(model, other):
    for muscle in read_muscles(model).muscles:
        same = other.getMuscles().get(muscle.name)
        assert muscle.optimal_fiber_length == pytest.approx(same.getOptimalFiberLength(), rel=1e-6)
        assert muscle.tendon_slack_length == pytest.approx(same.getTendonSlackLength(), rel=1e-6)


@pytest.mark.parametrize("keep, mass", [(False, None), (True, None), (True, 30.0), (False, 30.0)])
def test_a_scaled_model_is_that_of_opensim(tmp_path, keep, mass):
    model = leg(tmp_path)
    other = scaled_by_opensim(tmp_path / "leg.osim", FACTORS, keep, mass)
    found = scale(model, Scaling(factors=FACTORS, keep_masses=keep, mass=mass))
    same_bodies(found.parts, other)
    with in_folder(tmp_path):
        other.printToXML("scaled.osim")
    same_places(found, tmp_path / "scaled.osim")
    for wrap in found.parts.wraps:
        surface = other.getBodySet().get("thigh").getWrapObjectSet().get(wrap.name)
        cylinder = judge().WrapCylinder.safeDownCast(surface)
        assert (wrap.sizes["radius"][0], wrap.sizes["length"][0]) == pytest.approx((cylinder.get_radius(), cylinder.get_length()))
    same_muscles(found, other)
    assert found.unscaled is model


@pytest.mark.parametrize("name", ["arm26.osim", "leg6dof9musc.osim", "gait10dof18musc/gait10dof18musc.osim"])
def test_published_models_and_their_muscles_scale_as_in_opensim(tmp_path, name):
    path = published(name)
    model = lissom.osim.read(path)
    rng = np.random.default_rng(2)
    factors = {body.name: tuple(rng.uniform(0.8, 1.25, 3)) for body in model.parts.bodies}
    other = scaled_by_opensim(path, factors, False, 70.0)
    found = scale(model, Scaling(factors=factors, mass=70.0))
    same_bodies(found.parts, other)
    with in_folder(tmp_path):
        other.printToXML("scaled.osim")
    same_places(found, tmp_path / "scaled.osim")
    same_muscles(found, other)


def test_every_joint_scales_as_in_opensim(tmp_path):
    path = tmp_path / "every.osim"
    every_joint(judge(), path)
    model = lissom.osim.read(path)
    rng = np.random.default_rng(4)
    factors = {name: tuple(rng.uniform(0.8, 1.25, 3)) for name in ("ground", *(body.name for body in model.parts.bodies))}
    other = scaled_by_opensim(path, factors, False, None)
    found = scale(model, Scaling(factors=factors))
    same_bodies(found.parts, other)
    with in_folder(tmp_path):
        other.printToXML("scaled.osim")
    same_places(found, tmp_path / "scaled.osim")


def test_measurements_are_those_of_the_scale_tool(tmp_path):
    model, opensim = leg(tmp_path), judge()
    write_trc(trial(), tmp_path / "trial.trc", unit="mm")
    (tmp_path / "setup.xml").write_text(SETUP)
    tool = opensim.ScaleTool(str(tmp_path / "setup.xml"))
    other = opensim.Model(str(tmp_path / "leg.osim"))
    other.initSystem()
    with in_folder(tmp_path):
        assert tool.getModelScaler().processModel(other, str(tmp_path) + "/", 20.0)
    scaling = read_scaling(tmp_path / "setup.xml")
    found = scale(model, scaling, lissom.osim.read_trc(tmp_path / "trial.trc"))
    same_bodies(found.parts, other, rel=1e-7)  # OpenSim finds the coordinates that follow to 1e-9 only, and measures across them
    assert sum(body.mass for body in found.parts.bodies) == pytest.approx(20.0)


def test_muscles_grow_with_their_paths(tmp_path):
    """By equal factors every length of a muscle grows alike."""
    path = tmp_path / "leg.osim"
    path.write_text(LEG)
    model = lissom.osim.read(path)
    names = ["ground", *(body.name for body in model.parts.bodies)]
    found = read_muscles(scale(model, Scaling(factors=dict.fromkeys(names, (1.5, 1.5, 1.5))))).muscles
    for muscle, old in zip(found, read_muscles(model).muscles, strict=True):
        assert muscle.optimal_fiber_length == pytest.approx(1.5 * old.optimal_fiber_length, rel=1e-6)


SLIDE = """<OpenSimDocument Version="40000"><Model name="slide"><BodySet><objects>
<Body name="a"><mass>2</mass><inertia>0.1 0.2 0.25 0 0 0</inertia></Body>
<Body name="b"><mass>1</mass><inertia>0.1 0.2 0.25 0 0 0</inertia></Body></objects></BodySet><JointSet><objects>
<PinJoint name="turn"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/a</socket_child_frame>
<coordinates><Coordinate name="angle"/></coordinates></PinJoint>
<SliderJoint name="slide"><socket_parent_frame>/bodyset/a</socket_parent_frame><socket_child_frame>/bodyset/b</socket_child_frame>
<coordinates><Coordinate name="length"/></coordinates></SliderJoint></objects></JointSet>
<ConstraintSet><objects><CoordinateCouplerConstraint name="screw"><coupled_coordinates_function>
<LinearFunction><coefficients>0.3 0.1</coefficients></LinearFunction></coupled_coordinates_function>
<independent_coordinate_names>angle</independent_coordinate_names>
<dependent_coordinate_name>length</dependent_coordinate_name></CoordinateCouplerConstraint></objects></ConstraintSet>
</Model></OpenSimDocument>"""


def test_a_length_that_follows_an_angle_scales_with_the_body_that_carries_it(tmp_path):
    path = tmp_path / "slide.osim"
    path.write_text(SLIDE)
    model = lissom.osim.read(path)
    found = scale(model, Scaling(factors={"a": (1.2, 1.2, 1.2)}))
    assert found.robot.link_pose([0.4], "b")[:3, 3] == pytest.approx(1.2 * model.robot.link_pose([0.4], "b")[:3, 3])
    with pytest.raises(FileError, match=r"slide\.osim:\d+: 'screw' couples 'length', a length, .*factors 1.2, 1, 1"):
        scale(model, Scaling(factors={"a": (1.2, 1.0, 1.0)}))
    other = scaled_by_opensim(path, {"a": (1.2, 1.2, 1.2)}, False, None)
    factor = other.getConstraintSet().get(0).getPropertyByName("scale_factor").toString()
    assert found.parts.couplers[0].scale == pytest.approx(float(factor))


def test_what_no_scaling_can_be_made_of_is_an_error(tmp_path):
    model = leg(tmp_path)
    pair = Measurement("m", [("A", "B")], {"thigh": "y"})
    gone = Markers(("A", "B"), [0.0, 0.1], np.full((2, 2, 3), np.nan))
    for scaling, markers, message in (
        (Scaling(factors={"tigh": (1, 1, 1)}), None, "no body 'tigh', which given factors scale; did you mean 'thigh'"),
        (Scaling([pair]), None, "measurement 'm' needs the markers of a static trial"),
        (Scaling([pair]), gone, "markers 'A' and 'B' of measurement 'm' are never seen together"),
        (Scaling([Measurement("m", [("A", "A")], {"thigh": "y"})]), trial(), "are at one place"),
        (Scaling([Measurement("m", [("A", "D")], {"thigh": "y"})]), trial(), "the model has no marker 'D' of measurement 'm'"),
    ):
        with pytest.raises(StateError, match=message):
            scale(model, scaling, markers)
    with pytest.raises(FileError, match="marker 'C' missing"):
        scale_factors(model, Scaling([Measurement("m", [("A", "C")], {"thigh": "y"})]), gone)
    for wrong, message in (
        ({"factors": {"thigh": (1, 0, 1)}}, "factors of 'thigh' must be three positive numbers"),
        ({"mass": -3.0}, "the mass must be a positive number"),
        ({"order": ["manual"]}, "order 'manual': expected"),
    ):
        with pytest.raises(StateError, match=message):
            Scaling(**wrong)
    with pytest.raises(StateError, match="needs a pair of markers and a body"):
        Measurement("m", [], {"thigh": "x"})
    with pytest.raises(StateError, match="axes 'u' of 'thigh', expected some of x, y and z"):
        Measurement("m", [("A", "B")], {"thigh": "u"})
    massless = tmp_path / "massless.osim"
    massless.write_text(SLIDE.replace("<mass>2<", "<mass>0<").replace("<mass>1<", "<mass>0<"))
    with pytest.raises(StateError, match="a model without mass cannot be given 70 kg"):
        scale(lissom.osim.read(massless), Scaling(mass=70.0))


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("ModelScaler>", "Scaler>", "no <ScaleTool> with a <ModelScaler>"),
        (" 0.1 0.2<", " 0.1<", "<time_range> must be two numbers, got 1"),
        ("<markers> A B<", "<markers> A<", "<MarkerPair> must have two markers, got 1"),
        ("<scales> 1.1 1.2", "<scales> -1.1 1.2", "factors of 'shank' must be three positive numbers"),
        ("<scaling_order> measurements manualScale<", "<scaling_order><", "has no <scaling_order>: nothing would be scaled"),
        ("<ModelScaler><apply>true<", "<ModelScaler><apply>false<", "<ModelScaler> is switched off by <apply>"),
        ("<axes> X Y<", "<axes> up<", "axes 'up' of 'thigh'"),
    ],
)
def test_setup_files_say_what_is_wrong(tmp_path, old, new, message):
    path = tmp_path / "setup.xml"
    path.write_text(SETUP.replace(old, new))
    with pytest.raises(FileError, match=r"setup\.xml:\d+: .*" + message):
        read_scaling(path)
