import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom.errors import FileError
from lissom.read import source as source_module
from lissom.read import xml
from lissom.read.source import Source, read_bytes
from lissom.read.xml import expect_root, parse_xml, read_xml


def test_elements_know_their_tag_attributes_text_and_line():
    root = parse_xml('<a>\n <b x="1">hello</b>\n <b/>\n</a>', "f.xml")
    first, second = root.all("b")
    assert (root.tag, first.attributes, first.text, first.line, second.line) == ("a", {"x": "1"}, "hello", 2, 3)
    assert [e.tag for e in root.walk()] == ["a", "b", "b"]


def test_entity_bomb_is_refused_before_it_grows():
    levels = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    bomb = f'<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY l0 "ha">{levels}]>\n<robot name="&l11;"/>'
    with pytest.raises(FileError, match=r"f.xml:2: a <!DOCTYPE> or entity declaration is not allowed") as caught:
        parse_xml(bomb, "f.xml")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE r SYSTEM "http://example.com/r.dtd">',
        '<!DOCTYPE r [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>',
    ],
)
def test_external_and_parameter_entities_are_refused(head):
    with pytest.raises(FileError, match="DOCTYPE"):
        parse_xml(f'{head}<robot name="&x;"/>', "f.xml")


def test_undefined_entity_is_refused():
    with pytest.raises(FileError, match="undefined entity"):
        parse_xml('<robot name="&x;"/>')


def test_truncated_file_names_line_and_open_element():
    with pytest.raises(FileError, match=r"f.xml:3: not well-formed XML: no element found \(inside <b> of line 2\)"):
        parse_xml("<a>\n<b>\n", "f.xml")


def test_text_that_utf8_cannot_hold_is_refused():
    with pytest.raises(FileError, match="characters that XML does not allow"):
        parse_xml("<a b='\ud800'/>")


def test_limits_on_elements_and_depth(monkeypatch):
    with pytest.raises(FileError, match="nested more than 1000 deep"):
        parse_xml("<a>" * 1001 + "</a>" * 1001)
    monkeypatch.setattr(xml, "MAX_ELEMENTS", 5)
    with pytest.raises(FileError, match="more than 5 elements"):
        parse_xml("<a>" + "<b/>" * 5 + "</a>")


def test_missing_file_folder_and_folder_instead_of_file(tmp_path):
    with pytest.raises(FileError, match="no such file$"):
        read_xml(tmp_path / "a.urdf")
    for name in ("ur5_robot.urdf", "ur10_robot.urdf", "panda.urdf", "ur5_robot.yaml"):
        (tmp_path / name).touch()
    with pytest.raises(FileError, match="no such file; did you mean 'ur5_robot.urdf' or 'ur10_robot.urdf'.$"):
        read_xml(tmp_path / "ur5_robt.urdf")
    with pytest.raises(FileError, match="no such file; the folder .* does not exist either"):
        read_xml(tmp_path / "b" / "a.urdf")
    with pytest.raises(FileError, match="this is a folder"):
        read_xml(tmp_path)
    with pytest.raises(FileError, match="cannot be opened"):
        read_xml(str(tmp_path / "a\0b"))


def test_too_large_a_file_is_refused(tmp_path):
    file = tmp_path / "a.urdf"
    file.write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(FileError, match="larger than 1 MiB"):
        read_bytes(file, 1 << 20)


def test_bytes_that_are_not_utf8_name_their_line():
    with pytest.raises(FileError, match=r"f.xml:2: byte 0xff is not UTF-8"):
        parse_xml(b"<a>\n\xff</a>", "f.xml")
    assert source_module.decode(b"\xef\xbb\xbf<a/>", None) == "<a/>"


def test_wrong_root_says_what_the_file_is():
    with pytest.raises(FileError, match=r"a URDF file starts with <robot>, this file with <mujoco> \(a MuJoCo model\)"):
        expect_root(parse_xml("<mujoco/>"), "robot", "a URDF file", Source("f.urdf"))
    with pytest.raises(FileError, match="with <robott>; did you mean 'robot'"):
        expect_root(parse_xml("<robott/>"), "robot", "a URDF file", Source("f.urdf"))


def test_repeated_child_and_missing_or_empty_attribute_are_refused():
    root, source = parse_xml("<a x='' y='1'><b/><b/></a>"), Source("f")
    with pytest.raises(FileError, match="<a> has 2 elements <b>, expected one"):
        root.only("b", source)
    with pytest.raises(FileError, match="<a> has no attribute 'z'; it has 'x', 'y'"):
        root.need("z", source)
    with pytest.raises(FileError, match="attribute 'x' of <a> is empty"):
        root.need("x", source)


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_any_input_parses_or_raises_file_error(data):
    with contextlib.suppress(FileError):
        parse_xml(data, "f.xml")
