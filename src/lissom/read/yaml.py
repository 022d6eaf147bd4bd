"""lissom's YAML: a header, then a tree of links and joints (`tree.py`) or a Denavit-Hartenberg table (`dh.py`)."""

from __future__ import annotations

import os

from ..model import Model
from ..model.pose import as_vector3
from . import dh, elements, loops, shapes, tree
from .build import Draft, finish
from .document import HEADER, read_header
from .entry import compose_yaml
from .mesh_paths import MeshPath, MeshPaths
from .source import Source, decode, read_bytes

# a robot of a thousand links has less than one; reading takes about two seconds per MiB, eight where PyYAML has no libyaml
MAX_BYTES = 3 << 20

_KINDS = {"tree": (tree.KEYS, tree.read_tree), "dh": (dh.KEYS, dh.read_dh)}
_OWN = ("name", "gravity")


def read_yaml(
    path: str | os.PathLike[str],
    base: str = "fixed",
    mimic: bool = True,
    friction: bool = True,
    mesh_path: MeshPath = None,
    trusted: bool = False,
) -> Model:
    """Return the model of the YAML file at `path`.

    Args:
        path: the file.
        base: "fixed", or "floating" to put a floating joint "root_joint" under the base link.
        mimic: whether coupled joints follow their leaders; otherwise they are independent.
        friction: whether to include friction.
        mesh_path: folders in which mesh files are searched too (`mesh_paths.py`).
        trusted: True lets mesh files lie anywhere.

    Raises:
        FileError: the file is not a robot; with the line.
    """
    return _model(read_bytes(path, MAX_BYTES), base, mimic, friction, path, MeshPaths(path, mesh_path, trusted))


def parse_yaml(
    text: str | bytes,
    base: str = "fixed",
    mimic: bool = True,
    friction: bool = True,
    path: object = "<text>",
    mesh_path: MeshPath = None,
) -> Model:
    """Return the model of YAML `text`; see read_yaml. `path` is only used in messages.

    A text has no folder: meshes are only searched in `mesh_path`.
    """
    return _model(text, base, mimic, friction, path, MeshPaths(None, mesh_path))


def _model(text: str | bytes, base: str, mimic: bool, friction: bool, path: object, meshes: MeshPaths) -> Model:
    source = Source(path)
    document = compose_yaml(decode(text, path) if isinstance(text, bytes) else text, source)
    shared = (*loops.KEYS, *elements.KEYS, *shapes.KEYS)
    everything = dict.fromkeys((*_OWN, *tree.KEYS, *dh.KEYS, *shared))
    loose = read_header(document, tuple(_KINDS), everything, required=("name",))
    own, read = _KINDS[loose["kind"].text()]
    keys = document.mapping((*HEADER, *_OWN, *own, *shared))
    draft = Draft(keys["name"].text())
    if "gravity" in keys:
        draft.gravity = as_vector3(keys["gravity"].numbers(3), "gravity")
    read(document, keys, draft)
    draft.loops, draft.active, draft.posture, draft.closure_tolerance = loops.read_loops(keys)
    draft.force_elements = elements.read_elements(keys)
    shapes.read_shapes(keys, draft, source, meshes)
    return finish(draft, source, base, mimic, friction)
