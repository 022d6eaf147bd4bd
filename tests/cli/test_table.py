"""Tables fit the terminal: nothing is wider, no number is lost, and files get everything."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from lissom.cli.console import PipeConsole, make_console, make_table
from lissom.cli.table import shorten
from support.terminal import on_terminal

NAMES = ("wrist", "w" * 200, "手首" * 60 + "1", "\x1b[31mred\x1b[0m", "[red]a[/red] :smile:")
HEADINGS = ("#", "joint", "parent", "speed", "unit", "effort", "unit ", "empty", "note")


def joints():
    table = make_table("Joints " + "t" * 100, *HEADINGS, numbers=("#", "speed", "effort"), texts=("note",))
    for k, name in enumerate(NAMES):
        table.add_row(str(k), name, name[::-1], f"{1234567.25 + k}", "rad/s", f"{k}.0625", "N m", "", "some words about it " * k)
    return table


def lines(width, table):
    console = PipeConsole(width)
    with console.capture() as printed:
        console.print(table)
    return printed.get().splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal_and_no_number_is_lost(width):
    shown = lines(width, joints())
    assert max(map(cell_len, shown)) <= width
    text = "\n".join(shown)
    assert all(f"{1234567.25 + k}" in text and f"{k}.0625" in text for k in range(len(NAMES)))
    assert text.count("some") == text.count("about") == sum(range(len(NAMES)))  # wrapped, not cut
    assert "\x1b" not in text and "empty" not in text


@pytest.mark.parametrize("width", [40, 60, 80])
def test_units_stay_beside_their_numbers(width):
    shown = lines(width, joints())
    assert sum("1234567.25" in line and "rad/s" in line for line in shown) == 1
    assert sum("4.0625" in line and "N m" in line for line in shown) == 1


def test_blocks_begin_with_the_first_columns():
    heads = [line.split() for line in lines(60, joints()) if line.split()[:1] == ["#"]]
    assert len(heads) > 1 and all(head[:2] == ["#", "joint"] for head in heads)
    assert [name for head in heads for name in head[2:]] == ["parent", "speed", "unit", "effort", "unit", "note"]


def test_names_that_one_types_are_never_cut_and_lines_have_no_padding():
    table = make_table("", "name", "dof", "description", numbers=("dof",), texts=("description",), whole=("name",))
    table.add_row("robots:planar_two_link", "2", "an arm " * 9)
    table.add_row("robots:rr", "2", "")
    for width in (40, 60, 1000):
        shown = lines(width, table)
        assert any(line.startswith("robots:planar_two_link ") for line in shown)
        assert all(line == line.rstrip() for line in shown)


def test_a_narrow_table_stays_whole():
    table = make_table("", "name", "empty")
    table.add_row("a", "")
    assert [line.split() for line in lines(80, table)] == [["name", "empty"], ["a"]]


def test_files_get_full_names_in_one_line_per_row(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    console = make_console()
    console.print(joints())
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 2 + len(NAMES)
    assert NAMES[1] in shown[3] and NAMES[2] in shown[4] and NAMES[4] in shown[6]


@given(st.text(), st.integers(8, 40))
def test_a_shortened_name_fits_and_keeps_its_ends(name, width):
    short = shorten(name, width)
    assert cell_len(short) <= max(width, 0)
    if cell_len(name) <= width:
        assert short == name
    else:
        first, last = short.split("...", 1) if "..." not in name else ("", "")
        assert name.startswith(first) and name.endswith(last)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_on_a_terminal_of_60_columns_a_report_has_60_columns():
    text = on_terminal(60, "inspect", "robots:puma560", TERM="dumb")
    assert max(len(line) for line in text.splitlines()) <= 60
    assert "\x1b" not in text
    assert text.count("joint_6") == 3  # two blocks and the tree
