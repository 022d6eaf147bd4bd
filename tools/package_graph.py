"""The package graph: which package of lissom imports which, read from the source.

    python tools/package_graph.py            fails on an import against ORDER, and where docs/architecture.md is out of date
    python tools/package_graph.py --write    writes docs/architecture.md

Imports inside functions count, those under `if TYPE_CHECKING:` do not. A package may import only those before it in ORDER, so
that there is no cycle. Within a package that has sub-packages, these and the modules beside them form no cycle either. Only the
standard library is used.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCE, PAGE = ROOT / "src" / "lissom", ROOT / "docs" / "architecture.md"

# layers from the bottom to the top; within a layer too, a package imports only those before it. The first one is for modules
# that everything may use
ORDER: tuple[tuple[str, ...], ...] = (
    (
        "errors",
        "locks",
        "interrupt",
        "doubts",
        "files",
        "npz",
        "memory",
        "version",
        "one_thread",
        "derivatives",
        "least_squares",
        "arrays",
        "protocol",
    ),
    ("spatial",),
    ("joints",),
    ("model",),
    ("geometry",),
    ("tree",),
    ("compiler",),
    ("algorithms",),
    ("manifold", "wrench", "parameters"),
    ("read", "write", "view"),
    ("inverse_kinematics",),
    ("spline", "nlp"),
    ("simulate",),
    ("export",),
    ("robot",),
    ("closed",),
    ("robots",),
    ("loading",),
    ("osim",),
    ("muscles",),
    ("operations",),
    ("torch", "jax", "dask"),
    ("timing",),
    ("predict",),
    ("identify",),
    ("fatigue",),
    ("gait", "tasks"),
    ("work",),
    ("control",),
    ("study",),
    ("papers",),
    ("bench", "cli", "__main__", "lissom"),
)


class Import(NamedTuple):
    """One import: the file and line where it stands, the package of that file, and the package that is imported."""

    file: Path
    line: int
    importer: str
    imported: str


class Graph(NamedTuple):
    """Packages with the first sentence of their docstrings, and every import between two of them.

    `inner` has, by each package with sub-packages, the imports between what lies in it.
    """

    packages: dict[str, str]
    imports: list[Import]
    inner: dict[str, list[Import]]

    def edges(self, names: Sequence[str]) -> dict[str, set[str]]:
        """Return, of packages in their order, those that each imports of those before it."""
        place = {name: k for k, name in enumerate(names)}
        found: dict[str, set[str]] = {name: set() for name in names}
        for each in self.imports:
            if each.importer in place and place.get(each.imported, len(place)) < place[each.importer]:
                found[each.importer].add(each.imported)
        return found


def read_graph(source: Path) -> Graph:
    """Return the graph of the package whose source is the folder `source`."""
    top, files = source.name, sorted(source.rglob("*.py"))
    modules = {_module(source, file): file for file in files}
    packages, imports = {}, []
    inner: dict[str, list[Import]] = {name: [] for name, file in modules.items() if name != top and _is_split(file)}
    for name, file in modules.items():
        tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
        own = _package(name)
        if name in (top, f"{top}.{own}"):
            packages[own] = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
        inside = name if file.name == "__init__.py" else name.rpartition(".")[0]
        for line, found in _imported(tree, inside, modules):
            if found.split(".")[0] == top and _package(found) != own:
                imports.append(Import(file, line, own, _package(found)))
            within, importer, imported = _where_apart(name, found)
            if within in inner and importer != imported:
                inner[within].append(Import(file, line, importer, imported))
    return Graph(packages, imports, inner)


def _module(source: Path, file: Path) -> str:
    parts = file.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_split(file: Path) -> bool:
    """Return whether a file is that of a package with sub-packages."""
    return file.name == "__init__.py" and any(file.parent.glob("*/__init__.py"))


def _where_apart(one: str, other: str) -> tuple[str, str, str]:
    """Return the innermost package that two modules are in, and what each is or lies in there: "__init__" is its own file."""
    a, b = one.split("."), other.split(".")
    k = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return ".".join(a[:k]), *("".join(x[k : k + 1]) or "__init__" for x in (a, b))


def _package(module: str) -> str:
    """Return the name of the package, or of the module beside them, that a module belongs to."""
    return module.split(".")[1] if "." in module else module


def _imported(tree: ast.AST, inside: str, modules: dict[str, Path]) -> Iterator[tuple[int, str]]:
    """Go through the modules that a file imports, with their lines; `inside` is the package that relative names start from."""
    top = inside.split(".")[0]
    for node in _nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name != top or _computes_with(tree, top))
        elif isinstance(node, ast.ImportFrom):
            base = inside.split(".")[: len(inside.split(".")) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                whole = f"{start}.{alias.name}"
                yield node.lineno, whole if whole in modules else start


def _computes_with(tree: ast.AST, name: str) -> bool:
    """Return whether a name occurs outside annotations, which are strings until someone asks for the types that they name."""
    kept = [part for node in ast.walk(tree) for field in ("annotation", "returns") if (part := getattr(node, field, None))]
    free = {id(node) for part in kept for node in ast.walk(part)}
    return any(isinstance(node, ast.Name) and node.id == name and id(node) not in free for node in ast.walk(tree))


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Go through all nodes but those that only type checkers see."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            for other in node.orelse:
                yield other
                yield from _nodes(other)
            continue
        yield node
        yield from _nodes(node)


def find_faults(graph: Graph, order: tuple[tuple[str, ...], ...]) -> list[str]:
    """Return what is wrong: packages without a place or a docstring, and imports against the order, with file and line."""
    place = {name: k for k, name in enumerate(name for layer in order for name in layer)}
    faults = [f"package {name!r} has no place in ORDER of tools/package_graph.py" for name in graph.packages if name not in place]
    faults += [f"package {name!r} is in ORDER and does not exist" for name in place if name not in graph.packages]
    faults += [f"package {name!r} has no docstring" for name, text in graph.packages.items() if not text]
    for each in graph.imports:
        if place.get(each.imported, -1) >= place.get(each.importer, len(place)):
            faults.append(f"{_place(each)}: {each.importer!r} imports {each.imported!r}, which comes after it")
    for name, imports in graph.inner.items():
        try:
            layers(imports)
        except CycleError as error:
            turn = error.args[1]  # each before the one that imports it
            steps = [next(x for x in imports if (x.imported, x.importer) == pair) for pair in pairwise(turn)]
            said = "; ".join(f"{_place(x)}: {x.importer!r} imports {x.imported!r}" for x in steps)
            faults.append(f"inside {name!r} is a cycle: {said}")
    return faults


def _place(each: Import) -> str:
    return f"{each.file.relative_to(ROOT) if each.file.is_relative_to(ROOT) else each.file}:{each.line}"


def layers(imports: Iterable[Import]) -> list[list[str]]:
    """Return importers and imported from the bottom to the top: each layer imports only from those before it.

    Raises:
        CycleError: there is a cycle.
    """
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for each in imports:
        sorter.add(each.importer, each.imported)
    sorter.prepare()
    found = []
    while sorter.is_active():
        found.append(sorted(sorter.get_ready()))
        sorter.done(*found[-1])
    return found


def reduced(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the edges of a graph without cycles that no longer way can stand for."""
    reach: dict[str, set[str]] = {}

    def reached(name: str) -> set[str]:
        if name not in reach:
            reach[name] = set().union(*({other} | reached(other) for other in edges[name]))
        return reach[name]

    return {name: {b for b in own if not any(b in reached(a) for a in own - {b})} for name, own in edges.items()}


def page(graph: Graph, order: tuple[tuple[str, ...], ...]) -> str:
    """Return docs/architecture.md."""
    shared, top = order[0], SOURCE.name
    listed = [name for layer in order for name in layer if name != top and name in graph.packages]
    edges, drawn = graph.edges(listed), graph.edges([name for name in listed if name not in shared])
    lines = [f"    {name}" for name in drawn if not drawn[name] and not any(name in own for own in drawn.values())]
    for name, own in reversed(reduced(drawn).items()):
        lines += [f"    {name} --> {other}" for other in listed if other in own]
    rows = [
        f"| `{name}` | {graph.packages[name]} | {', '.join(other for other in listed if other in edges[name]) or '-'} |"
        for name in listed
    ]
    inside = []
    for name, imports in ((name, imports) for name, imports in graph.inner.items() if imports):
        found = [", ".join(x for x in layer if x != "__init__") for layer in layers(imports)]
        inside.append(f"| `{name.removeprefix(f'{top}.')}` | {' < '.join(layer for layer in found if layer)} |")
    return "\n".join(
        [
            "# The packages, and what imports what",
            "",
            "<!-- written by tools/package_graph.py --write; `make lint` fails where this page is out of date -->",
            "",
            "This page is written from the source. An arrow points from a package to one that it imports; arrows that follow",
            f"from others are left out, and so are the first {len(shared)} rows of the table, which every package may import.",
            "There is no cycle: a package imports only packages above it in the table. Imports inside functions count; those",
            "that only type checkers see do not. `lissom` itself imports what `import lissom` offers.",
            "",
            "```mermaid",
            "graph TD",
            *lines,
            "```",
            "",
            "| package | what it holds | imports |",
            "|---|---|---|",
            *rows,
            "",
            "## Inside packages",
            "",
            "Sub-packages and modules of a package, from the bottom to the top: each may import what stands left of the `<`",
            "before it. What neither imports its neighbors nor is imported by them is left out.",
            "",
            "| package | what it consists of |",
            "|---|---|",
            *inside,
            "",
        ]
    )


def main(arguments: list[str]) -> int:
    """Check the graph and the page, or write the page; return the exit code."""
    graph = read_graph(SOURCE)
    faults = find_faults(graph, ORDER)
    if faults:
        pass  # a graph with a cycle has no order that a page could show
    elif "--write" in arguments:
        PAGE.write_text(page(graph, ORDER), encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page(graph, ORDER):
        faults.append(f"{PAGE.relative_to(ROOT)} is out of date; run: python tools/package_graph.py --write")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
