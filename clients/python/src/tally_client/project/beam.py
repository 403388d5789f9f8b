"""The beam."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from .._problems import ProjectError
from .checks import COORDINATE_CM_MAX, ENERGY_MAX, Vector, choice, count, number, pair, vector

#: Numbers of the Particle Data Group (Review of Particle Physics, 2022, section 45), charge and mass number.
_PARTICLES = {
    "proton": (2212, 1, 1),
    "neutron": (2112, 0, 1),
    "electron": (11, -1, 0),
    "positron": (-11, 1, 0),
    "photon": (22, 0, 0),
    "deuteron": (1_000_010_020, 1, 2),
    "triton": (1_000_010_030, 1, 3),
    "helium-3": (1_000_020_030, 2, 3),
    "helium-4": (1_000_020_040, 2, 4),
}
#: Elements of ions that beams are made of, by their charge numbers.
_ELEMENTS = {
    "helium": 2,
    "lithium": 3,
    "beryllium": 4,
    "boron": 5,
    "carbon": 6,
    "nitrogen": 7,
    "oxygen": 8,
    "neon": 10,
    "silicon": 14,
    "argon": 18,
    "iron": 26,
}
_PRIMARIES_MAX = 10_000_000_000


def find_particle(attribute: str, name: str) -> tuple[int, int, int]:
    """:returns: number of the Particle Data Group, charge number, mass number :raises ProjectError: none has the name"""
    ion = re.fullmatch(r"([a-z]+)-(\d{1,3})", name.lower()) if isinstance(name, str) else None
    if name in _PARTICLES:
        return _PARTICLES[name]
    if ion is not None and ion[1] in _ELEMENTS:
        z, a = _ELEMENTS[ion[1]], int(ion[2])
        if z <= a <= 3 * z:
            return 1_000_000_000 + z * 10_000 + a * 10, z, a
        raise ProjectError(attribute, f"has no such mass number: {name!r}")
    choice(attribute, name, [*_PARTICLES, *(f"{element}-{2 * z}" for element, z in _ELEMENTS.items())])
    raise ProjectError(attribute, f"must have a mass number, as in {name}-{2 * _ELEMENTS.get(name, 6)}")


@dataclass(frozen=True)
class Beam:
    """A beam from a point: mean ``energy`` and standard deviation ``spread``, in ``unit``.

    ``particle``: proton, electron, photon …, or an ion such as ``"carbon-12"``. ``unit``: MeV, or, for nuclei, MeV/nucl; heavier
    ones than the proton must say which. ``energy_cut``: lowest and highest energy. The cross section is Gaussian (``sigma``: standard deviation,
    cm), a square (``half_width``) or a circle (``radius``); one number, or one along x and one along y.
    """

    particle: str
    energy: float
    spread: float = 0
    unit: Literal["MeV", "MeV/nucl"] | None = None
    primaries: float = 10_000
    position: Vector = (0, 0, -1)
    direction: Vector = (0, 0, 1)
    sigma: float | tuple[float, float] | None = None
    half_width: float | tuple[float, float] | None = None
    radius: float | None = None
    energy_cut: tuple[float, float] | None = None

    def to_dict(self, uuid: str) -> dict[str, Any]:
        """The editor's. :raises ProjectError: naming the attribute that cannot be meant"""
        pdg, z, a = find_particle("beam.particle", self.particle)
        low, high = (0.0, ENERGY_MAX) if self.energy_cut is None else self._cut()
        direction = vector("beam.direction", self.direction)
        if direction == (0, 0, 0):
            raise ProjectError("beam.direction", "must not be a zero vector")
        return {
            "name": "Beam",
            "type": "Beam",
            "uuid": uuid,
            "position": list(vector("beam.position", self.position)),
            "direction": list(direction),
            "energyUnit": self._unit(a),
            "energy": number("beam.energy", self.energy, above=0, most=ENERGY_MAX),
            "energySpread": number("beam.spread", self.spread, least=0, most=ENERGY_MAX),
            "energyLowCutoff": low,
            "energyHighCutoff": high,
            "sigma": self._shape(),
            "sad": {"type": "none", "x": 0, "y": 0},
            "divergence": {"x": 0, "y": 0, "distanceToFocal": 0},
            "particle": {"pdg": pdg, "name": self.particle, "a": a, "z": z},
            "colorHex": 0xFFFF00,
            "numberOfParticles": count("beam.primaries", self.primaries, _PRIMARIES_MAX),
            "sourceType": "simple",
            "sourceFile": {"value": "", "name": ""},
        }

    def _unit(self, mass_number: int) -> str:
        if self.unit is None and mass_number <= 1:
            return "MeV"
        if self.unit not in ("MeV", "MeV/nucl"):
            raise ProjectError("beam.unit", f"must be 'MeV' or 'MeV/nucl' for {self.particle}, not {self.unit!r}")
        if self.unit == "MeV/nucl" and mass_number == 0:
            raise ProjectError("beam.unit", f"must be 'MeV': {self.particle} has no nucleons")
        return self.unit

    def _cut(self) -> tuple[float, float]:
        low, high = self.energy_cut or (0, 0)
        lowest = number("beam.energy_cut[0]", low, least=0, most=ENERGY_MAX)
        return lowest, number("beam.energy_cut[1]", high, above=lowest, most=ENERGY_MAX)

    def _shape(self) -> dict[str, Any]:
        given = [name for name in ("sigma", "half_width", "radius") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ProjectError(f"beam.{given[1]}", f"cannot be given together with {given[0]}")
        if self.half_width is not None:
            x, y = pair("beam.half_width", self.half_width)
            return {"type": "Flat square", "x": x, "y": y}
        if self.radius is not None:
            radius = number("beam.radius", self.radius, least=0, most=COORDINATE_CM_MAX)
            return {"type": "Flat circular", "x": 0, "y": radius}
        x, y = pair("beam.sigma", self.sigma or 0)
        return {"type": "Gaussian", "x": x, "y": y}
