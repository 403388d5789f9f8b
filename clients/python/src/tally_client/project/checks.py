"""Checks of attributes. Limits are those of the service (packages/simulators/src/project/limits.ts)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from .._problems import ProjectError

COORDINATE_CM_MAX = 1e6
ENERGY_MAX = 1e12
AXIS_BINS_MAX = 1_000_000
NAME_LENGTH_MAX = 256

Vector = tuple[float, float, float]


def number(
    name: str, value: Any, *, least: float = -math.inf, most: float = math.inf, above: float = -math.inf
) -> float:
    """A finite number within its bounds. :raises ProjectError: naming the attribute and the bound"""
    if isinstance(value, (bool, str)) or not _is_number(value):
        raise ProjectError(name, f"must be a number, not {value!r}")
    real = float(value)
    if not math.isfinite(real):
        raise ProjectError(name, f"must be finite, not {value!r}")
    if real <= above:
        raise ProjectError(name, f"must be above {above:g}, not {value!r}")
    if not least <= real <= most:
        bound = f"at least {least:g}" if real < least else f"at most {most:g}"
        raise ProjectError(name, f"must be {bound}, not {value!r}")
    return real


def length(name: str, value: Any) -> float:
    """A full length, cm."""
    return number(name, value, above=0, most=COORDINATE_CM_MAX)


def count(name: str, value: Any, most: int) -> int:
    whole = number(name, value, least=1, most=most)
    if whole != int(whole):
        raise ProjectError(name, f"must be a whole number, not {value!r}")
    return int(whole)


def vector(name: str, value: Any) -> Vector:
    """Three coordinates or angles."""
    try:
        x, y, z = value
    except (TypeError, ValueError):
        raise ProjectError(name, f"must be three numbers, not {value!r}") from None
    bound = COORDINATE_CM_MAX
    x, y, z = (number(f"{name}[{i}]", one, least=-bound, most=bound) for i, one in enumerate((x, y, z)))
    return (x, y, z)


def pair(name: str, value: Any) -> tuple[float, float]:
    """One number for both, or two."""
    ones: Sequence[Any] = (value, value) if _is_number(value) else tuple(value)
    if len(ones) != 2:
        raise ProjectError(name, f"must be one number or two, not {value!r}")
    first, second = (number(name, one, least=0, most=COORDINATE_CM_MAX) for one in ones)
    return (first, second)


def text(name: str, value: Any) -> str:
    if not isinstance(value, str) or value == "" or len(value) > NAME_LENGTH_MAX or not value.isprintable():
        raise ProjectError(name, f"must be a text of 1 to {NAME_LENGTH_MAX} characters on one line, not {value!r}")
    return value


def choice(name: str, value: Any, known: Iterable[str]) -> str:
    """One of the known words; the sentence proposes those that are near."""
    words = list(known)
    if value in words:
        return str(value)
    near = get_close_matches(str(value), words, n=3)
    hint = f"; did you mean {', '.join(near)}?" if near else f": it must be one of {', '.join(words[:30])}"
    raise ProjectError(name, f"is not known: {value!r}{hint}")


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, str)
