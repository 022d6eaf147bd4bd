"""Sobol indices of a study's responses, by SALib."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import MissingExtraError, StateError, suggest

if TYPE_CHECKING:
    from .results import Results


@dataclass(frozen=True)
class Sensitivity:
    """Shares of the variance of a response.

    Attributes:
        response: its name.
        parameters: n names.
        first: of each parameter alone (n,).
        total: of each parameter with all others that it acts together with (n,).
        first_within, total_within: half widths of intervals that have the true values in 95 of 100 studies (n,).
    """

    response: str
    parameters: tuple[str, ...]
    first: np.ndarray
    total: np.ndarray
    first_within: np.ndarray
    total_within: np.ndarray


def sensitivity(results: Results, response: str) -> Sensitivity:
    """Return the indices of a response; raise StateError where the samples do not give them."""
    design = results.study.design
    if design.method != "sensitivity":
        raise StateError("indices of sensitivity need samples made for them; give the study method='sensitivity'")
    if response not in results.responses:
        raise StateError(f"no response {response!r}; {suggest(response, results.responses)}")
    done = {row.id: row for row in results}
    cases = results.cases[: design.size]  # without those of refinement
    values = np.array([done[case.id].responses.get(response, np.nan) if case.id in done else np.nan for case in cases])
    if len(cases) < design.size:
        raise StateError("parameters of few values repeat samples, from which no indices follow; give them more")
    if missing := int((~np.isfinite(values)).sum()):
        raise StateError(f"{missing} of {len(cases)} cases have no {response!r}; run or retry them: indices need all")
    try:
        from SALib.analyze import sobol
    except ImportError:
        raise MissingExtraError("SALib", "cluster", "sensitivities") from None
    names = design.random
    problem = {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}
    if np.ptp(values) == 0:
        nothing = np.zeros(len(names))
        return Sensitivity(response, names, nothing, nothing, nothing, nothing)
    found = sobol.analyze(problem, values, calc_second_order=False, seed=0)
    return Sensitivity(response, names, *(np.array(found[key]) for key in ("S1", "ST", "S1_conf", "ST_conf")))
