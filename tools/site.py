"""Hooks of the documentation site: links that leave docs/, the players of the gallery, and the search of pages opened from disk.

Pages are written to be read in the repository, too, so they link to examples, tests and other files beside docs/; the site has no
copy of these. On the site such a link becomes its text with the file's path, unless that is the text. The gallery's own lines
make its players. Pages from disk may not read the index of the search, but run it as a script.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path, PurePosixPath
from typing import Any

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!\!)\[([^\]]*)\]\(((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Replace links to files outside of docs/ by their text, and their path where it says more."""
    folder = PurePosixPath("docs", page.file.src_uri).parent

    def replaced(match: re.Match[str]) -> str:
        text, target = match.group(1), match.group(2)
        path = _normal(folder / target)
        if path.startswith("docs/"):
            return match.group(0)
        return text if text.strip("`") == path else f"{text} (`{path}`)"

    return LINK.sub(replaced, markdown)


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def on_post_build(*, config: Any, **_: Any) -> None:
    """Write the index of the search as a script, and run the lines of the gallery, which write its players beside its page."""
    index = Path(config["site_dir"], "search", "search_index.json")
    index.with_suffix(".js").write_text(f"var __index = {index.read_text(encoding='utf-8')}", encoding="utf-8")
    folder = Path(config["site_dir"], "gallery")
    folder.mkdir(parents=True, exist_ok=True)
    names: dict[str, Any] = {}
    with contextlib.chdir(folder):
        for block in BLOCK.findall(Path(config["docs_dir"], "gallery.md").read_text(encoding="utf-8")):
            exec(compile(block, "gallery.md", "exec"), names)


on_post_build.mkdocs_priority = -100  # type: ignore[attr-defined]  # after the plugin that writes the index
