"""Files whose size would make work without end: read in time that grows with their length, or refused."""

import time
import tracemalloc

import pytest
import yaml

import lissom
from lissom.errors import MANY, suggest
from lissom.read import shapes, source, urdf_shapes
from lissom.read.entry import _Composer, compose_yaml
from lissom.read.source import Source
from lissom.read.table import read_table
from lissom.read.urdf import parse_urdf
from lissom.read.yaml import parse_yaml

SECONDS = 30  # a guard against work without end; what it guards takes a second or two


@pytest.fixture(autouse=True)
def in_time():
    began = time.process_time()
    yield
    assert time.process_time() - began < SECONDS


def urdf(links, joints="", more=""):
    return f"<robot name='r'>{''.join(f'<link name={name!r}/>' for name in links)}{joints}{more}</robot>"


def test_many_links_without_joints_are_named_by_the_first_of_them():
    with pytest.raises(lissom.FileError, match="'l0', 'l1', .* 'l11' and 19988 more have no parent joint"):
        parse_urdf(urdf(f"l{k}" for k in range(20_000)))


def test_more_parts_than_can_be_computed_with_are_refused_before_they_are_made():
    with pytest.raises(lissom.FileError, match="more than 40000 links, joints and motors"):
        parse_urdf(urdf(f"l{k}" for k in range(100_000)))


def test_the_limit_of_parts_counts_for_yaml_too(monkeypatch):
    monkeypatch.setattr(source, "MOST", 3)
    links = ", ".join(f"{{name: l{k}}}" for k in range(4))
    with pytest.raises(lissom.FileError, match="more than 3 links, joints and motors"):
        parse_yaml(f"lissom: 1\nkind: tree\nname: a\nlinks: [{links}]")


def test_many_transmissions_and_mimics_of_missing_joints_give_few_suggestions():
    links = [f"l{k}" for k in range(3001)]
    joints = "".join(
        f"<joint name='j{k}' type='revolute'><parent link='l0'/><child link='l{k}'/><mimic joint='no{k}'/></joint>"
        for k in range(1, 3001)
    )
    gears = "<actuator name='a'><mechanicalReduction>2</mechanicalReduction></actuator>"
    wrong = f"<transmission><joint name='nothing{{}}'/>{gears}</transmission>"
    with pytest.warns(lissom.ModelWarning) as warned:
        parse_urdf(urdf(links, joints, "".join(wrong.format(k) for k in range(3000))))
    texts = [str(w.message) for w in warned if "is ignored" in str(w.message)]
    assert len(texts) == 6000
    assert sum("expected one of 'j" in text or "did you mean" in text for text in texts) == source.HINTS


def test_suggestions_are_quick_for_very_many_and_very_long_names():
    many = [f"joint_{k:06d}" for k in range(300_000)]
    assert "did you mean" in suggest("joint_00001", many)
    long = ["x" * 30_000 + str(k) for k in range(20)]
    text = suggest("x" * 30_001, long)
    assert text.startswith("expected one of 'xxx") and len(text) < 4000
    assert len(many) > MANY


@pytest.mark.parametrize("length, good", [(100, True), (101, False)])
def test_chains_of_couplings_have_a_limit(length, good):
    joints = "".join(
        f"<joint name='j{k}' type='revolute'><parent link='l0'/><child link='l{k + 1}'/>"
        + (f"<mimic joint='j{k - 1}'/>" if k else "")
        + "</joint>"
        for k in range(length + 1)
    )
    text = urdf((f"l{k}" for k in range(length + 2)), joints)
    if good:
        with pytest.warns(lissom.ModelWarning):
            assert parse_urdf(text).nv == 1
    else:
        with pytest.raises(lissom.FileError, match="more than 100 joints are coupled in a chain: 'j101'.*'j100'"):
            parse_urdf(text)


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="this PyYAML was built without libyaml")
def test_yaml_is_parsed_by_libyaml():
    assert issubclass(_Composer, yaml.cyaml.CParser)
    document = compose_yaml("".join(f"- {{name: l{k}}}\n" for k in range(100)), Source("a"))
    assert [item.line for item in document.items()] == list(range(1, 101))


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 50_000, "- " * 100_000, "? " * 50_000, "[" * 42 + "]" * 42])
def test_deep_yaml_is_refused(text):
    with pytest.raises(lissom.FileError, match="nested more than 40 deep|not a YAML document"):
        compose_yaml(text, Source("a"))


def test_lines_of_forbidden_characters_are_found_behind_others_of_several_bytes():
    with pytest.raises(lissom.FileError, match=":3: .*a character that YAML does not allow"):
        compose_yaml("a: \u00e9\u00e9\u00e9\u00e9\nb: 1\nc: \x01\n", Source("a"))


def test_a_small_table_takes_little_memory(tmp_path):
    (tmp_path / "a.csv").write_text("t,q0\n" + "0,1\n" * 30_000)
    tracemalloc.start()
    try:
        read_table(tmp_path / "a.csv")
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", ['<sphere radius="1"/>', '<sphere radius="x"/>', '<mesh filename="package://p/{}.stl"/>'])
def test_shapes_without_number_are_read_up_to_a_bound(form, monkeypatch):
    monkeypatch.setattr(urdf_shapes, "MOST_SHAPES", 500)
    visuals = "".join(f"<visual><geometry>{form.format(k)}</geometry></visual>" for k in range(3000))
    with pytest.warns(
        lissom.ModelWarning, match=r"more shapes and materials are left out \(at most 500 shapes are read\)"
    ) as caught:
        model = parse_urdf(f"<robot name='r'><link name='a'>{visuals}</link></robot>")
    assert len(model.shapes) == (0 if '"x"' in form else 500)
    assert len(caught) <= 7


def test_a_tree_with_shapes_without_number_is_refused(monkeypatch):
    monkeypatch.setattr(shapes, "MOST_SHAPES", 3)
    listed = ", ".join(["{link: a, kind: sphere, radius: 1}"] * 4)
    with pytest.raises(lissom.FileError, match="<text>:5: 4 shapes are too many to draw; expected at most 3"):
        parse_yaml(f"lissom: 1\nkind: tree\nname: a\nlinks: [{{name: a}}]\nshapes: [{listed}]")
