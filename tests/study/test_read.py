"""Study files: what they say, and errors with the line of the mistake."""

import numpy as np
import pytest

from lissom import FileError
from lissom.study import Normal, Uniform, Values, load
from lissom.study.read import parse

TEXT = """lissom: 1
kind: study
name: RR arm, torque and reach
base: {motion: rr}
parameters:
  torque: {grid: [5, 20, 4], into: "limits[0].within"}
  x: {uniform: [0.5, 1.2], into: "end.position[0]"}
  m: {normal: {mean: 20, deviation: 0.1}, into: path.control_points}
set: {"end.position[1]": "-x"}
where: ["torque > 6 * x"]
samples: {count: 16, method: latin, seed: 3}
responses: [duration, {peak: torque, of: joint_1}, {number: objective, name: cost}]
"""


def test_a_file_says_a_whole_study():
    study = parse(TEXT)
    assert study.name == "RR arm, torque and reach" and study.parameters == ("torque", "x", "m")
    assert study.design.parameters["torque"] == Values((5.0, 10.0, 15.0, 20.0))
    assert study.design.parameters["x"] == Uniform(0.5, 1.2) and study.design.parameters["m"] == Normal(20, 0.1)
    assert (study.design.method, study.design.count, study.design.seed) == ("latin", 16, 3)
    assert [each.name for each in study.responses] == ["duration", "peak torque of joint_1", "cost"]
    cases = study.cases()
    assert 48 < len(cases) < 64 and all(case.values["torque"] > 6 * case.values["x"] for case in cases)
    changed = study.base.changed({"torque": 7.5, "x": 0.25, "m": 9.0})
    problem = study.base._read(changed)
    limit = problem.parts.limits[0]
    assert limit.upper.tolist() == [7.5, 7.5] and problem.basis.count == 9
    np.testing.assert_allclose(problem.ends["end"]["position"], [0.25, -0.25])


@pytest.mark.parametrize(
    "old, new, line, message",
    [
        ("kind: study", "kind: motion", 2, "this file is a motion problem, for `lissom predict`"),
        ("name: RR arm, torque and reach\n", "", 1, "has no key 'name'; a study starts with"),
        ("{motion: rr}", "{motion: rrr}", 4, "neither a file nor a built-in problem; did you mean 'rr'"),
        ("{motion: rr}", "{movement: rr}", 4, "unknown key 'movement' in the base; expected one of 'motion'"),
        ("{motion: rr}", "{gait: rr}", 4, "must be a mapping, such as {speed: 1.3}"),
        ("{motion: rr}", "{function: 'os:system'}", 4, "runs the Python code 'os:system', which can do anything"),
        ("grid: [5, 20, 4]", "grid: [5, 20]", 6, "must be 3 numbers, got 2"),
        ("grid: [5, 20, 4]", "grid: [5, 20, 1.5]", 6, "count is 1.5, expected a whole number"),
        ("grid: [5, 20, 4]", "grit: [5, 20, 4]", 6, "unknown key 'grit'"),
        ("grid: [5, 20, 4]", "grid: [5, 20, 4], values: [1]", 6, "parameter 'torque' needs one of grid"),
        ("limits[0].within", "limits[1].within", 6, "limits has 1 items, counted from 0: there is no limits\\[1\\].within"),
        ("limits[0].within", "limit[0].within", 6, "the document has no key 'limit'"),
        ("limits[0].within", "limits.within", 6, "limits is a list, so there is no limits.within"),
        ("limits[0].within", "limits", 6, "limits is a list, and a parameter replaces one value"),
        ("limits[0].within", "name[0]", 6, "name is one value, not a list"),
        ("limits[0].within", "limits..within", 6, "is no place in a file"),
        (', into: "limits[0].within"', "", 6, "parameter 'torque' changes nothing"),
        ('"end.position[1]": "-x"', '"end.position[1]": "-z"', 9, "no parameter 'z' in '-z'"),
        ('"end.position[1]": "-x"', '"end.position[0]": "-x"', 9, "end.position\\[0\\] is written by 'x' already"),
        ('{"end.position[1]": "-x"}', "[1]", 9, "'set' must be a mapping of places to formulas"),
        ("torque > 6 * x", "torque > 6 * z", 10, "no parameter 'z'"),
        ("torque > 6 * x", "torque > 6 *", 10, "is no formula"),
        ("torque > 6 * x", "torque > 600", 10, "cases keeps the constraints 'torque > 600'"),
        ("count: 16", "count: 0", 11, "must be a whole number of at least 1"),
        ("count: 16, ", "", 11, "no count says how many samples of x, m to draw"),
        ("latin", "latinn", 11, "did you mean 'latin'"),
        ("latin", "sensitivity", 11, "sensitivity needs samples of distributions alone"),
        ("duration, {peak", "success, {peak", 12, "'success' needs no response: every table has it as a column"),
        ("duration, {peak", "durations, {peak", 12, "no response 'durations'; did you mean 'duration'"),
        ("{peak: torque, of: joint_1}", "{of: joint_1}", 12, "needs one of peak"),
        ("{number: objective, name: cost}", "{number: objective, name: x}", 12, "response 'x' is given twice"),
        ("deviation: 0.1", "deviation: -1", 8, "deviation is -1.0, expected a positive number"),
        ("parameters:", "parameters: []\nother:", 6, "unknown key 'other'"),
        ("responses: [duration", "refine: {response: speed}\nresponses: [duration", 12, "refine: no response 'speed'"),
    ],
)
def test_mistakes_are_named_with_their_line(old, new, line, message):
    assert old in TEXT
    with pytest.raises(FileError, match=message) as error:
        parse(TEXT.replace(old, new), "my.yaml")
    assert f"my.yaml:{line}:" in str(error.value) or f"my.yaml, line {line}" in str(error.value), str(error.value)


def test_a_quantity_that_no_simulation_has_is_named_with_its_line():
    text = "lissom: 1\nkind: study\nname: t\nbase: {scenario: hua_arm}\n"
    text += "parameters: {end: {values: [1, 2], into: duration}}\nresponses: [{peak: torqe}]\n"
    with pytest.raises(FileError, match="s.yaml:6: no quantity 'torqe' of a simulated motion; did you mean 'torque'"):
        parse(text, "s.yaml")


def test_tables_have_the_columns_of_a_csv(tmp_path):
    (tmp_path / "arms.csv").write_text("a,b,c\n1,2,3\n4,5,6\n")
    text = "lissom: 1\nkind: study\nname: t\nbase: {motion: rr}\ntable: {file: arms.csv, columns: [c]}\n"
    text += 'set: {"limits[0].within": "c"}\nresponses: [duration]\n'
    (tmp_path / "s.yaml").write_text(text)
    assert [case.values for case in load(tmp_path / "s.yaml").cases()] == [{"c": 3.0}, {"c": 6.0}]
    with pytest.raises(FileError, match="s.yaml.*arms2.csv"):
        parse(text.replace("arms.csv", "arms2.csv"), "s.yaml", tmp_path)


def test_a_document_may_stand_in_the_study(tmp_path):
    text = """lissom: 1
kind: study
name: inside
base:
  torque: {robot: {model: "robots:rr", payload: {link: link_2, mass: 1}}, motion: m.csv}
parameters: {mass: {values: [0.5, 2], into: robot.payload.mass}, speed: {values: [1, 2], into: speed}}
responses: [duration, {peak: torque, of: joint_2}, {rms: velocity}]
"""
    t = np.linspace(0, 1, 21)
    rows = "\n".join(f"{x!r},{float(np.sin(x))!r},{0.0!r}" for x in t.tolist())
    (tmp_path / "m.csv").write_text(f"t,q_joint_1,q_joint_2\n{rows}\n")
    study = parse(text, "s.yaml", tmp_path)
    found = study.run(tmp_path / "out", workers=1)
    assert found.counts == {"done": 4}, [row.reason for row in found]
    assert found.column("duration").tolist() == [1.0, 0.5, 1.0, 0.5]
    torque, rms = found.column("peak torque of joint_2"), found.column("rms velocity")
    assert torque[1] == pytest.approx(4 * torque[0], rel=1e-9) and rms[1] == pytest.approx(2 * rms[0], rel=1e-9)
    assert torque[2] > torque[0]
    assert found.motion(3).robot.model.links[-1].inertia is not None
    with pytest.raises(FileError, match="'speed' is 0, expected a positive number"):
        parse(text.replace("m.csv}", "m.csv, speed: 0}"), "s.yaml", tmp_path)


def test_columns_of_a_table_may_be_texts(tmp_path):
    (tmp_path / "people.csv").write_text('name,sex,mass\n"Ada, first",female,60\nBo,male,8e1\n')
    text = (
        "lissom: 1\nkind: study\nname: t\nbase: {gait: {speed: 1.2}}\n"
        "table: {file: people.csv, columns: [mass, sex], texts: [sex]}\nset: {mass: mass, sex: sex}\nresponses: [speed]\n"
    )
    found = [dict(case.values) for case in parse(text, "t.yaml", tmp_path).cases()]
    assert found == [{"mass": 60.0, "sex": "female"}, {"mass": 80.0, "sex": "male"}]
    with pytest.raises(FileError, match=r"^t.yaml:5: no 'name' here; expected one of 'mass', 'sex'|^t.yaml:5: no 'name' here"):
        parse(text.replace("texts: [sex]", "texts: [name]"), "t.yaml", tmp_path)
    with pytest.raises(FileError, match=r"^t.yaml:5: .*people.csv:2: column 'sex' holds 'female', which is not a number"):
        parse(text.replace(", texts: [sex]", ""), "t.yaml", tmp_path)
    (tmp_path / "people.csv").write_text("name,sex,mass\nBo, ,80\n")
    with pytest.raises(FileError, match=r"^t.yaml:5: .*people.csv:2: column 'sex' is empty"):
        parse(text, "t.yaml", tmp_path)
