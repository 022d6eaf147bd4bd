"""DAE (COLLADA): a scene of meshes as XML.

Its unit is applied and its up axis is not, as in RViz: robots' files give the pose of a mesh in its link as written. (Pinocchio
ignores both.) Images and other files are not read.
"""

from __future__ import annotations

import math

import numpy as np

from ...errors import FileError
from ...model.pose import rotation_about
from .dae_xml import Element, parse
from .numbers import floats, integers
from .soup import Soup, check_counts, fans, joined

MAX_INSTANCES = 10_000
MAX_STEPS = 1_000_000  # elements that are visited in the scene: a node may be used many times
MAX_DEPTH = 200
_POLYGONS = ("triangles", "polylist", "polygons", "tristrips", "trifans")
_SHADINGS = ("phong", "lambert", "blinn", "constant")

_Part = tuple[str, Soup]  # name of the material, triangles


def read_dae(data: bytes, path: str) -> Soup:
    """Return the triangles of a DAE file [m], with the diffuse colors of its materials."""
    root = parse(data, path)
    if root.tag != "COLLADA":
        raise FileError(f"a DAE file starts with <COLLADA>, this one with <{root.tag:.60}>", path)
    file = _File(root, path)
    soup = file.soup()
    unit = root.first("asset", "unit")
    meter = _number(unit.attributes.get("meter", "1"), path) if unit is not None else 1.0
    return soup._replace(vertices=soup.vertices * meter)


class _File:
    def __init__(self, root: Element, path: str) -> None:
        self.root, self.path = root, path
        self.named: dict[str, Element] = {}
        for element in root.walk():
            if "id" in element.attributes:
                self.named.setdefault(element.attributes["id"], element)
        # by the ids of elements, which live as long as the tree: what is used often is read once
        self.meshes: dict[int, list[_Part]] = {}
        self.sources: dict[int, np.ndarray] = {}
        self.poses: dict[int, np.ndarray] = {}
        self.bound: dict[int, dict[str, str]] = {}
        self.colors: dict[str, np.ndarray | None] = {}
        self.instances = self.steps = self.triangles = self.vertices = 0
        self.parts: list[Soup] = []

    def soup(self) -> Soup:
        instance = self.root.first("scene", "instance_visual_scene")
        scene = self.target(instance, "visual_scene") if instance is not None else None
        if scene is None:
            scene = self.root.first("library_visual_scenes", "visual_scene")
        if scene is not None:
            self.nodes(scene, np.eye(4), 0)
        else:
            for geometry in (g for library in self.root.all("library_geometries") for g in library.all("geometry")):
                self.add(geometry, {}, np.eye(4))
        return joined(self.parts, self.path)

    def target(self, element: Element, tag: str, key: str = "url") -> Element | None:
        """Return the element that another refers to; None if it is missing or in another file."""
        name = element.attributes.get(key, "")
        found = self.named.get(name[1:]) if name.startswith("#") else None
        return found if found is not None and found.tag == tag else None

    def nodes(self, owner: Element, above: np.ndarray, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise FileError(f"nodes are nested more than {MAX_DEPTH} deep", self.path)
        for node in owner.all("node"):
            self.node(node, above, depth)

    def node(self, node: Element, above: np.ndarray, depth: int) -> None:
        self.instances, self.steps = self.instances + 1, self.steps + 1 + len(node.children)
        if self.instances > MAX_INSTANCES or self.steps > MAX_STEPS:
            raise FileError(f"more than {MAX_INSTANCES} nodes and meshes in the scene", self.path)
        if id(node) not in self.poses:
            self.poses[id(node)] = self.pose(node)
        with np.errstate(all="ignore"):  # vertices are checked at the end
            pose = above @ self.poses[id(node)]
        for child in node.children:
            if child.tag == "instance_geometry":
                geometry = self.target(child, "geometry")
                if geometry is not None:
                    self.add(geometry, self.materials(child), pose)
            elif child.tag == "instance_controller":
                controller = self.target(child, "controller")
                skin = controller.first("skin") if controller is not None else None
                geometry = self.target(skin, "geometry", "source") if skin is not None else None
                if geometry is not None:
                    self.add(geometry, self.materials(child), pose)
            elif child.tag == "instance_node":
                other = self.target(child, "node")
                if other is not None:
                    if depth > MAX_DEPTH:
                        raise FileError(f"nodes are nested more than {MAX_DEPTH} deep", self.path)
                    self.node(other, pose, depth + 1)
        self.nodes(node, pose, depth + 1)

    def pose(self, node: Element) -> np.ndarray:
        pose = np.eye(4)
        for child in node.children:
            step = np.eye(4)
            if child.tag == "matrix":
                step = self.row(child, 16).reshape(4, 4)
            elif child.tag == "translate":
                step[:3, 3] = self.row(child, 3)
            elif child.tag == "scale":
                step[:3, :3] = np.diag(self.row(child, 3))
            elif child.tag == "rotate":
                x, y, z, degrees = self.row(child, 4)
                length = math.hypot(x, y, z)
                if length > 0 and math.isfinite(length):
                    step[:3, :3] = rotation_about((x / length, y / length, z / length), math.radians(degrees))
            else:
                continue
            with np.errstate(all="ignore"):  # vertices are checked at the end
                pose = pose @ step
        return pose

    def materials(self, instance: Element) -> dict[str, str]:
        """Return the materials bound to the symbols of an instance."""
        if id(instance) not in self.bound:
            table = instance.first("bind_material", "technique_common")
            rows = table.all("instance_material") if table is not None else []
            found = {row.attributes.get("symbol", ""): row.attributes.get("target", "").lstrip("#") for row in rows}
            self.bound[id(instance)] = found
        return self.bound[id(instance)]

    def row(self, element: Element, count: int) -> np.ndarray:
        values = floats(element.text, self.path, f"<{element.tag}>")
        if len(values) != count or not np.isfinite(values).all():
            raise FileError(f"<{element.tag}> must be {count} finite numbers, got {len(values)}", self.path)
        return values

    def add(self, geometry: Element, materials: dict[str, str], pose: np.ndarray) -> None:
        """Add an instance of a geometry to the parts."""
        if id(geometry) not in self.meshes:
            mesh = geometry.first("mesh")
            self.meshes[id(geometry)] = self.mesh(mesh) if mesh is not None else []
        for material, part in self.meshes[id(geometry)]:
            self.instances += 1
            self.triangles, self.vertices = self.triangles + len(part.faces), self.vertices + len(part.vertices)
            check_counts(self.path, self.vertices, self.triangles)
            if self.instances > MAX_INSTANCES:
                raise FileError(f"more than {MAX_INSTANCES} nodes and meshes in the scene", self.path)
            color = self.color(materials.get(material, material))
            with np.errstate(all="ignore"):
                vertices = part.vertices @ pose[:3, :3].T + pose[:3, 3]
                mirrored = np.linalg.det(pose[:3, :3]) < 0
            faces = part.faces[:, ::-1] if mirrored else part.faces
            self.parts.append(Soup(vertices, faces, None if color is None else np.broadcast_to(color, faces.shape)))

    def mesh(self, mesh: Element) -> list[_Part]:
        found: list[_Part] = []
        for group in mesh.children:
            if group.tag not in _POLYGONS:
                continue
            inputs = group.all("input")
            offsets = {entry.attributes.get("semantic", ""): _whole(entry, "offset", self.path) for entry in inputs}
            source = next((entry for entry in inputs if entry.attributes.get("semantic") == "VERTEX"), None)
            if source is None or not group.all("p"):
                continue
            positions = self.positions(source)
            stride = max(_whole(entry, "offset", self.path) for entry in inputs) + 1
            faces = self.faces(group, stride, offsets["VERTEX"])
            if len(faces):
                found.append((group.attributes.get("material", ""), _used(positions, faces, self.path)))
            if len(found) > MAX_INSTANCES:
                raise FileError(f"more than {MAX_INSTANCES} groups of triangles in a mesh", self.path)
        return found

    def positions(self, entry: Element) -> np.ndarray:
        vertices = self.target(entry, "vertices", "source")
        inner = (
            None
            if vertices is None
            else next((x for x in vertices.all("input") if x.attributes.get("semantic") == "POSITION"), None)
        )
        source = None if inner is None else self.target(inner, "source", "source")
        if source is not None and id(source) in self.sources:
            return self.sources[id(source)]
        array = None if source is None else source.first("float_array")
        if source is None or array is None:
            raise FileError("a mesh without positions of its vertices", self.path)
        values = floats(array.text, self.path, "vertices")
        accessor = source.first("technique_common", "accessor")
        stride = 3 if accessor is None else _whole(accessor, "stride", self.path, 1)
        offset = 0 if accessor is None else _whole(accessor, "offset", self.path)
        if not 3 <= stride <= 1024:
            raise FileError(f"positions have a stride of {stride}, expected 3 numbers each", self.path)
        values = values[offset:]
        check_counts(self.path, vertices=len(values) // stride)
        self.sources[id(source)] = values[: len(values) // stride * stride].reshape(-1, stride)[:, :3]
        return self.sources[id(source)]

    def faces(self, group: Element, stride: int, offset: int) -> np.ndarray:
        """Return the triangles (F, 3) of a group."""
        rows = [integers(p.text, self.path, "<p>") for p in group.all("p")]
        if any(len(row) % stride for row in rows):
            raise FileError(f"<p> of <{group.tag}> must have a multiple of {stride} numbers", self.path)
        corners = [row[offset::stride] for row in rows]
        if group.tag in ("tristrips", "trifans"):
            pieces = []
            for row in corners:
                last = np.column_stack([row[:-2], row[1:-1], row[2:]]) if len(row) > 2 else np.empty((0, 3), np.int64)
                if group.tag == "trifans":
                    last[:, 0] = row[0] if len(row) else 0
                else:
                    last[1::2] = last[1::2, [1, 0, 2]]
                pieces.append(last)
            return np.concatenate(pieces)
        flat = np.concatenate(corners)
        if group.tag == "triangles":
            return flat[: len(flat) // 3 * 3].reshape(-1, 3)
        if group.tag == "polygons":
            counts = np.array([len(row) for row in corners])
        else:
            element = group.first("vcount")
            counts = integers(element.text if element is not None else b"", self.path, "<vcount>")
            # single counts first: the sum of large ones could wrap around
            if (counts < 0).any() or (counts > len(flat)).any() or counts.sum() > len(flat):
                raise FileError(f"<vcount> asks for more corners than the {len(flat)} of <p>", self.path)
        return fans(flat, counts, self.path)[0]

    def color(self, material: str) -> np.ndarray | None:
        """Return the diffuse color (3,) of a material, by its name; None where it is an image, or missing."""
        if material not in self.colors:
            self.colors[material] = self._color(self.named.get(material))
        return self.colors[material]

    def _color(self, material: Element | None) -> np.ndarray | None:
        instance = material.first("instance_effect") if material is not None and material.tag == "material" else None
        effect = self.target(instance, "effect") if instance is not None else None
        technique = effect.first("profile_COMMON", "technique") if effect is not None else None
        for shading in technique.children if technique is not None else ():
            color = shading.first("diffuse", "color") or shading.first("emission", "color") if shading.tag in _SHADINGS else None
            if color is not None:
                values = floats(color.text, self.path, "<color>")
                return values[:3] if len(values) >= 3 else None
        return None


def _used(positions: np.ndarray, faces: np.ndarray, path: str) -> Soup:
    """Return the triangles with only those vertices that they use: parts of a mesh share one list."""
    if faces.min() < 0 or faces.max() >= len(positions):
        raise FileError(f"a triangle names vertex {int(faces.max()) + 1} of {len(positions)}", path)
    if 16 * faces.size < len(positions):  # many small parts of a large list: none of them looks at all of it
        some, place = np.unique(faces, return_inverse=True)
        return Soup(positions[some], place.reshape(faces.shape))
    used = np.zeros(len(positions), bool)
    used[faces] = True
    number = np.cumsum(used) - 1
    return Soup(positions[used], number[faces])


def _number(text: str, path: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 1e-12 < value < 1e12:
        raise FileError(f"the unit is {text!r:.60} m, expected a positive number", path)
    return value


def _whole(element: Element, key: str, path: str, default: int = 0) -> int:
    text = element.attributes.get(key, str(default)).strip()
    if not text.isdecimal() or len(text) > 6:
        raise FileError(f"{key!r} of <{element.tag}> must be a whole number, got {text!r:.60}", path)
    return int(text)
