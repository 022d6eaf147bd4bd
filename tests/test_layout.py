"""The folders of the tests are those of the source; the others hold tests of the whole, by their kind."""

from pathlib import Path

import lissom

OF_THE_WHOLE = {"docs", "fuzz", "identities", "oracles", "papers", "soak", "stress", "support"}


def test_tests_mirror_the_source():
    tests, source = Path(__file__).parent, Path(lissom.__file__).parent
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    apart = {str(folder) for folder in folders if folder.parts[:1] and folder.parts[0] not in OF_THE_WHOLE}
    assert not {folder for folder in apart if not (source / folder).is_dir()}


def test_no_folder_with_sub_packages_keeps_tests_of_them_above():
    """Where the source is sorted into sub-packages, tests beside them are named after the files beside them."""
    tests, source = Path(__file__).parent, Path(lissom.__file__).parent
    for folder in ("algorithms", "predict"):
        beside = {path.stem for path in (source / folder).glob("*.py")}
        assert {path.stem.removeprefix("test_") for path in (tests / folder).glob("test_*.py")} <= beside
