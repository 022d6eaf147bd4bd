"""Notebooks of the documentation site: each is executed, and becomes a page with its texts, code, tables, figures and 3-D views.

`nav` lists a notebook as a page: notebooks/<name>.md. Figures and 3-D views become files beside the page, so that the page stays
small and opens from disk. Nothing is loaded from elsewhere. Outputs are never stored in the repository.
"""

from __future__ import annotations

import base64
import html
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

FRAME = re.compile(r'<iframe srcdoc="([^"]*)"([^>]*)>')
LINK = re.compile(r"(\]\([^)\s]*notebooks/[^)\s]*|\]\(\d-[^)\s/]*)\.ipynb")
SECONDS = 300  # at most, of a cell


def on_files(files: Any, *, config: Any) -> Any:
    """Replace every notebook by its page, its figures and its views."""
    from mkdocs.structure.files import File

    for file in [file for file in files if file.src_uri.endswith(".ipynb")]:
        files.remove(file)
        name = file.src_uri.removesuffix(".ipynb")
        page, assets = page_of(Path(file.abs_src_path).read_text(encoding="utf-8"), Path(name).name)
        files.append(File.generated(config, f"{name}.md", content=page))
        for asset, content in assets.items():
            files.append(File.generated(config, f"{Path(name).parent.as_posix()}/{asset}", content=content))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Let links to notebooks lead to their pages."""
    return LINK.sub(r"\1.md", markdown)


@cache
def page_of(text: str, name: str) -> tuple[str, dict[str, bytes]]:
    """Execute a notebook, given as the text of its file; return its page as Markdown, and files by their paths beside it."""
    import nbclient
    import nbformat
    from traitlets.config import Config

    notebook = nbformat.reads(text, 4)
    # robots are shown as they are: a server would end with the kernel
    environment = {**os.environ, "LISSOM_LIVE": "0"}
    # sockets of this user alone instead of ports, where there are any
    config = Config({"KernelManager": {"transport": "ipc"}} if os.name == "posix" else {})
    nbclient.NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", coalesce_streams=True, config=config).execute(
        env=environment
    )
    return converted(notebook.cells, name)


def converted(cells: list[Any], name: str) -> tuple[str, dict[str, bytes]]:
    """Return executed cells as Markdown, and the files that it shows."""
    assets: dict[str, bytes] = {}
    parts = []
    for cell in cells:
        if cell["cell_type"] == "markdown":
            parts.append(cell["source"])
            continue
        parts.append(f"```python\n{cell['source']}\n```")
        parts += [_output(output, name, assets) for output in cell["outputs"]]
    # the notebook's own title stands first; what to do with it follows
    title, _, rest = "\n\n".join(filter(None, parts)).partition("\n")
    file = f"docs/notebooks/{name}.ipynb"
    return f"{title}\n\n*A notebook: `{file}`. Its outputs were computed when this page was built.*\n{rest}\n", assets


def _output(output: Any, name: str, assets: dict[str, bytes]) -> str:
    if output["output_type"] == "stream":
        return _text(output["text"])
    data = output["data"]
    if "image/png" in data:
        file = f"{name}/figure-{len(assets) + 1}.png"
        assets[file] = base64.b64decode(data["image/png"])
        width = output.get("metadata", {}).get("image/png", {}).get("width")
        size = f' width="{int(width)}"' if width else ""
        return f'<p><a href="{file}"><img alt="figure" src="{file}"{size} style="background: #fff"></a></p>'
    if "text/html" in data:
        return _html(data["text/html"], name, assets)
    return _text(data["text/plain"])


def _text(text: str) -> str:
    lines = html.escape(text.rstrip("\n"), quote=False)
    return f'<pre class="output"><code>{lines}</code></pre>'


def _html(page: str, name: str, assets: dict[str, bytes]) -> str:
    """Return the HTML of an output; pages within it become files."""

    def moved(match: re.Match[str]) -> str:
        file = f"{name}/view-{len(assets) + 1}.html"
        assets[file] = html.unescape(match.group(1)).encode()
        return f'<iframe src="{file}" loading="lazy"{match.group(2)}>'

    # a blank line would end the block in Markdown
    block = re.sub(r"\n\s*\n", "\n", FRAME.sub(moved, page)).strip()
    return f'<div class="output">{block}</div>'
