"""Signing in: by password, by a token of the realm, and by a code in a browser."""

from __future__ import annotations

import json

import httpx
import pytest

from tally_client import Client, TallyError
from tally_client._credentials import read_config

from .answering import Answers

REALM = {
    "issuer": "https://realm.test",
    "client_id": "tally",
    "scope": "openid",
    "device_authorization_endpoint": "https://realm.test/device",
    "token_endpoint": "https://realm.test/token",
}
DEVICE = {
    "device_code": "d",
    "user_code": "ABCD",
    "verification_uri": "https://realm.test/go",
    "expires_in": 60,
    "interval": 1,
}


class Service:
    def __init__(self, realm: dict[str, str] | None, said: list[tuple[int, dict[str, str]]]) -> None:
        self.realm, self.said = realm, said
        self.answers = Answers([self.answer])

    def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if path == "/device":
            return httpx.Response(200, json=DEVICE)
        if path == "/token":
            status, body = self.said.pop(0)
            return httpx.Response(status, json=body)
        if path in ("/auth/login", "/auth/sso") and request.method == "POST":
            headers = [
                ("set-cookie", "access_token=a.b=c; HttpOnly; Secure"),
                ("set-cookie", "refresh_token=r; Secure"),
            ]
            return httpx.Response(202, json={"message": ""}, headers=headers)
        if path == "/auth/sso":
            return httpx.Response(200, json={"message": "", "sso": self.realm})
        if path == "/auth/tokens":
            return httpx.Response(201, json={"message": "", "token": "tly_made", "token_id": "1", "expires_at": ""})
        return httpx.Response(200, json={"message": ""}, headers={"set-cookie": "access_token=; Max-Age=0"})

    def sign_in(self, **options: object) -> Client:
        transport = httpx.MockTransport(self.answers)
        return Client.sign_in("http://tally.test", transport=transport, **options)  # type: ignore[arg-type]

    def paths(self) -> list[str]:
        return [f"{request.method} {request.url.path}" for request in self.answers.requests]


def test_a_password_makes_a_token_that_is_kept_and_ends_the_session() -> None:
    service = Service(None, [])
    assert service.sign_in(username="ada", password="a long one").reveal_token() == "tly_made"
    assert service.paths() == ["POST /auth/login", "POST /auth/tokens", "DELETE /auth/logout"]
    assert service.answers.requests[1].headers["cookie"] == "access_token=a.b=c; refresh_token=r"
    assert json.loads(service.answers.bodies[1])["scopes"] == ["read", "submit"]
    assert read_config() == {"url": "http://tally.test", "token": "tly_made"}
    assert Client("http://tally.test").reveal_token() == "tly_made"


def test_a_code_in_a_browser_signs_in(pauses: list[float]) -> None:
    waiting = (400, {"error": "authorization_pending"})
    service = Service(REALM, [waiting, (400, {"error": "slow_down"}), (200, {"access_token": "of the realm"})])
    shown: list[str] = []
    client = service.sign_in(show=shown.append, keep=False)
    assert "https://realm.test/go" in shown[0] and "ABCD" in shown[0]
    assert pauses == [1, 1, 6] and client.reveal_token() == "tly_made" and read_config() == {}
    posted = dict(zip(service.paths(), service.answers.bodies, strict=True))
    assert json.loads(posted["POST /auth/sso"]) == {"sso_token": "of the realm"}


def test_whoever_declines_is_told_so(pauses: list[float]) -> None:
    with pytest.raises(TallyError, match="not today"):
        Service(REALM, [(400, {"error": "access_denied", "error_description": "not today"})]).sign_in(show=str)
    with pytest.raises(TallyError, match="no single sign-on"):
        Service(None, []).sign_in()
    with pytest.raises(TallyError, match="no device flow"):
        Service({"issuer": "https://realm.test"}, []).sign_in()


def test_a_token_of_the_realm_signs_in_without_a_browser() -> None:
    service = Service(REALM, [])
    service.sign_in(sso_token=" of the hub\n", keep=False)
    assert json.loads(service.answers.bodies[0]) == {"sso_token": "of the hub"}
