"""Identification: exciting motions, parameters from measured torques, payloads, and torques from outside."""

from .consistent import is_possible as is_possible
from .consistent import pseudo_inertia as pseudo_inertia
from .excitation import Excitation as Excitation
from .exciting import excite as excite
from .filtering import Filtering as Filtering
from .from_motions import identify as identify
from .identification import Identification as Identification
from .measurement import Measurement as Measurement
from .observer import Collision as Collision
from .observer import MomentumObserver as MomentumObserver
from .observer import Observation as Observation
from .observer import observe as observe
from .payload import Payload as Payload
from .payload import identify_payload as identify_payload
from .read import read_csv as read_csv
