"""Study files of strangers: each is refused at its line, at once and without filling the memory, or does no harm."""

import tracemalloc

import pytest

from lissom import FileError
from lissom.study.read import parse

TEXT = """lissom: 1
kind: study
name: swings
base: {torque: {robot: robots:rr, motion: samples.csv, speed: 1}}
parameters:
  a: {grid: [1, 2, 3]}
  b: {values: [1, 2]}
set: {speed: "a + b"}
where: ["a > 0"]
responses: [{peak: torque}]
"""
MOTION = "t,q_joint_1,q_joint_2\n" + "".join(f"{k},0,{k}\n" for k in range(5))
BOMB = "*".join(["9**9"] * 40)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "samples.csv").write_text(MOTION)
    return tmp_path


def test_the_file_is_good_as_it_is(folder):
    assert len(parse(TEXT, folder=folder).cases()) == 6


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("[1, 2, 3]", "[1, 2, 1e12]", 6, "count is 1000000000000.0, expected a whole number from 2 to 1000000"),
        ("[1, 2, 3]", "[1, 2, 1e308]", 6, "count is 1e\\+308"),
        ("[1, 2, 3]", "[1, .nan, 3]", 6, "must be a number such as"),
        ("[1, 2, 3]", "[1, inf, 3]", 6, "must be a number such as"),
        ("[1, 2, 3]", "[-1e308, 1e308, 3]", 6, "so wide that its samples are no finite numbers"),
        ("[1, 2, 3]", "[0, 5e-324, 100]", 6, "values repeat"),
        ("[1, 2, 3]", "[1, 2, 1000000]", 6, "the study has 2000000 cases, expected 1000000 at most"),
        ("{values: [1, 2]}", "{values: &x [1, 2]}\n  c: {values: *x}", 8, "aliases \\(\\*name\\) are not allowed"),
        ("{values: [1, 2]}", "{values: [nan, 2]}", 7, "item 1 of .* is 'nan', expected a finite number or a text"),
        ("a > 0", "a.__class__ == b", 9, "Attribute cannot be used in one"),
        ("a > 0", "().__class__.__bases__[0].__subclasses__()", 9, "is no function of a formula|cannot be used"),
        ("a > 0", "__import__('os').system('true')", 9, "is no function of a formula|cannot be used"),
        ("a > 0", "(lambda: a)() > 0", 9, "'Lambda' in .* is no function of a formula"),
        ("a > 0", "[x for x in (a,)] == b", 9, "cannot be used in one"),
        ("a > 0", "9**9**9**9**9**9 > a", 9, "has no value here"),
        ("a > 0", f"{BOMB} > 0*a and {BOMB}*{BOMB} > a", 9, "a formula has [0-9]+ characters"),
        ("a > 0", "open(" + "-" * 380 + "1)", 9, "'open' in .* is no function of a formula"),
        ("a > 0", "(" * 190 + "a" + ")" * 190 + " > 9", 9, "is no formula|none of 6 cases"),
        ("a > 0", "a > b and b > a", 9, "none of 6 cases keeps the constraints"),
        ("a > 0", "a > 0\\0", 9, "."),
        ('"a + b"', '"speed"', 8, "no parameter 'speed'"),
        ('speed: "a + b"', 'speed: "a + b", "speed[0][0][0]": b', 8, "."),
        ("robots:rr", "/etc", 4, "this is a folder"),
        ("robots:rr", "nowhere.urdf", 4, "no file .*nowhere.urdf; robot files are searched from the folder of the study"),
        ("responses:", "repeats: 1e15\nresponses:", 10, "."),
        ("responses:", "neighbors: 1e9\nresponses:", 10, "neighbors"),
        ("responses:", "samples: {count: 1e9}\nresponses:", 10, "count is 1000000000"),
        ("responses:", "refine: {response: x, count: 1e5, rounds: 1e5}\nresponses:", 10, "100000 rounds are too many|refine"),
        ("responses:", "table: {file: /dev/zero}\nresponses:", 10, "."),
        ("responses:", "table: ../../../../etc\nresponses:", 10, "."),
    ],
)
def test_what_would_hang_fill_the_memory_or_run_code_is_refused_at_its_line(folder, old, new, line, message):
    assert old in TEXT
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=message) as error:
            parse(TEXT.replace(old, new, 1), "file.yaml", folder)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert error.value.line == line, error.value
    assert len(str(error.value)) < 3000 and peak < 200e6


def test_a_formula_of_a_place_without_a_value_is_the_reason_of_its_case(folder):
    found = parse(TEXT.replace("a + b", "a / (2 - b)"), folder=folder).run(folder / "out", workers=1)
    assert found.counts == {"done": 3, "failed": 3}
    assert "'a / (2 - b)' has no value here: float division by zero" in {row.reason for row in found}


def test_unfinished_and_binary_files_are_refused(folder):
    for text in ("", "lissom: 1", "kind: study", "a: [", "{" * 100, "lissom: 1\nkind: study\nname: x\nbase: {torque: 3}", "\t\t"):
        with pytest.raises(FileError):
            parse(text, folder=folder)
