"""Every exception of this package: a class for each reason that the service gives, and their bases."""

from ._generated import reasons
from ._generated.reasons import *  # noqa: F403
from ._problems import (
    ApiError,
    Conflict,
    FieldFault,
    InvalidRequest,
    JobCanceled,
    JobFailed,
    NotAllowed,
    NotFound,
    NotSignedIn,
    ProjectError,
    ServiceFault,
    ServiceUnreachable,
    TallyError,
    TooManyRequests,
    Unavailable,
)

__all__ = [
    "ApiError",
    "Conflict",
    "FieldFault",
    "InvalidRequest",
    "JobCanceled",
    "JobFailed",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "ProjectError",
    "ServiceFault",
    "ServiceUnreachable",
    "TallyError",
    "TooManyRequests",
    "Unavailable",
]
__all__ += reasons.__all__
