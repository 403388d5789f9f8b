# Generated from _async/events.py by `pnpm gen`; not to be edited.
"""What happens to jobs, as the service tells it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import httpx

from .._backend import sleep
from .._generated import models
from .._problems import ApiError, ServiceUnreachable, Unavailable
from .api import Api
from .transport import Transport

FINAL = ("COMPLETED", "FAILED", "CANCELED")

#: Three heartbeats of the stream (docs/http-interface.md, Events): it is dead after that.
_SILENCE_SECONDS = 45.0
_RECONNECT_SECONDS = 0.2
_POLL_SECONDS = 1.0
#: A service that is away for longer, as an upgrade takes, is not waited for.
_OUTAGE_SECONDS_MAX = 600.0

Status = models.GetJobsAnswer
Report = Callable[[Mapping[str, Status]], None]


@dataclass(frozen=True)
class Event:
    """One change: ``job``, ``task`` or ``job_deleted``, or ``ready`` at the beginning of a stream."""

    name: str
    data: dict[str, Any]
    id: str | None


def read_events(response: httpx.Response) -> Iterator[Event]:
    """Events of a stream, by the rules of WHATWG HTML 9.2.6; its comments are heartbeats."""
    name, id = "message", None
    data: list[str] = []
    for line in response.iter_lines():
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line == "":
            if data:
                yield Event(name, json.loads("\n".join(data)), id)
            name, data = "message", []
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id":
            id = value


def follow(
    transport: Transport, job_ids: Sequence[str], report: Report, timeout: float | None
) -> dict[str, Status]:
    """Waits for the last states of jobs: by the stream of events, resumed where it breaks off, else by polling.

    :param report: is shown the states whenever they change
    :raises TimeoutError: after ``timeout`` seconds; the jobs go on
    """
    followed = _Followed(Api(transport), job_ids, report, timeout)
    last_id: str | None = None
    while followed.open:
        try:
            headers = {"Last-Event-ID": last_id}
            with transport.stream(
                "GET", "/jobs/events", headers=headers, read_timeout=followed.seconds_left(_SILENCE_SECONDS)
            ) as response:
                for event in read_events(response):
                    last_id = event.id or last_id
                    followed.take(event)
                    if not followed.open:
                        break
                    followed.seconds_left(_SILENCE_SECONDS)
        except httpx.RequestError:
            pass
        except (ApiError, ServiceUnreachable) as fault:
            if isinstance(fault, ApiError) and fault.status in (401, 403):
                raise
            followed.poll()
        followed.pause(_RECONNECT_SECONDS)
    return followed.statuses


class _Followed:
    """The jobs that somebody waits for, and what is known of them."""

    def __init__(self, api: Api, job_ids: Sequence[str], report: Report, timeout: float | None) -> None:
        self._api = api
        self._ids = list(dict.fromkeys(job_ids))
        self._report = report
        self._timeout = timeout
        self._reached = time.monotonic()
        self._deadline = None if timeout is None else self._reached + timeout
        self.statuses: dict[str, Status] = {}

    @property
    def open(self) -> list[str]:
        return [one for one in self._ids if one not in self.statuses or self.statuses[one]["job_state"] not in FINAL]

    def seconds_left(self, at_most: float) -> float:
        """:raises TimeoutError: none are left"""
        if self._deadline is None:
            return at_most
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"{len(self.open)} of {len(self._ids)} jobs have not ended in {self._timeout:g} s")
        return min(left, at_most)

    def pause(self, seconds: float) -> None:
        if self.open:
            sleep(self.seconds_left(seconds))

    def take(self, event: Event) -> None:
        if event.name == "ready":
            if not (event.data["resumed"] and self.statuses):
                self._read(self.open)
            return
        job_id = event.data.get("job_id")
        if job_id not in self._ids:
            return
        if event.name == "task" and job_id in self.statuses:
            self._take_task(self.statuses[job_id], event.data)
        else:
            self._read([job_id])

    def poll(self) -> None:
        """Where there is no stream: the states every second, until all have ended or a minute has passed."""
        for _ in range(60):
            try:
                self._read(self.open)
            except (ServiceUnreachable, Unavailable):
                if time.monotonic() - self._reached > _OUTAGE_SECONDS_MAX:
                    raise
            if not self.open:
                return
            sleep(self.seconds_left(_POLL_SECONDS))

    def _read(self, job_ids: Sequence[str]) -> None:
        for job_id in job_ids:
            self.statuses[job_id] = self._api.get_jobs(job_id=job_id)
            self._reached = time.monotonic()
            self._report(self.statuses)

    def _take_task(self, status: Status, task: dict[str, Any]) -> None:
        tasks = status["job_tasks_status"]
        for i, known in enumerate(tasks):
            if known["task_id"] == task["task_id"]:
                tasks[i] = cast(models.TaskStatus, {**known, **task})
        self._report(self.statuses)
