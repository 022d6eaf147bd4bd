"""The URDFs of example-robot-data."""

import sysconfig
from pathlib import Path

# resolved: files of robots are found by their real paths, also where the environment is a link
ROBOTS = (Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots").resolve()
BROKEN = ("falcon.urdf", "ur3.urdf")
FILES = [file for file in sorted(ROBOTS.rglob("*.urdf")) if file.name not in BROKEN]
IDS = [file.name for file in FILES]
