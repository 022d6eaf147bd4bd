"""Time of derivatives per sample, in a batch of 2048 on one thread. Pinocchio runs in a loop and keeps no results.

Packed results hold only the structural nonzeros of the tree; Pinocchio also computes and writes only those.
"""

from collections.abc import Callable, Iterator

import numpy as np

import lissom
from lissom.bench import Pinocchio, States, best_times, compile_seconds, random_states

from .robots import ROBOTS, find, open_both

N = 2048


def main() -> None:
    lissom.set_threads(1)
    _inverse()
    _forward()
    _wrenches()
    _compile()


def _loop(f: Callable[..., object], peer: Pinocchio, s: States) -> Callable[[], None]:
    q, model, data = peer.configuration(s.q), peer.model, peer.data

    def loop() -> None:
        for row in zip(q, s.qd, s.qdd, strict=True):
            f(model, data, *row)

    return loop


def _robots() -> Iterator[tuple[str, lissom.Robot, Pinocchio, States]]:
    for name, file, base in ROBOTS:
        robot, peer = open_both(find(file), base)
        yield f"{name}, {base}", robot, peer, random_states(robot, N)


def _inverse() -> None:
    head = f"{'d tau / d(q, qd, qdd)':26}{'mul':>7}{'add':>7}{'packed':>11}{'all':>11}{'zeroing':>11}{'pin':>12}"
    print(head + f"{'ratio':>8}{'all':>8}{'difference':>13}")
    for name, robot, peer, s in _robots():
        state, n = (s.q, s.qd, s.qdd), robot.nv
        entries = robot.derivatives_entries
        few, full = np.empty((N, 3, len(entries[0]))), np.empty((N, 3, n, n))
        f = robot.inverse_dynamics_derivatives
        calls = [
            lambda: f(*state, packed=True, out=few),  # noqa: B023
            lambda: f(*state, out=full),  # noqa: B023
            lambda: full.fill(0.0),  # noqa: B023
            _loop(peer.pin.computeRNEADerivatives, peer, s),
        ]
        packed, dense, zeroing, pin = best_times(calls, seconds=2.0)
        f(*state, out=full)
        difference = 0.0
        for ours, theirs in zip(full[-1], (peer.data.dtau_dq, peer.data.dtau_dv, peer.data.M), strict=True):
            theirs = theirs if theirs is not peer.data.M else np.triu(theirs) + np.triu(theirs, 1).T
            difference = max(difference, float(np.abs(ours - theirs).max() / np.abs(theirs).max()))
        count = robot.operation_count("inverse_dynamics_derivatives")
        print(
            f"{name:26}{count.multiplications:7}{count.additions:7}{packed / N * 1e9:8.0f} ns{dense / N * 1e9:8.0f} ns"
            f"{zeroing / N * 1e9:8.0f} ns{pin / N * 1e9:9.0f} ns{pin / packed:7.1f}x{pin / dense:7.1f}x{difference:13.1e}",
            flush=True,
        )


def _forward() -> None:
    print(f"\n{'d qdd / d(q, qd, tau)':26}{'mul':>7}{'add':>7}{'lissom':>11}{'pin':>12}{'ratio':>8}{'difference':>13}")
    for name, robot, peer, s in _robots():
        out = np.empty((N, 3, robot.nv, robot.nv))
        f = robot.forward_dynamics_derivatives
        calls = [lambda: f(s.q, s.qd, s.qdd, out=out), _loop(peer.pin.computeABADerivatives, peer, s)]  # noqa: B023
        own, pin = best_times(calls, seconds=2.0)
        theirs = (peer.data.ddq_dq, peer.data.ddq_dv, np.triu(peer.data.Minv) + np.triu(peer.data.Minv, 1).T)
        difference = max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(out[-1], theirs, strict=True))
        count = robot.operation_count("forward_dynamics_derivatives")
        print(
            f"{name:26}{count.multiplications:7}{count.additions:7}{own / N * 1e9:8.0f} ns{pin / N * 1e9:9.0f} ns"
            f"{pin / own:7.1f}x{difference:13.1e}",
            flush=True,
        )


def _wrenches() -> None:
    print(f"\n{'d(all joint wrenches)':26}{'mul':>7}{'add':>7}{'lissom':>11}{'differences':>14}{'ratio':>8}{'difference':>13}")
    name, robot, _, s = list(_robots())[1]
    n, h = robot.nv, 1e-6
    out = np.empty((N, 3, len(robot.moving_joint_names), 6, n))
    steps = h * np.eye(3 * n)
    pairs = [np.stack((steps[:, k * n : (k + 1) * n], -steps[:, k * n : (k + 1) * n])) for k in range(3)]

    def central() -> np.ndarray:
        """Return central differences of joint_wrenches by all 3 nv entries of the state, in one batch."""
        states = (x[:, None, None] + step for x, step in zip((s.q, s.qd, s.qdd), pairs, strict=True))
        w = robot.joint_wrenches(*states)
        return (w[:, 0] - w[:, 1]) / (2 * h)

    f = robot.joint_wrench_derivatives
    own, other = best_times([lambda: f(s.q, s.qd, s.qdd, out=out), central], seconds=2.0)
    theirs = np.moveaxis(central().reshape(N, 3, n, -1, 6), 2, -1)
    difference = np.abs(out - theirs).max() / np.abs(theirs).max()
    count = robot.operation_count("joint_wrench_derivatives")
    print(
        f"{name:26}{count.multiplications:7}{count.additions:7}{own / N * 1e9:8.0f} ns{other / N * 1e9:11.0f} ns"
        f"{other / own:7.1f}x{difference:13.1e}"
    )


def _compile() -> None:
    print(f"\n{'compile d tau':26}{'empty cache':>13}{'filled cache':>15}")
    opened = [(f"{name}, {base}", f"lissom.load({find(file)!r}, base={base!r}, mimic=False)") for name, file, base in ROBOTS]
    opened.append(("tree of 55 joints", "lissom.Robot(lissom.robots.tree_model(n=55, branching=2, seed=0, kinds=['revolute']))"))
    for name, opening in opened:
        cold, warm = compile_seconds(f"robot = {opening}", "inverse_dynamics_derivatives(q, v, v)")
        print(f"{name:26}{cold:11.2f} s{warm * 1e3:12.0f} ms", flush=True)
