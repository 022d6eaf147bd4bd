"""OpenSim's scaling of a model."""

from support.osim_judge import judge


def scaled_by_opensim(path, factors, keep, mass):
    """Return OpenSim's model, scaled."""
    opensim = judge()
    model = opensim.Model(str(path))
    state, given = model.initSystem(), opensim.ScaleSet()
    for body, numbers in factors.items():
        each = opensim.Scale()
        each.setSegmentName(body)
        each.setScaleFactors(opensim.Vec3(*numbers))
        each.setApply(True)
        given.cloneAndAppend(each)
    model.scale(state, given, keep, -1.0 if mass is None else mass)
    return model
