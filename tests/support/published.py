"""The URDFs of example-robot-data."""

import sysconfig
from pathlib import Path

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
BROKEN = ("falcon.urdf", "ur3.urdf")
FILES = [file for file in sorted(ROBOTS.rglob("*.urdf")) if file.name not in BROKEN]
IDS = [file.name for file in FILES]
