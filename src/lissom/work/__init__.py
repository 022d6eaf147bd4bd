"""People at work: the revised NIOSH lifting equation, and jobs of lifting and carrying with predicted motions."""

from .assess import Assessment as Assessment
from .assess import TaskLoad as TaskLoad
from .assess import assess as assess
from .job import Carry as Carry
from .job import Design as Design
from .job import Exoskeleton as Exoskeleton
from .job import Job as Job
from .job import Lift as Lift
from .job import Worker as Worker
from .niosh import Multipliers as Multipliers
from .niosh import Part as Part
from .niosh import WeightLimit as WeightLimit
from .niosh import composite_index as composite_index
from .niosh import recommended_weight as recommended_weight
from .read import load_job as load_job

__all__ = [
    *("Assessment", "Carry", "Design", "Exoskeleton", "Job", "Lift", "Multipliers", "Part", "TaskLoad", "WeightLimit", "Worker"),
    *("assess", "composite_index", "load_job", "recommended_weight"),
]


def __dir__() -> list[str]:
    return __all__
