"""Reports: pages that stand alone, say what is so, and let no name out of its place."""

import base64
import dataclasses
import hashlib
import json
import re
import warnings
from html.parser import HTMLParser

import numpy as np
import pytest

import lissom
from lissom import FileError, MotionProblem, Robot

EVIL = '<script>alert("1")</script>'
WORSE = "'\"><img src=x onerror=alert(1)> & $x^{ _"
VOID = {"meta", "img", "br", "link"}


class Page(HTMLParser):
    """Tags with their attributes, cells of tables, and whether every tag is closed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.rows, self.open, self.texts, self.scripts = [], [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            kind = self.tags[-1][1].get("type", "script")
            self.scripts.append((kind, data))
            return
        self.texts.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data

    @property
    def curves(self):
        """The data of the curves."""
        (block,) = [json.loads(text) for kind, text in self.scripts if kind == "application/json" and '"groups"' in text]
        return block


def unpack(array):
    return np.frombuffer(base64.b64decode(array["data"]), {"f32": "<f4", "f64": "<f8"}[array["type"]]).astype(float)


def predict(robot, **options):
    problem = MotionProblem(robot, control_points=8, duration=(0.05, 2.0), **options).start([0, -2]).end([1, -1])
    problem.limit("torque", -10, 10).limit("velocity", None, 50, at=0.5)
    return problem.minimize("time", 0.9).minimize("integral", 1e-4, "torque")


def read(prediction, tmp_path):
    path = prediction.report(tmp_path / "report.html")
    return Page(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found():
    return predict(lissom.robots.rr()).solve(refine=1)


@pytest.fixture(scope="module")
def nasty():
    """The same arm with names from a stranger."""
    model = lissom.robots.rr_model()
    links = {"base": "base", "link_1": EVIL, "link_2": WORSE}
    joints = {"joint_1": WORSE, "joint_2": f"{EVIL}\x01\ud800"}
    renamed = model.replace(
        name=EVIL,
        links=tuple(dataclasses.replace(link, name=links[link.name]) for link in model.links),
        joints=tuple(
            dataclasses.replace(joint, name=joints[joint.name], parent=links[joint.parent], child=links[joint.child])
            for joint in model.joints
        ),
    )
    return predict(Robot(renamed), name=f"</title>{EVIL}").solve(restart=False)


def test_a_page_needs_nothing_from_elsewhere(found, tmp_path):
    page = read(found, tmp_path)
    assert {tag for tag, _ in page.tags} <= {
        *(
            "html",
            "head",
            "meta",
            "title",
            "style",
            "script",
            "body",
            "h1",
            "h2",
            "p",
            "ul",
            "li",
            "div",
            "details",
            "summary",
            "noscript",
        ),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
    for _, attributes in page.tags:
        assert not any(name.startswith("on") or name in ("href", "action") for name in attributes)
        assert attributes.get("src", "data:").startswith("data:")
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    scripts = [text for tag, text in page.scripts if tag == "script"]
    assert [base64.b64encode(hashlib.sha256(x.encode()).digest()).decode() for x in scripts] == re.findall(
        "'sha256-(.*?)'", policy
    )
    assert "url(" not in "".join(page.texts) and "innerHTML" not in "".join(scripts)


def test_curves_hold_the_values_of_the_motion_and_their_limits(found, tmp_path):
    data = read(found, tmp_path).curves
    t = unpack(data["times"][0])
    q, qd, _, _ = found.states(t)
    groups = {group["title"]: group["panels"] for group in data["groups"]}
    for title, values in (("Torques", found.torques(t)), ("Positions", q), ("Velocities", qd)):
        for k, panel in enumerate(groups[title]):
            assert panel["title"] == f"joint_{k + 1}" and panel["time"] == 0
            assert np.allclose(unpack(panel["lines"][0]["y"]), values[:, k], rtol=1e-6, atol=1e-6)
    assert [panel["limits"] for panel in groups["Torques"]] == [[{"low": -10, "high": 10, "at": None, "motor": False}]] * 2
    (limit,) = groups["Velocities"][0]["limits"]
    assert limit == {"low": None, "high": 50, "at": [0.5 * found.duration], "motor": False}
    forces = np.linalg.norm(found.joint_wrenches(t)[:, 0, :3], axis=-1)
    assert np.allclose(unpack(groups["Joint reactions (magnitude)"][0]["lines"][0]["y"]), forces, rtol=1e-6)


def test_limits_of_wrenches_and_of_a_users_own_quantities_are_drawn(tmp_path):
    class Sum(lissom.predict.Quantity):
        name, labels, unit, orders, depends = "sum", ("of <b>speeds</b>",), "rad/s", (1,), np.ones((1, 2), bool)

        def values(self, state):
            return state.rates[1].sum(axis=1, keepdims=True)

        def derivatives(self, state):
            return np.ones((1, len(state), 1, 2))

        def curvature(self, state, weights):
            return None

    problem = predict(lissom.robots.rr()).limit(Sum(), -30, 11, entries="of <b>speeds</b>")
    problem.limit("joint_wrench", -900, 900, joint="joint_1", components=["fx", "fy"])
    problem.limit("joint_wrench", -800, 800, joint="joint_1", components=["fx"], axes="world")
    found = problem.solve(restart=False, throw=False)
    page = read(found, tmp_path)
    t = unpack(page.curves["times"][0])
    (panels,) = [group["panels"] for group in page.curves["groups"] if group["title"] == "Other limited quantities"]
    assert [panel["title"] for panel in panels] == [
        *("sum: of <b>speeds</b>", "joint_wrench of joint_1.fx", "joint_wrench of joint_1.fy", "joint_wrench of joint_1.fx")
    ]
    ends = [(panel["limits"][0]["low"], panel["limits"][0]["high"]) for panel in panels]
    assert ends == [(-30, 11), (-900, 900), (-900, 900), (-800, 800)]
    own, world = found.joint_wrenches(t)[:, 0], found.joint_wrenches(t, axes="world")[:, 0]
    wanted = [found.states(t)[1].sum(axis=1), own[:, 0], own[:, 1], world[:, 0]]
    for panel, values in zip(panels, wanted, strict=True):
        assert np.allclose(unpack(panel["lines"][0]["y"]), values, rtol=1e-5, atol=1e-4)
    back = lissom.Prediction.load(found.save(tmp_path / "a.npz"), lissom.robots.rr())
    assert any(text.startswith("Not drawn, as the prediction was read from a file") for text in read(back, tmp_path).texts)


def test_the_verdict_names_the_limits_that_hold_the_motion_back(found, tmp_path):
    page = read(found, tmp_path)
    fine = np.linspace(0, found.duration, 20_001)
    share = np.array([limit.active for limit in found.limits[:2]])
    assert np.allclose(share, (np.abs(found.torques(fine)) > 9.9).mean(axis=0), atol=5e-3)  # of about 1000 points
    first, second = sorted((0, 1), key=lambda k: -share[k])
    assert share[first] > 0.1
    assert (
        f"{found.duration:.4g} s; joint_{first + 1} at its torque limit {share[first]:.0%} of the time".replace("%", " %")
        in page.texts
    )
    assert f"joint_{second + 1} at its torque limit {share[second]:.0%} of the time".replace("%", " %") in page.texts
    (goal,) = [text for text in page.texts if text.startswith("integral of torque^2 [(N m)^2 s]: ")]
    squares = (found.torques(fine) ** 2).sum(axis=1)
    assert float(goal.split(": ")[1]) == pytest.approx(squares.mean() * found.duration, rel=0.01)
    beyond = np.abs(found.torques(fine)).max() - 10
    (said,) = [text for text in page.texts if text.startswith("largest violation of a limit: torque of joint_")]
    assert float(said.split(" by ")[1].split(" N m")[0]) == pytest.approx(beyond, rel=0.2)


def test_tables_say_what_was_found(found, tmp_path):
    rows = read(found, tmp_path).rows
    assert ["duration", f"{found.duration:.8g} s"] in rows
    assert ["objective", f"{found.objective:.10g}"] in rows
    goals = [row for row in rows if row[0] == "integral of torque^2 [(N m)^2 s]"]
    assert [float(x) for x in goals[0][1:3]] == pytest.approx([1e-4, found.goals[1].value], rel=1e-6)
    (torque,) = [row for row in rows if row[0] == "torque of joint_1"]
    assert torque[1] == "-10 to 10 N m"
    assert torque[2] == f"{found.limits[0].active:.1%}"
    (velocity,) = [row for row in rows if row[0] == "velocity of joint_2"]
    assert velocity[1] == "at most 50 rad/s, at 0.5 of the duration"
    assert [row[0] for row in rows if row[0].isdigit()][: len(found.rounds)] == [str(r.control_points) for r in found.rounds]
    for what, text in found.description.rows:
        assert [what, text] in rows


def test_the_end_of_the_solver_is_told_with_advice(tmp_path):
    stopped = predict(lissom.robots.rr()).solve(iterations=2, throw=False)
    page = read(stopped, tmp_path)
    text = "".join(page.texts)
    assert ("p", {"class": "verdict bad"}) in page.tags
    assert stopped.message in text
    assert stopped.status.advice in text
    assert ("p", {"class": "verdict good"}) not in page.tags


def test_names_of_strangers_stay_text(nasty, tmp_path):
    page = read(nasty, tmp_path)
    assert not any(EVIL in script for _, script in page.scripts) and not any(tag == "img" for tag, _ in page.tags)
    assert sum(tag == "title" for tag, _ in page.tags) == 1
    assert f"</title>{EVIL}: predicted motion" in page.texts  # read back as it was
    assert any(row[0] == f"torque of {WORSE}" for row in page.rows)
    titles = [panel["title"] for panel in page.curves["groups"][0]["panels"]]
    assert titles == [WORSE, f"{EVIL}\x01\ud800"]


@pytest.mark.slow
def test_names_of_strangers_survive_files_and_pictures(nasty, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert nasty.plot(tmp_path / "a.png").stat().st_size > 10_000
        assert nasty.animate(tmp_path / "a.gif", frames=2).stat().st_size > 2_000
    back = lissom.Prediction.load(nasty.save(tmp_path / "a.npz"), nasty.robot)
    assert str(back.description) == str(nasty.description)


def test_a_prediction_from_a_file_makes_the_same_page(found, tmp_path):
    back = lissom.Prediction.load(found.save(tmp_path / "a.npz"), lissom.robots.rr())
    assert read(back, tmp_path).rows == read(found, tmp_path).rows


def test_iterations_that_are_in_no_round_are_counted_apart(found, tmp_path):
    listed = sum(r.iterations for r in found.rounds)
    for more, said in ((0, f"{listed}"), (27, f"{listed + 27}, 27 of them in solves from which the rounds below were restarted")):
        page = read(dataclasses.replace(found, iterations=listed + more), tmp_path)
        row = next(row for row in page.rows if row[0] == "iterations")
        assert row[1].startswith(said) and (more or row[1] == said)


def test_long_histories_are_shortened(found, tmp_path):
    many = found.solution.history[-1:] * 200
    numbered = tuple(step._replace(iteration=k) for k, step in enumerate(many))
    long = dataclasses.replace(found, solution=dataclasses.replace(found.solution, history=numbered))
    page = read(long, tmp_path)
    assert "160 iterations in between are left out." in page.texts
    assert page.rows[-1][0] == "199"


def test_a_problem_without_limits_has_a_page_too(tmp_path):
    problem = MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0).start([0, -2]).end([1, -1])
    page = read(problem.minimize("integral", 1.0, "torque").solve(restart=False), tmp_path)
    assert "None." in page.texts


def test_only_pages_are_written(found, tmp_path):
    with pytest.raises(FileError, match="cannot write a report into a file ending in '.pdf'; use .html"):
        found.report(tmp_path / "a.pdf")
