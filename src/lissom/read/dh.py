"""Denavit-Hartenberg tables, one row per joint; every joint moves about or along z.

    lissom: 1
    kind: dh
    convention: standard
    name: two links
    joints:
      - {name: shoulder, theta: 0, d: 0, a: 0.4, alpha: 0, mass: 2, com: [-0.2, 0, 0], inertia: [0, 0.03, 0.03, 0, 0, 0]}
      - {name: elbow, a: 0.3, mass: 1, com: [-0.15, 0, 0], inertia: [0, 0.01, 0.01, 0, 0, 0], limits: {lower: -150deg, upper: 0}}
    tool: {xyz: [0.05, 0, 0]}

Standard (Denavit, Hartenberg; Paul): frame j is at the end of link j, at Rz(theta) Tz(d) Tx(a) Rx(alpha) in frame j-1.
Modified (Khalil, Kleinfinger; Craig when gamma = b = 0): frame j is at the beginning of link j, at
Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r) in the frame of its antecedent, so tables can branch.
The joint's coordinate is added to theta (revolute) or to d, r (prismatic). Missing values are zero. A table may have `motors`,
as trees do (`motors.py`).
"""

from __future__ import annotations

from ..errors import FileError, suggest
from ..model import IDENTITY, Joint, JointKind, Link, Pose
from ..model.pose import as_matrix3, rotation_about
from .build import Draft
from .entry import Entry
from .fields import DRIVE, INERTIA, POSE, need_mass, pose_of, read_coupling, read_friction, read_inertia, read_limits, read_spring
from .motors import read_motors

KEYS = ("convention", "base", "joints", "tool", "motors")
PARAMETERS = {"standard": ("theta", "d", "a", "alpha"), "modified": ("gamma", "b", "alpha", "d", "theta", "r")}
SIGMA = {"0": "revolute", "1": "prismatic", "2": "fixed"}
_KINDS = ("revolute", "continuous", "prismatic", "fixed")
_WRONG = {
    "standard": "standard tables have theta, d (along z), a (along x), alpha; Khalil's and trees are 'convention: modified'",
    "modified": "modified tables have alpha, d (along x), theta, r (along z), gamma, b; Craig's a is d here, and his d is r",
}


def read_dh(document: Entry, keys: dict[str, Entry], draft: Draft) -> None:
    """Add the links and joints of a table to `draft`."""
    for key in ("convention", "joints"):
        if key not in keys:
            raise document.error(f"a Denavit-Hartenberg table needs the key {key!r}")
    convention = keys["convention"].choice(tuple(PARAMETERS))
    base = keys["base"].text() if "base" in keys else "base"
    document.source.note("link", base, document.line)
    draft.links.append(Link(base))
    # names and numbers that `antecedent` may use
    known = {"0": base, "base": base, base: base}
    last, excused = base, set[str]()
    for row, item in enumerate(keys["joints"].items(), 1):
        joint, link, massless = _row(item, row, convention, known, last)
        draft.joints.append(joint)
        draft.links.append(link)
        known.update({str(row): link.name, joint.name: link.name, link.name: link.name})
        last = link.name
        if massless:
            excused.add(last)
    if not draft.joints:
        raise keys["joints"].error("the table has no rows")
    read_motors(keys, draft)
    need_mass(draft, excused, document)
    if "tool" in keys:
        _tool(keys["tool"], draft, known, last)


def _row(item: Entry, row: int, convention: str, known: dict[str, str], last: str) -> tuple[Joint, Link, bool]:
    branches = ("antecedent",) if convention == "modified" else ()
    keys = _keys(item, convention, ("name", "link", "kind", "sigma", *branches, *PARAMETERS[convention], *INERTIA, *DRIVE))
    name = keys["name"].text() if "name" in keys else f"joint_{row}"
    child = keys["link"].text() if "link" in keys else f"link_{row}"
    item.source.note("joint", name, item.line)
    item.source.note("link", child, item.line)
    if "kind" in keys and "sigma" in keys:
        raise keys["sigma"].error(f"row {row} gives both kind and sigma; remove one")
    kind = keys["kind"].choice(_KINDS) if "kind" in keys else "revolute"
    if "sigma" in keys:
        kind = SIGMA[keys["sigma"].choice(tuple(SIGMA))]
    parent = last
    if "antecedent" in keys:
        before = keys["antecedent"].text()
        if before not in known:
            raise keys["antecedent"].error(f"row {row}: no earlier row is called {before!r}; {suggest(before, known)}")
        parent = known[before]
    values = {key: keys[key].number() if key in keys else 0.0 for key in PARAMETERS[convention]}
    origin, tail = _modified(**values) if convention == "modified" else _standard(kind, **values)
    limits, friction, coupling = (
        read_limits(keys.get("limits")),
        read_friction(keys.get("friction")),
        read_coupling(keys.get("coupling")),
    )
    spring = read_spring(keys.get("spring"))
    rotor = keys["rotor_inertia"].number() if "rotor_inertia" in keys else 0.0
    massless = "massless" in keys and keys["massless"].flag()
    inertia = read_inertia(item.called(f"row {row} ({name!r})"), keys)
    with item.source.at(item.line):
        drive = (limits, friction, rotor, coupling, spring)
        joint = Joint(name, JointKind(kind), parent, child, origin, (0.0, 0.0, 1.0), tail, *drive)
    return joint, Link(child, inertia), massless


def _keys(item: Entry, convention: str, allowed: tuple[str, ...]) -> dict[str, Entry]:
    try:
        return item.mapping(allowed)
    except FileError as error:
        other = {key for names in PARAMETERS.values() for key in names} | {"antecedent"}
        for key in sorted(other - set(allowed)):
            if f"unknown key {key!r}" in str(error):
                raise item.source.error(f"{key!r} is not in a {convention} table; {_WRONG[convention]}", error.line) from None
        raise


def _standard(kind: str, theta: float, d: float, a: float, alpha: float) -> tuple[Pose, Pose]:
    """Return the poses before and after the motion; d of a prismatic joint is before it and commutes with Rz."""
    after = _move(x=a) @ _turn_x(alpha)
    if kind == "prismatic":
        return _turn_z(theta) @ _move(z=d), after
    return _turn_z(theta), _move(z=d) @ after


def _modified(gamma: float, b: float, alpha: float, d: float, theta: float, r: float) -> tuple[Pose, Pose]:
    """Return the poses before and after the motion: all before it, since Rz(theta) and Tz(r) commute with it."""
    return _turn_z(gamma) @ _move(z=b) @ _turn_x(alpha) @ _move(x=d) @ _turn_z(theta) @ _move(z=r), IDENTITY


def _tool(entry: Entry, draft: Draft, known: dict[str, str], last: str) -> None:
    keys = entry.mapping(("name", "on", *POSE))
    name = keys["name"].text() if "name" in keys else "tool"
    holder = keys["on"].text() if "on" in keys else last
    if holder not in known:
        raise keys["on"].error(f"the tool is on {holder!r}, which is not a row; {suggest(holder, known)}")
    entry.source.note("link", name, entry.line)
    entry.source.note("joint", f"{name}_fixed", entry.line)
    draft.links.append(Link(name))
    draft.joints.append(Joint(f"{name}_fixed", JointKind.FIXED, known[holder], name, pose_of(entry, keys)))


def _turn_z(angle: float) -> Pose:
    return Pose(as_matrix3(rotation_about((0, 0, 1), angle), "rotation"))


def _turn_x(angle: float) -> Pose:
    return Pose(as_matrix3(rotation_about((1, 0, 0), angle), "rotation"))


def _move(x: float = 0.0, z: float = 0.0) -> Pose:
    return Pose(translation=(x, 0.0, z))
