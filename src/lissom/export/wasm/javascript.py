"""JavaScript around a WebAssembly module: `NAME.mjs` with a function `load`, its types `NAME.d.mts`, and a test for Node."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from ...compiler.program import Port
from ..heading import commented, file_lines, function_lines, plain
from ..library import Argument, Function, Library

TITLE = "WebAssembly with JavaScript"
TOLERANCE = 1e-13  # relative to the largest number of a result


@cache
def script(name: str) -> str:
    """Return a part that is the same for all robots: "runtime", "source", "check" or "demo"."""
    return (files(__package__) / f"{name}.js").read_text(encoding="utf-8")


def described(name: str, inputs: Sequence[Port | Argument], outputs: Sequence[Port | Argument]) -> dict[str, Any]:
    """Return the description of a function that the runtime takes."""
    taken, made = ([[port.name, port.size] for port in ports] for ports in (inputs, outputs))
    return {"name": name, "inputs": taken, "outputs": made}


def javascript(library: Library) -> str:
    """Return the text of `NAME.mjs`."""
    functions = "".join(f"  {json.dumps(described(f.name, f.inputs, f.outputs))},\n" for f in library.functions)
    about = {key: [{"name": entry.name, "unit": entry.unit} for entry in entries] for key, entries in library.entries.items()}
    return (
        f"{_head(library)}\nconst FUNCTIONS = [\n{functions}];\n\n"
        "/** Names and units of the entries of q, qd and tau. */\n"
        f"export const robot = {json.dumps({'name': library.robot, **about}, indent=2)};\n\n"
        f"/** Loads the functions from {library.name}.wasm beside this file, or from another place; see `instantiate`. */\n"
        f'export async function load(source = new URL("./{library.name}.wasm", import.meta.url)) {{\n'
        "  const wasm = await instantiate(source);\n"
        "  return { ...Object.fromEntries(FUNCTIONS.map((what) => [what.name, bind(wasm, what)])), robot, wasm };\n}\n\n"
        f"{script('source')}\n{script('runtime')}"
    )


def typescript(library: Library) -> str:
    """Return the text of `NAME.d.mts`, the types of `NAME.mjs`."""
    methods = "\n".join(_method(function) for function in library.functions)
    return f"""{_head(library)}
/** Numbers of one state, or of many one after the other. */
export type Numbers = ArrayLike<number>;

export interface Entry {{
  name: string;
  unit: string;
}}

export interface Robot {{
  name: string;
  q: Entry[];
  qd: Entry[];
  tau: Entry[];
}}

export interface Functions {{
{methods}
  robot: Robot;
  /** The module's own exports, for arrays that stay in its memory. */
  wasm: WebAssembly.Exports;
}}

export const robot: Robot;
export function load(source?: URL | string | BufferSource | Response | WebAssembly.Module): Promise<Functions>;
"""


def test_program(library: Library) -> str:
    """Return a program for Node that checks stored states, one by one and all at once, and ends with 0 if all agree."""
    stored = {
        function.name: {
            "inputs": [table.tolist() for table in function.samples.inputs],
            "outputs": [table.tolist() for table in function.samples.outputs],
            "names": [argument.name for argument in function.outputs],
            "scales": list(function.samples.scales),
        }
        for function in library.functions
    }
    return (
        f"// Checks {library.name}.wasm at stored states; ends with 0 if all agree: node test_{library.name}.mjs\n"
        f'import {{ load }} from "./{library.name}.mjs";\n\nconst TOLERANCE = {TOLERANCE!r};\n'
        f"const STORED = {json.dumps(stored)};\n\n{script('check')}"
    )


def _head(library: Library) -> str:
    return commented(file_lines(library, TITLE), "/* ", "   ", " */")


def _method(function: Function) -> str:
    arguments = ", ".join(f"{argument.name}: Numbers" for argument in function.inputs)
    if len(function.outputs) == 1:
        result = "Float64Array"
    else:
        result = "{ " + "; ".join(f"{argument.name}: Float64Array" for argument in function.outputs) + " }"
    comment = "".join(f"   * {plain(line)}\n" for line in function_lines(function))
    return f"  /**\n{comment}   */\n  {function.name}({arguments}{', ' if arguments else ''}out?: {result}): {result};"
