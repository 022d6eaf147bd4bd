"""A setup of OpenSim's ScaleTool for the leg of `osim.py`, with all its files."""

import numpy as np

from lissom.osim import Markers, write_trc

from .osim import LEG

MARKS = """<MarkerSet name="markerset"><objects>
<Marker name="A"><socket_parent_frame>/bodyset/thigh</socket_parent_frame><location>0.01 0 0.02</location></Marker>
<Marker name="B"><socket_parent_frame>/bodyset/thigh</socket_parent_frame><location>0.05 -0.4 0</location></Marker>
<Marker name="C"><socket_parent_frame>/bodyset/shank</socket_parent_frame><location>0 -0.3 0.04</location></Marker>
</objects></MarkerSet>"""

# a file of its own, in the words of version 3: C is another one, E is not in the trial
MORE = """<OpenSimDocument Version="30000"><MarkerSet name="more"><objects>
<Marker name="C"><body>shank</body><location>0 -0.31 0.03</location><fixed>true</fixed></Marker>
<Marker name="D"><body>kneecap</body><location>0.02 0.01 0.01</location><fixed>false</fixed></Marker>
<Marker name="E"><body>ground</body><location>0.02 0.01 0.01</location><fixed>false</fixed></Marker>
</objects></MarkerSet></OpenSimDocument>"""

SETUP = """<OpenSimDocument Version="40000"><ScaleTool name="someone"><mass>20</mass>
<GenericModelMaker><model_file>leg.osim</model_file><marker_set_file>more.xml</marker_set_file></GenericModelMaker>
<ModelScaler><apply>true</apply><scaling_order> measurements manualScale</scaling_order>
<MeasurementSet><objects>
<Measurement name="length"><apply>true</apply>
<MarkerPairSet><objects><MarkerPair><markers> A B</markers></MarkerPair>
<MarkerPair><markers> A C</markers></MarkerPair></objects></MarkerPairSet>
<BodyScaleSet><objects><BodyScale name="thigh"><axes> X Y Z</axes></BodyScale></objects></BodyScaleSet></Measurement>
</objects></MeasurementSet>
<ScaleSet><objects><Scale><scales> 1.1 1.2 1.3</scales><segment>shank</segment><apply>true</apply></Scale></objects></ScaleSet>
<marker_file>trial.trc</marker_file><time_range> 0.1 0.2</time_range>
<preserve_mass_distribution>true</preserve_mass_distribution></ModelScaler>
<MarkerPlacer><apply>true</apply><marker_file>trial.trc</marker_file><time_range> 0.095 0.222</time_range>
<IKTaskSet><objects>
<IKMarkerTask name="A"><apply>true</apply><weight>2</weight></IKMarkerTask>
<IKMarkerTask name="B"><apply>true</apply><weight>1</weight></IKMarkerTask>
<IKMarkerTask name="C"><apply>true</apply><weight>3</weight></IKMarkerTask>
<IKMarkerTask name="D"><apply>false</apply><weight>3</weight></IKMarkerTask>
<IKCoordinateTask name="hip_flexion"><apply>true</apply><weight>0.3</weight>
<value_type>manual_value</value_type><value>0.1</value></IKCoordinateTask>
<IKCoordinateTask name="knee_angle"><apply>true</apply><weight>0.1</weight>
<value_type>default_value</value_type></IKCoordinateTask>
</objects></IKTaskSet>
<output_motion_file>pose.sto</output_motion_file><output_model_file>placed.osim</output_model_file>
</MarkerPlacer></ScaleTool></OpenSimDocument>"""


def leg_text():
    """Return the leg with the markers A, B and C."""
    start, end = LEG.index("<MarkerSet"), LEG.index("</MarkerSet>") + len("</MarkerSet>")
    return LEG[:start] + MARKS + LEG[end:]


def trial(seed=0):
    """Return a static trial of the markers A to D."""
    rng = np.random.default_rng(seed)
    base = np.array([[0.0, 0.9, 0.0], [0.06, 0.4, 0.0], [0.1, 0.1, 0.1], [0.1, 0.4, 0.0]])
    return Markers(("A", "B", "C", "D"), np.arange(40) / 100, base + 0.01 * rng.standard_normal((40, 4, 3)), 100.0)


def written_setup(folder, setup=SETUP):
    """Write the setup and its files into a folder; return its path."""
    (folder / "leg.osim").write_text(leg_text())
    (folder / "more.xml").write_text(MORE)
    (folder / "setup.xml").write_text(setup)
    write_trc(trial(), folder / "trial.trc", unit="mm")
    return folder / "setup.xml"
