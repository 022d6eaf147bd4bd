"""MuJoCo's inverse dynamics in lissom's coordinates, and mechanisms to try it on."""

import mujoco
import numpy as np

from lissom.model.pose import rotation_from_quaternion

HEAD = '<option gravity="0.3 -0.2 -9.7"><flag contact="disable" limit="disable"/></option>'
BOX = '<geom type="box" size="0.1 0.2 0.3" pos="0.05 0.02 -0.1" euler="10 20 30" density="400"/>'
ROD = '<geom type="capsule" fromto="0 0 0 0.1 0.3 0.2" size="0.04"/>'


def chain(*bodies):
    """Nest bodies, each with its joints, in one another."""
    text = ""
    for k, joints in reversed(list(enumerate(bodies))):
        place = f'pos="0.{k + 1} -0.2 0.3" euler="{17 * k} 40 {-25 * k}"'
        text = f'<body name="b{k}" {place}>{joints}{BOX if k % 2 else ROD}{text}</body>'
    return f'<mujoco model="chain">{HEAD}<worldbody>{text}</worldbody></mujoco>'


HINGE = '<joint type="hinge" axis="0 1 1"/>'
MODELS = {
    "hinges": chain(HINGE, '<joint axis="1 0 0"/>', '<joint axis="1 2 -3"/>'),
    "anchors off the origin": chain('<joint axis="0 0 1" pos="0.1 -0.2 0.3"/>', '<joint axis="0 1 0" pos="-0.3 0.1 0"/>'),
    "slides": chain('<joint type="slide" axis="0 0 1"/>', '<joint type="slide" axis="1 1 0" pos="0.2 0 0"/>', HINGE),
    "references": chain('<joint axis="0 1 0" ref="30" pos="0.1 0 0.2"/>', '<joint type="slide" axis="1 0 2" ref="0.4"/>', HINGE),
    "ball": chain('<joint type="ball" pos="0.1 0.2 -0.1"/>', HINGE, '<joint type="ball"/>'),
    "free": chain("<freejoint/>", HINGE, '<joint type="slide" axis="0 1 1"/>'),
    "several joints a body": chain(
        '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint axis="0 0 1" pos="0.1 0 0"/>',
        '<joint axis="1 0 0" pos="0.2 0 0" ref="20"/><joint axis="0 1 0" pos="0 -0.1 0"/>',
    ),
    "armature": chain('<joint axis="0 1 0" armature="0.7"/>', '<joint type="slide" axis="0 0 1" armature="0.3"/>'),
    "damping": chain('<joint axis="0 1 0" damping="0.7"/>', '<joint type="slide" axis="0 0 1" damping="2" armature="0.1"/>'),
    "springs": chain(
        '<joint axis="0 1 0" stiffness="7" springref="20" armature="0.7"/>',
        '<joint type="slide" axis="0 0 1" ref="0.3" stiffness="30" springref="-0.2" damping="2"/>',
        '<joint axis="1 0 0" ref="40" stiffness="2"/>',
        HINGE,
    ),
    "welded": chain(HINGE, "", HINGE, ""),
    "branches": f'<mujoco>{HEAD}<worldbody><body name="a">{HINGE}{BOX}<body name="b" pos="0 0 1">{HINGE}{ROD}</body>'
    f'<body name="c" pos="0 1 0"><joint type="ball"/>{ROD}<body name="d" pos="1 0 0">{HINGE}{BOX}</body></body></body>'
    f'<body name="e" pos="3 3 3"><freejoint/>{BOX}</body></worldbody></mujoco>',
}


class Judge:
    """MuJoCo's inverse dynamics in lissom's coordinates."""

    def __init__(self, text) -> None:
        self.m = mujoco.MjModel.from_xml_string(text)
        self.d = mujoco.MjData(self.m)

    def tau(self, q, qd, qdd):
        m, d = self.m, self.d
        d.qpos[:], d.qvel[:], d.qacc[:] = q, qd, qdd
        free = []
        for j in range(m.njnt):
            at, v = m.jnt_qposadr[j], m.jnt_dofadr[j]
            if m.jnt_type[j] in (0, 1):
                at += 3 if m.jnt_type[j] == 0 else 0
                d.qpos[at : at + 4] = np.roll(q[at : at + 4], 1)
            if m.jnt_type[j] == 0:
                R, w = rotation_from_quaternion(q[at : at + 4]), qd[v + 3 : v + 6]
                d.qvel[v : v + 3] = R @ qd[v : v + 3]
                d.qacc[v : v + 3] = R @ (qdd[v : v + 3] + np.cross(w, qd[v : v + 3]))
                free.append((v, R))
        mujoco.mj_inverse(m, d)
        tau = d.qfrc_inverse.copy()
        for v, R in free:
            tau[v : v + 3] = R.T @ tau[v : v + 3]
        return tau

    def states(self, n, seed):
        rng = np.random.default_rng(seed)
        q = rng.uniform(-2, 2, (n, self.m.nq))
        for j in range(self.m.njnt):
            if self.m.jnt_type[j] in (0, 1):
                at = self.m.jnt_qposadr[j] + (3 if self.m.jnt_type[j] == 0 else 0)
                q[:, at : at + 4] /= np.linalg.norm(q[:, at : at + 4], axis=1, keepdims=True)
        return q, rng.normal(size=(n, self.m.nv)), rng.normal(size=(n, self.m.nv))
