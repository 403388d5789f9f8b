"""Signing in to the realm of a service by a code that the user enters in any browser (RFC 8628)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from .._backend import async_sleep
from .._problems import TallyError

_GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"
#: RFC 8628 section 3.2, where the realm does not say.
_INTERVAL_SECONDS = 5.0
#: RFC 8628 section 3.5.
_SLOWER_SECONDS = 5.0
_REQUEST_SECONDS = 15.0


async def async_sign_in_by_device(
    realm: Mapping[str, Any] | None,
    show: Callable[[str], object],
    *,
    verify: Any = True,
    transport: httpx.AsyncBaseTransport | None = None,
) -> str:
    """:param realm: as ``GET /auth/sso`` tells it
    :param show: tells the user what to do
    :returns: an access token of the realm
    :raises TallyError: there is no device flow, the user declines, or nobody enters the code in time
    """
    if realm is None:
        raise TallyError("this service has no single sign-on: sign in with a user name")
    client_id, start, end = (
        realm.get(name) for name in ("client_id", "device_authorization_endpoint", "token_endpoint")
    )
    if client_id is None or start is None or end is None:
        raise TallyError(f"{realm.get('issuer')} offers no device flow here: bring a token of the realm (sso_token)")
    async with httpx.AsyncClient(timeout=_REQUEST_SECONDS, verify=verify, transport=transport) as http:
        answer = await http.post(start, data={"client_id": client_id, "scope": realm.get("scope") or "openid"})
        given = _members(answer)
        if not answer.is_success:
            raise _refused(given)
        address = given.get("verification_uri_complete") or given.get("verification_uri")
        show(f"Open {address} in a browser and enter the code {given.get('user_code')}; waiting …")
        ends_at = time.monotonic() + float(given.get("expires_in", 0))
        interval = float(given.get("interval", _INTERVAL_SECONDS))
        grant = {"grant_type": _GRANT_TYPE, "client_id": client_id, "device_code": str(given.get("device_code"))}
        while time.monotonic() < ends_at:
            await async_sleep(interval)
            answer = await http.post(end, data=grant)
            said = _members(answer)
            if answer.is_success:
                return str(said["access_token"])
            if said.get("error") == "slow_down":
                interval += _SLOWER_SECONDS
            elif said.get("error") != "authorization_pending":
                raise _refused(said)
    raise TallyError("nobody entered the code in time")


def _members(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _refused(said: Mapping[str, Any]) -> TallyError:
    why = said.get("error_description") or said.get("error") or "no reason given"
    return TallyError(f"the realm refuses the sign-in: {why}")
