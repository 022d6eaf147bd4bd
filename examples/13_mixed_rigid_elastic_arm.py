"""Two rigid joints and an elastic one follow a sine, with and without a payload (Hua, Poursina and Sanfilippo 2024, section V)"""

from pathlib import Path

from lissom.papers import hua

without = hua.run()
unknown = hua.run(payload=True)  # 3 N at the tip, unknown to the controller
known = hua.run(payload=True, known=True)
lifted = hua.run(payload=True, force=(0.0, 0.0, 3.0))  # the payload with the sign of the paper's eq. (20)


def show(head, rows, wide=40):
    for label, *cells in (head, *rows):
        print(f"{label:{wide}s}" + "".join(f"{x:>9s}" for x in cells))
    print()


q1, q2, q3, theta = without.trajectory.q[0]
print(f"links start at {q1:g}, {q2:g}, {q3:g} rad, motor 3 at {theta:.4f} rad, where its spring carries the arm\n")
show(("root mean square errors [rad]", "joint 1", "joint 2", "joint 3"), hua.errors(without, unknown, known))

# in the paper the payload lowers the torques: this comes from a sign in its eq. (20)
cases = [("no payload", without), ("payload", unknown), ("payload with the sign of (20)", lifted)]
show(("torques at 3 s, arm lowest [N m]", "motor 1", "motor 2", "motor 3"), hua.torques(cases))

# all errors decay at least as fast as the bound, if the controller knows all forces
for label, run in (("no payload", without), ("known payload", known)):
    V, early = run.lyapunov, run.trajectory.t <= 2.0
    most = (V / run.bound)[1:][early[1:]].max()
    print(f"{label}: V falls from {V[0]:.0f} to {V[early][-1]:.1e} J within 2 s, and is at most {most:.0%} of its bound")
print(f"payload not known: V does not fall below {unknown.lyapunov.min():.1f} J\n")

# the paper prints no gains and little of the geometry: each assumption, and the effect of others
show(("left open", "chosen"), [(what, chosen) for what, chosen in hua.ASSUMPTIONS])
rows = hua.survey()
head = ("errors without, with payload [mrad], largest torque [N m]", "q1", "q2", "q3", "q1", "q2", "q3", "motor 3")
paper = [f"{1e3 * x:.2f}" for case in (False, True) for x in hua.PAPER[case]]
show(head, [("the paper", *paper), *((row.label, *row.cells) for row in rows)], wide=66)

out = Path("out")
print("wrote", hua.plot(without, unknown, out / "hua.png"))  # figures 3-8
print("wrote", hua.plot_lyapunov(without, known, unknown, out / "hua_lyapunov.png"))
print("wrote", hua.report(without, unknown, known, lifted, rows, out / "hua.html"))
