"""What a service keeps beside jobs: projects with their revisions, and templates with their parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from ._problems import ProjectError
from .project import Project


class KeptProject(Project):
    """A revision of a project that the service keeps. A job that is submitted from it remembers ``id`` and ``revision``."""

    id: str
    revision: int
    #: As the list of projects names it.
    kept_title: str

    @classmethod
    def of(cls, json_of_editor: Mapping[str, Any], id: str, revision: int, title: str) -> KeptProject:
        """The revision with this JSON of the editor."""
        project = cls.from_dict(json_of_editor)
        assert isinstance(project, cls)
        project.id, project.revision, project.kept_title = id, revision, title
        return project

    def __repr__(self) -> str:
        return f"<KeptProject {self.kept_title!r}, {self.id}, revision {self.revision}>"


@dataclass(frozen=True)
class Parameter:
    """A number of a template that a user may change: in ``unit``, from ``least`` to ``most``."""

    name: str
    label: str
    unit: str
    least: float
    most: float
    default: float
    targets: tuple[tuple[str, float, float], ...] = field(repr=False)
    """Places that move with it, as JSON pointers (RFC 6901): there it is value · scale + offset."""

    def check(self, value: Any) -> float:
        """:raises ProjectError: it is no number of its range"""
        if isinstance(value, bool) or not isinstance(value, Real) or not self.least <= float(value) <= self.most:
            unit = f" {self.unit}" if self.unit else ""
            raise ProjectError(self.name, f"must be {self.least:g} to {self.most:g}{unit}, not {value!r}")
        return float(value)


class Template:
    """A project to begin with. ``parameters``: by their names; ``teaches``: what it shows; ``expected``: what its results show."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.name = str(answer["name"])
        self.title = str(answer["title"])
        self.teaches = str(answer["teaches"])
        self.expected = str(answer["expected"]["words"])
        self.parameters = {one["name"]: _parameter_of(one) for one in answer["parameters"]}
        self._project = Project.from_dict(answer["project"])

    def project(self, values: Mapping[str, float] | None = None) -> Project:
        """The project with these values of parameters; the others have their defaults.

        :raises ProjectError: there is no such parameter, or its value is out of its range
        """
        chosen = self._check(values or {})
        places: dict[str, float] = {}
        for parameter in self.parameters.values():
            value = chosen.get(parameter.name, parameter.default)
            for pointer, scale, offset in parameter.targets:
                places[pointer] = places.get(pointer, 0.0) + value * scale + offset
        changed = self._project.to_dict()
        for pointer, number in places.items():
            _set(changed, pointer, float(f"{number:.12g}"))
        return Project.from_dict(changed)

    def _check(self, values: Mapping[str, float]) -> dict[str, float]:
        unknown: Iterable[str] = (name for name in values if name not in self.parameters)
        for name in unknown:
            raise ProjectError(name, f"is no parameter of {self.name}, which has {', '.join(self.parameters)}")
        return {name: self.parameters[name].check(value) for name, value in values.items()}

    def __repr__(self) -> str:
        return f"<Template {self.name!r}: {', '.join(self.parameters)}>"


def _parameter_of(one: Mapping[str, Any]) -> Parameter:
    targets = tuple(
        (target["pointer"], float(target.get("scale", 1)), float(target.get("offset", 0))) for target in one["targets"]
    )
    return Parameter(one["name"], one["label"], one["unit"], one["min"], one["max"], one["default"], targets)


def _set(json: Any, pointer: str, value: float) -> None:
    *steps, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    place = json
    for step in steps:
        place = place[int(step) if isinstance(place, list) else step]
    place[int(last) if isinstance(place, list) else last] = int(value) if value.is_integer() else value
