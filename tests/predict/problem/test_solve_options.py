"""SolveOptions are the options that solving takes."""

import inspect
import typing

from lissom.predict import SolveOptions
from lissom.predict.search.solve import solve


def test_options_are_the_arguments_of_solve_with_their_types():
    taken = {name: p for name, p in inspect.signature(solve).parameters.items() if name != "problem"}
    types = typing.get_type_hints(solve)
    assert typing.get_type_hints(SolveOptions) == {name: types[name] for name in taken}
    assert not SolveOptions.__required_keys__
    for name, parameter in taken.items():
        assert f"        {name}: " in SolveOptions.__doc__, f"SolveOptions does not describe {name}"
        assert parameter.default is not inspect.Parameter.empty
