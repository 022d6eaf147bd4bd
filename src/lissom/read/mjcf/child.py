"""MuJoCo's compiler in a separate process: a program that lissom starts, not a module that it imports.

It compiles the requested files, one after another, and answers with plain arrays. It cannot use more memory than allowed, write
files, dump core or outlive its work for long; the parent process watches the time and ends it. It imports nothing of lissom.

    start:   python -I child.py '{"path": sys.path, "memory": bytes}'
    request: one line of JSON on stdin, {"file": path, "seconds": s}
    answer:  length of a header (8 bytes), the header as JSON, and the bytes of the arrays that the header lists
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import select
import sys
from collections.abc import Iterable
from typing import Any, BinaryIO

IDLE = 60.0  # seconds without a request after which the process ends
CORES = 4  # each thread of MuJoCo's compiler takes address space for its stack
LARGEST = {"body": 5_000, "joint": 5_000, "equality": 5_000}  # converting each in Python takes a millisecond
OTHERS = 20_000  # of any other kind
LONGEST = 10_000_000  # characters of all names
KINDS = {"body": "nbody", "joint": "njnt", "equality": "neq", "tendon": "ntendon", "actuator": "nu", "site": "nsite"}
FIELDS = {
    "body": "parentid pos quat ipos iquat mass inertia jntadr jntnum gravcomp",
    "jnt": "type axis pos qposadr dofadr limited range stiffness stiffnesspoly actfrclimited actfrcrange",
    "dof": "damping dampingpoly frictionloss armature",
    "actuator": "trntype trnid forcelimited forcerange gear group armature damping",
    "eq": "type objtype obj1id obj2id active0 data",
    "site": "bodyid pos quat",
}
SHAPES = {
    "geom": "type bodyid pos quat size rgba group contype conaffinity dataid matid",
    "mat": "rgba",
    "mesh": "pos quat scale",
}
GEOMS = 20_000  # most that become shapes: converting each takes some 0.05 ms
OPTIONS = ("gravity", "density", "viscosity", "disableflags", "disableactuator")
ENUMS = {"mjtDisableBit": "mjDSBL_", "mjtEq": "mjEQ_", "mjtObj": "mjOBJ_SITE", "mjtGeom": "mjGEOM_"}


def address_space() -> int:
    """Return the size of this process [bytes]; 0 if unknown."""
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    return 0


def limited(memory: int) -> None:
    """Limit this process to `memory` more bytes, without written files and core dumps."""
    try:
        import resource
    except ImportError:  # Windows: the clock is the only limit
        return
    for what, most in ((resource.RLIMIT_AS, address_space() + memory), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(OSError, ValueError):  # macOS does not limit address space
            resource.setrlimit(what, (most, most))


def give_seconds(seconds: float) -> None:
    """End this process some time after `seconds` of work, in case the parent cannot."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime + seconds * CORES) + 5
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


@functools.cache
def enums(mujoco: Any) -> dict[str, int]:
    """Return the numbers of MuJoCo's names, which differ from version to version."""
    found: dict[str, int] = {}
    for enum, starts in ENUMS.items():
        kind = getattr(mujoco, enum)
        found |= {name: int(getattr(kind, name)) for name in dir(kind) if name.startswith(starts)}
    return found


def drawn(mujoco: Any, m: Any, file: str) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """Return names of geoms, files and reference poses of meshes, and arrays of both; no names if there are too many geoms."""
    found: dict[str, Any] = {"count": int(m.ngeom), "skins": int(m.nskin), "names": None, "meshes": []}
    if m.ngeom > GEOMS or m.nmesh > GEOMS:
        return found, []
    found["names"] = [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_GEOM, i) for i in range(m.ngeom)]
    references: dict[str, list[float]] = {}
    if m.nmesh and hasattr(mujoco, "MjSpec"):  # compiled meshes do not have them
        for mesh in mujoco.MjSpec.from_file(file).meshes:
            references[mesh.name] = [float(x) for x in (*mesh.refpos, *mesh.refquat)]
    paths = bytes(m.paths) if hasattr(m, "paths") else b""
    for i in range(m.nmesh):
        start = int(m.mesh_pathadr[i]) if paths else -1
        path = "" if start < 0 else paths[start:].split(b"\0", 1)[0].decode("utf-8", "replace")
        name = mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_MESH, i)
        found["meshes"].append([path, references.get(name, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])])
    fields = [f"{kind}_{field}" for kind, fields in SHAPES.items() for field in fields.split()]
    return found, [(name, getattr(m, name)) for name in fields if hasattr(m, name)]


def compiled(mujoco: Any, file: str, said: list[str]) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """Return the header and the arrays of the compiled file."""
    m = mujoco.MjModel.from_xml_path(file)
    sizes = {what: int(getattr(m, count)) for what, count in KINDS.items()}
    for what, size in sizes.items():
        if size > (most := LARGEST.get(what, OTHERS)):
            return {"error": f"it has {size} objects of kind {what!r}, expected at most {most}", "ours": True}, []
    names = {}
    for what in KINDS:
        kind = getattr(mujoco.mjtObj, f"mjOBJ_{what.upper()}")
        names[what] = [mujoco.mj_id2name(m, kind, i) for i in range(sizes[what])]
    warnings = list(said)
    geoms, more = drawn(mujoco, m, file)
    if sum(len(name or "") for table in (*names.values(), geoms["names"] or ()) for name in table) > LONGEST:
        return {"error": f"its names have more than {LONGEST} characters", "ours": True}, []
    fields = ["qpos0", "qpos_spring", *(f"{kind}_{field}" for kind, fields in FIELDS.items() for field in fields.split())]
    arrays = {name: getattr(m, name) for name in fields if hasattr(m, name)}  # older MuJoCo has fewer
    home = mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_KEY, "home")
    arrays["qpos_home"] = m.qpos0 if home < 0 else m.key_qpos[home]
    arrays |= {name: getattr(m.opt, name) for name in OPTIONS if hasattr(m.opt, name)}
    header = {
        "model": bytes(m.names).split(b"\0", 1)[0].decode("utf-8", "replace"),
        "sizes": {**sizes, "velocity": int(m.nv), "flex": int(getattr(m, "nflex", 0))},
        "names": names,
        "enums": enums(mujoco),
        "warnings": warnings,
        "geoms": geoms,
    }
    return header, [*arrays.items(), *more]


def answer(stream: BinaryIO, header: dict[str, Any], arrays: Iterable[tuple[str, Any]] = ()) -> None:
    """Write one answer."""
    import numpy as np

    found = [(name, np.array(value, order="C")) for name, value in arrays]
    header["arrays"] = [[name, value.dtype.str, list(value.shape)] for name, value in found]
    text = json.dumps(header).encode("ascii")
    stream.write(b"".join((len(text).to_bytes(8, "big"), text, *(value.tobytes() for _, value in found))))
    stream.flush()


def main() -> None:
    """Compile the files requested on stdin, until it closes."""
    start = json.loads(sys.argv[1])
    sys.path[:] = start["path"]
    # only answers use the pipe, even if a library prints
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    try:
        import mujoco
    except ImportError as error:
        answer(pipe, {"missing": str(error)})
        return
    os.dup2(1, 2)
    limited(start["memory"])
    large = address_space() + start["memory"] // 4
    answer(pipe, {})
    said: list[str] = []
    mujoco.set_mju_user_warning(lambda text: said.append(" ".join(str(text).split())))  # it would write a log file
    requests = os.fdopen(0, "rb", buffering=0)
    while os.name == "nt" or select.select([requests], [], [], IDLE)[0]:
        line = requests.readline()
        if not line:
            return
        request = json.loads(line)
        give_seconds(request["seconds"])
        said.clear()
        try:
            header, arrays = compiled(mujoco, request["file"], said)
        except MemoryError:
            header, arrays = {"error": "out of memory", "spent": True}, []
        except ValueError as error:
            header, arrays = {"error": str(error)}, []
        except Exception as error:  # MuJoCo's own locks may be held from here on
            header, arrays = {"error": f"{type(error).__name__}: {error}", "spent": True}, []
        header["spent"] = spent = header.get("spent", False) or address_space() > large
        answer(pipe, header, arrays)
        if spent:
            return


if __name__ == "__main__":
    main()
