"""Tables of identified parameters, payloads and torques from outside, for notebooks. All names are escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .page import text
from .summary import name_text, printable
from .summary_results import page, some_rows

if TYPE_CHECKING:
    from ..identify.excitation import Excitation
    from ..identify.identification import Identification
    from ..identify.observer import Observation
    from ..identify.payload import Payload


LONG = 90  # characters of a base parameter


def identification_html(found: Identification) -> str:
    """Return the verdict, base parameters with standard errors, and the torques that are left of the measured ones."""
    from .report.identification import verdict_of

    said = verdict_of(found)
    lines = "".join(f"<p>{text(printable(line))}</p>" for line in (said.first, *said.more))
    each = zip(found.names, found.values, found.standard_errors, found.base.values, strict=True)
    rows = [
        (_short(name) + " (weak)" * (k in found.weak), f"{x:.5g}", f"{e:.2g}", f"{m:.5g}")
        for k, (name, x, e, m) in enumerate(each)
    ]
    r = found.residuals
    left = [
        (name_text(name), unit, *(f"{value:.3g}" for value in values))
        for name, unit, *values in zip(found.rows.names, found.rows.units, r.torque, r.before, r.fit, r.validation, strict=True)
    ]
    return page(
        repr(found),
        lines,
        some_rows("base parameters", ("base parameter", "value", "standard error", "model"), rows),
        some_rows("torques", ("root mean square", "unit", "torque", "left before", "left", "left in validation"), left),
    )


def excitation_html(found: Excitation) -> str:
    """Return the range of positions and the largest velocity, acceleration and torque of every joint."""
    most = found.largest()
    rows = [(name_text(name), *(f"{x[k]:.4g}" for x in most.values())) for k, name in enumerate(found.robot.velocity_names)]
    return page(repr(found), some_rows("joints", ("joint", *most), rows))


def payload_html(found: Payload) -> str:
    """Return mass, center of mass and inertia of a payload."""
    body = found.inertia
    sure = "" if found.weight is None else f"{found.weight:.3g} standard errors from zero"
    rows = [("mass", "kg", f"{body.mass:.5g}", sure)]
    rows += [(f"center of mass, {axis}", "m", f"{x:.4g}", "") for axis, x in zip("xyz", body.com, strict=True)]
    tensor = np.array(body.tensor)
    each = [(f"inertia {'xyz'[i]}{'xyz'[k]}", "kg m^2", f"{tensor[i, k]:.4g}", "") for i in range(3) for k in range(i, 3)]
    return page(repr(found), some_rows("numbers", ("", "unit", f"in the frame of {name_text(found.link)}", ""), rows + each))


def observation_html(found: Observation) -> str:
    """Return root mean square and largest torque from outside of every joint."""
    each = zip(found.robot.velocity_names, found.robot.torque_units, found.residual.T, strict=True)
    rows = [
        (name_text(name), unit, f"{np.sqrt((x**2).mean()):.3g}", f"{np.abs(x).max():.3g}", f"{found.t[np.abs(x).argmax()]:.4g}")
        for name, unit, x in each
    ]
    return page(repr(found), some_rows("joints", ("torque from outside", "unit", "rms", "largest", "at [s]"), rows))


def _short(expression: str) -> str:
    """Return a sum of parameters, cut where it is long."""
    return expression if len(expression) < LONG else f"{expression[: LONG - 4]} ..."
