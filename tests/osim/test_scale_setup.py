"""Setups of OpenSim's ScaleTool, followed from the generic model to placed markers, beside the tool itself."""

import numpy as np
import pytest

import lissom.osim
from lissom import FileError, ModelWarning, StateError
from lissom.muscles import path_ratios
from lissom.osim import Markers, Tasks, follow_scale_setup, place_markers, read_scale_setup, read_table, with_markers, write
from support.osim import OLD, line_of, published
from support.osim_judge import Judged, in_folder, judge
from support.osim_same import same_files
from support.osim_setups import MORE, SETUP, leg_text, trial, written_setup

# OpenSim finds the pose to some 1e-3 only, not always the same, and markers are moved to where they were in it
LOOSER = ("optimal_fiber_length", "tendon_slack_length", "location")


def opensim_scales(setup):
    opensim = judge()
    with in_folder(setup.parent):
        assert opensim.ScaleTool(str(setup)).run()
        other = opensim.Model("placed.osim")
        other.initSystem()
        other.printToXML("theirs.osim")
    return setup.parent / "theirs.osim"


def opened(model, folder):
    """The file that OpenSim writes after reading ours."""
    opensim = judge()
    write(model, folder / "ours.osim", path_ratios(model))
    with in_folder(folder):
        other = opensim.Model("ours.osim")
        other.initSystem()
        other.printToXML("opened.osim")
    return folder / "opened.osim"


def test_a_setup_makes_the_model_of_the_scale_tool(tmp_path):
    setup = written_setup(tmp_path)
    theirs = opensim_scales(setup)
    made = follow_scale_setup(read_scale_setup(setup))
    same_files(opened(made.model, tmp_path), theirs, 1e-7, looser=LOOSER, atol=5e-3)
    assert made.placement.gone == ("E",) and made.model.parts.name == "someone"
    pose = read_table(tmp_path / "pose.sto")
    found = {name: next(pose.column(label)[0] for label in pose.names if f"/{name}/value" in label) for name in made.model.names}
    for name, value in zip(made.model.coordinates, made.placement.fit.values[0], strict=True):
        assert found[name] == pytest.approx(value, abs=5e-3)
    same_place_in_their_pose(made, found, lissom.osim.read(theirs))
    fixed = next(marker for marker in made.model.parts.markers if marker.name == "C")
    assert fixed.location == pytest.approx((0.0, -0.31 * 1.2, 0.03 * 1.3)) and made.placement.moved["C"] == 0.0


def same_place_in_their_pose(made, pose, theirs):
    """In OpenSim's own pose, its markers are where ours are measured: the mean over the time, and a frame more at either end."""
    q = [pose[name] for name in made.model.names]
    mean = trial().between(0.085, 0.235).places.mean(axis=0)
    for k, name in enumerate("ABCD"):
        if name != "C":
            np.testing.assert_allclose(theirs.tree.link_pose(q, name)[:3, 3], mean[k], atol=1e-6)
            body = theirs.parts.seat(next(m.frame for m in theirs.parts.markers if m.name == name))[0]
            np.testing.assert_allclose(made.model.tree.link_pose(q, body), theirs.tree.link_pose(q, body), atol=1e-7)


def test_only_one_of_the_steps(tmp_path):
    off = "<MarkerPlacer><apply>true<", "<MarkerPlacer><apply>false<"
    setup = written_setup(tmp_path, SETUP.replace(*off))
    made = follow_scale_setup(read_scale_setup(setup))
    assert made.placement is None and set(made.factors) == {"thigh", "shank"} and len(made.model.parts.markers) == 5
    setup.write_text(SETUP.replace("<ModelScaler><apply>true<", "<ModelScaler><apply>false<"))
    made = follow_scale_setup(read_scale_setup(setup))
    assert not made.factors and made.model.parts.bodies == made.generic.parts.bodies and made.placement is not None
    setup.write_text(SETUP.replace("</IKTaskSet>", "</IKTaskSet><move_model_markers>false</move_model_markers>"))
    made = follow_scale_setup(read_scale_setup(setup))
    assert len(made.model.parts.markers) == 5 and made.placement.moved["A"] > 0.01


@pytest.mark.slow
def test_the_published_static_trial_places_markers_as_opensim(tmp_path):
    folder = published("gait10dof18musc/subject01_static.trc").parent
    for name in ("gait10dof18musc.osim", "subject01_static.trc", "subject01.osim"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    names = lissom.osim.read_trc(tmp_path / "subject01_static.trc").names
    model = lissom.osim.read(tmp_path / "subject01.osim")
    shared = [marker.name for marker in model.parts.markers if marker.name in names]
    assert len(shared) > 10
    tasks = "".join(f'<IKMarkerTask name="{n}"><apply>true</apply><weight>1</weight></IKMarkerTask>' for n in shared)
    setup = tmp_path / "setup.xml"
    setup.write_text(
        '<OpenSimDocument Version="40000"><ScaleTool name="x"><GenericModelMaker><model_file>subject01.osim</model_file>'
        "</GenericModelMaker><ModelScaler><apply>false</apply></ModelScaler><MarkerPlacer><apply>true</apply><IKTaskSet><objects>"
        f"{tasks}</objects></IKTaskSet><marker_file>subject01_static.trc</marker_file><time_range>1 2</time_range>"
        "<output_model_file>placed.osim</output_model_file></MarkerPlacer></ScaleTool></OpenSimDocument>"
    )
    theirs = lissom.osim.read(opensim_scales(setup))
    made = follow_scale_setup(read_scale_setup(setup))
    assert [m.name for m in theirs.parts.markers] == [m.name for m in made.model.parts.markers]
    for one, two in zip(theirs.parts.markers, made.model.parts.markers, strict=True):
        np.testing.assert_allclose(two.location, one.location, atol=5e-3)  # the accuracy of OpenSim's pose


def test_markers_of_a_file_come_in_the_place_of_the_models(tmp_path):
    written_setup(tmp_path)
    model = with_markers(lissom.osim.read(tmp_path / "leg.osim"), tmp_path / "more.xml")
    assert [(m.name, m.frame) for m in model.parts.markers] == [
        ("A", "/bodyset/thigh"),
        ("B", "/bodyset/thigh"),
        ("C", "/bodyset/shank"),
        ("D", "/bodyset/kneecap"),
        ("E", "/ground"),
    ]
    write(model, tmp_path / "again.osim")
    again = lissom.osim.read(tmp_path / "again.osim").parts.markers
    assert sorted((m.name, m.frame, m.location, m.fixed) for m in again) == sorted(
        (m.name, m.frame, m.location, m.fixed) for m in model.parts.markers
    )


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("MarkerSet", "Markers", "<OpenSimDocument> has no <MarkerSet>"),
        ("<body>shank", "<body>shin", "<Marker> 'C' is on 'shin', which no body or frame is called"),
        ('name="D"', 'name="C"', r"two markers are called 'C' \(the first at line 2\)"),
        ("</fixed></Marker>", "</fixed></Marker><Station/>", "<Station> among the markers; expected <Marker>"),
        ("0 -0.31 0.03", "0 -0.31", "<location> of <Marker> 'C' must be 3 numbers, got 2"),
    ],
)
def test_wrong_sets_of_markers_are_refused(old, new, said, tmp_path):
    written_setup(tmp_path)
    (tmp_path / "more.xml").write_text(MORE.replace(old, new))
    with pytest.raises(FileError, match=r"more\.xml:\d+: .*" + f"(?:{said})"):
        with_markers(lissom.osim.read(tmp_path / "leg.osim"), tmp_path / "more.xml")


@pytest.mark.parametrize(
    "old, new, line, said",
    [
        ("ScaleTool", "InverseKinematicsTool", "<OpenSimDocument", "no <ScaleTool>, it has <InverseKinematicsTool>"),
        (
            "leg.osim",
            "../leg.osim",
            "<GenericModelMaker",
            "the <model_file> '../leg.osim' lies outside this file's folder; give the model with --model",
        ),
        ("leg.osim", "/etc/passwd", "<GenericModelMaker", "the <model_file> '/etc/passwd' lies outside"),
        ("leg.osim", "Unassigned", None, "the setup names no <model_file>; give --model"),
        ("leg.osim", "gone.osim", None, "no such file"),
        (
            "<marker_file>trial.trc</marker_file><time_range> 0.1",
            "<time_range> 0.1",
            None,
            "names no <marker_file> of a static trial",
        ),
        ("<apply>true</apply><", "<apply>false</apply><", "<ScaleTool", "neither <ModelScaler> nor <MarkerPlacer> applies"),
        ("0.095 0.222", "0.3 0.2", "<MarkerPlacer>", "<time_range> starts at 0.3 s, after its end 0.2 s"),
        ("0.095 0.222", "4 5", "<MarkerPlacer>", "no frames in the time"),
        (" 1.1 1.2 1.3", " 1.1 -1.2 1.3", "<ModelScaler>", "factors of 'shank' must be three positive numbers"),
        ("<markers> A C", "<markers> A Q", "<Measurement name", "the model has no marker 'Q' of measurement 'length'"),
        ('IKMarkerTask name="B"', 'IKMarkerTask name="Q"', 'IKMarkerTask name="Q"', "no marker 'Q' has a weight to be given"),
        ('name="knee_angle"', 'name="knee"', 'name="knee"', "no coordinate 'knee' has a weight to be given"),
        ("<weight>3<", "<weight>-3<", 'name="C"', "the weight must not be negative"),
    ],
)
@pytest.mark.filterwarnings("ignore::lissom.ModelWarning")
def test_wrong_setups_say_file_and_line(old, new, line, said, tmp_path):
    setup = written_setup(tmp_path, SETUP.replace(old, new))
    with pytest.raises(FileError) as caught:
        follow_scale_setup(read_scale_setup(setup))
    assert said in str(caught.value)
    if line is not None:
        assert caught.value.line == line_of(SETUP.replace(old, new), line) and "setup.xml" in str(caught.value.path)


def placed(tmp_path, **changes):
    (tmp_path / "leg.osim").write_text(leg_text())
    model, markers = lissom.osim.read(tmp_path / "leg.osim"), changes.pop("markers", trial())
    return model, markers, place_markers(model, markers, **changes)


def test_placed_markers_are_where_they_were_measured(tmp_path):
    model, markers, found = placed(tmp_path)
    q = dict(zip(model.coordinates, found.fit.values[0], strict=True))
    for k, name in enumerate("ABC"):
        place = found.model.tree.link_pose([q[n] for n in model.names], name)[:3, 3]
        np.testing.assert_allclose(place, markers.places[:, k].mean(axis=0), atol=1e-12)
    assert found.gone == () and found.fit.markers == ("A", "B", "C")


def test_gaps_and_moving_markers_are_told(tmp_path):
    markers = trial()
    markers.places[3, 0] = np.nan
    _, _, found = placed(tmp_path, markers=markers)
    assert found.moved["A"] > 0
    markers.places[:, 1] = np.nan
    with pytest.warns(ModelWarning, match="marker 'B' was never seen in the static trial, and is not moved"):
        _, _, found = placed(tmp_path, markers=markers)
    assert found.moved["B"] == 0.0
    with pytest.warns(ModelWarning, match="marker 'A' moves 0.0[0-9]* m in the static trial, more than 0.001 m"):
        placed(tmp_path, most=0.001)
    with pytest.warns(ModelWarning, match="the trial has no markers 'C': their weights count for nothing"):
        _, _, found = placed(
            tmp_path, markers=Markers(("A", "B"), *(trial().times, trial().places[:, :2])), tasks=Tasks({"A": 1.0, "C": 1.0})
        )
    assert found.gone == ("C",)
    with pytest.raises(StateError, match="the distance that markers may move must be positive, got -1 m"):
        placed(tmp_path, most=-1.0)
    with pytest.raises(StateError, match=r"no frames in the time 4 to 5 s; they go from 0 to 0.39 s"):
        placed(tmp_path, markers=trial().between(0, 0.39), time=(4, 5))


def test_sets_may_be_in_files_of_their_own_as_in_opensim(tmp_path):
    start, end = SETUP.index("<IKTaskSet>"), SETUP.index("</IKTaskSet>") + len("</IKTaskSet>")
    first, last = SETUP.index("<MeasurementSet>"), SETUP.index("</MeasurementSet>") + len("</MeasurementSet>")
    document = '<OpenSimDocument Version="40000">\n\n{}</OpenSimDocument>'
    setup = written_setup(tmp_path)
    whole = read_scale_setup(setup)
    (tmp_path / "tasks.xml").write_text(document.format(SETUP[start:end]))
    (tmp_path / "measures.xml").write_text(document.format(SETUP[first:last]))
    apart = SETUP.replace(SETUP[start:end], '<IKTaskSet file="tasks.xml"/>')
    apart = apart.replace(SETUP[first:last], '<MeasurementSet file="measures.xml"/>')
    setup.write_text(apart)
    found = read_scale_setup(setup)
    assert found.placing == whole.placing and found.scaling == whole.scaling
    (tmp_path / "tasks.xml").write_text(document.format(SETUP[start:end]).replace("<weight>2<", "<weight>-2<"))
    with pytest.raises(FileError, match=r"tasks\.xml:4: <IKMarkerTask> 'A': the weight must not be negative"):
        read_scale_setup(setup)
    (tmp_path / "tasks.xml").write_text(document.format("<MarkerSet/>"))
    with pytest.raises(FileError, match=r"tasks\.xml:1: <OpenSimDocument> has no <IKTaskSet>"):
        read_scale_setup(setup)
    setup.write_text(apart.replace("tasks.xml", "../tasks.xml"))
    with pytest.raises(FileError, match=r"setup\.xml:\d+: the <IKTaskSet> '../tasks.xml' lies outside this file's folder"):
        read_scale_setup(setup)
    setup.write_text(apart.replace("tasks.xml", "Unassigned"))
    with pytest.raises(FileError, match="no <IKTaskSet> with tasks that apply"):
        read_scale_setup(setup)


@pytest.mark.parametrize("markers", [True, False])
def test_markers_are_added_to_old_files_as_opensim_reads_them(markers, tmp_path):
    text = OLD if markers else OLD[: OLD.index("<MarkerSet>")] + OLD[OLD.index("</MarkerSet>") + len("</MarkerSet>") :]
    (tmp_path / "old.osim").write_text(text)
    (tmp_path / "more.xml").write_text(MORE.replace("kneecap", "thigh"))
    model = with_markers(lissom.osim.read(tmp_path / "old.osim"), tmp_path / "more.xml")
    write(model, tmp_path / "new.osim")
    other, q = Judged(tmp_path / "new.osim"), [0.3, -0.5]
    other.at(dict(zip(model.names, q, strict=True)))
    found = other.markers()
    assert set(found) == {"C", "D", "E"} | ({"knee_out"} if markers else set())
    for name, place in found.items():
        np.testing.assert_allclose(
            model.tree.link_pose(q, name)[:3, 3], place, atol=1e-6
        )  # of old files OpenSim keeps six digits
