"""Mesh files: where they are found, and that a file from a stranger reaches nothing else."""

import os
from pathlib import PureWindowsPath

import pytest

import lissom
from lissom.errors import FileError, ModelWarning
from lissom.read.mesh_paths import MeshPaths, on_another_drive, search_folders
from lissom.read.source import Source


@pytest.fixture(autouse=True)
def _clean(monkeypatch):
    for name in ("LISSOM_MESH_PATH", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def tree(tmp_path):
    """Make files in a folder, each with the content "x"."""

    def make(*names):
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("x")
        return tmp_path

    return make


@pytest.mark.parametrize(
    ("robot", "address", "file"),
    [
        ("r.urdf", "a.stl", "a.stl"),
        ("r.urdf", "meshes/a.STL", "meshes/a.STL"),
        ("r.urdf", "./a.obj", "a.obj"),
        ("arm/urdf/r.urdf", "../meshes/a.dae", "arm/meshes/a.dae"),
        ("arm/urdf/r.urdf", "package://arm/meshes/a.dae", "arm/meshes/a.dae"),
        ("arm/urdf/r.urdf", "package:///arm/meshes/a.glb", "arm/meshes/a.glb"),
        ("arm/urdf/r.urdf", "model://arm/meshes/a.gltf", "arm/meshes/a.gltf"),
        ("arm/urdf/small/r.urdf", "package://arm/meshes/a.ply", "arm/meshes/a.ply"),
    ],
)
def test_meshes_are_found_in_the_folder_and_the_package_of_the_robot(tree, robot, address, file):
    top = tree(robot, file)
    assert MeshPaths(top / robot).find(address) == str(top / file)


def test_a_package_with_a_manifest_is_found_beside_the_folders_above(tree):
    top = tree("src/arm/urdf/r.urdf", "src/hand/package.xml", "src/hand/meshes/a.stl", "src/foot/a.stl")
    meshes = MeshPaths(top / "src/arm/urdf/r.urdf")
    assert meshes.find("package://hand/meshes/a.stl") == str(top / "src/hand/meshes/a.stl")
    assert meshes.find("package://foot/a.stl") is None


def test_a_folder_far_above_is_a_package_only_with_a_manifest(tree):
    top = tree("arm/a/b/c/d/r.urdf", "arm/x.stl")
    assert MeshPaths(top / "arm/a/b/c/d/r.urdf").find("package://arm/x.stl") is None
    tree("arm/package.xml")
    assert MeshPaths(top / "arm/a/b/c/d/r.urdf").find("package://arm/x.stl") == str(top / "arm/x.stl")
    assert MeshPaths(top / "arm/a/b/c/d/r.urdf").find("../../../../x.stl") == str(top / "arm/x.stl")


@pytest.mark.parametrize("folder", ["", "pool", "pool/hand", "pool/share"])
def test_the_search_path_takes_folders_of_meshes_packages_and_prefixes(tree, folder):
    files = {"": "hand/meshes/a.stl", "pool": "pool/share/hand/meshes/a.stl", "pool/hand": "pool/hand/meshes/a.stl"}
    file = files.get(folder, "pool/share/hand/meshes/a.stl")
    top = tree(file, "elsewhere/r.urdf")
    assert MeshPaths(top / "elsewhere/r.urdf").find("package://hand/meshes/a.stl") is None
    assert MeshPaths(top / "elsewhere/r.urdf", top / folder).find("package://hand/meshes/a.stl") == str(top / file)
    assert MeshPaths(None, [top / folder]).find("package://hand/meshes/a.stl") == str(top / file)


def test_the_first_folder_of_the_search_path_wins(tree, monkeypatch):
    top = tree("one/a.stl", "two/a.stl", "three/a.stl")
    monkeypatch.setenv("LISSOM_MESH_PATH", os.pathsep.join([str(top / "three"), str(top / "none"), ""]))
    assert MeshPaths(None, [str(top / "two"), top / "one"]).find("a.stl") == str(top / "two/a.stl")
    assert MeshPaths(None).find("a.stl") == str(top / "three/a.stl")


def test_packages_of_ros_are_found(tree, monkeypatch):
    top = tree("src/arm/a.stl", "install/share/hand/b.stl")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(top / "src"))
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(top / "install"))
    meshes = MeshPaths(None)
    assert meshes.find("package://arm/a.stl") == str(top / "src/arm/a.stl")
    assert meshes.find("package://hand/b.stl") == str(top / "install/share/hand/b.stl")
    assert meshes.find("arm/a.stl") is None  # not an address of a package


def test_absolute_addresses_are_found_inside_the_allowed_folders_only(tree):
    top = tree("arm/r.urdf", "arm/a b.stl", "other/a.stl")
    meshes = MeshPaths(top / "arm/r.urdf")
    assert meshes.find(str(top / "arm/a b.stl")) == str(top / "arm/a b.stl")
    assert meshes.find(f"file://{top}/arm/a%20b.stl") == str(top / "arm/a b.stl")
    assert meshes.find(str(top / "other/a.stl")) is None
    assert MeshPaths(top / "arm/r.urdf", top / "other").find(str(top / "other/a.stl")) == str(top / "other/a.stl")
    assert MeshPaths(top / "arm/r.urdf", trusted=True).find(str(top / "other/a.stl")) == str(top / "other/a.stl")


@pytest.mark.parametrize(
    "address",
    [
        "../secret.stl",
        "meshes/../../secret.stl",
        "package://arm/../secret.stl",
        "package://../secret.stl",
        "package://./../secret.stl",
        "link.stl",
        "linked/secret.stl",
        "file://{top}/secret.stl",
        "{top}/secret.stl",
    ],
)
def test_a_stranger_cannot_reach_outside_his_folder(tree, address):
    top = tree("arm/r.urdf", "secret.stl", "arm/meshes/a.stl")
    (top / "arm/link.stl").symlink_to(top / "secret.stl")
    (top / "arm/linked").symlink_to(top)
    meshes = MeshPaths(top / "arm/r.urdf")
    assert meshes.find(address.format(top=top)) is None
    with pytest.warns(ModelWarning):
        meshes.report(Source("r.urdf"))


@pytest.mark.parametrize(
    "address",
    [
        "a.png",
        "/etc/passwd",
        "a.stl\0.stl",
        "a" * 5000 + ".stl",
        "package://",
        "package://arm",
        "",
        "http://x.org/a.stl",
        "\ud800.stl",
    ],
)
def test_odd_addresses_are_no_errors(tree, address):
    meshes = MeshPaths(tree("arm/r.urdf", "arm/a.png") / "arm/r.urdf")
    assert meshes.find(address) is None
    with pytest.warns(ModelWarning):
        meshes.report(Source("r.urdf"))


def test_folders_and_pipes_are_not_meshes(tree):
    top = tree("r.urdf")
    (top / "a.stl").mkdir()
    os.mkfifo(top / "b.stl")
    assert MeshPaths(top / "r.urdf").find("a.stl") is None
    assert MeshPaths(top / "r.urdf").find("b.stl") is None


def test_a_linked_robot_file_finds_meshes_beside_the_link_and_beside_the_file(tree):
    top = tree("real/r.urdf", "real/a.stl", "linked/b.stl")
    (top / "linked/r.urdf").symlink_to(top / "real/r.urdf")
    meshes = MeshPaths(top / "linked/r.urdf")
    assert meshes.find("a.stl") == str(top / "real/a.stl")
    assert meshes.find("b.stl") == str(top / "linked/b.stl")


def test_hundreds_of_missing_meshes_are_one_warning_with_advice(tree):
    top = tree("a.stl")
    visuals = "".join(f'<visual><geometry><mesh filename="m{k}.stl"/></geometry></visual>\n' for k in range(300))
    more = "".join(f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in ("a.stl", "b.png"))
    (top / "r.urdf").write_text(f'<robot name="r">\n<link name="a">\n{visuals}{more}</link></robot>')
    with pytest.warns(ModelWarning) as caught:
        robot = lissom.load(top / "r.urdf")
    (message,) = (str(warning.message) for warning in caught)
    assert "r.urdf:3: of 302 mesh files, which only drawing needs, 300 not found ('m0.stl', 'm1.stl', ...) in the" in message
    assert (
        "as mesh_path (--mesh-path, LISSOM_MESH_PATH); 1 of a kind that lissom does not read ('b.png'); it reads .stl" in message
    )
    assert sum(shape.geometry.file is not None for shape in robot.model.shapes) == 1


def test_missing_packages_are_named_with_the_folders_that_were_searched(tree, monkeypatch):
    top = tree("r.urdf", "more/a.txt")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(top))
    visuals = "".join(f'<visual><geometry><mesh filename="package://arm/m{k}.stl"/></geometry></visual>' for k in range(3))
    (top / "r.urdf").write_text(f'<robot name="r"><link name="a">{visuals}</link></robot>')
    with pytest.warns(ModelWarning) as caught:
        lissom.load(top / "r.urdf", mesh_path=top / "more")
    places = f"the folder of the robot, the folders above it, {top / 'more'}, ROS_PACKAGE_PATH"
    assert f"3 not found (package 'arm') in {places}; give" in str(caught[0].message)


def test_a_search_path_that_is_not_a_folder_is_an_error(tree):
    top = tree("r.urdf")
    for wrong in (top / "none", [top, top / "r.urdf"], str(top / "none")):
        with pytest.raises(FileError, match="mesh_path must name folders that hold mesh files or packages; this is not a folder"):
            search_folders(wrong)
    with pytest.raises(FileError, match="mesh_path must be a folder or a list of folders, got 3"):
        search_folders([3])
    with pytest.raises(FileError, match="mesh_path must be a folder or a list of folders, got 3"):
        search_folders(3)


@pytest.mark.parametrize(
    ("compiler", "file"),
    [
        ('meshdir="stl"', "stl/a.stl"),
        ('meshdir="stl/" strippath="true"', "stl/a.stl"),
        ('meshdir="stl" strippath="false"', "stl/package/a.stl"),
        ('assetdir="stl"', "stl/a.stl"),
    ],
)
def test_a_urdf_for_mujoco_has_its_meshes_in_its_mesh_folder(tree, compiler, file):
    top = tree("r/x.urdf", f"r/{file}")
    visual = '<visual><geometry><mesh filename="package/a.stl"/></geometry></visual>'
    text = f'<robot name="r"><mujoco><compiler {compiler}/></mujoco><link name="a">{visual}</link></robot>'
    (top / "r/x.urdf").write_text(text)
    assert lissom.load(top / "r/x.urdf").model.shapes[0].geometry.file == str(top / "r" / file)
    tree("outside/a.stl")
    (top / "r/x.urdf").write_text(text.replace('dir="stl', f'dir="{top}/outside').replace("package/a", "b/a"))
    with pytest.warns(ModelWarning, match="1 not found"):
        assert lissom.load(top / "r/x.urdf").model.shapes[0].geometry.file is None


@pytest.mark.parametrize("address", ["package://me/secret.stl", "package://home/me/secret.stl", "../secret.stl"])
def test_the_home_folder_is_not_a_package(tree, monkeypatch, address):
    top = tree("home/me/robots/r.urdf", "home/me/secret.stl")
    monkeypatch.setenv("HOME", str(top / "home/me"))
    assert MeshPaths(top / "home/me/robots/r.urdf").find(address) is None
    monkeypatch.setenv("HOME", str(top / "home/you"))
    assert MeshPaths(top / "home/me/robots/r.urdf").find(address) == (
        None if "home/" in address else str(top / "home/me/secret.stl")
    )


def test_links_of_installed_packages_are_followed(tree, monkeypatch):
    top = tree("src/hand/meshes/a.stl", "secret.stl", "install/share/hand/package.xml", "r.urdf")
    (top / "install/share/hand/meshes").mkdir()
    (top / "install/share/hand/meshes/a.stl").symlink_to(top / "src/hand/meshes/a.stl")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(top / "install"))
    meshes = MeshPaths(top / "elsewhere/r.urdf")
    assert meshes.find("package://hand/meshes/a.stl") == str(top / "src/hand/meshes/a.stl")
    assert meshes.find("package://hand/../../../secret.stl") is None
    (top / "install/share/hand/linked").symlink_to(top / "src/hand/meshes")
    assert meshes.find("package://hand/linked/a.stl") == str(top / "src/hand/meshes/a.stl")
    (top / "src/hand/b.stl").write_text("x")
    assert meshes.find("package://hand/linked/../b.stl") is None
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    assert MeshPaths(None, top / "install").find("package://hand/meshes/a.stl") is None


def test_files_on_another_drive_or_computer_are_not_even_looked_for():
    home = PureWindowsPath("C:/arm")
    for address, far in (("a.stl", False), ("c:/arm/a.stl", False), ("D:/a.stl", True), ("//evil/share/a.stl", True)):
        assert on_another_drive(home / address, (home,)) is far
    share = PureWindowsPath("//own/share/arm")
    assert not on_another_drive(share / "a.stl", (home, share)) and on_another_drive(share / "//own/other/a.stl", (share,))


@pytest.mark.filterwarnings("error")
def test_trusted_files_have_their_meshes_anywhere(tree):
    top = tree("r/x.urdf", "far/a.stl")
    visual = f'<visual><geometry><mesh filename="{top}/far/a.stl"/></geometry></visual>'
    (top / "r/x.urdf").write_text(f'<robot name="r"><link name="a">{visual}</link></robot>')
    shape = "{link: a, kind: mesh, file: ../far/a.stl}"
    (top / "r/x.yaml").write_text(f"lissom: 1\nkind: tree\nname: r\nlinks: [{{name: a}}]\nshapes: [{shape}]\n")
    for name in ("x.urdf", "x.yaml"):
        assert lissom.load(top / "r" / name, trusted=True).model.shapes[0].geometry.file == str(top / "far/a.stl")
        with pytest.raises(ModelWarning, match="1 outside the folder and the package of the robot"):
            lissom.load(top / "r" / name)
