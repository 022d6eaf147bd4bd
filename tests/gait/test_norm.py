"""Norms: tables of measured curves, and scores of others beside them."""

import numpy as np
import pytest

from lissom.errors import FileError, StateError
from lissom.gait import read_norm
from lissom.gait.norm import compare

PERCENT = np.linspace(0.0, 100.0, 51)


def test_scores_of_a_shifted_curve_are_known(tmp_path):
    path = tmp_path / "norm.csv"
    mean, sd = np.sin(PERCENT / 10.0), np.where(PERCENT < 50.0, 2.0, 0.5)
    rows = ["cycle_percent,knee_mean,knee_sd", *(f"{a},{b},{c}" for a, b, c in zip(PERCENT, mean, sd, strict=True))]
    path.write_text("\n".join(rows))
    assert list(read_norm(path)) == ["cycle_percent", "knee_mean", "knee_sd"]
    (score,) = compare({"cycle_percent": PERCENT, "knee": mean + 1.0, "other": mean}, path).values()
    assert score.r == pytest.approx(1.0)
    assert score.rms == pytest.approx(1.0)
    assert score.within == pytest.approx(25 / 51)


def test_a_norm_without_deviations_has_no_share_within_them():
    score = compare({"cycle_percent": PERCENT, "knee": PERCENT}, {"cycle_percent": PERCENT, "knee": PERCENT})["knee"]
    assert score.rms == 0.0 and np.isnan(score.within)


def test_norms_that_cannot_be_read_are_refused(tmp_path):
    curve = {"cycle_percent": PERCENT, "knee": PERCENT}
    with pytest.raises(StateError, match="has no 'cycle_percent'"):
        compare(curve, {"knee_mean": PERCENT})
    with pytest.raises(StateError, match="none of the curves"):
        compare(curve, {"cycle_percent": PERCENT, "hip_mean": PERCENT})
    with pytest.raises(FileError, match="cannot read the norm"):
        read_norm(tmp_path / "none.csv")
    (tmp_path / "words.csv").write_text("percent,knee_mean\n0,1\n")
    with pytest.raises(FileError, match="needs a row of names"):
        read_norm(tmp_path / "words.csv")
