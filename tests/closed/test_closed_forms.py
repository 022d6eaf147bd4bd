"""Four-bar linkage and slider-crank beside their textbook solutions, written out."""

import numpy as np

import lissom
from support.states import error

H = 1e-30


def four_bar_angles(t, a, b, c, d):
    """Return the angles of coupler and rocker over that of the crank t: law of cosines on the diagonal; works for complex t."""
    x, y = a * np.cos(t) - d, a * np.sin(t)  # from the rocker's pivot to the crank's tip
    e2 = x * x + y * y
    e = np.sqrt(e2)
    alpha = np.arctan(y / x) + np.pi * (np.real(x) < 0)  # of that diagonal
    inner = (c * c + e2 - b * b) / (2 * c * e)
    beta = np.pi / 2 - np.arctan(inner / np.sqrt(1 - inner * inner))
    rocker = alpha - beta
    tip = d + c * np.cos(rocker), c * np.sin(rocker)
    bx, by = tip[0] - a * np.cos(t), tip[1] - a * np.sin(t)
    return np.arctan(by / bx), rocker


def test_four_bar_follows_the_law_of_cosines():
    a, b, c, d = 0.2, 0.5, 0.4, 0.45
    robot = lissom.robots.four_bar(a, b, c, d)
    for t in np.linspace(0.1, 6.2, 25):
        tree = robot.follow(np.linspace(1.0, t, 30)[:, None]).tree_q[-1]
        coupler, rocker = four_bar_angles(t, a, b, c, d)
        crank, relative, swing = tree
        for ours, theirs in ((crank + relative, coupler), (swing, rocker)):
            turn = (ours - theirs) / (2 * np.pi)
            assert abs(turn - round(turn)) < 1e-12


def test_four_bar_torque_by_its_energy():
    """One degree of freedom: tau = J qdd + J'/2 qd^2 + V', with J and V from the closed form, their slopes by complex steps."""
    a, b, c, d = 0.2, 0.5, 0.4, 0.45
    m1, m2, m3, g = 1.0, 2.0, 1.5, 9.81
    robot = lissom.robots.four_bar(a, b, c, d, m_crank=m1, m_coupler=m2, m_rocker=m3, g=g)

    def places(t):
        coupler, rocker = four_bar_angles(t, a, b, c, d)
        second = a * np.cos(t) + b / 2 * np.cos(coupler), a * np.sin(t) + b / 2 * np.sin(coupler)
        return coupler, rocker, second

    def slopes(t, h=1e-5):
        up, down = places(t + h), places(t - h)
        flat = [np.array([x[0], x[1], *x[2]]) for x in (up, down)]
        return (flat[0] - flat[1]) / (2 * h)

    def inertia(t):
        # fourth order: the closed form has no branches here
        d1, d2 = slopes(t, 1e-3), slopes(t, 2e-3)
        c_, r_, x_, y_ = (4 * d1 - d2) / 3
        return m1 * a**2 / 3 + m2 * (x_**2 + y_**2) + m2 * b**2 / 12 * c_**2 + m3 * c**2 / 3 * r_**2

    def potential(t):
        _, rocker, second = places(t)
        return g * (m1 * a / 2 * np.sin(t) + m2 * second[1] + m3 * c / 2 * np.sin(rocker))

    h = 1e-3
    for t in (0.7, 1.0, 1.9, 2.6):
        qd, qdd = 3.0, -2.0
        assert abs(robot.mass_matrix([t])[0, 0] - inertia(t)) < 1e-9
        J_slope = (8 * (inertia(t + h) - inertia(t - h)) - (inertia(t + 2 * h) - inertia(t - 2 * h))) / (12 * h)
        V_slope = (8 * (potential(t + h) - potential(t - h)) - (potential(t + 2 * h) - potential(t - 2 * h))) / (12 * h)
        tau = inertia(t) * qdd + J_slope / 2 * qd**2 + V_slope
        assert abs(robot.inverse_dynamics([t], [qd], [qdd])[0] - tau) < 1e-7


def test_slider_crank_position_torque_and_bearing_loads():
    """x = r cos t + sqrt(l^2 - r^2 sin^2 t), all rates by complex steps; forces from the free bodies of slider and rod."""
    r, l, m1, m2, m3, g = 0.1, 0.3, 1.0, 0.8, 0.5, 9.81
    robot = lissom.robots.slider_crank(r, l, m_crank=m1, m_rod=m2, m_slider=m3, g=g)
    w, e = 7.0, 11.0  # speed and acceleration of the crank
    for t in np.linspace(0.2, 3.0, 8):

        def at(s, t=t):
            angle = t + w * s + e * s * s / 2
            phi = -np.arcsin(r * np.sin(angle) / l)  # of the rod, above x
            pin = r * np.cos(angle), r * np.sin(angle)
            x = pin[0] + l * np.cos(phi)
            return np.array([x, pin[0] + l / 2 * np.cos(phi), pin[1] + l / 2 * np.sin(phi), phi], dtype=complex)

        h = 1e-5

        def rate(s):
            return np.imag(at(s + 1j * H)) / H

        x, cx, cy, phi = np.real(at(0.0))
        v = rate(0.0)
        a = (8 * (rate(h) - rate(-h)) - (rate(2 * h) - rate(-2 * h))) / (12 * h)
        tree, tree_qd, tree_qdd = robot.tree_motion([t], [w], [e])
        assert abs(tree[2] - x) < 1e-12 and abs(tree_qd[2] - v[0]) < 1e-11 and abs(tree_qdd[2] - a[0]) < 1e-7
        # slider: the pin pushes it along x; rod: forces of both pins and gravity
        fx = m3 * a[0]
        I = m2 * l**2 / 12
        # forces on the rod: crank pin (px, pz), slider pin (-fx, -fz)
        px = m2 * a[1] + fx
        arm = l / 2 * np.array([np.cos(phi), np.sin(phi)])
        # moments about the middle, counter-clockwise: arm x f_slider - arm x f_crank
        # f_crank = (px, pz), f_slider = (-fx, -fz), pz - fz = m2 (a_z + g)
        k = m2 * (a[2] + g)
        fz = (I * a[3] - arm[1] * fx - arm[1] * px + arm[0] * k) / (-2 * arm[0])
        pz = k + fz
        tau = m1 * r**2 / 3 * e + m1 * g * r / 2 * np.cos(t) + r * (np.cos(t) * pz - np.sin(t) * px)
        assert abs(robot.inverse_dynamics([t], [w], [e])[0] - tau) < 1e-6
        loads = dict(zip(robot.wrench_names, robot.joint_wrenches([t], [w], [e], axes="world"), strict=True))
        assert error(loads["pin"][[0, 2]], np.array([fx, fz])) < 1e-6  # on the slider
        assert error(loads["rod_joint"][[0, 2]], np.array([px, pz])) < 1e-6  # on the rod
        assert abs(loads["slider_joint"][2] - (m3 * g - fz)) < 1e-6  # the guide
