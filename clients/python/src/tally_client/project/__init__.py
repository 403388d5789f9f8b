"""Projects of the editor: built, read from files, and changed."""

from .beam import Beam
from .figures import Box, Cylinder, Region, Sphere
from .project import Project, Zone
from .scoring import Depth, Differential, Filter, Mesh, Quantity, Within

__all__ = [
    "Beam",
    "Box",
    "Cylinder",
    "Depth",
    "Differential",
    "Filter",
    "Mesh",
    "Project",
    "Quantity",
    "Region",
    "Sphere",
    "Within",
    "Zone",
]
