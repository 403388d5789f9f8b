"""A project of the editor."""

from __future__ import annotations

import copy
import json
import os
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._problems import ProjectError
from .beam import Beam
from .checks import Vector, count, number, text, vector
from .figures import Box, Figure, Region
from .materials import find_material
from .scoring import Detector, Filter, is_apart, is_inside, quantities_of

_NAMESPACE = uuid.UUID("6f1d3f5e-2f6b-5c39-9a58-0f3a4f1d7e21")
_FORMAT = "0.13"
_PRIMARIES_MAX = 10_000_000_000
_DENSITY_MAX = 100
#: Of a world that is not given, around everything in it.
_MARGIN_CM = 1.0
_PHYSICS = {
    "energyLoss": 0.03,
    "enableNuclearReactions": True,
    "energyModelStraggling": "Vavilov",
    "multipleScattering": "Moliere",
    "stoppingPowerTable": "ICRU91",
}


@dataclass(frozen=True)
class Zone:
    """A region filled with a material: a name such as ``"water"`` or ``"bone_cortical_icrp"``, or the number of ICRU.

    ``density``: g/cm³, unless it is that of the library.
    """

    name: str
    region: Region
    material: str | int
    density: float | None = None


class Project:
    """What is simulated: a beam, zones in a world, and what is scored; in the editor's format. It does not change: :meth:`set` gives
    another one.

    :param world: a figure around everything; unless given, a box with 1 cm to spare
    :param material: of the world
    :raises ProjectError: naming the attribute that cannot be meant
    """

    def __init__(
        self,
        beam: Beam,
        zones: Sequence[Zone],
        scoring: Sequence[Detector],
        *,
        title: str = "",
        description: str = "",
        world: Figure | None = None,
        material: str | int = "vacuum",
    ) -> None:
        self._json = _Writer(beam, zones, scoring, world, material).write(title or _title_of(beam), description)

    @classmethod
    def from_dict(cls, json_of_editor: Mapping[str, Any]) -> Project:
        """A project from the editor's JSON; what it holds, the service checks."""
        if not isinstance(json_of_editor, Mapping) or not json_of_editor:
            raise ProjectError("project", "must be an object of JSON")
        project = cls.__new__(cls)
        project._json = copy.deepcopy(dict(json_of_editor))
        return project

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Project:
        """A project from a file of the editor."""
        try:
            return cls.from_dict(json.loads(Path(path).read_text(encoding="utf-8")))
        except json.JSONDecodeError as error:
            raise ProjectError("project", f"cannot be read: {path} is not JSON: {error}") from None

    def to_dict(self) -> dict[str, Any]:
        """The editor's JSON; a copy."""
        return copy.deepcopy(self._json)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes a file that the editor opens."""
        target = Path(path)
        target.write_text(json.dumps(self._json, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return target

    @property
    def title(self) -> str:
        project = self._json.get("project")
        return str(project.get("title", "")) if isinstance(project, Mapping) else ""

    @property
    def outputs(self) -> dict[str, list[str]]:
        """What it scores: names of outputs, and keywords of their quantities."""
        outputs = (self._json.get("scoringManager") or {}).get("outputs") or []
        return {
            str(output.get("name", "")): [str(one.get("keyword", "")) for one in output.get("quantities") or []]
            for output in outputs
        }

    def get(self, path: str) -> Any:
        """The value at a place, such as ``beam.energy`` or ``figureManager.figures.0.name``."""
        value: Any = self._json
        for name, steps in _steps(path):
            value = _member(value, name, steps)
        return copy.deepcopy(value)

    def set(self, path: str, value: Any) -> Project:
        """The project with another value at a place that it has: ``project.set("beam.energy", 120)``.

        :raises ProjectError: it has no such place, or a value of another kind stands there
        """
        before = self.get(path)
        new = value.tolist() if hasattr(value, "tolist") else value
        if isinstance(before, (int, float)) and not isinstance(before, bool):
            number(path, new)
        elif before is not None and not isinstance(new, type(before)):
            raise ProjectError(path, f"must be of the kind of {before!r}, not {new!r}")
        changed = self.to_dict()
        *others, (last, steps) = _steps(path)
        place: Any = changed
        for name, before_steps in others:
            place = _member(place, name, before_steps)
        place[int(last) if isinstance(place, list) else last] = new
        return Project.from_dict(changed)

    def with_primaries(self, primaries: float) -> Project:
        """The project with another number of primaries."""
        changed = self.to_dict()
        changed["beam"] = {
            **changed.get("beam", {}),
            "numberOfParticles": count("primaries", primaries, _PRIMARIES_MAX),
        }
        return Project.from_dict(changed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Project) and self._json == other._json

    def __repr__(self) -> str:
        return f"<Project {self.title!r}: {', '.join(self.outputs) or 'scores nothing'}>"


def _steps(path: str) -> list[tuple[str, str]]:
    """Names from the outside in, each with the path up to it."""
    names = path.split(".")
    return [(name, ".".join(names[: i + 1])) for i, name in enumerate(names)]


def _member(value: Any, name: str, path: str) -> Any:
    if isinstance(value, list) and name.isdigit() and int(name) < len(value):
        return value[int(name)]
    if isinstance(value, dict) and name in value:
        return value[name]
    known = list(value) if isinstance(value, dict) else [f"0 … {len(value) - 1}"] if isinstance(value, list) else []
    raise ProjectError(path, f"is no place of the project; there is {', '.join(map(str, known[:20])) or 'nothing'}")


def _title_of(beam: Beam) -> str:
    return f"{beam.particle}, {beam.energy:g} {beam.unit or 'MeV'}"


class _Writer:
    """The editor's JSON of a project, checked. Ids follow from places, so that the same project is the same JSON."""

    def __init__(
        self,
        beam: Beam,
        zones: Sequence[Zone],
        scoring: Sequence[Detector],
        world: Figure | None,
        material: str | int,
    ) -> None:
        if not scoring:
            raise ProjectError("scoring", "must have an entry: nothing would be scored")
        self._beam, self._zones, self._scoring = beam, list(zones), list(scoring)
        self._materials: dict[int, dict[str, Any]] = {}
        self._figures: dict[Figure, str] = {}
        self._check_figures(world)
        self._world = world or self._box_around()
        self._world_material = material
        self._check_world()

    def write(self, title: str, description: str) -> dict[str, Any]:
        zones = [self._zone(i, zone) for i, zone in enumerate(self._zones)]
        zone_ids = {zone["name"]: zone["uuid"] for zone in zones}
        if len(zone_ids) < len(zones):
            raise ProjectError("zones", "must have different names")
        world = self._world_zone()
        detectors, outputs, filters = self._score(zone_ids)
        return {
            "metadata": {"version": _FORMAT, "type": "Editor", "generator": "Editor.toSerialized"},
            "project": {
                "title": text("title", title),
                "description": description,
                "viewManager": {},
                "history": {"undos": [], "redos": []},
                "simulator": "shieldhit",
            },
            "figureManager": {**_manager("Figure Manager", "FigureManager"), "figures": self._figure_list()},
            "zoneManager": {**_manager("Zone Manager", "ZoneManager"), "zones": zones, "worldZone": world},
            "detectorManager": {**_manager("Detector Manager", "DetectorManager"), "detectors": detectors},
            "specialComponentsManager": _manager("Special Components", "SpecialComponentManager"),
            "materialManager": {
                **_manager("Material Manager", "MaterialManager"),
                "materials": list(self._materials.values()),
                "selectedMaterials": {material["uuid"]: 1 for material in self._materials.values()},
            },
            "scoringManager": {**_manager("Scoring Manager", "ScoringManager"), "outputs": outputs, "filters": filters},
            "beam": self._beam.to_dict(_id("beam")),
            "physic": dict(_PHYSICS),
        }

    def _check_figures(self, world: Figure | None) -> None:
        if world is not None:
            world.check("world")
        for i, zone in enumerate(self._zones):
            if not isinstance(zone, Zone):
                raise ProjectError(f"zones[{i}]", f"must be a Zone, not {type(zone).__name__}")
            if not isinstance(zone.region, Region):
                raise ProjectError(f"zones[{i}].region", "must be a figure, or figures joined by +, - and &")
            for figure in zone.region.figures:
                figure.check(f"zones[{i}].region.{type(figure).__name__}")
                self._figures.setdefault(figure, _id(f"figure {len(self._figures)}"))

    def _box_around(self) -> Box:
        position = vector("beam.position", self._beam.position)
        limits = [(position, position), *(figure.limits for figure in self._figures)]
        low = [min(one[0][i] for one in limits) - _MARGIN_CM for i in range(3)]
        high = [max(one[1][i] for one in limits) + _MARGIN_CM for i in range(3)]
        width, height, depth = (b - a for a, b in zip(low, high, strict=True))
        x, y, z = ((a + b) / 2 for a, b in zip(low, high, strict=True))
        return Box(width, height, depth, position=(x, y, z))

    def _check_world(self) -> None:
        world = self._world.limits
        for i, zone in enumerate(self._zones):
            for figure, inside in (one for term in zone.region.terms for one in term):
                if inside and len(zone.region.figures) == 1 and not is_inside(figure.limits, world):
                    raise ProjectError(
                        f"zones[{i}].region",
                        f"reaches beyond the world: {_words(figure.limits)} cm, the world {_words(world)} cm",
                    )
        position = vector("beam.position", self._beam.position)
        if not is_inside((position, position), world):
            raise ProjectError(
                "beam.position", f"must be inside the world, {_words(world)} cm: outside, every particle is absorbed"
            )

    def _figure_list(self) -> list[dict[str, Any]]:
        return [
            {
                "name": f"{type(figure).__name__}_{i + 1}",
                "type": f"{type(figure).__name__}Figure",
                "uuid": figure_id,
                "visible": True,
                "geometryData": figure.geometry(),
                "colorHex": 0x2A3301,
                "userData": {},
            }
            for i, (figure, figure_id) in enumerate(self._figures.items())
        ]

    def _material(self, attribute: str, material: str | int) -> str:
        name, icru, density = find_material(attribute, material)
        entry = {
            "uuid": _id(f"material {icru}"),
            "name": name.upper(),
            "sanitizedName": name,
            "icru": icru,
            "density": density,
            "transparent": False,
            "opacity": 0.2,
            "color": 0x3A7BD5,
        }
        return str(self._materials.setdefault(icru, entry)["uuid"])

    def _zone(self, i: int, zone: Zone) -> dict[str, Any]:
        terms = [
            [
                {
                    "mode": "subtraction" if not inside else "union" if j == 0 else "intersection",
                    "objectUuid": self._figures[figure],
                }
                for j, (figure, inside) in enumerate(term)
            ]
            for term in zone.region.terms
        ]
        density = zone.density
        if density is not None:
            number(f"zones[{i}].density", density, least=0, most=_DENSITY_MAX)
        material_id = self._material(f"zones[{i}].material", zone.material)
        return {
            "uuid": _id(f"zone {i}"),
            "name": text(f"zones[{i}].name", zone.name),
            "type": "BooleanZone",
            "visible": True,
            "materialUuid": material_id,
            **({} if density is None else {"customMaterial": self._custom(material_id)}),
            "materialPropertiesOverrides": {} if density is None else {"density": density},
            "unionOperations": terms,
            "subscribedObjects": {self._figures[figure]: 1 for figure in zone.region.figures},
        }

    def _custom(self, material_id: str) -> dict[str, Any]:
        """The editor's copy of a material that a zone changes."""
        material = next(one for one in self._materials.values() if one["uuid"] == material_id)
        return {**material, "originalMaterialUuid": material_id}

    def _world_zone(self) -> dict[str, Any]:
        return {
            "uuid": _id("world"),
            "name": "World Zone",
            "type": "WorldZone",
            "visible": True,
            "marginMultiplier": 1.1,
            "autoCalculate": False,
            "materialUuid": self._material("material", self._world_material),
            "geometryData": self._world.geometry(),
        }

    def _score(self, zone_ids: dict[str, str]) -> tuple[list[Any], list[Any], list[Any]]:
        filters: dict[Filter, str] = {}
        listed: list[dict[str, Any]] = []
        detectors: list[dict[str, Any]] = []
        outputs: list[dict[str, Any]] = []
        for i, detector in enumerate(self._scoring):
            attribute = f"scoring[{i}]"
            geometry = detector.geometry(attribute, zone_ids)
            if detector.limits is not None and is_apart(detector.limits, self._world.limits):
                raise ProjectError(
                    attribute, f"lies outside of the world, {_words(self._world.limits)} cm: it would score nothing"
                )
            quantities = quantities_of(detector.quantities)
            if not quantities:
                raise ProjectError(f"{attribute}.quantities", "must have a quantity")
            for j, quantity in enumerate(quantities):
                if quantity.filter is not None and quantity.filter not in filters:
                    place = f"filter {len(filters)}"
                    filters[quantity.filter] = _id(f"{place} ")
                    listed.append(quantity.filter.to_dict(f"{attribute}.quantities[{j}].filter", _ids(place)))
            name = text(f"{attribute}.name", detector.name)
            detectors.append(
                {
                    "name": name,
                    "uuid": _id(f"detector {i}"),
                    "type": "Detector",
                    "visible": True,
                    "geometryData": geometry,
                    "colorHex": 0xFFFF,
                }
            )
            outputs.append(
                {
                    "name": name,
                    "type": "Output",
                    "uuid": _id(f"output {i}"),
                    "quantities": [
                        one.to_dict(f"{attribute}.quantities[{j}]", _ids(f"quantity {i} {j}"), filters)
                        for j, one in enumerate(quantities)
                    ],
                    "detectorUuid": _id(f"detector {i}"),
                    "trace": False,
                }
            )
        names = [output["name"] for output in outputs]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise ProjectError(f"scoring[{i}].name", f"must be different from the others: {name!r}")
        return detectors, outputs, listed


def _id(place: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, place))


def _ids(place: str) -> Callable[[str], str]:
    return lambda part: _id(f"{place} {part}")


def _manager(name: str, kind: str) -> dict[str, Any]:
    metadata = {"version": _FORMAT, "type": "Manager", "generator": f"{kind}.toSerialized"}
    return {"uuid": _id(kind), "name": name, "type": kind, "metadata": metadata}


def _words(limits: tuple[Vector, Vector]) -> str:
    low, high = limits
    return ", ".join(f"{axis} {a:g} … {b:g}" for axis, a, b in zip("xyz", low, high, strict=True))
