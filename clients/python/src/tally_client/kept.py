"""What a service keeps beside jobs: projects with their revisions, and templates with their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .project import Project
from .project.template import apply_template


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


class Template:
    """A project to begin with. ``parameters``: by their names; ``teaches``: what it shows; ``expected``: what its results show."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.name = str(answer["name"])
        self.title = str(answer["title"])
        self.teaches = str(answer["teaches"])
        self.expected = str(answer["expected"]["words"])
        self.parameters = {one["name"]: _parameter_of(one) for one in answer["parameters"]}
        self._answer = answer

    def project(self, values: Mapping[str, float] | None = None) -> Project:
        """The project with these values of parameters; the others have their defaults.

        :raises ProjectError: there is no such parameter, or its value is out of its range
        """
        return Project.from_dict(apply_template(self._answer, values or {}))

    def __repr__(self) -> str:
        return f"<Template {self.name!r}: {', '.join(self.parameters)}>"


def _parameter_of(one: Mapping[str, Any]) -> Parameter:
    return Parameter(one["name"], one["label"], one["unit"], one["min"], one["max"], one["default"])
