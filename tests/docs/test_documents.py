"""What the documents show is what lissom does: their examples run, print what they say, and their links lead somewhere.

In every document, from top to bottom:
    ```yaml, ```xml     a first line `# arm.yaml` or `<!-- arm.urdf -->` names the file that the block is written to
    ```python           runs in one namespace a document; lines with >>> are compared with the output below them
    ```console          lines `$ lissom ...` run in a shell's place, and their output is compared too
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
IDS = [str(path.relative_to(ROOT)) for path in DOCUMENTS]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"(?:#|<!--) (\S+\.(?:yaml|urdf|xml|osim))\b")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
# pages whose examples take two seconds and more: with `make test-all`
LONG = (
    *("usage/cli", "usage/closed-loops", "usage/control", "usage/derivatives", "usage/elastic-joints", "usage/identification"),
    *("usage/motors", "usage/prediction", "usage/prediction-elastic", "usage/prediction-files", "usage/prediction-results"),
    *("usage/scenarios", "usage/simulation", "docs/gallery", "usage/prediction-contacts", "usage/human", "usage/kinematics"),
    *(
        "usage/timing",
        "usage/directional",
        "usage/dynamics",
        "usage/studies",
        "usage/pictures-3d",
        "usage/forward",
        "start/mechanism",
    ),
)
# pages whose examples need packages that are too large for every run of the tests
NEEDED = {"usage/torch-jax": ("torch", "jax")}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def marked(path):
    return pytest.param(
        path, id=str(path.relative_to(ROOT)), marks=[pytest.mark.slow] if f"{path.parent.name}/{path.stem}" in LONG else []
    )


@pytest.mark.parametrize("path", [marked(path) for path in DOCUMENTS])
def test_examples_run_and_print_what_is_shown(path, tmp_path, monkeypatch):
    for package in NEEDED.get(f"{path.parent.name}/{path.stem}", ()):
        pytest.importorskip(package, reason=f"the examples need {package}")
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    namespace = {"__name__": "__main__"}
    with np.printoptions():
        for match in BLOCK.finditer(text):
            language, block = match.groups()
            line = text.count("\n", 0, match.start()) + 1
            if language in ("yaml", "xml") and (name := FILE_NAME.match(block)):
                Path(name[1]).write_text(block, encoding="utf-8")
            elif language == "python" and ">>>" in block:
                check_session(block, namespace, f"{path.name}:{line}")
            elif language == "python":
                exec(compile("\n" * line + block, str(path), "exec"), namespace)
            elif language == "console":
                check_commands(block, f"{path.name}:{line}")


def check_session(block, namespace, where):
    session = doctest.DocTestParser().get_doctest(block, namespace, where, where, 0)
    session.globs = namespace  # a copy would be out of sight of functions defined in other blocks
    said = []
    results = doctest.DocTestRunner(optionflags=FLAGS).run(session, out=said.append, clear_globs=False)
    assert not results.failed, f"{where}\n{''.join(said)}"


def check_commands(block, where):
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command)
        assert words[0] == "lissom", f"{where}: only lissom runs here, not {words[0]!r}"
        source = {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            [sys.executable, "-m", *words],
            env={**os.environ, **source},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
        )
        assert doctest.OutputChecker().check_output(expected, done.stdout, FLAGS), f"{where}: {command}\n{done.stdout}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=IDS)
def test_links_lead_to_files(path):
    lost = [link for link in LINK.findall(path.read_text(encoding="utf-8")) if not (path.parent / link).exists()]
    assert not lost


def test_every_document_is_linked_from_the_list_of_documents():
    folder = ROOT / "docs"
    listed = set(LINK.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert listed >= {path.relative_to(folder).as_posix() for path in folder.rglob("*.md")} - {"README.md"}


def test_tests_that_documents_name_exist():
    texts = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    known = set(re.findall(r"def (test_\w+)\(", texts)) | {path.stem for path in (ROOT / "tests").rglob("test_*.py")}
    named = {name for path in (ROOT / "docs").rglob("*.md") for name in re.findall(r"`(test_\w+)`", path.read_text("utf-8"))}
    assert named <= known
