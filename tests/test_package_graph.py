"""The package graph: lissom's own has no cycle, its page is current, and imports against the order are found."""

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "package_graph.py"
spec = importlib.util.spec_from_file_location("package_graph", TOOL)
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)

ORDER = (("low",), ("high", "top"))


@pytest.fixture
def faults(tmp_path):
    def find(**texts):
        folder = tmp_path / "top"
        given = {name.replace("__of__", "/"): text for name, text in texts.items()}
        for name, text in ({"__init__": "", "low/__init__": "", "high/__init__": ""} | given).items():
            file = folder / f"{name}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f'"""Says what it holds."""\n{text}\n')
        return tool.find_faults(tool.read_graph(folder), ORDER)

    return find


@pytest.mark.slow
def test_every_import_of_lissom_follows_the_order_and_the_page_is_current():
    graph = tool.read_graph(tool.SOURCE)
    assert tool.find_faults(graph, tool.ORDER) == []
    assert tool.page(graph, tool.ORDER) == tool.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "from ..high import x",
        "from ..high.a import x",
        "from .. import high",
        "import top.high",
        "from top import high",
        "def f():\n    from ..high import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    pass\nelse:\n    from ..high import x",
    ],
)
def test_an_import_against_the_order_is_found(faults, text):
    (fault,) = faults(low__of__a=text)
    assert "low" in fault and "'low' imports 'high', which comes after it" in fault


def test_the_whole_package_may_be_named_in_annotations_and_nowhere_else(faults):
    free = "import top\ndef f(x: top.high.X, *more: top.X) -> list[top.X]:\n    y: top.X"
    assert faults(low__of__a=free) == []
    (fault,) = faults(low__of__a=f"{free}\n    return top.high.X()")
    assert "low" in fault and "'low' imports 'top', which comes after it" in fault


@pytest.mark.parametrize("text", ["from ..low import x", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import top"])
def test_imports_of_packages_before_and_of_types_are_allowed(faults, text):
    assert faults(high__of__a=text) == []


def test_a_package_without_a_place_is_found(faults):
    assert faults(new__of____init__="") == ["package 'new' has no place in ORDER of tools/package_graph.py"]


INSIDE = {"low__of__a__of____init__": "", "low__of__b__of____init__": "", "low__of__c": ""}


@pytest.mark.parametrize(
    ("back", "said"),
    [
        ({"low__of__b__of__y": "def f():\n    from ..a.x import g"}, ["'b' imports 'a'", "'a' imports 'b'"]),
        ({"low__of__b__of__y": "from .. import c", "low__of__c": "from .a import x"}, ["'c' imports 'a'", "'b' imports 'c'"]),
        ({"low__of__b__of__y": "from .. import name", "low__of____init__": "from . import a"}, ["'b' imports '__init__'"]),
        ({"low__of__b__of__y": "import top.low.a"}, ["'b' imports 'a'", "y.py:2"]),
    ],
)
def test_a_cycle_of_sub_packages_is_found(faults, back, said):
    (fault,) = faults(**INSIDE | {"low__of__a__of__x": "from ..b import y"} | back)
    assert fault.startswith("inside 'top.low' is a cycle: ") and all(each in fault for each in said)


def test_types_and_imports_within_a_sub_package_make_no_cycle(faults):
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..a import x"
    within = {"low__of__a__of__x": "from ..b import y\nfrom . import z", "low__of__a__of__z": "from . import x"}
    assert faults(**INSIDE | within | {"low__of__b__of__y": types, "low__of____init__": "from .a import x"}) == []


def test_layers_go_from_the_bottom_to_the_top():
    pairs = [("roof", "wall"), ("wall", "floor"), ("door", "floor"), ("roof", "floor")]
    assert tool.layers(tool.Import(Path("x"), 1, *pair) for pair in pairs) == [["floor"], ["door", "wall"], ["roof"]]


def test_arrows_that_others_imply_are_left_out():
    edges = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
    assert tool.reduced(edges) == {"a": {"b"}, "b": {"c"}, "c": set()}
