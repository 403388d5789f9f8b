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
    """Passes bytes to a service and back; resets a connection after a number of bytes, counted in one of both directions.

    ``cut_next(bytes)``: of the next connection; without, connections stay.
    """

    def __init__(self, target: tuple[str, int], random_numbers: random.Random) -> None:
        self._target = target
        self._random = random_numbers
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._cut_at: int | None = None
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.cuts = 0

    def __enter__(self) -> CuttingProxy:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()

    def cut_next(self, after_bytes: int) -> None:
        self._cut_at = after_bytes

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                cut_at, self._cut_at = self._cut_at, None
                far = socket.create_connection(self._target)
                cuts_request = self._random.random() < 0.5
                limits = (cut_at, None) if cuts_request else (None, cut_at)
                for source, sink, limit in ((near, far, limits[0]), (far, near, limits[1])):
                    threading.Thread(target=self._pass, args=(source, sink, limit, near, far), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket, left: int | None, *both: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE_BYTES):
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
