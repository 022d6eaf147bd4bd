"""MJCF files from strangers: what they may read, how much they may ask for, and what becomes of MuJoCo's failures."""

import os
import subprocess
import sys
import textwrap

import pytest

from lissom.errors import FileError, LissomError, ModelWarning, StateError
from lissom.read import load_model
from lissom.read.mjcf.compile import MEMORY, SECONDS, limit

mujoco = pytest.importorskip("mujoco")

BODY = '<body name="a"><joint name="j"/><geom size="0.1"/></body>'
SECRET = '<mujoco><worldbody><body name="secret"><joint/><geom size="0.1"/></body></worldbody></mujoco>'
MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def model(inner="", head="", rest=""):
    return f"<mujoco>{head}<worldbody>{BODY}{inner}</worldbody>{rest}</mujoco>"


@pytest.fixture
def folder(tmp_path):
    """A folder for the file, in a folder with secrets."""
    (tmp_path / "secret.xml").write_text(SECRET)
    (tmp_path / "secret.obj").write_text(MESH)
    inside = tmp_path / "inside"
    inside.mkdir()
    return inside


def load(folder, text, **options):
    (folder / "m.xml").write_text(text)
    return load_model(folder / "m.xml", **options)


ATTACH = '<body><attach model="sub" body="b" prefix="x"/></body>'
SUB = '<asset><model name="sub" file="sub.xml"/></asset>'
USES = '<body name="b"><joint/><geom type="mesh" mesh="secret"/></body>'


def sub(asset="", world=USES, head=""):
    return f"<mujoco>{head}<asset>{asset}</asset><worldbody>{world}</worldbody></mujoco>"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (sub('<mesh name="secret" file="../secret.obj"/>'), r"sub.xml:1: file='../secret.obj' reaches outside the folder"),
        (sub('<mesh name="secret" file="secret.obj"/>', head='<compiler meshdir=".."/>'), "meshdir='..' reaches outside"),
        (sub('<include file="../secret.xml"/>'), "file='../secret.xml' reaches outside"),
        (sub('<model name="deep" file="../secret.xml"/>'), "file='../secret.xml' reaches outside"),
        ('<!DOCTYPE m [<!ENTITY x SYSTEM "../secret.xml">]>' + sub(), "sub.xml:1: a <!DOCTYPE> or entity declaration"),
        ('<robot name="r"><link name="b"><visual><geometry><mesh filename="/etc/x.stl"/></geometry></visual></link></robot>',
         "filename='/etc/x.stl' reaches outside"),
        ('<robot name="r"><link name="b"><visual><geometry><mesh filename="package:///etc/x.stl"/></geometry></visual></link></robot>',
         "reaches outside"),
        ("<mujoco", "sub.xml:1: not well-formed XML"),
    ],
)  # fmt: skip
def test_sub_models_read_only_what_the_file_may_read(folder, text, said):
    (folder / "sub.xml").write_text(text)
    with pytest.raises(FileError, match=said):
        load(folder, model(ATTACH, head=SUB))


def test_sub_models_below_the_folder_load(folder):
    (folder / "t.obj").write_text(MESH)
    (folder / "sub.xml").write_text(sub('<mesh name="secret" file="t.obj"/>'))
    assert [joint.name for joint in load(folder, model(ATTACH, head=SUB)).joints if joint.kind.nv] == ["j", "joint_1"]


def test_sub_models_of_sub_models_and_included_files_are_looked_at(folder):
    (folder / "parts").mkdir()
    (folder / "parts" / "deep.xml").write_text(sub('<mesh name="secret" file="../../secret.obj"/>'))
    for place in ("parts/deep.xml", "deep.xml"):  # MuJoCo may look beside the main file or beside the sub-model
        (folder / "parts" / "sub.xml").write_text(sub(f'<model name="d" file="{place}"/>'))
        with pytest.raises(FileError, match="deep.xml:1: file='../../secret.obj' reaches outside"):
            load(folder, model(ATTACH, head='<asset><model name="sub" file="parts/sub.xml"/></asset>'))
    (folder / "parts" / "list.xml").write_text('<mujoco><asset><mesh file="/etc/x.stl"/></asset></mujoco>')
    with pytest.raises(FileError, match="list.xml:1: file='/etc/x.stl' reaches outside"):
        load(folder, model(head='<include file="parts/list.xml"/>'))


@pytest.mark.parametrize(
    "name",
    [
        r"\Users\x.stl",
        r"C:\x.stl",
        "C:x.stl",
        r"a\..\..\x.stl",
        r"\\host\share\x.stl",
        "/x.stl",
        "a/../../x.stl",
        "file:///x.stl",
    ],
)
def test_names_that_leave_the_folder_on_any_system_are_refused(folder, name):
    for attribute in ("file", "fileright"):
        with pytest.raises(FileError, match="reaches outside the folder"):
            load(folder, model(head=f'<asset><texture type="cube" name="t" {attribute}="{name}"/></asset>'))


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_that_lead_outside_are_refused(folder):
    (folder / "link.obj").symlink_to(folder.parent / "secret.obj")
    (folder / "out").symlink_to(folder.parent)
    (folder / "meshes").mkdir()
    (folder / "meshes" / "m.obj").symlink_to(folder.parent / "secret.obj")
    geom = '<body><joint/><geom type="mesh" mesh="m"/></body>'
    for name, head in (
        ("link.obj", ""),
        ("out/secret.obj", ""),
        ("m.obj", '<compiler meshdir="meshes"/>'),
        ("x/y/m.obj", '<compiler meshdir="meshes" strippath="true"/>'),
        ("secret.obj", '<compiler assetdir="out"/>'),
    ):
        text = model(geom, head=f'{head}<asset><mesh name="m" file="{name}"/></asset>')
        with pytest.raises(FileError, match=rf"file '{name}' is a link to a place outside the folder"):
            load(folder, text)
        assert load(folder, text, trusted=True).nv == 2
    (folder / "sub.xml").symlink_to(folder.parent / "secret.xml")
    with pytest.raises(FileError, match="file 'sub.xml' is a link to a place outside"):
        load(folder, model(head='<include file="sub.xml"/>'))
    (folder / "main.xml").symlink_to(folder.parent / "secret.xml")
    with pytest.raises(FileError, match="the file is a link to a place outside"):
        load_model(folder / "main.xml")
    assert load_model(folder / "main.xml", trusted=True).nv == 1


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_inside_the_folder_and_to_the_folder_are_followed(folder):
    (folder / "t.obj").write_text(MESH)
    (folder / "link.obj").symlink_to("t.obj")
    text = model('<body><joint/><geom type="mesh" mesh="m"/></body>', head='<asset><mesh name="m" file="link.obj"/></asset>')
    assert load(folder, text).nv == 2
    (folder.parent / "other").symlink_to(folder)
    assert load_model(folder.parent / "other" / "m.xml").nv == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_pipes_and_names_with_line_breaks_are_refused(folder):
    os.mkfifo(folder / "pipe.obj")
    with pytest.raises(FileError, match="file 'pipe.obj' is a device or a pipe"):
        load(folder, model(head='<asset><mesh name="m" file="pipe.obj"/></asset>'))
    for name in ("a\nb.obj", "a&#10;b.obj", "a\tb.obj"):
        with pytest.raises(FileError, match="line break|no file name"):
            load(folder, model(head=f'<asset><mesh name="m" file="{name}"/></asset>'))


def test_more_names_and_folders_than_anybody_needs_are_refused(folder):
    with pytest.raises(FileError, match="more than 2000 files are named"):
        load(folder, model(head="<asset>" + '<mesh name="m" file="m.obj"/>' * 2001 + "</asset>"))
    with pytest.raises(FileError, match="more than 20 folders"):
        load(folder, model(head="".join(f'<compiler meshdir="m{k}"/>' for k in range(21))))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (model(head='<asset><hfield name="h" nrow="2000000000" ncol="2000000000" size="1 1 1 1"/></asset>'), "4e[+]18 points"),
        (model(head='<size nuserdata="2000000000"/>'), "<size> asks for 2e[+]09 of 'nuserdata', expected at most 1000000"),
        (model(head='<size nkey="2000000000"/>'), "of 'nkey'"),
        (model(head='<size nuser_body="2000000000"/>'), "of 'nuser_body'"),
        (model('<replicate count="1000000000"><geom size="1"/></replicate>'), "<replicate> asks for 1e[+]09 copies"),
        (model('<replicate count="1000"><replicate count="1000"><geom size="1"/></replicate></replicate>'), "1e[+]06 copies"),
        (model('<flexcomp name="f" type="grid" count="1000 1000 1000" spacing="1 1 1"/>'), "<flexcomp> asks for 1e[+]09 points"),
        (model('<composite type="cable" curve="s" count="1000000000 1 1"/>'), "<composite> asks for 1e[+]09 points"),
        (model(head='<asset><texture name="t" builtin="flat" width="200000" height="200000"/></asset>'), "4e[+]10 points"),
        (model(rest='<sensor><user dim="2000000000"/></sensor>'), "<user> asks for 2e[+]09 of 'dim'"),
        (model(rest='<actuator><general joint="j" dyntype="user" actdim="2000000000"/></actuator>'), "of 'actdim'"),
        (model(head='<size memory="100G"/>'), "Could not allocate memory; MuJoCo may use 768 MiB .* set LISSOM_MJCF_MEMORY"),
        (model(head='<size nstack="100000000000"/>'), "MuJoCo rejects the file|MuJoCo fails|allocate"),
    ],
)  # fmt: skip
def test_tiny_files_that_ask_for_huge_sizes_are_refused(folder, text, said):
    with pytest.raises(FileError, match=said):
        load(folder, text)


def test_bounds_count_in_included_files_and_trust_lifts_them(folder):
    (folder / "big.xml").write_text('<mujoco><size nuserdata="3000000"/></mujoco>')
    text = model(head='<include file="big.xml"/>')
    with pytest.raises(FileError, match="big.xml:1: <size> asks for 3e[+]06"):
        load(folder, text)
    assert load(folder, text, trusted=True).nv == 1


def test_memory_of_the_compiler_is_limited_by_an_option(folder, monkeypatch):
    text = model(head='<size memory="300M"/>')
    assert load(folder, text).nv == 1
    monkeypatch.setenv(MEMORY, "200")
    with pytest.raises(FileError, match="may use 200 MiB"):
        load(folder, text)


def test_time_of_the_compiler_is_limited_by_an_option(folder, monkeypatch):
    monkeypatch.setenv(SECONDS, "0.5")
    text = model('<replicate count="100000" offset="1 0 0"><body><joint/><geom size="1"/></body></replicate>')
    with pytest.raises(FileError, match="did not finish compiling it in 0.5 s; .*LISSOM_MJCF_SECONDS"):
        load(folder, text)
    assert load(folder, model()).nv == 1


@pytest.mark.parametrize("value", ["", "soon", "-1", "0", "nan", "inf"])
def test_limits_that_cannot_be_are_named(monkeypatch, value):
    monkeypatch.setenv(SECONDS, value)
    with pytest.raises(StateError, match="LISSOM_MJCF_SECONDS must be a positive number of seconds, got"):
        limit(SECONDS)


@pytest.mark.slow
def test_failures_of_any_kind_are_errors_of_the_file_and_later_files_load(folder):
    """An empty anchor is an exception other than ValueError, after which MuJoCo's lock stays held; a model in itself crashes."""
    empty = model(rest='<equality><connect body1="a" anchor=""/></equality>')
    itself = model('<body><attach model="m" body="a" prefix="x"/></body>', head='<asset><model name="m" file="m.xml"/></asset>')
    for text, said in ((empty, "MuJoCo fails on it"), (itself, "MuJoCo crashed|MuJoCo rejects|MuJoCo fails")):
        with pytest.raises(FileError, match=said):
            load(folder, text)
        assert load(folder, model()).nv == 1


@pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
def test_warnings_come_through_and_no_log_is_written(folder, monkeypatch):
    monkeypatch.chdir(folder)
    flex = '<flexcomp name="f" type="grid" count="3 3 1" spacing="0.1 0.1 0.1" mass="1" dim="2"/>'
    with pytest.warns(ModelWarning, match="m.xml: MuJoCo warns: flex 'f' is not rigid"):
        load(folder, model(flex))
    with pytest.raises(LissomError):
        load(folder, model(rest='<equality><connect body1="a" anchor=""/></equality>'))
    assert [file.name for file in folder.iterdir()] == ["m.xml"]


def test_more_bodies_than_the_reader_takes_are_refused(folder):
    many = "".join(f'<site name="s{k}"/>' for k in range(20_001))
    with pytest.raises(FileError, match="it has 20001 objects of kind 'site', expected at most 20000"):
        load(folder, model(many))
    with pytest.raises(FileError, match="it has 5002 objects of kind 'body', expected at most 5000"):
        load(folder, model("<body/>" * 5000))


@pytest.mark.slow
def test_neither_this_process_nor_its_child_takes_more_than_a_gigabyte(folder):
    """Run apart, so that only these files count: they fill whatever they may."""
    texts = [
        model('<body name="b"/>', head='<size nuser_body="1000000" nuser_geom="1000000"/>'),
        model(head='<size memory="700M"/>', rest="<keyframe>" + '<key qpos="1"/>' * 1000 + "</keyframe>"),
        model('<flexcomp name="f" type="grid" count="200 200 200" spacing="1 1 1" mass="1" dim="3"/>'),
        model('<geom type="hfield" hfield="h"/>', '<asset><hfield name="h" nrow="4000" ncol="5000" size="1 1 1 1"/></asset>'),
    ]
    for k, text in enumerate(texts):
        (folder / f"{k}.xml").write_text(text)
    script = f"""
        import resource, time
        from pathlib import Path
        from lissom.errors import FileError
        from lissom.read import load_model
        from lissom.read.mjcf import compile as mjcf_compile
        for k in range({len(texts)}):
            try:
                load_model(Path({str(folder)!r}) / f"{{k}}.xml")
            except FileError as error:
                print(error)
        mjcf_compile._pool.end()
        # its own peak from /proc: that of getrusage counts the process that started this one, before it became this one
        own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        assert max(own, children) < 1_000_000, (own, children)
        print("small", children)
    """
    if sys.platform != "linux":
        pytest.skip("address space is limited on Linux")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120, check=False
    )
    assert "small" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_more_elements_than_a_robot_needs_are_refused_before_mujoco_sees_them(folder):
    with pytest.raises(FileError, match="more than 250000 elements, the limit for robot descriptions"):
        load(folder, model("<geom/>" * 250_000))
