"""Random states of a model, and how near two results are."""

import numpy as np

from lissom.model import JointKind, Model


def random_states(model: Model, lead=(), seed=0, size=1.0):
    """Return q (*lead, nq), qd and qdd (*lead, nv); quaternions are of length one."""
    rng = np.random.default_rng(seed)
    lead = (lead,) if isinstance(lead, int) else tuple(lead)
    q = rng.uniform(-3.0, 3.0, (*lead, model.nq))
    start = 0
    for joint in model.independent_joints:
        stop = start + joint.kind.nq
        if joint.kind in (JointKind.SPHERICAL, JointKind.FLOATING):
            quaternion = rng.normal(size=(*lead, 4))
            q[..., stop - 4 : stop] = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
        start = stop
    return q, size * rng.normal(size=(*lead, model.nv)), size * rng.normal(size=(*lead, model.nv))


def error(ours, theirs, least=1e-6) -> float:
    """Return the largest difference, as a share of the largest entry, or of `least` where all are smaller."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape
    if not ours.size:
        return 0.0
    return float(np.abs(ours - theirs).max() / max(np.abs(theirs).max(), least))
