"""Particle-transport simulations on a Tally service, from Python and notebooks.

>>> from tally_client import Beam, Box, Client, Depth, Project, Zone
>>> water = Zone("Water", Box(10, 10, 20, position=(0, 0, 10)), "water")
>>> project = Project(Beam("proton", 150), [water], [Depth("depth_dose", 20, radius=5, bins=400)])
>>> job = Client().submit(project, primaries=2e4, tasks=4).wait()
>>> job.results()["depth_dose"]["Dose"].plot()
"""

from ._async.client import AsyncClient
from ._async.job import AsyncJob
from ._async.sweep import AsyncSweep
from ._sync.client import Client
from ._sync.job import Job
from ._sync.sweep import Sweep
from ._version import __version__
from .comparison import ComparedPage, Comparison
from .errors import (
    ApiError,
    JobCanceled,
    JobFailed,
    ProjectError,
    ServiceUnreachable,
    TallyError,
)
from .kept import KeptProject, Template
from .project import (
    Beam,
    Box,
    Cylinder,
    Depth,
    Differential,
    Filter,
    Mesh,
    Project,
    Quantity,
    Sphere,
    Within,
    Zone,
)
from .results import Axis, Estimator, Page, Reading, Results
from .sweep_table import SweepTable

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncJob",
    "AsyncSweep",
    "Axis",
    "Beam",
    "Box",
    "Client",
    "ComparedPage",
    "Comparison",
    "Cylinder",
    "Depth",
    "Differential",
    "Estimator",
    "Filter",
    "Job",
    "JobCanceled",
    "JobFailed",
    "KeptProject",
    "Mesh",
    "Page",
    "Project",
    "ProjectError",
    "Quantity",
    "Reading",
    "Results",
    "ServiceUnreachable",
    "Sphere",
    "Sweep",
    "SweepTable",
    "TallyError",
    "Template",
    "Within",
    "Zone",
    "__version__",
]
