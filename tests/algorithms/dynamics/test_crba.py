"""The packed mass matrix: its entries are those of Pinocchio's matrix, and of the tree whatever the numbers."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Robot, StateError
from lissom.robots import tree_model
from support.states import error, random_states
from support.trees import trees

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

seeds = st.integers(0, 1000)
BRANCHED = tree_model(9, seed=31, floating=True, coupled=0.3, tails=0.3, fixed=0.3)


def dense(robot, entries):
    rows, columns = robot.mass_matrix_entries
    M = np.zeros((*entries.shape[:-1], robot.nv, robot.nv))
    M[..., rows, columns] = M[..., columns, rows] = entries
    return M


@given(trees(coupled=0.0, motors=0.0), seeds)
def test_packed_entries_are_all_that_pinocchio_finds(model, seed):
    model = model.without_friction()
    peer, robot, (q, _, _) = Peer(model), Robot(model, backend="numpy"), random_states(model, seed=seed)
    upper = np.triu(pin.crba(peer.model, peer.data, peer.q(q)))
    assert error(dense(robot, robot.mass_matrix(q, packed=True)), upper + np.triu(upper, 1).T) < 1e-12


@given(trees(coupled=0.0, motors=0.0))
def test_entries_are_those_of_joints_that_carry_each_other(model):
    """Pinocchio knows for each velocity the next one on the way to the base."""
    robot, above = Robot(model, backend="numpy"), Peer(model).model.createData().parents_fromRow
    expected = []
    for row in range(model.nv):
        way = [row]
        while above[way[-1]] >= 0:
            way.append(above[way[-1]])
        expected += [(row, column) for column in reversed(way)]
    assert list(zip(*(x.tolist() for x in robot.mass_matrix_entries), strict=True)) == expected


@settings(max_examples=10)
@given(trees(n=4), seeds)
def test_packed_and_dense_agree_compiled_and_not(model, seed):
    compiled, definition = Robot(model, backend="llvm"), Robot(model, backend="numpy")
    q = random_states(model, 9, seed=seed)[0]
    M = definition.mass_matrix(q)
    for robot in (definition, compiled):
        assert error(dense(robot, robot.mass_matrix(q, packed=True)), M) < 1e-12
        assert error(dense(robot, robot.mass_matrix(q[0], packed=True)), M[0]) < 1e-12


def test_rows_come_in_the_order_of_compressed_rows():
    robot = Robot(BRANCHED)
    q = random_states(BRANCHED, seed=1)[0]
    rows, columns = robot.mass_matrix_entries
    assert robot.mass_matrix_entries[0] is rows
    assert not rows.flags.writeable
    starts = np.searchsorted(rows, np.arange(robot.nv + 1))
    lower = scipy.sparse.csr_array((robot.mass_matrix(q, packed=True), columns, starts), shape=(robot.nv, robot.nv))
    assert lower.has_canonical_format
    assert np.allclose(lower.toarray(), np.tril(robot.mass_matrix(q)), rtol=1e-14, atol=0)


@pytest.mark.slow
def test_out_takes_packed_entries_and_refuses_other_shapes():
    robot = Robot(BRANCHED)
    q = random_states(BRANCHED, 5, seed=1)[0]
    out = np.empty((5, len(robot.mass_matrix_entries[0])))
    assert robot.mass_matrix(q, out=out, packed=True) is out
    assert np.array_equal(out, robot.mass_matrix(q, packed=True))
    with pytest.raises(StateError, match=r"out has shape .*, expected"):
        robot.mass_matrix(q, out=np.empty((5, robot.nv, robot.nv)), packed=True)
    robot.mass_matrix(q)
    assert robot.mass_matrix(q, packed=True).shape == out.shape  # also once the plain call is a built-in function
