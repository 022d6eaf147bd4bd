"""Two .osim files compared as OpenSim writes them: the same elements, with the same numbers."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest


def same_files(first, second, rel=1e-9, looser=(), atol=1e-12):
    """Assert that two files have the same elements, texts and numbers; those called one of `looser` agree to 1e-6 and `atol`."""
    _same(ET.parse(first).getroot(), ET.parse(second).getroot(), rel, looser, atol, "")


def _same(a, b, rel, looser, atol, path):
    path = f"{path}/{a.tag}[{a.get('name', '')}]"
    assert a.tag == b.tag, path
    assert a.attrib == b.attrib or a.tag.endswith(("Spline", "Function", "Constant")), path  # names of functions mean nothing
    one, two = (a.text or "").split(), (b.text or "").split()
    try:
        numbers = np.array(one, float), np.array(two, float)
    except ValueError:
        assert one == two, path
    else:
        tolerance = max(rel, 1e-6) if a.tag in looser else rel
        assert numbers[0] == pytest.approx(numbers[1], rel=tolerance, abs=atol if a.tag in looser else 1e-12, nan_ok=True), (
            f"{path}: {numbers[0]}, {numbers[1]}"
        )
    assert [child.tag for child in a] == [child.tag for child in b], path
    for x, y in zip(a, b, strict=True):
        _same(x, y, rel, looser, atol, path)
