"""Labels: kept by a labelled trace, and never by another."""

from lissom.compiler.labels import Label, Section, label, legend, section
from lissom.compiler.program import Port
from lissom.compiler.trace import trace
from lissom.spatial.series import Series
from lissom.spatial.vector import Matrix, Vector

PORTS = (Port("x", 3),), (Port("y", 3),)


def text(x):
    section("outward", 0, "hip", "(1)")
    w = Vector(x[0] * x[1], -(x[1] * x[2]), 0.0)
    label("w", 0, w)
    section("inward", 0, "hip")
    label("r", -1, Series([x[0] * x[2], w.x * x[2]]))
    label("M", 1, Matrix((Vector(w.x * w.x, 0.0, 0.0), Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))))
    return [[w.x * w.x, w.y + x[0] * x[2], w.x * x[2]]]


def test_labels_name_vectors_matrices_rates_and_negatives():
    program = trace("test", *PORTS, text, labelled=True)
    assert {str(x) for x in program.words.labels.values()} == {"w1_x", "w1_y_neg", "r", "dr", "M2_xx"}


def test_sections_follow_the_recording():
    program = trace("test", *PORTS, text, labelled=True)
    assert program.words.sections == (Section("outward", 1, "hip", "(1)"), Section("inward", 1, "hip"))
    assert str(program.words.sections[0]) == "outward, body 1 (hip), (1)"
    for k, instruction in enumerate(program.code):
        if instruction[0] == "mul":
            assert all(program.words.places[x] <= program.words.places[k] for x in instruction[1:])


def test_other_traces_hear_nothing_and_give_the_same_program():
    plain = trace("test", *PORTS, text)
    assert plain.words is None
    assert plain == trace("test", *PORTS, text, labelled=True)


def test_meanings_are_kept_of_what_is_named_and_of_its_rates():
    def told(x):
        legend(r="radius", z="nothing that is computed")
        legend(r="reach", w="angular velocity")
        return text(x)

    words = trace("test", *PORTS, told, labelled=True).words
    assert words.meanings == {"r": "radius, or reach", "w": "angular velocity", "dr": "rate of r"}


def test_labels_have_parts_for_typesetting():
    assert (Label("w", 3, "x").symbol, str(Label("w", 3, "x")), str(Label("E"))) == ("w", "w3_x", "E")
