"""A way to a service that breaks off."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
from types import TracebackType

_PIECE_BYTES = 4096


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
        self._whole: list[int] | None = None
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
                counts = [0, 0]
                if self._whole is None:
                    self._whole = counts
                limits: list[int | None] = [None, None]
                if cut_at is not None:
                    direction = self._random.randrange(2)
                    limits[direction] = int(cut_at * self._whole[direction])
                for direction, (source, sink) in enumerate(((near, far), (far, near))):
                    args = (source, sink, counts, direction, limits[direction], near, far)
                    threading.Thread(target=self._pass, args=args, daemon=True).start()

    def _pass(
        self,
        source: socket.socket,
        sink: socket.socket,
        counts: list[int],
        direction: int,
        left: int | None,
        *both: socket.socket,
    ) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE_BYTES):
                counts[direction] += len(piece)
                if left is not None and len(piece) > left:
                    sink.sendall(piece[:left])
                    self.cuts += 1
                    break
                sink.sendall(piece)
                left = None if left is None else left - len(piece)
        for one in both:
            with contextlib.suppress(OSError):
                # a reset, as of a machine that is gone, and not an end
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                one.shutdown(socket.SHUT_RDWR)
                one.close()
