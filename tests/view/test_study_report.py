"""The page of a study: what it shows follows from what the study has."""

import pytest

import lissom
from lissom import FileError
from lissom.study import Study, Uniform, grid, motion, values

pytest.importorskip("pyarrow")


def function(x, y, side="left"):
    if x > 0.9:
        raise ValueError("too <far>")
    return {"a": x * y, "b": (x - 0.5) ** 2 + y}


def test_a_page_has_surfaces_parallel_coordinates_the_front_and_failures(tmp_path):
    study = Study(function, {"x": grid(0, 1, 6), "y": grid(0, 1, 4), "side": values(["left", "right"])}, name="a <b>")
    found = study.run(tmp_path / "s", workers=1)
    text = found.report().read_text()
    assert found.folder / "report.html" == tmp_path / "s" / "report.html"
    for part in ("Responses over parameters", "Surfaces over x and y", "Parallel coordinates", "Pareto front", "Best cases"):
        assert part in text
    assert "48 of 48 cases done, 8 of them failed" in text and "too &lt;far&gt;" in text and "a <b>" not in text
    assert "Sobol" not in text and "lissom-player" not in text.split("<body>")[1]
    with pytest.raises(FileError, match="cannot write a report into a file ending in '.pdf'"):
        found.report(tmp_path / "x.pdf")


def test_sensitivities_are_drawn_or_said_to_be_missing(tmp_path):
    pytest.importorskip("SALib")
    study = Study(lambda x, y: x + 2 * y, {"x": Uniform(0, 1), "y": Uniform(0, 1)}, count=16, method="sensitivity")
    page = study.run(tmp_path / "s", workers=1).report(tmp_path / "a.html").read_text()
    assert "Sensitivities (Sobol indices)" in page
    some = Study(lambda x, y: x / (y > 0.2), {"x": Uniform(0, 1), "y": Uniform(0, 1)}, count=16, method="sensitivity")
    page = some.run(tmp_path / "t", workers=1).report(tmp_path / "b.html").read_text()
    assert "cases have no" in page


def test_the_best_motions_stand_side_by_side(tmp_path):
    pytest.importorskip("casadi")
    study = Study(motion("rr", {"limits[0].within": "t", "solve.refine": "0"}), {"t": grid(8, 12, 3)}, ["duration"])
    found = study.run(tmp_path / "s", workers=1)
    page = found.report().read_text()
    assert "lissom-pair" in page and "case 2: duration" in page
    assert "3 of 3 cases done<" in page and "of them failed" not in page
    assert isinstance(found.motion(2), lissom.Prediction)


def test_a_study_without_numbers_has_a_page_too(tmp_path):
    def nothing(side):
        raise ValueError("never")

    found = Study(nothing, {"side": ["left", "right"]}, ["y"]).run(tmp_path / "s", workers=1)
    assert "2 of 2 cases done, 2 of them failed" in found.report().read_text()


def test_a_file_of_a_page_is_named_by_text_or_a_path():
    from lissom.view.page import check_ending

    with pytest.raises(FileError, match="named by text or a path; got list"):
        check_ending(["a.html"])
