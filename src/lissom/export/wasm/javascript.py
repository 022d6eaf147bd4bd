"""JavaScript and TypeScript around a WebAssembly module: `NAME.mjs` with a function `load`, and `NAME.d.ts` with its types."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ...compiler.program import Port


@dataclass(frozen=True)
class Call:
    """A function of the module as JavaScript sees it.

    Attributes:
        name: of the function.
        inputs, outputs: arguments and results, arrays of so many numbers per sample.
        shapes: of the results of one sample, row by row.
        about: what it computes, in a line.
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    shapes: tuple[tuple[int, ...], ...]
    about: str = ""

    def data(self) -> dict[str, Any]:
        """Return the description that the runtime takes."""
        outputs = [[port.name, port.size, list(shape)] for port, shape in zip(self.outputs, self.shapes, strict=True)]
        return {"name": self.name, "inputs": [[port.name, port.size] for port in self.inputs], "outputs": outputs}


@cache
def script(name: str) -> str:
    """Return a part that is the same for all robots: "runtime", "source" or "demo"."""
    return (files(__package__) / f"{name}.js").read_text(encoding="utf-8")


def javascript(file: str, calls: Sequence[Call], about: Mapping[str, Any], header: Sequence[str]) -> str:
    """Return the text of `FILE.mjs`.

    Args:
        file: name of the files, without ending.
        calls: the functions.
        about: the robot: names, units and limits, as JSON can say it.
        header: lines of the comment at the top.
    """
    lines = "".join(f" * {line}\n".replace("*/", "* /") for line in header)
    functions = ",\n".join(f"  {json.dumps(call.data())}" for call in calls)
    return f"""/**
{lines} */

const FUNCTIONS = [
{functions},
];

/** Names, units and limits of the robot. */
export const robot = {json.dumps(about, indent=2)};

/** Loads the functions: from {file}.wasm beside this file, or from an address, bytes, a Response or a WebAssembly.Module. */
export async function load(source = new URL({json.dumps(f"./{file}.wasm")}, import.meta.url)) {{
  const wasm = await instantiate(source);
  return {{ ...Object.fromEntries(FUNCTIONS.map((what) => [what.name, bind(wasm, what)])), robot, wasm }};
}}

{script("source")}
{script("runtime")}"""


def typescript(file: str, calls: Sequence[Call], header: Sequence[str]) -> str:
    """Return the text of `FILE.d.mts`, the types of `FILE.mjs`."""
    lines = "".join(f" * {line}\n".replace("*/", "* /") for line in header)
    methods = "\n".join(_method(call) for call in calls)
    return f"""/**
{lines} */

/** Numbers of one sample, or of many one after the other. */
export type Numbers = ArrayLike<number>;

export interface Robot {{
  name: string;
  coordinates: {{ name: string; unit: string; lower: number | null; upper: number | null }}[];
  velocities: {{ name: string; unit: string }}[];
  torques: {{ name: string; unit: string }}[];
  links: string[];
  neutral: number[];
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


def _method(call: Call) -> str:
    arguments = ", ".join(f"{port.name}: Numbers" for port in call.inputs)
    sizes = ", ".join(f"{port.name} {port.size}" for port in call.inputs)
    shapes = [f"{port.name} {_shape(shape)}" for port, shape in zip(call.outputs, call.shapes, strict=True)]
    if len(call.outputs) == 1:
        result = "Float64Array"
    else:
        result = "{ " + "; ".join(f"{port.name}: Float64Array" for port in call.outputs) + " }"
    about = f"{call.about} " if call.about else ""
    return (
        f"  /** {about}Numbers of a sample: {sizes}; result: {', '.join(shapes)}. */\n"
        + f"  {call.name}({arguments}, out?: {result}): {result};"
    )


def _shape(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) if shape else "1"
