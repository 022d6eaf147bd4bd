"""Changes to the text of XML files: what is not changed stays byte by byte."""

import pytest

from lissom.read.xml import parse_xml
from lissom.write.xml_edits import XmlEdits

TEXT = """<?xml version="1.0"?>
<!-- > first -->
<a x="1>2"
   name='b'><!--c > --><b/> <c k=" name='x'" name="n">text</c>
 <d>é<e q='"'/></d><f /></a>
"""


def edited():
    root = parse_xml(TEXT)
    return XmlEdits(TEXT, root), root, *root.children


def test_without_changes_the_text_stays():
    assert edited()[0].result() == TEXT


@pytest.mark.parametrize(
    "change, old, new",
    [
        (lambda e, a, b, c, d, f: e.set_text(c, "A&B"), "text", "A&amp;B"),
        (lambda e, a, b, c, d, f: e.set_text(b, "1"), "<b/>", "<b>1</b>"),
        (lambda e, a, b, c, d, f: e.set_child(f, "g", "1 2"), "<f />", "<f ><g>1 2</g></f>"),
        (lambda e, a, b, c, d, f: (e.append(b, "<x/>"), e.append(b, "<y/>")), "<b/>", "<b><x/><y/></b>"),
        (lambda e, a, b, c, d, f: e.append(a, "<z/>"), "</a>", "<z/></a>"),
        (lambda e, a, b, c, d, f: e.wrap(d, "<w>", "</w>"), "<d>é<e q='\"'/></d>", "<w><d>é<e q='\"'/></d></w>"),
        (lambda e, a, b, c, d, f: e.remove(d), "\n <d>é<e q='\"'/></d>", ""),
        (lambda e, a, b, c, d, f: e.set_attribute(c, "name", 'q"<\n'), ' name="n"', ' name="q&quot;&lt;&#10;"'),
        (lambda e, a, b, c, d, f: e.set_attribute(a, "name", "é"), "\n   name='b'", ' name="é"'),
        (lambda e, a, b, c, d, f: e.set_attribute(f, "name", "g"), "<f />", '<f name="g" />'),
    ],
)
def test_changes_are_made_where_the_element_stands(change, old, new):
    edits, *elements = edited()
    assert TEXT.count(old) == 1
    change(edits, *elements)
    assert edits.result() == TEXT.replace(old, new)


def test_changes_inside_one_another_are_all_made():
    edits, a, b, c, d, f = edited()
    edits.wrap(d, "<w>", "</w>")
    edits.set_text(d.children[0], "é")
    edits.set_attribute(d, "name", "x")
    edits.append(d, "!")
    assert '<w><d name="x">é<e q=\'"\'>é</e>!</d></w>' in edits.result()
