"""A real card, where there is one; `tools/gpu_check.py` checks more."""

import numpy as np
import pytest

import lissom
from lissom import CUDA, DeviceError, Robot
from lissom.robots import panda_model, tree_model
from support.states import error, random_states


def there_is_a_card():
    try:
        CUDA().check()
    except DeviceError:
        return False
    return True


pytestmark = pytest.mark.skipif(not there_is_a_card(), reason="no NVIDIA card, or no driver")
MODELS = {"panda": panda_model(), "floating": tree_model(5, seed=5, floating=True)}


@pytest.mark.parametrize("n", [1, 33, 1000])
@pytest.mark.parametrize(("precision", "least"), [("double", 1e-11), ("single", 1e-3)])
@pytest.mark.parametrize("function", ["inverse_dynamics", "forward_dynamics"])
@pytest.mark.parametrize("name", MODELS)
def test_a_card_agrees_with_numpy(name, function, precision, least, n):
    card, definition = (Robot(MODELS[name], backend=b) for b in (CUDA(precision), "numpy"))
    state = random_states(MODELS[name], n)
    expected = getattr(definition, function)(*state)
    assert error(getattr(card, function)(*state), expected) < least
    for arrays in ([card.backend.array(x) for x in state], [card.backend.array(np.ascontiguousarray(x.T)).T for x in state]):
        assert error(getattr(card, function)(*arrays).copy_to_host(), expected) < least
    card.backend.synchronize()


def test_long_rows_on_a_card():
    card, definition = (Robot(tree_model(12, seed=1), backend=b) for b in ("cuda", "numpy"))
    q = random_states(card.model, 3000)[0]
    found = card.mass_matrix(card.backend.array(q)).copy_to_host()
    assert error(found, definition.mass_matrix(q)) < 1e-11


def test_too_much_memory_is_said():
    with pytest.raises(lissom.DeviceError, match="out of memory; pass fewer samples"):
        lissom.compiler.cuda.device.Memory(CUDA().card(), 1 << 50)
