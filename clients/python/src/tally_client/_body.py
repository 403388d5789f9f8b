"""Bodies of requests: JSON that is sent in pieces."""

from __future__ import annotations

import json
import tempfile
from typing import Any, BinaryIO, cast

from ._problems import ProjectError

#: Smaller bodies stay in memory.
_SPOOL_BYTES = 1 << 20


class JsonBody:
    """A value as JSON in an unnamed file, so that a large one is sent, and sent again, without being in memory twice."""

    def __init__(self, value: object) -> None:
        self.file = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES))
        encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
        try:
            for piece in encoder.iterencode(value):
                self.file.write(piece.encode("utf-8"))
        except ValueError as error:
            self.file.close()
            raise ProjectError("project", f"must be of finite numbers and texts: {error}") from None
        self.size = self.file.tell()

    def close(self) -> None:
        self.file.close()


def _plain(value: Any) -> Any:
    """Numbers and arrays of NumPy as those of JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise ValueError(f"{type(value).__name__} is not JSON")
