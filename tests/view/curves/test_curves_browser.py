"""Curves in a browser: pages from disk, the network off."""

import base64

import numpy as np
import pytest

from lissom.view.curves.panel import WANTED, Bound, Group, Line, Panel
from lissom.view.curves.write import curves, scripts, style
from lissom.view.page import write_page
from support.browser import Browser, missing

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))
NASTY = '<img src=x onerror="window.broken = 1"> </script>'
T = np.linspace(0.0, 2.0, 50_001)
Y, Z = 3 * np.sin(7 * T), np.cos(2000 * T)  # 637 periods: many samples per pixel
Z[12_345] = 40.0  # one sample, 0.4938 s
PLAYER = """
lissom.players = [{ time: 0.25, heard: [], callbacks: [], setTime(t) { this.time = t; this.heard.push(t); this.tell(); },
  onTime(callback) { this.callbacks.push(callback); }, tell() { for (const f of this.callbacks) f(this.time); } }];
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    first = Panel(NASTY, "N m", T, [Line(NASTY, Y), Line("reference", Y + 0.5, WANTED)], [Bound(-2.5, 1000.0)])
    second = Panel("fast", "rad", T, [Line("fast", Z)], [Bound(-np.inf, 20.0, (0.5, 1.0))])
    empty = np.full(len(T), np.nan)
    third = Panel("gaps", "", T, [Line("none", empty), Line("half", np.where(T < 1, 1e-3 + T, np.nan))], log=True)
    groups = [Group(NASTY, [first, second]), Group("folded", [third], shown=False)]
    own = scripts()
    parts = [curves(groups, [(0.5, NASTY)])]
    page = tmp_path_factory.mktemp("page") / "curves.html"
    return write_page(NASTY, parts, page, [own[0], PLAYER, *own[1:]], style())


@pytest.fixture(scope="module")
def window():
    with Browser(900, 700) as browser:
        yield browser


@pytest.fixture
def browser(window, page):
    """The browser with the page open; whatever a test does, its console stays empty and nothing is asked for."""
    window.console(), window.requests()
    window.open(page)
    window.wait("lissom.curves[0].inView.size == 2 && !lissom.curves[0].panels[1].stale")
    yield window
    assert window.console() == []
    asked = [url for url in window.requests() if not url.startswith(("chrome", "data:"))]  # of the first tab
    assert set(asked) == {page.as_uri()}
    assert window.run("return window.broken") is None and window.run("return document.images.length") == 0


def place(browser, panel, share, height=0.5):
    """Return the pixel of a share of a panel's time axis."""
    box = browser.run(
        """const p = lissom.curves[0].panels[arguments[0]], b = p.svg.querySelector('.frame').getBoundingClientRect();
        return [b.left, b.width, b.top, b.height];""",
        panel,
    )
    return box[0] + share * box[1], box[2] + height * box[3]


def readouts(browser, panel):
    return browser.run("return lissom.curves[0].panels[arguments[0]].readouts.map((x) => x.textContent)", panel)


def click(browser, x, y):
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        browser.mouse(kind, x, y, button="left" if kind != "mouseMoved" else "none", clickCount=int(kind != "mouseMoved"))


@pytest.mark.slow
def test_the_pointer_shows_the_values_of_all_curves_at_its_time(browser):
    x, y = place(browser, 0, 0.3)
    browser.mouse("mouseMoved", x, y)
    t = browser.run("return lissom.curves[0].hover")
    assert t == pytest.approx(0.6, abs=0.005)
    for text, values in zip(readouts(browser, 0), (Y, Y + 0.5), strict=True):
        number, unit = text.replace("\u2212", "-").split(" ", 1)
        assert unit == "N m" and float(number) == pytest.approx(np.interp(t, T, values), abs=1e-4)
    (fast,) = readouts(browser, 1)  # of the other panels, too
    assert float(fast.replace("\u2212", "-").split()[0]) == pytest.approx(np.interp(t, T, Z), abs=1e-4)
    assert browser.run("return document.querySelector('.curve-bar output').textContent").startswith("t = 0.6")


def test_a_click_moves_the_player_and_the_player_moves_the_cursor(browser):
    assert browser.run("return lissom.curves[0].time") == 0.25  # where the player stood
    click(browser, *place(browser, 1, 0.75))
    assert browser.run("return lissom.players[0].heard.at(-1)") == pytest.approx(1.5, abs=0.01)
    browser.mouse("mouseMoved", 5, 5)
    browser.run("lissom.players[0].time = 0.4; lissom.players[0].tell()")
    for panel in (0, 1):
        x = browser.run("const p = lissom.curves[0].panels[arguments[0]]; return p.cursor.getAttribute('x1') / p.inner", panel)
        assert float(x) == pytest.approx(0.2, abs=1e-6)
    assert float(readouts(browser, 0)[0].split()[0]) == pytest.approx(np.interp(0.4, T, Y), abs=1e-4)
    assert browser.run("return lissom.players[0].heard.length") == 1  # it is not told what it said


def test_dragging_zooms_and_a_double_click_shows_everything_again(browser):
    (x1, y1), (x2, y2) = place(browser, 0, 0.25), place(browser, 0, 0.5)
    browser.mouse("mouseMoved", x1, y1)
    browser.mouse("mousePressed", x1, y1, button="left", clickCount=1)
    browser.mouse("mouseMoved", x2, y2, button="left", buttons=1)
    browser.mouse("mouseReleased", x2, y2, button="left", clickCount=1)
    start, end = browser.run("return [lissom.curves[0].start, lissom.curves[0].end]")
    assert start == pytest.approx(0.5, abs=0.01) and end == pytest.approx(1.0, abs=0.01)
    low, high = browser.run("const p = lissom.curves[0].panels[1]; return [p.low, p.high]")
    assert -1.2 < low < -1 and high < 25  # the peak is out of sight, the limit at instants is not
    x, y = place(browser, 0, 0.5)
    for count in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            browser.mouse(kind, x, y, button="left", clickCount=count)
    assert browser.run("return [lissom.curves[0].start, lissom.curves[0].end]") == [0, 2]


def test_wheel_and_keys_zoom_and_step(browser):
    x, y = place(browser, 0, 0.5)
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-200)
    assert browser.run("return lissom.curves[0].start") == 0  # the wheel scrolls, until the panel was clicked
    browser.run("scrollTo(0, 0)")
    x, y = place(browser, 0, 0.5)
    click(browser, x, y)
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-200)
    browser.wait("lissom.curves[0].start > 0")
    press = "const e = new KeyboardEvent('keydown', { key: arguments[0], bubbles: true });"
    press += "lissom.curves[0].panels[0].figure.dispatchEvent(e)"
    browser.run(press, "0")
    assert browser.run("return [lissom.curves[0].start, lissom.curves[0].end]") == [0, 2]
    t = browser.run("return lissom.curves[0].time")
    browser.run(press, "ArrowRight")
    assert browser.run("return lissom.players[0].time") == pytest.approx(t + 0.01)
    browser.run(press, "+")
    assert browser.run("return lissom.curves[0].end - lissom.curves[0].start") == pytest.approx(1.0)


def test_peaks_of_one_sample_are_drawn_and_paths_stay_short(browser):
    path = browser.run("return lissom.curves[0].panels[1].svg.querySelector('.curve').getAttribute('d')")
    points = np.array([p.split() for p in path[1:].split("L")], dtype=float)
    width, low, high = browser.run("const p = lissom.curves[0].panels[1]; return [p.inner, p.low, p.high]")
    assert len(points) < 2.1 * width + 10
    assert points[:, 1].min() == pytest.approx((high - 40) / (high - low) * 140, abs=0.01)
    assert points[points[:, 1].argmin(), 0] / width * 2 == pytest.approx(T[12_345], abs=0.01)


def test_limits_are_shaded_at_all_times_or_at_theirs_and_far_ones_are_words(browser):
    rects = browser.run(
        "return lissom.curves[0].panels.slice(0, 2).map((p) => [...p.svg.querySelectorAll('.beyond')].map((r) =>"
        " ['x', 'y', 'width', 'height'].map((k) => Number(r.getAttribute(k)))))"
    )
    inner, low, high = browser.run("const p = lissom.curves[0].panels[0]; return [p.inner, p.low, p.high]")
    ((x, y, width, height),) = rects[0]
    assert (x, width) == (0, inner) and y == pytest.approx((high + 2.5) / (high - low) * 140, abs=0.01)
    assert y + height == pytest.approx(140, abs=0.01)
    inner = browser.run("return lissom.curves[0].panels[1].inner")
    assert [x + width / 2 for x, _, width, _ in rects[1]] == pytest.approx([inner / 4, inner / 2])
    assert browser.run("return lissom.curves[0].panels[0].far.textContent") == "limit 1000 N m"


def test_names_are_text_and_events_are_marked(browser):
    assert browser.run("return document.querySelector('.panel b').textContent") == NASTY
    assert browser.run("return document.querySelector('.curves summary').textContent") == NASTY
    assert browser.run("return lissom.curves[0].panels[0].svg.querySelectorAll('.event').length") == 1
    browser.run("lissom.curves[0].setHover(0.5)")
    assert browser.run("return document.querySelector('.curve-bar output').textContent") == f"t = 0.5 s ({NASTY})"


def test_folded_panels_are_drawn_when_opened_and_gaps_stay_open(browser):
    assert browser.run("return lissom.curves[0].panels[2].stale")
    browser.run("document.querySelectorAll('.curves details')[1].open = true")
    browser.wait("!lissom.curves[0].panels[2].stale")
    paths = browser.run("return [...lissom.curves[0].panels[2].svg.querySelectorAll('.curve')].map((p) => p.getAttribute('d'))")
    assert paths[0] == "" and paths[1].count("M") == 1
    browser.run("lissom.curves[0].setHover(0.5)")
    assert readouts(browser, 2) == ["\u2013", "0.501"]


def test_a_curve_can_be_hidden(browser):
    before = browser.run("return lissom.curves[0].panels[0].high")
    browser.run("lissom.curves[0].panels[0].figure.querySelectorAll('.key')[1].click()")
    assert browser.run("return lissom.curves[0].panels[0].svg.querySelectorAll('.curve').length") == 1
    assert browser.run("return lissom.curves[0].panels[0].high") < before - 0.4


def test_paper_gets_every_panel_without_controls(browser):
    pdf = base64.b64decode(browser.command("Page.printToPDF")["data"])
    assert pdf.startswith(b"%PDF") and not browser.run("return lissom.curves[0].panels[2].stale")
    assert not browser.run("return document.querySelectorAll('.curves details')[1].open")  # folded again afterward


def test_narrow_windows_have_one_column(browser):
    browser.command("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=3, mobile=True)
    try:
        browser.wait("lissom.curves[0].panels[0].width < 390")
        left = browser.run("return lissom.curves[0].panels.slice(0, 2).map((p) => p.figure.getBoundingClientRect().left)")
        assert left[0] == left[1] and browser.run("return document.documentElement.scrollWidth") <= 390
    finally:
        browser.command("Emulation.clearDeviceMetricsOverride")


def test_constants_and_rounding_noise_are_flat_lines(window, tmp_path):
    noise = 1e-15 * np.sin(T[::100])
    panels = [Panel("a", "m", T[::100], [Line("a", 1.0 + noise)]), Panel("b", "m", T[::100], [Line("b", noise)])]
    panels.append(Panel("c", "W", T[::100], [Line("c", 2e-7 * np.sin(T[::100]))]))
    window.open(write_page("a", [curves([Group("g", panels)])], tmp_path / "a.html", scripts(), style()))
    window.wait("window.lissom?.curves && lissom.curves[0].panels.every((p) => !p.stale)")
    low, high = np.array(window.run("return lissom.curves[0].panels.map((p) => [p.low, p.high])")).T
    assert low[0] < 0.96 and high[0] > 1.04 and (low[1], high[1]) == (-1, 1) and high[2] == pytest.approx(2.14e-7, rel=0.2)
    units = window.run("return lissom.curves[0].panels.map((p) => p.unitText.textContent)")
    assert units == ["[m]", "[m]", "[10^-9 W]"]


@pytest.mark.slow
def test_one_finger_moves_the_time_and_two_zoom(browser):
    browser.command("Emulation.setTouchEmulationEnabled", enabled=True)
    try:

        def touch(kind, *shares):
            points = [dict(zip("xy", place(browser, 0, share), strict=True), id=k) for k, share in enumerate(shares)]
            browser.command("Input.dispatchTouchEvent", type=kind, touchPoints=points)

        touch("touchStart", 0.2)
        for share in (0.3, 0.4, 0.5):
            touch("touchMove", share)
        touch("touchEnd")
        assert browser.run("return lissom.players[0].time") == pytest.approx(1.0, abs=0.01)
        touch("touchStart", 0.4)
        touch("touchStart", 0.4, 0.6)
        for k in (0.05, 0.1, 0.2):
            touch("touchMove", 0.4 - k, 0.6 + k)
        touch("touchEnd")
        start, end = browser.run("return [lissom.curves[0].start, lissom.curves[0].end]")
        assert start == pytest.approx(1 - 1 / 3, abs=0.02) and end == pytest.approx(1 + 1 / 3, abs=0.02)
    finally:
        browser.command("Emulation.setTouchEmulationEnabled", enabled=False)
