"""A way to a service that breaks off."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
from dataclasses import dataclass
from types import TracebackType

_PIECE_BYTES = 4096


@dataclass
class _Way:
    """One direction of a connection, which breaks off when ``limit`` bytes have passed."""

    source: socket.socket
    sink: socket.socket
    limit: int | None = None
    passed: int = 0


class CuttingProxy:
    """Passes bytes to a service and back; resets a connection at a place of the request or of the answer.

    ``cut_next(place)``: of the next connection, 0 to 1, as a share of what the first one, which stays whole, had in that
    direction; without, connections stay.
    """

    def __init__(self, target: tuple[str, int], random_numbers: random.Random) -> None:
        self._target = target
        self._random = random_numbers
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._cut_at: float | None = None
        self._whole: list[_Way] | None = None
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.cuts = 0

    def __enter__(self) -> CuttingProxy:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()

    def cut_next(self, place: float) -> None:
        self._cut_at = place

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                cut_at, self._cut_at = self._cut_at, None
                far = socket.create_connection(self._target)
                ways = [_Way(near, far), _Way(far, near)]
                if self._whole is None:
                    self._whole = ways
                if cut_at is not None:
                    direction = self._random.randrange(2)
                    ways[direction].limit = int(cut_at * self._whole[direction].passed)
                for way in ways:
                    threading.Thread(target=self._pass, args=(way, near, far), daemon=True).start()

    def _pass(self, way: _Way, *both: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := way.source.recv(_PIECE_BYTES):
                room = len(piece) if way.limit is None else way.limit - way.passed
                way.passed += len(piece)
                way.sink.sendall(piece[:room])
                if room < len(piece):
                    self.cuts += 1
                    break
        for one in both:
            with contextlib.suppress(OSError):
                # a reset, as of a machine that is gone, and not an end
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                one.shutdown(socket.SHUT_RDWR)
                one.close()
