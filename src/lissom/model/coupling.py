"""Couplings: joints that follow others, in chains that end at an independent joint."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import ModelError, NameLookupError
from .joint import SINGLE_DOF, Joint
from .show import chain

LONGEST_CHAIN = 100  # joints coupled one to the next


def check_couplings(joints: Iterable[Joint]) -> None:
    """Raise ModelError or NameLookupError if a joint cannot follow the joint it is coupled to."""
    by_name = {j.name: j for j in joints}
    good: dict[str, int] = {}  # joints with fully followed chains, and their lengths: none is followed twice
    for joint in by_name.values():
        seen = {joint.name: None}
        follower = joint
        while follower.coupling is not None and follower.name not in good:
            master = follower.coupling.joint
            if master not in by_name:
                raise NameLookupError("joint", master, by_name, f" (joint {follower.name!r} is coupled to it)")
            if master in seen:
                raise ModelError(f"joints are coupled in a circle: {chain([*seen, master])}")
            seen[master] = None
            follower = by_name[master]
            if follower.kind not in SINGLE_DOF:
                raise ModelError(
                    f"joint {joint.name!r} is coupled to {master!r}, which is {follower.kind.value}; "
                    "only joints of one coordinate can lead"
                )
        length = good.setdefault(follower.name, 0)
        for name in list(seen)[-2::-1]:  # back from the one before the end
            length += 1
            good[name] = length
        if length > LONGEST_CHAIN:
            many = f"more than {LONGEST_CHAIN} joints are coupled in a chain: {chain(list(seen))}"
            raise ModelError(f"{many}; couple all of them to the last one")
