"""What goes wrong, as exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx


class TallyError(Exception):
    """Everything that this package raises of itself."""


class ProjectError(TallyError, ValueError):
    """A project, or an argument, that cannot be meant; nothing has been sent.

    ``attribute`` names the place, for example ``beam.energy`` or ``zones[0].figure``.
    """

    def __init__(self, attribute: str, message: str) -> None:
        super().__init__(f"{attribute} {message}")
        self.attribute = attribute


class ServiceUnreachable(TallyError, ConnectionError):
    """No answer came, after all tries: no such host, no connection, a time-out, an answer that broke off."""


class JobFailed(TallyError):
    """A job ended as FAILED. ``reason`` has the parts of ``failure_reason``, where the service tells them."""

    def __init__(self, job_id: str, failure: str, reason: dict[str, Any] | None = None) -> None:
        super().__init__(f"job {job_id}: {failure}")
        self.job_id = job_id
        self.reason = reason


class JobCanceled(TallyError):
    """A job ended as CANCELED."""

    def __init__(self, job_id: str) -> None:
        super().__init__(f"job {job_id} was cancelled")
        self.job_id = job_id


@dataclass(frozen=True)
class FieldFault:
    """A wrong field of a request: its path, and what is wrong."""

    field: str
    message: str


class ApiError(TallyError):
    """An answer of the service that is no success. Its subclasses are the service's reasons.

    ``status``: of HTTP. ``code``: the service's stable word. ``message``: its sentence. ``fields``: every wrong field.
    ``request_id``: what an operator finds the request by. ``retry_after``: seconds, where the service names them.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "",
        fields: Sequence[FieldFault] = (),
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        self.message = message
        self.status = status
        self.code = code
        self.fields = tuple(fields)
        self.request_id = request_id
        self.retry_after = retry_after
        listed = "".join(f"\n  {fault.field}: {fault.message}" for fault in self.fields)
        super().__init__(f"{message}{listed}\n  ({status} {code}, request id {request_id})")

    @property
    def field(self) -> str | None:
        """The first wrong field."""
        return self.fields[0].field if self.fields else None


class InvalidRequest(ApiError):
    """400, 406, 413, 415, 422, 431: the same request is refused again."""


class NotSignedIn(ApiError):
    """401: there is no token, or it is not valid any more."""


class NotAllowed(ApiError):
    """403."""


class NotFound(ApiError):
    """404."""


class Conflict(ApiError):
    """409: not in the present state of the thing."""


class TooManyRequests(ApiError):
    """429: a limit of rate, or a quota."""


class ServiceFault(ApiError):
    """500, 501: the service failed, or lacks what is asked for."""


class Unavailable(ApiError):
    """502, 503, 504: not at the moment."""


_OF_STATUS: dict[int, type[ApiError]] = {
    401: NotSignedIn,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    429: TooManyRequests,
    500: ServiceFault,
    501: ServiceFault,
}


def error_of(response: httpx.Response) -> ApiError:
    """The exception for an answer that is no success; the answer must have been read."""
    from ._generated.reasons import REASONS

    status = response.status_code
    try:
        body = response.json()
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    code = str(body.get("code", ""))
    general = _OF_STATUS.get(status, Unavailable if status >= 500 else InvalidRequest)
    faults = body.get("errors")
    return REASONS.get(code, general)(
        str(body.get("message", f"HTTP status {status}")),
        status=status,
        code=code,
        fields=[
            FieldFault(str(fault.get("field", "")), str(fault.get("message", "")))
            for fault in (faults if isinstance(faults, list) else [])
            if isinstance(fault, dict)
        ],
        request_id=str(body.get("request_id", response.headers.get("x-request-id", ""))),
        retry_after=_seconds(response.headers.get("retry-after")),
    )


def _seconds(text: str | None) -> float | None:
    """Retry-After in seconds, as the service writes it; a date (RFC 9110, 10.2.3), as a proxy may, is not read."""
    try:
        return max(0.0, float(text)) if text is not None else None
    except ValueError:
        return None
