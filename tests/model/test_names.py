from lissom.model.names import coordinate_names, effort_limits, take, torque_units, unused, velocity_names
from lissom.robots import planar_two_link_model, rp_model, tree_model


def test_single_axis_joints_lend_their_names():
    model = planar_two_link_model()
    assert coordinate_names(model) == velocity_names(model) == ("shoulder", "elbow")


def test_there_are_as_many_names_as_numbers():
    for seed in range(5):
        model = tree_model(12, seed=seed, floating=True, coupled=0.5)
        assert len(set(coordinate_names(model))) == model.nq
        assert len(set(velocity_names(model))) == len(torque_units(model)) == len(effort_limits(model)) == model.nv


def test_names_tell_positions_from_velocities():
    model = tree_model(1, kinds=["planar"])
    assert coordinate_names(model) == ("joint_1_x", "joint_1_y", "joint_1_angle")
    assert velocity_names(model) == ("joint_1_vx", "joint_1_vy", "joint_1_w")
    assert torque_units(model) == ("N", "N", "N m")


def test_sliding_joints_have_forces_and_turning_ones_torques():
    assert torque_units(rp_model()) == ("N", "N m")
    assert effort_limits(rp_model()) == (10.0, 10.0)


def test_names_that_are_taken_get_the_first_free_number():
    taken = {"a", "a_2", "b"}
    assert [unused(name, taken) for name in ("a", "b", "c")] == ["a_3", "b_2", "c"]
    assert [take("a", taken), take("a", taken)] == ["a_3", "a_4"] and taken == {"a", "a_2", "a_3", "a_4", "b"}
