"""Robustness of a controller: tracking errors of Hua's arm under payloads that it does not know, and what matters most."""

from lissom import study

if __name__ == "__main__":
    base = study.scenario(
        "hua_arm_payload",
        {
            "external.tip.force[2]": "-9.81 * mass",
            "controller.mixed.damping": "50 * damping",
            "controller.mixed.slope": "10 * slope",
            "start.q[2]": "0",
            "duration": "2",
        },
    )
    robustness = study.Study(
        base,
        {
            "mass": study.Uniform(0.0, 0.6),  # [kg] at the tip
            "damping": study.Normal(1.0, 0.1, lower=0.5),  # of the controller's gains
            "slope": study.Normal(1.0, 0.1, lower=0.5),
        },
        ["tracking_error", study.peak("torque"), study.of_quantity("final", "kinetic_energy")],
        count=16,
        method="sensitivity",
        name="controller and payload",
    )
    found = robustness.run("out/payload", workers=2)
    print(found)
    for name in ("tracking_error", "peak torque"):
        values = found.column(name)
        print(f"{name}: {values.min():.3g} to {values.max():.3g}")
        shares = found.sensitivity(name)
        print("  share of its variance:", ", ".join(f"{p} {x:.2f}" for p, x in zip(shares.parameters, shares.total, strict=True)))
    print("wrote", found.report("out/payload.html"))
