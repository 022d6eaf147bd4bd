"""The server of a live view: who is answered, and how it ends."""

import contextlib
import http.client
import json
import socket
import threading
import urllib.parse

import numpy as np
import pytest

from lissom import robots
from lissom.errors import StateError
from lissom.view.live import LiveView
from lissom.view.live import view as view_module
from lissom.view.live.posing import Posing

PAGE, POLICY = b"<!DOCTYPE html><title>page</title>", "default-src 'none'"


@pytest.fixture(scope="module")
def robot():
    return robots.planar_two_link()


@pytest.fixture
def view(robot):
    with LiveView(PAGE, POLICY, Posing(robot), browser=False, say=None) as found:
        yield found


def ask(view, method="POST", path=None, body=b"{}", **headers):
    """Send a request as the page would, but for the given headers (None leaves one out); return status, headers and data."""
    address = urllib.parse.urlsplit(view.address)
    sent = {"Host": address.netloc, "Content-Length": str(len(body))}
    if method == "POST":
        sent |= {"Origin": f"http://{address.netloc}", "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)
    connection.putrequest(method, address.path + "neutral" if path is None else path, skip_host=True)
    for name, value in sent.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, answer.headers, data


def post(view, kind, data):
    path = urllib.parse.urlsplit(view.address).path + kind
    status, _, answer = ask(view, path=path, body=json.dumps(data).encode())
    return status, json.loads(answer)


def test_the_page_is_served_under_its_token_only(view):
    path = urllib.parse.urlsplit(view.address).path
    status, headers, data = ask(view, "GET", path, b"")
    assert (status, data) == (200, PAGE)
    assert headers["Content-Security-Policy"] == POLICY and headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store" and "Python" not in headers["Server"]
    for wrong in ("/", "/x/", path[:-2] + "/", "/" + "A" * len(path), path + "../../etc/passwd", "/etc/passwd"):
        assert ask(view, "GET", wrong, b"")[0] == 403
    assert ask(view, "GET", path + "player.js", b"")[0] == 404
    assert ask(view, "GET", "/favicon.ico", b"")[::2] == (204, b"")


def test_two_views_have_different_tokens(view, robot):
    with LiveView(PAGE, POLICY, Posing(robot), browser=False, say=None) as other:
        assert other.address.split("/")[3] != view.address.split("/")[3] and len(other.address.split("/")[3]) >= 20


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:80", "a@127.0.0.1", "127.0.0.1/x", "[::1", "", None]
)
def test_other_names_of_this_machine_are_refused(view, host):
    """A site can point its own name at 127.0.0.1, and would then be of the same origin as the page."""
    path = urllib.parse.urlsplit(view.address).path
    assert ask(view, "GET", path, b"", Host=host)[0] == 421
    assert ask(view, Host=host)[0] == 421


def test_a_forwarded_port_is_served(view):
    assert ask(view, Host="localhost:9000", Origin="http://localhost:9000")[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": None},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_questions_of_other_pages_are_refused(view, headers):
    status, _, data = ask(view, **headers)
    assert status == 403 and "token" in json.loads(data)["error"]


def test_questions_are_json_of_limited_size(view):
    assert ask(view, Content_Type="text/plain")[0] == 415
    assert ask(view, Content_Type=None)[0] == 415
    assert ask(view, Content_Length=None)[0] == 411
    assert ask(view, Content_Length="-1")[0] == 411
    assert ask(view, Content_Length=None, Transfer_Encoding="chunked")[0] == 411
    assert ask(view, Content_Length="70000")[0] == 413
    assert ask(view, Content_Length="9" * 5000)[0] == 413
    for body in (
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"values": NaN}',
        b'{"values": [Infinity]}',
        b"[" * 60000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ):
        status, _, data = ask(view, body=body)
        assert status == 400 and "JSON" in json.loads(data)["error"]
    assert ask(view)[0] == 200  # still there


def test_other_methods_and_questions_are_unknown(view):
    path = urllib.parse.urlsplit(view.address).path
    assert ask(view, path=path + "delete")[0] == 404
    assert ask(view, path=path)[0] == 404
    for method in ("PUT", "DELETE", "OPTIONS", "HEAD"):
        assert ask(view, method, path, b"")[0] == 501


def test_wrong_data_get_an_explanation(view):
    assert post(view, "slide", {"values": [0.0]}) == (400, {"error": "values must be 2 numbers, one for each slider, got (1,)"})
    status, data = post(view, "drag", {"link": "<b>", "position": [0, 0, 0]})
    assert status == 400 and "'<b>'" in data["error"]


def test_answers_are_those_of_the_robot(view, robot):
    status, answer = post(view, "slide", {"values": [0.3, -0.4]})
    assert status == 200 and answer["q"] == [0.3, -0.4]
    positions = np.array(answer["poses"])[1:, :3]
    np.testing.assert_allclose(positions, robot.link_poses([0.3, -0.4])[:, :3, 3], atol=1e-12)
    assert view.q.tolist() == [0.3, -0.4]


def test_one_connection_answers_thirty_questions_a_second(view):
    import time

    address = urllib.parse.urlsplit(view.address)
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)
    headers = {"Origin": f"http://{address.netloc}", "Content-Type": "application/json"}
    slowest = []
    for k in range(30):
        start = time.perf_counter()
        connection.request("POST", address.path + "slide", json.dumps({"values": [0.01 * k, 0.0]}), headers)
        assert json.loads(connection.getresponse().read())["q"][0] == 0.01 * k
        slowest.append(time.perf_counter() - start)
    connection.close()
    assert np.median(slowest) < 1 / 30


def test_a_closed_view_has_no_server_and_no_thread(robot):
    view = LiveView(PAGE, POLICY, Posing(robot), browser=False, say=None)
    port = urllib.parse.urlsplit(view.address).port
    kept = socket.create_connection(("127.0.0.1", port), timeout=10)  # a tab that stays open
    assert "at http" in repr(view)
    view.close()
    view.close()
    with contextlib.suppress(ConnectionResetError):  # where it was not accepted yet
        assert kept.recv(1) == b""
    assert repr(view) == "<LiveView closed>"
    kept.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=10)
    assert not any(thread.name == "lissom view" for thread in threading.enumerate())


def test_it_listens_on_this_machine_only(view):
    assert view._server.server_address[0] == "127.0.0.1"


def test_more_connections_than_a_browser_needs_are_refused(view):
    port = urllib.parse.urlsplit(view.address).port
    held = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(32)]
    more = socket.create_connection(("127.0.0.1", port), timeout=10)
    assert more.recv(1) == b""
    for one in (*held, more):
        one.close()


def test_a_port_in_use_is_said_kindly(view, robot):
    port = urllib.parse.urlsplit(view.address).port
    with pytest.raises(StateError, match=f"port {port} of 127.0.0.1 is in use by another program; give another port"):
        LiveView(PAGE, POLICY, Posing(robot), port=port, browser=False, say=None)


@pytest.mark.parametrize("port", [0, -1, 65536, "80", 8.5, True])
def test_a_wrong_port_is_refused(port):
    with pytest.raises(StateError, match="port must be a whole number from 1 to 65535"):
        LiveView(PAGE, POLICY, port=port, browser=False)


def test_the_address_is_printed_and_opened_where_there_is_a_display(monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(view_module.webbrowser, "open", lambda address: opened.append(address))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(view_module.sys, "platform", "linux")
    with LiveView(PAGE, POLICY) as quiet:
        assert not opened and capsys.readouterr().out == f"open at {quiet.address} (this machine only)\n"
    monkeypatch.setenv("DISPLAY", ":0")
    with LiveView(PAGE, POLICY) as shown:
        assert opened == [shown.address] and shown.address in capsys.readouterr().out
    with LiveView(PAGE, POLICY, browser=False):
        assert opened == [shown.address]


def test_a_view_of_a_motion_answers_no_questions():
    with LiveView(PAGE, POLICY, browser=False, say=None) as view:
        assert ask(view)[0] == 404
        with pytest.raises(StateError, match="shows a motion"):
            view.q  # noqa: B018


def test_a_script_with_a_view_exits(python):
    text = (
        "from lissom.view.live import LiveView\nview = LiveView(b'page', \"default-src 'none'\", browser=False)\nprint('end')\n"
    )
    assert python(text).splitlines()[-1] == "end"


def test_a_script_that_ends_at_once_waits_for_its_browser(python):
    text = (
        "import threading, time, urllib.request, webbrowser\n"
        "def fetch(address):\n"
        "    time.sleep(0.5)\n"
        "    print(urllib.request.urlopen(address).read().decode(), flush=True)\n"
        "def open_tab(address):\n"
        "    threading.Thread(target=fetch, args=(address,), daemon=True).start()\n"
        "    return True\n"
        "webbrowser.open = open_tab\n"
        "from lissom.view.live import LiveView\n"
        "LiveView(b'page', \"default-src 'none'\", browser=True)\n"
        "print('end', flush=True)\n"
    )
    assert python(text).splitlines()[1:] == ["end", "page"]


def test_a_port_that_cannot_be_used_is_explained(monkeypatch):
    def refuse(*arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(view_module, "Server", refuse)
    with pytest.raises(StateError, match="cannot listen on port 80 of 127.0.0.1: permission denied"):
        LiveView(PAGE, POLICY, port=80, browser=False, say=None)


def test_answers_after_the_end_are_refused(robot):
    view = LiveView(PAGE, POLICY, Posing(robot), browser=False, say=None)
    view.close()
    with pytest.raises(StateError, match="the view was closed"):
        view._answer("neutral", {})


def test_an_error_inside_is_answered(view, monkeypatch, capsys):
    def fail(*arguments):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(view._posing, "answer", fail)
    assert post(view, "neutral", {}) == (500, {"error": "an error inside lissom: ZeroDivisionError: a bug"})
