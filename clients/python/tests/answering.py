"""A service that answers as a test says, without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import httpx

from tally_client import AsyncClient, Client

TOKEN = "tly_not-a-real-token"
Answer = httpx.Response | Exception


class Answers:
    """Gives the answers in turn, the last one again and again, and keeps the requests."""

    def __init__(self, answers: Iterable[Answer | Callable[[httpx.Request], httpx.Response]]) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.bodies: list[bytes] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.bodies.append(request.read())
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer(request)

    async def later(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        return self(request)

    def client(self, **options: Any) -> Client:
        return Client("http://tally.test", TOKEN, transport=httpx.MockTransport(self), **options)

    def async_client(self, **options: Any) -> AsyncClient:
        return AsyncClient("http://tally.test", TOKEN, transport=httpx.MockTransport(self.later), **options)


def problem(status: int, code: str, *, retry_after: float | None = None, **members: Any) -> httpx.Response:
    """An error as the service answers it."""
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
    body = {"message": f"said {code}", "status_code": status, "code": code, "request_id": "r-1", **members}
    return httpx.Response(status, json=body, headers=headers)


def accepted(job_id: str = "20260101-000000-x") -> httpx.Response:
    return httpx.Response(202, json={"message": "Job submitted", "job_id": job_id, "seed": "7"})


def status(state: str, done: int = 0, total: int = 10, **members: Any) -> httpx.Response:
    task = {"task_id": 1, "task_state": state, "requested_primaries": total, "simulated_primaries": done}
    return httpx.Response(200, json={"message": "", "job_state": state, "job_tasks_status": [task], **members})
