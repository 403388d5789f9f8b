"""Requests: what is sent with each, when it is sent again, and what its answers are."""

from __future__ import annotations

import logging
import random
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http.cookies import CookieError, SimpleCookie
from typing import Any, BinaryIO

import httpx

from .._backend import async_pieces, async_sleep
from .._body import JsonBody
from .._credentials import Secret
from .._problems import ApiError, ServiceUnreachable, Unavailable, error_of
from .._version import __version__

_log = logging.getLogger("tally_client")

#: First pause before another try, and the longest, seconds; each is drawn from zero to twice the one before.
_PAUSE_FIRST = 0.2
_PAUSE_MAX = 10.0
#: A service that asks for a longer pause is believed, and the caller told.
_RETRY_AFTER_MAX = 60.0
#: 429 that no pause of a minute ends: a quota, not a rate.
_QUOTAS = ("QUOTA_EXCEEDED", "STORAGE_QUOTA_EXCEEDED", "TOKENS_EXCEEDED", "EVENT_STREAMS_EXCEEDED")
#: The answer was replaced, or not taken, while it was sent: the same request gives another (docs/errors.md).
_READ_AGAIN = ("CHANGED_WHILE_READ", "DOWNLOAD_TOO_SLOW")
_KEY = "Idempotency-Key"
_CONNECT_SECONDS = 10.0


class AsyncTransport:
    """Requests of one user to one service.

    What the service would do only once is sent again after a fault: reads, and what carries an ``Idempotency-Key``, which is
    drawn here unless it is given. What is not is sent again only if it cannot have arrived.
    """

    def __init__(
        self,
        url: str,
        token: Secret | None,
        *,
        timeout: float = 60.0,
        retries: int = 5,
        verify: Any = True,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = url
        self.token = token
        self.timeout = timeout
        self._retries = retries
        #: Of a session (sign_in); kept here because they are Secure also where the service is on this machine.
        self.cookies: dict[str, Secret] = {}
        self._http = httpx.AsyncClient(
            base_url=url,
            timeout=httpx.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS)),
            verify=verify,
            headers={"User-Agent": f"tally-client/{__version__}"},
            transport=transport,
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    async def aclose(self) -> None:
        await self._http.aclose()

    async def json(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, Any] | None = None,
        body: object = None,
        repeatable: bool = False,
    ) -> Any:
        """The JSON of a success. :raises ApiError: any other answer :raises ServiceUnreachable: none"""
        content = None if body is None else JsonBody(body)
        try:
            request = _Request(method, path, _given(params), self._headers(headers, content))
            return await self._exchange(request, content, repeatable)
        finally:
            if content is not None:
                content.close()

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, Any] | None = None,
        read_timeout: float | None = None,
    ) -> AsyncIterator[httpx.Response]:
        """An answer whose body is read as it comes. Tries again until it begins, not afterwards."""
        request = _Request(method, path, _given(params), self._headers(headers, None))
        tries = _Tries(self._retries, True, request)
        while True:
            try:
                response = await self._send(request, None, read_timeout)
                break
            except (httpx.RequestError, ApiError) as fault:
                await async_sleep(tries.pause_after(fault))
        try:
            yield response
        finally:
            await response.aclose()

    async def download(self, path: str, params: Mapping[str, Any], file: BinaryIO) -> httpx.Headers:
        """Writes an answer to a file, from its beginning again if it breaks off. :returns: headers of the answer"""
        request = _Request("GET", path, _given(params), self._headers(None, None))
        tries = _Tries(self._retries, True, request)
        while True:
            try:
                response = await self._send(request, None, None)
                try:
                    file.seek(0)
                    file.truncate()
                    async for piece in response.aiter_bytes():
                        file.write(piece)
                    return response.headers
                finally:
                    await response.aclose()
            except (httpx.RequestError, ApiError) as fault:
                await async_sleep(tries.pause_after(fault))

    async def _exchange(self, request: _Request, content: JsonBody | None, repeatable: bool) -> Any:
        tries = _Tries(self._retries, repeatable, request)
        while True:
            try:
                response = await self._send(request, content, None)
                try:
                    await response.aread()
                finally:
                    await response.aclose()
                self._keep_cookies(response)
                return response.json() if response.content else {}
            except (httpx.RequestError, ApiError, ValueError) as fault:
                await async_sleep(tries.pause_after(fault))

    async def _send(self, request: _Request, content: JsonBody | None, read_timeout: float | None) -> httpx.Response:
        """A success whose body is not read yet. :raises ApiError: any other answer"""
        timeout = self._http.timeout
        if read_timeout is not None:
            timeout = httpx.Timeout(timeout.connect, read=read_timeout)
        built = self._http.build_request(
            request.method,
            request.path,
            params=request.params,
            headers={**request.headers, **self._identity()},
            content=None if content is None else async_pieces(content.file),
            timeout=timeout,
        )
        response = await self._http.send(built, stream=True)
        self._http.cookies.clear()
        if response.is_success:
            return response
        try:
            await response.aread()
        finally:
            await response.aclose()
        raise error_of(response)

    def _headers(self, headers: Mapping[str, Any] | None, content: JsonBody | None) -> dict[str, str]:
        given = {name: str(value) for name, value in (headers or {}).items() if value is not None}
        if headers is not None and _KEY in headers and _KEY not in given:
            given[_KEY] = str(uuid.uuid4())
        if content is not None:
            given |= {"Content-Type": "application/json", "Content-Length": str(content.size)}
        return given

    def _identity(self) -> dict[str, str]:
        if self.token is not None:
            return {"Authorization": f"Bearer {self.token.reveal()}"}
        if self.cookies:
            return {"Cookie": "; ".join(f"{name}={value.reveal()}" for name, value in self.cookies.items())}
        return {}

    def _keep_cookies(self, response: httpx.Response) -> None:
        for line in response.headers.get_list("set-cookie"):
            try:
                cookies = SimpleCookie(line)
            except CookieError:
                continue
            for name, morsel in cookies.items():
                if morsel.value == "" or morsel["max-age"] == "0":
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = Secret(morsel.value)


class _Request:
    """What is sent, and sent again, but for body and identity."""

    def __init__(self, method: str, path: str, params: dict[str, str], headers: dict[str, str]) -> None:
        self.method = method
        self.path = path
        self.params = params
        self.headers = headers


class _Tries:
    """Whether a request is sent again, and when."""

    def __init__(self, retries: int, repeatable: bool, request: _Request) -> None:
        self._left = retries
        self._pause = _PAUSE_FIRST
        self._repeatable = repeatable
        self._what = f"{request.method} {request.path}"

    def pause_after(self, fault: Exception) -> float:
        """Seconds until the next try. :raises ApiError, ServiceUnreachable: there is none"""
        if self._left == 0 or not self._is_passing(fault):
            raise self._final(fault) from (None if isinstance(fault, ApiError) else fault)
        self._left -= 1
        asked = fault.retry_after if isinstance(fault, ApiError) else None
        drawn = random.uniform(0, self._pause)
        self._pause = min(2 * self._pause, _PAUSE_MAX)
        pause = drawn if asked is None else asked + drawn
        _log.info("%s: %s; again in %.1f s", self._what, type(fault).__name__, pause)
        return pause

    def _is_passing(self, fault: Exception) -> bool:
        if not isinstance(fault, ApiError):
            return self._repeatable or isinstance(fault, (httpx.ConnectError, httpx.ConnectTimeout))
        if fault.retry_after is not None and fault.retry_after > _RETRY_AFTER_MAX:
            return False
        if fault.status == 429:
            return fault.code not in _QUOTAS
        if isinstance(fault, Unavailable) or fault.status == 408 or fault.code in _READ_AGAIN:
            return self._repeatable
        return False

    def _final(self, fault: Exception) -> Exception:
        if isinstance(fault, ApiError):
            return fault
        words = str(fault) or type(fault).__name__
        return ServiceUnreachable(f"{self._what}: no answer of the service: {words}")


def _given(params: Mapping[str, Any] | None) -> dict[str, str]:
    """Texts of a query; what is None is left out."""
    return {name: str(value) for name, value in (params or {}).items() if value is not None}
