"""The folders of the tests are those of the source; the others hold tests of the whole, by their kind."""

from pathlib import Path

import lissom

OF_THE_WHOLE = {
    "docs",
    "fuzz",
    "identities",
    "oracles",
    "papers",
    "soak",
    "stress",
    "support",
    "with_dask",
    "with_jax",
    "with_torch",
}


def test_tests_mirror_the_source():
    tests, source = Path(__file__).parent, Path(lissom.__file__).parent
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    apart = {str(folder) for folder in folders if folder.parts[:1] and folder.parts[0] not in OF_THE_WHOLE}
    assert not {folder for folder in apart if not (source / folder).is_dir()}


# folders of the source without tests of the same name, and the tests that cover them
COVERED = {
    "algorithms/closed": "closed",
    "algorithms/contacts": "predict/quantities/test_contact_quantities.py",
    "cli/shells": "cli/test_completion.py",
    # a folder tests/torch would be found by `import torch` where torch is not installed
    "dask": "with_dask/test_robot.py",
    "jax": "with_jax/test_robot.py",
    "papers/hua": "papers/test_hua_experiment.py",
    "predict": "predict/quantities/test_function.py",
    "robots/human": "robots/test_human.py",
    "torch": "with_torch/test_robot.py",
}


def test_every_folder_of_the_source_has_tests():
    tests, source = Path(__file__).parent, Path(lissom.__file__).parent
    folders = {str(path.parent.relative_to(source)) for path in source.rglob("*.py")} - {"."}
    missing = {folder for folder in folders if not any((tests / folder).glob("test_*.py"))}
    assert missing <= COVERED.keys()
    assert all((tests / path).exists() for path in COVERED.values())
    assert all((source / folder).is_dir() and not any((tests / folder).glob("test_*.py")) for folder in COVERED)


def test_no_folder_with_sub_packages_keeps_tests_of_them_above():
    """Where the source is sorted into sub-packages, tests beside them are named after the files beside them."""
    tests, source = Path(__file__).parent, Path(lissom.__file__).parent
    for folder in ("algorithms", "predict"):
        beside = {path.stem for path in (source / folder).glob("*.py")}
        assert {path.stem.removeprefix("test_") for path in (tests / folder).glob("test_*.py")} <= beside
