"""What waits in one way with ``await`` and in another without: everything else of _async/ and _sync/ is the same."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Generator, Iterator
from typing import Any, BinaryIO

import anyio

_PIECE_BYTES = 65_536


async def async_sleep(seconds: float) -> None:
    await anyio.sleep(seconds)


def sleep(seconds: float) -> None:
    time.sleep(seconds)


async def async_pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    """A file from its beginning."""
    file.seek(0)
    while piece := file.read(_PIECE_BYTES):
        yield piece


def pieces(file: BinaryIO) -> Iterator[bytes]:
    """A file from its beginning."""
    file.seek(0)
    while piece := file.read(_PIECE_BYTES):
        yield piece


class AsyncWaitable:
    """``await job`` is ``await job.wait()``."""

    def wait(self) -> Awaitable[Any]:
        raise NotImplementedError

    def __await__(self) -> Generator[Any, None, Any]:
        return self.wait().__await__()


class Waitable:
    """The same without ``await``, where there is nothing to wait for but :meth:`wait`."""
