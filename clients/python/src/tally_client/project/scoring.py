"""What is scored, where, and of which particles."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Union

from .._problems import ProjectError
from .beam import find_particle
from .checks import AXIS_BINS_MAX, Vector, choice, count, length, number, text, vector

#: Keywords of quantities, as the editor spells them (packages/simulators/src/sim-a/deck/quantity.ts).
_KEYWORDS = (
    "1MeVNEq Alanine AvgBeta AvgEnergy Dose DoseEqv DDD DoseGy dLET dQ dQeff Energy EqvDose Fluence MATERIAL NEqvDose NKERMA ZONE "
    "Rho tQ tQeff tLET dZ2Beta2 tZ2Beta2 dZeff2Beta2 tZeff2Beta2"
).split()
#: Properties of particles that axes are differential in.
_AXES = "ANGLE DEDX E EAMU ENUC MDEDX TL Z Zeff Z2Beta2 Zeff2Beta2".split()
_AXES_MAX = 2
_RULE = re.compile(r"(A|AMASS|AMU|Z|E|ENUC|EAMU|ID|GEN|NPRIM)\s*(==|!=|<=|>=|<|>)\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)")


@dataclass(frozen=True)
class Filter:
    """Particles that are scored: all of the ``rules`` hold, such as ``Filter("Z == 1", "A == 1", "GEN == 0")``.

    Properties: Z, A (charge and mass number), E (MeV), ENUC (MeV a nucleon), EAMU, AMASS, AMU, ID, GEN (0: primary), NPRIM.
    """

    rules: tuple[str, ...]
    name: str

    def __init__(self, *rules: str, name: str = "") -> None:
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "name", name or " ".join(rules))

    @classmethod
    def particle(cls, name: str) -> Filter:
        """Particles of one kind, such as ``Filter.particle("proton")``."""
        _, z, a = find_particle("filter", name)
        return cls(f"Z == {z}", f"A == {a}", name=name)

    def to_dict(self, attribute: str, identify: Callable[[str], str]) -> dict[str, Any]:
        if not self.rules:
            raise ProjectError(f"{attribute}.rules", "must have a rule")
        rules = []
        for i, rule in enumerate(self.rules):
            parts = _RULE.fullmatch(rule.strip()) if isinstance(rule, str) else None
            if parts is None:
                raise ProjectError(f"{attribute}.rules[{i}]", f"must be like 'Z == 1' or 'E < 20', not {rule!r}")
            rules.append(
                {"uuid": identify(f"rule {i}"), "keyword": parts[1], "operator": parts[2], "value": float(parts[3])}
            )
        name = text(f"{attribute}.name", self.name)
        return {"uuid": identify(""), "name": name, "type": "Filter", "rules": rules}


@dataclass(frozen=True)
class Differential:
    """An axis of a property of the particles: E (MeV), ENUC (MeV/nucl), ANGLE (deg), DEDX (MeV/cm), TL (cm), Z …"""

    property: str
    lower: float
    upper: float
    bins: int
    log: bool = False

    def to_dict(self, attribute: str, uuid: str) -> dict[str, Any]:
        lower = number(f"{attribute}.lower", self.lower)
        if self.log and lower <= 0:
            raise ProjectError(f"{attribute}.lower", "must be above 0 on a logarithmic axis")
        return {
            "uuid": uuid,
            "diffType": choice(f"{attribute}.property", self.property, _AXES),
            "lowerLimit": lower,
            "upperLimit": number(f"{attribute}.upper", self.upper, above=lower),
            "binsNumber": count(f"{attribute}.bins", self.bins, AXIS_BINS_MAX),
            "isLog": bool(self.log),
        }


@dataclass(frozen=True)
class Quantity:
    """One page of results: a ``keyword`` such as Dose, Fluence, dLET, tLET, Energy; ``name`` unless it is that."""

    keyword: str
    name: str = ""
    filter: Filter | None = None
    axes: Sequence[Differential] = ()

    @property
    def label(self) -> str:
        return self.name or self.keyword

    def to_dict(self, attribute: str, identify: Callable[[str], str], filters: dict[Filter, str]) -> dict[str, Any]:
        if len(self.axes) > _AXES_MAX:
            raise ProjectError(f"{attribute}.axes", f"must be at most {_AXES_MAX}, not {len(self.axes)}")
        return {
            "name": text(f"{attribute}.name", self.label),
            "type": "Quantity",
            "uuid": identify(""),
            "keyword": choice(f"{attribute}.keyword", self.keyword, _KEYWORDS),
            **({} if self.filter is None else {"filter": filters[self.filter]}),
            "modifiers": [
                axis.to_dict(f"{attribute}.axes[{i}]", identify(f"axis {i}")) for i, axis in enumerate(self.axes)
            ],
        }


#: A quantity, or its keyword.
Scored = Union[Quantity, str]


def quantities_of(quantities: Sequence[Scored] | Scored) -> list[Quantity]:
    listed = [quantities] if isinstance(quantities, (str, Quantity)) else list(quantities)
    return [Quantity(one) if isinstance(one, str) else one for one in listed]


@dataclass(frozen=True)
class Mesh:
    """Scores in the bins of a box, ``bins`` along x, y and z; full lengths in cm, ``position`` of its centre."""

    name: str
    width: float
    height: float
    depth: float
    bins: tuple[int, int, int]
    position: Vector = (0, 0, 0)
    quantities: Sequence[Scored] | Scored = ("Dose",)

    @property
    def limits(self) -> tuple[Vector, Vector] | None:
        x, y, z = self.position
        a, b, c = self.width / 2, self.height / 2, self.depth / 2
        return (x - a, y - b, z - c), (x + a, y + b, z + c)

    def geometry(self, attribute: str, zones: dict[str, str]) -> dict[str, Any]:
        x, y, z = (
            count(f"{attribute}.bins[{i}]", one, AXIS_BINS_MAX)
            for i, one in enumerate(vector(f"{attribute}.bins", self.bins))
        )
        return {
            "geometryType": "Mesh",
            "position": list(vector(f"{attribute}.position", self.position)),
            "rotation": [0, 0, 0],
            "parameters": {
                **{name: length(f"{attribute}.{name}", getattr(self, name)) for name in ("width", "height", "depth")},
                "xSegments": x,
                "ySegments": y,
                "zSegments": z,
            },
        }


@dataclass(frozen=True)
class Depth:
    """Scores over depth: ``bins`` along z in a cylinder of ``radius``, from ``start`` on, ``depth`` long, around (``x``, ``y``); cm."""

    name: str
    depth: float
    radius: float
    bins: int
    start: float = 0
    x: float = 0
    y: float = 0
    quantities: Sequence[Scored] | Scored = ("Dose",)

    @property
    def limits(self) -> tuple[Vector, Vector] | None:
        low = (self.x - self.radius, self.y - self.radius, self.start)
        return low, (self.x + self.radius, self.y + self.radius, self.start + self.depth)

    def geometry(self, attribute: str, zones: dict[str, str]) -> dict[str, Any]:
        depth = length(f"{attribute}.depth", self.depth)
        x, y, start = (number(f"{attribute}.{name}", getattr(self, name)) for name in ("x", "y", "start"))
        return {
            "geometryType": "Cyl",
            "position": [x, y, start + depth / 2],
            "rotation": [0, 0, 0],
            "parameters": {
                "innerRadius": 0,
                "radius": length(f"{attribute}.radius", self.radius),
                "depth": depth,
                "radialSegments": 1,
                "zSegments": count(f"{attribute}.bins", self.bins, AXIS_BINS_MAX),
            },
        }


@dataclass(frozen=True)
class Within:
    """Scores in the whole of a zone, by its name."""

    name: str
    zone: str
    quantities: Sequence[Scored] | Scored = ("Dose",)

    @property
    def limits(self) -> tuple[Vector, Vector] | None:
        return None

    def geometry(self, attribute: str, zones: dict[str, str]) -> dict[str, Any]:
        return {
            "geometryType": "Zone",
            "position": [0, 0, 0],
            "rotation": [0, 0, 0],
            "parameters": {"zoneUuid": zones[choice(f"{attribute}.zone", self.zone, zones)]},
        }


Detector = Union[Mesh, Depth, Within]


def is_apart(one: tuple[Vector, Vector], other: tuple[Vector, Vector]) -> bool:
    """Whether two boxes have no space in common."""
    return any(one[0][i] >= other[1][i] or other[0][i] >= one[1][i] for i in range(3))


def is_inside(one: tuple[Vector, Vector], other: tuple[Vector, Vector]) -> bool:
    """Whether the first box is within the second, but for rounding."""
    return all(
        one[0][i] >= other[0][i] - 1e-9 * max(1, math.fabs(other[0][i]))
        and one[1][i] <= other[1][i] + 1e-9 * max(1, math.fabs(other[1][i]))
        for i in range(3)
    )
