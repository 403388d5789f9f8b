"""What is sent, when it is sent again, and what errors are."""

from __future__ import annotations

import json
import logging
import traceback
from typing import Any

import httpx
import pytest

from tally_client import ApiError, Client, ProjectError, ServiceUnreachable, errors

from .answering import TOKEN, Answers, accepted, problem

PROJECT = {"beam": {"energy": 150, "numberOfParticles": 10}}


def test_a_submission_that_broke_off_is_sent_again_with_the_same_key_and_body(pauses: list[float]) -> None:
    answers = Answers([httpx.RemoteProtocolError("cut"), problem(503, "SERVICE_UNAVAILABLE"), accepted("j")])
    job = answers.client().submit(PROJECT, tasks=2, seed=2**64 - 1)
    assert job.id == "j" and job.seed == 7
    keys = {request.headers["idempotency-key"] for request in answers.requests}
    assert len(answers.requests) == 3 and len(keys) == 1 and len(set(answers.bodies)) == 1
    body = json.loads(answers.bodies[0])
    assert body["seed"] == "18446744073709551615" and body["ntasks"] == 2 and body["sim_data"] == PROJECT
    assert int(answers.requests[0].headers["content-length"]) == len(answers.bodies[0])
    assert len(pauses) == 2


def test_two_submissions_have_two_keys() -> None:
    answers = Answers([accepted()])
    client = answers.client()
    client.submit(PROJECT)
    client.submit(PROJECT)
    assert len({request.headers["idempotency-key"] for request in answers.requests}) == 2


def test_what_may_not_be_repeated_is_sent_once(pauses: list[float]) -> None:
    answers = Answers([httpx.RemoteProtocolError("cut")])
    with pytest.raises(ServiceUnreachable, match="POST /auth/tokens"):
        answers.client().api.post_auth_tokens(
            {"name": "x", "scopes": ["read"], "expires_at": "2030-01-01T00:00:00.000Z"}
        )
    assert len(answers.requests) == 1 and pauses == []


def test_retry_after_is_waited_for_and_a_quota_is_not(pauses: list[float]) -> None:
    answers = Answers([problem(429, "CONVERSIONS_BUSY", retry_after=7), accepted("j")])
    assert answers.client().submit(PROJECT).id == "j"
    assert 7 <= pauses[0] < 8
    with pytest.raises(errors.QuotaExceeded) as raised:
        Answers([problem(429, "QUOTA_EXCEEDED", retry_after=1)]).client().submit(PROJECT)
    assert isinstance(raised.value, errors.TooManyRequests) and raised.value.retry_after == 1
    with pytest.raises(errors.Throttled):
        Answers([problem(429, "THROTTLED", retry_after=900)]).client().submit(PROJECT)


def test_tries_end(pauses: list[float]) -> None:
    answers = Answers([problem(503, "SERVICE_UNAVAILABLE")])
    with pytest.raises(errors.ServiceUnavailable):
        answers.client(retries=3).api.get_limits()
    assert len(answers.requests) == 4
    assert all(pause <= 0.2 * 2**i for i, pause in enumerate(pauses))


def test_an_answer_that_is_no_json_is_no_answer(pauses: list[float]) -> None:
    answers = Answers([httpx.Response(200, text='{"message": "cu'), httpx.Response(200, json={"limits": {}})])
    assert not answers.client().api.get_limits()["limits"]
    assert len(answers.requests) == 2


def test_errors_say_code_field_message_and_request() -> None:
    fields = [{"field": "sim_data/beam/energy", "message": "must be above 0"}]
    answers = Answers([problem(400, "PROJECT_UNSUPPORTED", errors=fields)])
    with pytest.raises(errors.ProjectUnsupported) as raised:
        answers.client().submit(PROJECT)
    fault = raised.value
    assert isinstance(fault, errors.InvalidRequest)
    assert (fault.status, fault.code, fault.request_id) == (400, "PROJECT_UNSUPPORTED", "r-1")
    assert fault.field == "sim_data/beam/energy" and "must be above 0" in str(fault) and "r-1" in str(fault)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, errors.InvalidRequest),
        (401, errors.NotSignedIn),
        (404, errors.NotFound),
        (500, errors.ServiceFault),
        (599, errors.Unavailable),
    ],
)
def test_reasons_of_a_later_service_are_errors_of_their_status(
    status: int, kind: type[ApiError], pauses: list[float]
) -> None:
    with pytest.raises(kind) as raised:
        Answers([problem(status, "A_LATER_REASON")]).client().api.get_limits()
    assert raised.value.code == "A_LATER_REASON"


def test_what_is_no_problem_of_the_service_is_an_error_all_the_same(pauses: list[float]) -> None:
    for body in ("<html>", "[1]", '{"errors": 5}', ""):
        with pytest.raises(errors.Unavailable):
            Answers([httpx.Response(502, text=body)]).client().api.get_limits()


async def test_the_asynchronous_client_does_the_same(pauses: list[float]) -> None:
    answers = Answers([httpx.ReadTimeout("slow"), accepted("j")])
    async with answers.async_client() as client:
        assert (await client.submit(PROJECT)).id == "j"
    assert len({request.headers["idempotency-key"] for request in answers.requests}) == 1


def test_a_token_is_in_no_repr_no_log_and_no_error(caplog: pytest.LogCaptureFixture, pauses: list[float]) -> None:
    caplog.set_level(logging.DEBUG)
    answers = Answers([httpx.ConnectError("refused"), problem(401, "TOKEN_INVALID")])
    client = answers.client()
    shown = [repr(client), str(client), repr(vars(client)), repr(vars(client._transport))]
    try:
        client.submit(PROJECT)
    except errors.TokenInvalid as fault:
        lines = traceback.TracebackException.from_exception(fault, capture_locals=True).format()
        shown += [str(fault), *lines]
    assert answers.requests[-1].headers["authorization"] == f"Bearer {TOKEN}"
    assert caplog.text != ""
    assert TOKEN not in "".join([*shown, caplog.text])


@pytest.mark.parametrize("url", ["tally.example.org", "ftp://x", "https://u:p@x", "https://x?a=1", "http://"])
def test_addresses_are_checked(url: str) -> None:
    with pytest.raises(ProjectError) as raised:
        Client(url, TOKEN)
    assert raised.value.attribute == "url" and "u:p" not in str(raised.value)


def test_a_kept_token_goes_to_its_own_service_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from tally_client._credentials import Secret, config_file, write_config

    write_config("https://here.example.org", Secret("tly_here"))
    assert config_file().stat().st_mode & 0o777 == 0o600
    assert Client().url == "https://here.example.org" and Client().reveal_token() == "tly_here"
    assert Client("https://here.example.org/").reveal_token() == "tly_here"
    with pytest.raises(errors.TallyError):
        Client("https://elsewhere.example.org").reveal_token()
    monkeypatch.setenv("TALLY_TOKEN", " tly_variable\n")
    assert Client().reveal_token() == "tly_variable"
    monkeypatch.setenv("TALLY_URL", "https://there.example.org")
    assert Client().url == "https://there.example.org"
    assert Client("https://here.example.org").reveal_token() == "tly_here"
    assert Client(token="tly_argument").reveal_token() == "tly_argument"


@pytest.mark.parametrize(
    ("options", "attribute"),
    [
        ({"simulator": "simX"}, "simulator"),
        ({"tasks": 0}, "tasks"),
        ({"tasks": 1.5}, "tasks"),
        ({"primaries": "many"}, "primaries"),
        ({"primaries": 0}, "primaries"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"title": "two\nlines"}, "title"),
        ({"target": 1}, "target"),
        ({"target": 0.01}, "max_primaries"),
        ({"target": 0.01, "max_primaries": 1e6}, "target_estimator"),
        ({"scheduler_options": {}}, "scheduler_options"),
    ],
)
def test_arguments_are_refused_by_name_before_a_request(options: dict[str, Any], attribute: str) -> None:
    answers = Answers([accepted()])
    with pytest.raises(ProjectError) as raised:
        answers.client().submit(PROJECT, **options)
    assert raised.value.attribute == attribute and answers.requests == []


def test_a_cluster_has_its_own_route_and_a_deck_its_files(tmp_path: Any) -> None:
    answers = Answers([accepted()])
    client = answers.client()
    client.submit(PROJECT, cluster="default", scheduler_options={"time": "1:00:00"})
    assert answers.requests[0].url.path == "/jobs/batch"
    assert json.loads(answers.bodies[0])["batch_options"] == {"scheduler_options": {"time": "1:00:00"}}
    (tmp_path / "beam.dat").write_text("BEAM")
    (tmp_path / "geo.dat").write_text("GEO")
    client.submit(tmp_path)
    assert json.loads(answers.bodies[1])["sim_data"] == {"beam.dat": "BEAM", "geo.dat": "GEO"}
    with pytest.raises(ProjectError, match="not JSON"):
        (tmp_path / "project.json").write_text("{")
        client.submit(tmp_path / "project.json")
    with pytest.raises(ProjectError, match="finite"):
        client.submit({"beam": {"energy": float("nan"), "numberOfParticles": 1}})
