"""Models written again: by OpenSim they are those that it scales itself, and what lissom does not read stays."""

import numpy as np
import pytest

import lissom.osim
from lissom import FileError, StateError
from lissom.muscles import path_ratios, read_muscles
from lissom.osim import Scaling, scale, write
from lissom.osim.model import OsimModel
from support.osim import LEG, OLD, published
from support.osim_judge import Judged, in_folder, judge
from support.osim_models import every_joint
from support.osim_same import same_files
from support.osim_scaled import scaled_by_opensim

# of what scales with a body without being a part of a motion: OpenSim 3 kept shapes, and joined bodies by their names
OLD_MORE = OLD.replace(
    "<mass_center>0 -0.17 0</mass_center>",
    """<mass_center>0 -0.17 0</mass_center>
<VisibleObject><GeometrySet><objects><DisplayGeometry><geometry_file>thigh.vtp</geometry_file><scale_factors>1 1 2</scale_factors>
</DisplayGeometry></objects></GeometrySet><scale_factors>1 1.5 1</scale_factors></VisibleObject>""",
).replace(
    "<ForceSet><objects>",
    """<ForceSet><objects><!-- a spring -->
<BushingForce name="pad"><body_1>thigh</body_1><body_2>shank</body_2><location_body_1>0.1 0.2 0.3</location_body_1>
<location_body_2>0.3 0.1 0.2</location_body_2></BushingForce>""",
)


def all_factors(model, seed=2):
    rng = np.random.default_rng(seed)
    return {name: tuple(rng.uniform(0.8, 1.25, 3)) for name in ("ground", *(body.name for body in model.parts.bodies))}


def same_as_opensim(path, folder, looser=(), keep=False, mass=70.0, rel=1e-9):
    """Scale a file here and in OpenSim, and compare what OpenSim makes of both."""
    opensim, model = judge(), lissom.osim.read(path)
    factors = all_factors(model)
    found = scale(model, Scaling(factors=factors, keep_masses=keep, mass=mass))
    write(found, folder / "ours.osim", path_ratios(found))
    other = scaled_by_opensim(path, factors, keep, mass)
    with in_folder(folder):
        other.printToXML("theirs.osim")
        opened = opensim.Model("ours.osim")
        opened.initSystem()
        opened.printToXML("opened.osim")
    # lengths of paths around surfaces agree to 1e-6, and so do the fibers that grow with them
    looser = ("optimal_fiber_length", "tendon_slack_length", *looser)
    same_files(folder / "opened.osim", folder / "theirs.osim", rel, looser)
    return found


@pytest.mark.parametrize("keep, mass", [(False, 70.0), (True, None)])
def test_a_written_model_is_what_opensim_makes_by_scaling(tmp_path, keep, mass):
    (tmp_path / "leg.osim").write_text(LEG)
    found = same_as_opensim(tmp_path / "leg.osim", tmp_path, keep=keep, mass=mass)
    again = lissom.osim.read(tmp_path / "ours.osim")
    assert again.parts.bodies == tuple(found.parts.bodies)
    assert [m.location for m in again.parts.markers] == [m.location for m in found.parts.markers]
    assert read_muscles(again).muscles == read_muscles(found).muscles


@pytest.mark.filterwarnings("ignore::lissom.ModelWarning")
def test_an_old_file_stays_one_and_is_scaled_as_by_opensim(tmp_path):
    (tmp_path / "old.osim").write_text(OLD_MORE)
    same_as_opensim(tmp_path / "old.osim", tmp_path, rel=1e-5)  # OpenSim keeps six digits of an old file
    text = (tmp_path / "ours.osim").read_text()
    assert '<OpenSimDocument Version="30000">' in text and "<!-- a spring -->" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arm26.osim", "leg6dof9musc.osim", "gait10dof18musc/gait10dof18musc.osim"])
def test_published_models_are_written_as_opensim_scales_them(name, tmp_path):
    same_as_opensim(published(name), tmp_path)


def with_more(path):
    """A chain of all joints with frames, shapes, springs and contacts on its bodies."""
    o = judge()
    every_joint(o, path)
    model = o.Model(str(path))
    vec = o.Vec3(0.1, -0.2, 0.3)
    for k, name in enumerate(("pin", "custom")):
        body = model.updBodySet().get(name)
        body.attachGeometry(o.Sphere(0.1))
        frame = o.PhysicalOffsetFrame(f"frame_{k}", body, o.Transform(vec))
        frame.attachGeometry(o.Mesh("bone.vtp"))
        body.addComponent(frame)
        model.addContactGeometry(o.ContactSphere(0.05, vec, body, f"ball_{k}"))
    pin, custom = (model.getBodySet().get(name) for name in ("pin", "custom"))
    zero, one = o.Vec3(0), o.Vec3(1)
    model.addForce(o.BushingForce("pad", pin, o.Transform(vec), custom, o.Transform(vec), one, one, one, one))
    for made in (o.Ligament(), o.PathSpring("spring", 0.3, 10.0, 0.1)):
        made.setName(made.getConcreteClassName())
        path_of = made.updGeometryPath()
        path_of.appendNewPathPoint("a", pin, vec)
        path_of.appendNewPathPoint("b", custom, zero)
        model.addForce(made)
    o.Ligament.safeDownCast(model.updForceSet().get("Ligament")).setRestingLength(0.2)
    model.addModelComponent(o.Station(pin, vec))
    model.finalizeConnections()
    model.printToXML(str(path))
    return path


@pytest.mark.filterwarnings("ignore::lissom.ModelWarning")
def test_what_hangs_on_bodies_scales_with_them(tmp_path):
    same_as_opensim(with_more(tmp_path / "more.osim"), tmp_path, looser=("resting_length",))


def test_an_unchanged_model_is_written_byte_by_byte(tmp_path):
    text = "\ufeff" + LEG.replace("<gravity>", "<!-- <b> 1 > 0 -->\n\n<gravity>").replace("\n", "\r\n")
    (tmp_path / "leg.osim").write_bytes(text.encode())
    write(lissom.osim.read(tmp_path / "leg.osim"), tmp_path / "again.osim")
    assert (tmp_path / "again.osim").read_bytes() == text.encode().removeprefix(b"\xef\xbb\xbf")


def test_scaling_twice_writes_the_product(tmp_path):
    (tmp_path / "leg.osim").write_text(LEG)
    model = lissom.osim.read(tmp_path / "leg.osim")
    one, two = all_factors(model, 0), all_factors(model, 1)
    found = scale(scale(model, Scaling(factors=one)), Scaling(factors=two))
    write(found, tmp_path / "twice.osim", path_ratios(found))
    again, other = lissom.osim.read(tmp_path / "twice.osim"), Judged(tmp_path / "twice.osim")
    q = [0.3, -0.7]
    for name in ("thigh", "shank", "kneecap"):
        np.testing.assert_allclose(again.robot.link_pose(q, name), found.robot.link_pose(q, name), atol=1e-14)
    other.at({"hip_flexion": q[0], "knee_angle": q[1], "patella_angle": 0.5 * q[1] + 0.1})
    np.testing.assert_allclose(found.robot.link_pose(q, "shank")[:3, 3], other.pose("shank")[1], atol=1e-9)
    grown = read_muscles(found).muscles[0].optimal_fiber_length
    assert read_muscles(again).muscles[0].optimal_fiber_length == pytest.approx(grown, rel=1e-12)


def test_what_cannot_be_written_is_said(tmp_path):
    (tmp_path / "leg.osim").write_text(LEG)
    model = lissom.osim.read(tmp_path / "leg.osim")
    found = scale(model, Scaling(factors={"shank": (1.1, 1.0, 1.0)}))
    with pytest.raises(StateError, match="muscles of a scaled model need ratios=lissom.muscles.path_ratios"):
        write(found, tmp_path / "a.osim")
    with pytest.raises(StateError, match="no muscle 'vast' has a path to grow; did you mean 'vastus'"):
        write(found, tmp_path / "a.osim", {"vast": 1.0})
    with pytest.raises(StateError, match="ratios of 'vastus' are missing"):
        write(found, tmp_path / "a.osim", {})
    with pytest.raises(StateError, match="only models that lissom.osim.read has read can be written"):
        write(OsimModel("leg.osim", model.parts), tmp_path / "a.osim")
    with pytest.raises(FileError, match="is a folder"):
        write(model, tmp_path)
    assert path_ratios(model) == {"vastus": 1.0} and not (tmp_path / "a.osim").exists()


def test_a_frame_on_nothing_known_is_named(tmp_path):
    frame = '<PhysicalOffsetFrame name="f"><socket_parent>../shin</socket_parent></PhysicalOffsetFrame>'
    controller = f'<ControllerSet><objects><Own name="c"><frames>{frame}</frames></Own></objects></ControllerSet></Model>'
    (tmp_path / "leg.osim").write_text(LEG.replace("</Model>", controller))
    with pytest.warns(lissom.ModelWarning):
        model = lissom.osim.read(tmp_path / "leg.osim")
    found = scale(model, Scaling(factors={"shank": (1.1, 1.0, 1.0)}))
    with pytest.warns(lissom.ModelWarning, match=r"leg\.osim:\d+: <PhysicalOffsetFrame> 'f' is on 'shin', which is no one body"):
        write(found, tmp_path / "a.osim", path_ratios(found))
