"""Fatigue of joints: parameters of the three-compartment model, and endurance times as published.

Rates F and R: Frey-Law, Looft and Heitsman 2012 (J. Biomech. 45:1803), table 1, fitted to the endurance times of sustained
isometric loads at each joint. Factor r of recovery at rest: Looft, Herkert and Frey-Law 2018 (J. Biomech. 77:16), table 4: 15 of
ankle, knee and elbow, 30 of the hand; trunk and shoulder were not measured there, and take 15. Endurance times b0 x^b1 [s], x the
load over the maximum: Frey Law and Avin 2010 (Ergonomics 53:109), table 2, 194 studies. All were compared with copies of these
tables in public repositories, F and R of ankle and shoulder also with the abstract.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import NameLookupError
from .compartments import Compartments, _intensities

JOINTS: dict[str, Compartments] = {
    "ankle": Compartments(0.00589, 0.00058, 15.0),
    "knee": Compartments(0.01500, 0.00149, 15.0),
    "trunk": Compartments(0.00755, 0.00075, 15.0),
    "shoulder": Compartments(0.01820, 0.00168, 15.0),
    "elbow": Compartments(0.00912, 0.00094, 15.0),
    "hand": Compartments(0.00980, 0.00064, 30.0),
}
ENDURANCE: dict[str, tuple[float, float]] = {
    "ankle": (34.71, -2.06),
    "knee": (19.38, -1.88),
    "trunk": (22.69, -2.27),
    "shoulder": (14.86, -1.83),
    "elbow": (17.98, -2.21),
    "hand": (33.55, -1.61),
}


def of_joint(joint: str) -> Compartments:
    """Return the parameters of a joint: "ankle", "knee", "trunk", "shoulder", "elbow" or "hand"."""
    if joint not in JOINTS:
        raise NameLookupError("joint", joint, JOINTS, " with published parameters of fatigue")
    return JOINTS[joint]


def endurance_time(joint: str, intensity: Any) -> np.ndarray:
    """Return the published endurance time of a constant load at a joint [s], from the power law of Frey Law and Avin 2010.

    Args:
        joint: as in `of_joint`.
        intensity: load over the maximum, above 0 and up to 1.
    """
    of_joint(joint)
    b0, b1 = ENDURANCE[joint]
    return np.asarray(b0 * _intensities(intensity) ** b1)
