"""Built-in robots: one function each, which returns a Robot; `<name>_model` returns its Model."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Model
from .barman import rp as rp
from .barman import rp_model as rp_model
from .barman import rr as rr
from .barman import rr_model as rr_model
from .delta import delta as delta
from .delta import delta_model as delta_model
from .five_bar import five_bar as five_bar
from .five_bar import five_bar_model as five_bar_model
from .four_bar import four_bar as four_bar
from .four_bar import four_bar_model as four_bar_model
from .four_bar import slider_crank as slider_crank
from .four_bar import slider_crank_model as slider_crank_model
from .gough_stewart import gough_stewart as gough_stewart
from .gough_stewart import gough_stewart_model as gough_stewart_model
from .hua_arm import hua_arm as hua_arm
from .hua_arm import hua_arm_model as hua_arm_model
from .human import Human as Human
from .human import human as human
from .human import human_model as human_model
from .panda import panda as panda
from .panda import panda_model as panda_model
from .planar_two_link import planar_two_link as planar_two_link
from .planar_two_link import planar_two_link_closed_form as planar_two_link_closed_form
from .planar_two_link import planar_two_link_model as planar_two_link_model
from .puma560 import puma560 as puma560
from .puma560 import puma560_model as puma560_model
from .srms import srms as srms
from .srms import srms_model as srms_model
from .stanford import stanford as stanford
from .stanford import stanford_model as stanford_model
from .tree import tree as tree
from .tree import tree_model as tree_model
from .walking import g1 as g1
from .walking import g1_model as g1_model
from .walking import go2 as go2
from .walking import go2_model as go2_model
from .walking import talos as talos
from .walking import talos_model as talos_model

__all__ = [
    "Human",
    "delta",
    "delta_model",
    "five_bar",
    "five_bar_model",
    "four_bar",
    "four_bar_model",
    "g1",
    "g1_model",
    "go2",
    "go2_model",
    "gough_stewart",
    "gough_stewart_model",
    "hua_arm",
    "hua_arm_model",
    "human",
    "human_model",
    "panda",
    "panda_model",
    "planar_two_link",
    "planar_two_link_closed_form",
    "planar_two_link_model",
    "puma560",
    "puma560_model",
    "rp",
    "rp_model",
    "rr",
    "rr_model",
    "slider_crank",
    "slider_crank_model",
    "srms",
    "srms_model",
    "stanford",
    "stanford_model",
    "talos",
    "talos_model",
    "tree",
    "tree_model",
]

# robots without required arguments; robots:<name> on the command line
BUILTIN: dict[str, Callable[[], Model]] = {
    "hua_arm": hua_arm_model,
    "human": human_model,
    "panda": panda_model,
    "planar_two_link": planar_two_link_model,
    "puma560": puma560_model,
    "rp": rp_model,
    "rr": rr_model,
    "srms": srms_model,
    "stanford": stanford_model,
}

# closed robots, by the same names
CLOSED: tuple[str, ...] = ("delta", "five_bar", "four_bar", "gough_stewart", "slider_crank")

# robots whose files are in another package, by the same names
BORROWED: tuple[str, ...] = ("g1", "go2", "talos")


def __dir__() -> list[str]:
    return __all__
