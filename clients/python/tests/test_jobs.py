"""Waiting for jobs: the stream of events, its resumption, polling, and how jobs end."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tally_client import JobCanceled, JobFailed, errors

from .answering import Answers, accepted, problem, status


def event(name: str, data: dict[str, Any], id: str = "") -> str:
    return f"{f'id: {id}' if id else ':'}\nevent: {name}\ndata: {json.dumps(data)}\n\n"


def stream(*events: str) -> httpx.Response:
    return httpx.Response(200, text="".join(events), headers={"content-type": "text/event-stream"})


class Service:
    """A job whose states and streams come in turn."""

    def __init__(self, states: list[httpx.Response], streams: list[httpx.Response | Exception]) -> None:
        self.resumed: list[str | None] = []
        self._states, self._streams = states, streams
        self.answers = Answers([self.answer])

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path != "/jobs/events":
            return self._states.pop(0) if len(self._states) > 1 else self._states[0]
        self.resumed.append(request.headers.get("last-event-id"))
        given = self._streams.pop(0)
        if isinstance(given, Exception):
            raise given
        return given


READY = event("ready", {"resumed": False}, "1")
RESUMED = event("ready", {"resumed": True})
ENDED = event("job", {"job_id": "j", "job_state": "COMPLETED"}, "3")


def test_a_stream_that_breaks_off_is_resumed_after_its_last_event(pauses: list[float]) -> None:
    progress = event("task", {"job_id": "j", "task_id": 1, "simulated_primaries": 5}, "2")
    service = Service([status("RUNNING"), status("COMPLETED", 10)], [stream(READY, progress), stream(RESUMED, ENDED)])
    job = service.answers.client().job("j")
    assert job.wait(progress=False) is job
    assert service.resumed == [None, "2"]


def test_what_happened_before_the_stream_is_read(pauses: list[float]) -> None:
    service = Service([status("COMPLETED", 10)], [stream(READY)])
    service.answers.client().job("j").wait()
    assert service.resumed == [None]


def test_after_a_gap_states_are_read_again(pauses: list[float]) -> None:
    service = Service([status("RUNNING"), status("COMPLETED", 10)], [stream(READY), stream(READY)])
    service.answers.client().job("j").wait()
    assert len(service.resumed) == 2


@pytest.mark.parametrize(
    "refusal", [lambda: problem(429, "EVENT_STREAMS_EXCEEDED", retry_after=1), lambda: problem(404, "PATH_NOT_FOUND")]
)
def test_without_a_stream_states_are_polled(refusal: Callable[[], httpx.Response], pauses: list[float]) -> None:
    service = Service([status("PENDING"), status("RUNNING"), status("COMPLETED", 10)], [refusal()])
    service.answers.client().job("j").wait()
    assert pauses == [1.0, 1.0]


def test_a_token_that_has_ended_is_not_polled_for_ever() -> None:
    service = Service([status("RUNNING")], [problem(401, "TOKEN_INVALID")])
    with pytest.raises(errors.TokenInvalid):
        service.answers.client().job("j").wait()


def test_a_service_that_is_away_for_a_while_is_waited_for(pauses: list[float]) -> None:
    away: list[httpx.Response | Exception] = [httpx.ConnectError("away") for _ in range(6)]
    service = Service([problem(503, "SERVICE_UNAVAILABLE") for _ in range(6)] + [status("COMPLETED", 10)], away)
    service.answers.client().job("j").wait()


def test_a_wait_ends_after_its_time() -> None:
    service = Service([status("RUNNING")], [problem(404, "PATH_NOT_FOUND")])
    with pytest.raises(TimeoutError, match="1 of 1 jobs"):
        service.answers.client().job("j").wait(timeout=0.05)


def test_how_a_job_ended_is_raised_unless_it_shall_not() -> None:
    reason = {"code": "SIMULATOR_FAILED", "retryable": True}
    failed = status("FAILED", failure="the simulator failed", failure_reason=reason)
    job = Service([failed], [stream(READY) for _ in range(2)]).answers.client().job("j")
    with pytest.raises(JobFailed, match="the simulator failed") as raised:
        job.wait()
    assert raised.value.reason == reason
    job.wait(check=False)
    with pytest.raises(JobCanceled):
        Service([status("CANCELED")], [stream(READY)]).answers.client().job("j").wait()


def test_progress_is_shown(pauses: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    service = Service([status("RUNNING", 4), status("COMPLETED", 10)], [stream(READY, ENDED)])
    service.answers.client().job("j").wait(progress=True)
    assert "COMPLETED" in capsys.readouterr().err


async def test_a_job_is_awaited(pauses: list[float]) -> None:
    service = Service([status("RUNNING"), status("COMPLETED", 10)], [stream(READY), stream(RESUMED, ENDED)])
    job = service.answers.async_client().job("j")
    assert await job is job


def test_a_job_of_a_cluster_is_cancelled_there() -> None:
    answers = Answers([status("RUNNING", cluster_name="athena"), httpx.Response(200, json={"job_state": "CANCELED"})])
    assert answers.client().job("j").cancel() == "CANCELED"
    assert answers.requests[-1].url.path == "/jobs/batch"


def test_a_sweep_is_checked_whole_before_its_first_job() -> None:
    answers = Answers([accepted()])
    project = {"beam": {"energy": 150, "numberOfParticles": 10}}
    sweep = answers.client().sweep(project, {"beam.energy": range(70, 91, 10), "beam.numberOfParticles": [5, 6]})
    assert [list(one.values()) for one in sweep.values][:3] == [[70, 5], [70, 6], [80, 5]]
    titles = [json.loads(body)["title"] for body in answers.bodies]
    assert titles[0] == "Sweep [beam.energy=70, beam.numberOfParticles=5]" and len(titles) == 6
    sweeps = [json.loads(body)["sweep"] for body in answers.bodies]
    assert sweeps[0]["size"] == 6 and all(one == sweeps[0] for one in sweeps)  # told of once, when the last has ended
    with pytest.raises(errors.ProjectError):
        answers.client().sweep(project, {"beam.energy": [1, "two"]})
    assert len(answers.bodies) == 6


def test_jobs_are_given_to_a_group() -> None:
    answers = Answers([accepted()])
    project = {"beam": {"energy": 150, "numberOfParticles": 10}}
    answers.client().submit(project, group="g1")
    answers.client().submit(project)
    answers.client().sweep(project, {"beam.energy": [70, 80]}, group="g1")
    assert [json.loads(body).get("group_id") for body in answers.bodies] == ["g1", None, "g1", "g1"]


def test_a_sweep_waits_where_the_quota_is_used_up(pauses: list[float]) -> None:
    submissions = [accepted("a"), problem(429, "QUOTA_EXCEEDED", retry_after=1), accepted("b")]

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return submissions.pop(0)
        return stream(READY) if request.url.path == "/jobs/events" else status("COMPLETED")

    sweep = Answers([answer]).client().sweep({"beam": {"energy": 1, "numberOfParticles": 1}}, {"beam.energy": [1, 2]})
    assert [job.id for job in sweep] == ["a", "b"]
