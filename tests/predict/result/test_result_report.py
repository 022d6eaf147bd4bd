"""Reports: pages that stand alone, say what is so, and let no name out of its place."""

import base64
import dataclasses
import warnings
from html.parser import HTMLParser
from xml.etree import ElementTree

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
        self.tags, self.rows, self.open, self.texts = [], [], [], []
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
        self.texts.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


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
        *("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "b", "br", "img"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
    for _, attributes in page.tags:
        assert not any(name.startswith("on") or name in ("href", "action") for name in attributes)
        assert attributes.get("src", "data:").startswith("data:")
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")
    assert "url(" not in "".join(page.texts)


def test_the_picture_is_a_drawing(found, tmp_path):
    (image,) = [a for tag, a in read(found, tmp_path).tags if tag == "img"]
    kind, data = image["src"].split(",", 1)
    assert kind == "data:image/svg+xml;base64"
    drawing = ElementTree.fromstring(base64.b64decode(data))
    assert drawing.tag.endswith("svg")
    assert len(list(drawing.iter())) > 500


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
    assert ("p", {"class": "bad"}) in page.tags
    assert stopped.message in text
    assert stopped.status.advice in text
    assert ("p", {"class": "good"}) not in page.tags


def test_names_of_strangers_stay_text(nasty, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # matplotlib's, about letters without a shape
        page = read(nasty, tmp_path)
    assert not any(tag == "script" for tag, _ in page.tags)
    assert sum(tag == "img" for tag, _ in page.tags) == 1
    assert sum(tag == "title" for tag, _ in page.tags) == 1
    assert f"</title>{EVIL}: predicted motion" in page.texts  # read back as it was
    assert any(row[0] == f"torque of {WORSE}" for row in page.rows)
    (image,) = [a for tag, a in page.tags if tag == "img"]
    ElementTree.fromstring(base64.b64decode(image["src"].split(",", 1)[1]))


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
