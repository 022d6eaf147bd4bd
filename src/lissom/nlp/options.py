"""Options of IPOPT: Python values into the types that IPOPT expects of each name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import NlpError
from .library import version

# common ones, so that 1 is accepted for 1.0 and misspellings get a hint; any other name is passed by the type of its value
_REAL = (
    "tol acceptable_tol dual_inf_tol constr_viol_tol compl_inf_tol acceptable_constr_viol_tol acceptable_dual_inf_tol "
    "acceptable_compl_inf_tol acceptable_obj_change_tol diverging_iterates_tol max_cpu_time max_wall_time mu_init mu_target "
    "mu_min mu_max mu_max_fact mu_linear_decrease_factor mu_superlinear_decrease_power barrier_tol_factor bound_push bound_frac "
    "slack_bound_push slack_bound_frac bound_relax_factor bound_mult_init_val constr_mult_init_max kappa_d tau_min "
    "warm_start_bound_push warm_start_bound_frac warm_start_slack_bound_push warm_start_slack_bound_frac "
    "warm_start_mult_bound_push warm_start_mult_init_max obj_scaling_factor nlp_scaling_max_gradient nlp_lower_bound_inf "
    "nlp_upper_bound_inf derivative_test_perturbation derivative_test_tol first_hessian_perturbation min_hessian_perturbation "
    "max_hessian_perturbation jacobian_regularization_value resto_penalty_parameter limited_memory_init_val "
    "max_resto_iter_wall_time ma57_pivtol ma27_pivtol mumps_pivtol"
)
_OTHER = (
    "max_iter print_level acceptable_iter watchdog_shortened_iter_trigger max_soc max_refinement_steps min_refinement_steps "
    "limited_memory_max_history print_frequency_iter mumps_permuting_scaling mumps_pivot_order mumps_scaling mumps_mem_percent "
    "linear_solver linear_system_scaling hessian_approximation hessian_approximation_space mu_strategy mu_oracle "
    "fixed_variable_treatment nlp_scaling_method warm_start_init_point warm_start_same_structure expect_infeasible_problem "
    "start_with_resto honor_original_bounds jac_c_constant jac_d_constant hessian_constant grad_f_constant derivative_test "
    "accept_every_trial_step line_search_method print_timing_statistics print_user_options output_file sb hsllib "
    "adaptive_mu_globalization check_derivatives_for_naninf recalc_y least_square_init_primal least_square_init_duals "
    "bound_mult_init_method option_file_name fast_step_computation limited_memory_update_type"
)
REAL, OTHER = frozenset(_REAL.split()), frozenset(_OTHER.split())


def set_options(library: Any, problem: int, options: Mapping[str, Any]) -> None:
    """Hand the options to IPOPT.

    Raises:
        NlpError: a name that IPOPT does not know, or a value that it does not take.
    """
    for name, value in options.items():
        if not isinstance(name, str):
            raise NlpError(f"the name of an option is {name!r}, expected a string")
        key = name.encode()
        if isinstance(value, (bool, np.bool_)):
            taken = library.AddIpoptStrOption(problem, key, b"yes" if value else b"no")
        elif isinstance(value, str):
            taken = library.AddIpoptStrOption(problem, key, value.encode())
        elif isinstance(value, (float, np.floating)) or (name in REAL and isinstance(value, (int, np.integer))):
            taken = library.AddIpoptNumOption(problem, key, float(value))
        elif isinstance(value, (int, np.integer)):
            taken = -(2**31) <= value < 2**31 and library.AddIpoptIntOption(problem, key, int(value))
        else:
            raise NlpError(f"the option {name!r} is {value!r}; expected a string, a number, True or False")
        if not taken:
            raise NlpError(_refusal(name, value))


def _refusal(name: str, value: Any) -> str:
    known = REAL | OTHER
    text = f"IPOPT {version()} refuses the option {name!r} = {value!r}: "
    if name in known:
        return text + "the value is of the wrong type, or out of its range"
    close = difflib.get_close_matches(name, known, n=3)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else " (the list is in IPOPT's documentation)"
    return text + "no such option, or a value of the wrong type (write 1.0, not 1, for a real number)" + hint
