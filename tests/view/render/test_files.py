import builtins
import subprocess
import threading

import numpy as np
import pytest
from PIL import Image

from lissom import FileError, MissingExtraError, StateError
from lissom.view.camera import camera
from lissom.view.render import image, write_film, write_picture
from lissom.view.scene.scene import Part
from support.drawn import RED, cube, reddish, sliding, still

SIZE = (96, 64)


def gif_frames(path):
    """The pictures of a GIF and how long each stays [ms]."""
    with Image.open(path) as gif:
        found = []
        for k in range(gif.n_frames):
            gif.seek(k)
            found.append((np.asarray(gif.convert("RGB")), gif.info["duration"]))
    return found


def mp4_frames(path):
    """The pictures of an MP4 and its pictures per second, read back by ffmpeg."""
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    reader = ffmpeg.read_frames(str(path))
    about = next(reader)
    width, height = about["size"]
    return [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in reader], about["fps"]


def column(picture):
    """The mean column of what is red."""
    return np.nonzero(reddish(picture))[1].mean()


def test_a_png_holds_the_image(tmp_path):
    scene = sliding(name="cube")
    path = write_picture(scene, tmp_path / "new" / "a.png", size=SIZE, time=0.5, view="side")
    with Image.open(path) as found:
        assert np.array_equal(np.asarray(found), image(scene, size=SIZE, time=0.5, view="side"))


def test_a_jpg_is_close_to_the_image(tmp_path):
    with Image.open(write_picture(sliding(), tmp_path / "a.JPG", size=SIZE)) as found:
        assert found.format == "JPEG"
        assert np.abs(np.asarray(found).astype(int) - image(sliding(), size=SIZE)).mean() < 4


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("fps", "speed", "pictures"), [(10, 1.0, 11), (30, 2.0, 16), (7, 1.0, 8), (50, 0.5, 101)])
def test_a_gif_has_its_pictures_its_duration_and_repeats(tmp_path, fps, speed, pictures):
    path = write_film(sliding(duration=1.0), tmp_path / "a.gif", fps=fps, speed=speed, size=SIZE)
    found = gif_frames(path)
    assert len(found) == pictures
    assert sum(last for _, last in found) == pytest.approx(1000 * pictures / fps, abs=5)
    with Image.open(path) as gif:
        assert gif.info["loop"] == 0 and gif.size == SIZE


def test_pictures_of_a_gif_show_the_cube_where_it_is(tmp_path):
    scene = sliding(duration=1.0)
    found = gif_frames(write_film(scene, tmp_path / "a.gif", fps=4, size=(320, 240), view="side", text=False, hold=0.5))
    assert [last for _, last in found] == [250, 250, 250, 250, 750]
    seen = camera(scene, (320, 240), "side")
    for k, (picture, _) in enumerate(found):
        exact = image(scene, size=(320, 240), view="side", time=k / 4, text=False)
        assert np.abs(picture.astype(int) - exact).max() < 24  # 255 colors for all
        assert abs(column(picture) - seen.project([0.5 * k, 0, 0], (320, 240))[0]) < 8


def test_a_picture_shows_the_end_where_it_falls_between_two(tmp_path):
    scene = sliding(duration=1.0)
    found = gif_frames(write_film(scene, tmp_path / "a.gif", fps=3.3, size=(320, 240), view="side", text=False))
    assert len(found) == 5
    assert np.abs(found[-1][0].astype(int) - image(scene, size=(320, 240), view="side", time=1.0, text=False)).max() < 24


def test_an_mp4_has_its_pictures_and_rate(tmp_path):
    scene = sliding(duration=0.5)
    path = write_film(scene, tmp_path / "a.mp4", fps=12, size=(320, 240), view="side", text=False, hold=0.25)
    pictures, fps = mp4_frames(path)
    assert len(pictures) == 7 + 3 and fps == 12
    for k in (0, 3, 6):
        exact = image(scene, size=(320, 240), view="side", time=k / 12, text=False)
        assert np.abs(pictures[k].astype(int) - exact).mean() < 4


def test_an_mp4_of_odd_size_gets_one_more_row_and_column(tmp_path):
    pictures, _ = mp4_frames(write_film(sliding(), tmp_path / "a.mp4", fps=4, size=(97, 65)))
    assert pictures[0].shape == (66, 98, 3)


def test_without_ffmpeg_an_mp4_says_what_to_install_and_that_a_gif_needs_nothing(tmp_path, monkeypatch):
    load = builtins.__import__

    def refused(name, *args, **options):
        if name == "imageio_ffmpeg":
            raise ImportError(name)
        return load(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", refused)
    with pytest.raises(
        MissingExtraError, match=r"writing .mp4 films \(a .gif needs no other package\).*pip install 'lissom\[view\]'"
    ):
        write_film(sliding(), tmp_path / "a.mp4", size=SIZE)
    assert not list(tmp_path.iterdir())
    assert write_film(sliding(), tmp_path / "a.gif", size=SIZE, fps=4).exists()


def test_what_ffmpeg_complains_about_is_said(tmp_path, monkeypatch):
    from lissom.view.render import mp4

    monkeypatch.setattr(mp4, "QUALITY", "excellent")
    with pytest.raises(FileError, match="ffmpeg failed with code"):
        write_film(sliding(), tmp_path / "a.mp4", size=SIZE, fps=4)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["gif", "mp4"])
def test_ctrl_c_leaves_no_file_no_program_and_no_thread(tmp_path, monkeypatch, ending):
    started, popen = [], subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: (started.append(popen(*a, **k)), started[-1])[1])

    def interrupt(done, count):
        if done == 3:
            raise KeyboardInterrupt

    (tmp_path / f"a.{ending}").write_bytes(b"old")
    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        write_film(sliding(), tmp_path / f"a.{ending}", size=SIZE, progress=interrupt)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]
    assert all(process.poll() is not None for process in started)
    assert threading.active_count() == threads


def test_progress_counts_pictures(tmp_path):
    calls = []
    write_film(sliding(), tmp_path / "a.gif", fps=5, size=SIZE, progress=lambda done, count: calls.append((done, count)))
    assert calls == [(k, 6) for k in range(1, 7)]
    write_film(sliding(), tmp_path / "a.gif", fps=5, size=SIZE, progress=True)  # not a terminal


def test_pictures_are_drawn_only_a_few_ahead_of_the_file(tmp_path, monkeypatch):
    from lissom.view.render import film
    from lissom.view.render.image import Studio

    drawn, ahead, draw = [], [], Studio.picture
    monkeypatch.setattr(Studio, "picture", lambda self, *a: (drawn.append(1), draw(self, *a))[1])
    write_film(sliding(), tmp_path / "a.gif", fps=50, size=SIZE, progress=lambda done, count: ahead.append(len(drawn) - done))
    assert max(ahead) <= film.EXAMPLES + film.THREADS + 2


@pytest.mark.parametrize(
    ("write", "name", "message"),
    [
        (write_picture, "a.svg", "cannot write a picture into a file ending in '.svg'; use .png or .jpg"),
        (write_film, "a.png", "cannot write a film into a file ending in '.png'; use .gif or .mp4"),
        (write_film, "film", "ending in ''"),
    ],
)
def test_other_endings_are_refused(write, name, message, tmp_path):
    with pytest.raises(FileError, match=message):
        write(sliding(), tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fps": 60}, "fps is 60, expected pictures per second, from 0.1 to 50 in a .gif file"),
        ({"fps": "fast"}, "fps is 'fast'"),
        ({"speed": 0}, "speed is 0, expected seconds of the motion per second of the film, larger than 0"),
        ({"speed": float("nan")}, "speed is nan"),
        ({"speed": 1e-6}, "has more than 36000 pictures"),
        ({"hold": -1}, "hold is -1, expected seconds, from 0 to 600"),
        ({"size": (0, 0)}, "size is"),
        ({"view": "back"}, "view is 'back'"),
        ({"layers": ["nothing"]}, "no layer 'nothing'"),
    ],
)
def test_films_that_cannot_be_are_refused(options, message, tmp_path):
    with pytest.raises((StateError, FileError), match=message):
        write_film(sliding(), tmp_path / "a.gif", **options)
    assert not list(tmp_path.iterdir())


def test_a_film_of_something_still_is_refused(tmp_path):
    with pytest.raises(StateError, match="nothing moves in this scene.*write a picture"):
        write_film(still(Part(0, cube(), "visual", RED)), tmp_path / "a.gif")
