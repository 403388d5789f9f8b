"""Projects that the service keeps for a user, and templates of projects."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from .._generated import models
from ..kept import KeptProject, Template
from ..project import Project
from .api import AsyncApi

_LIST_PAGE_SIZE = 100


class AsyncProjects:
    """The user's projects on the service: ``client.projects``."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def list(self, *, search: str | None = None) -> Sequence[models.GetProjectsAnswerProjectsItem]:
        """What is kept, the last saved first; of those with these words in their titles. :meth:`get` fetches one."""
        found: list[models.GetProjectsAnswerProjectsItem] = []
        page = 1
        while True:
            answer = await self._api.get_projects(page_size=_LIST_PAGE_SIZE, page_idx=page, search=search)
            found += answer["projects"]
            if page >= answer["page_count"]:
                return found
            page += 1

    async def keep(self, project: Project, *, title: str | None = None, note: str | None = None) -> KeptProject:
        """Keeps a project: its first revision. It is kept once, whatever happens to the connection."""
        body: models.PostProjectsBody = {"project": project.to_dict()}
        if title is not None:
            body["title"] = title
        if note is not None:
            body["note"] = note
        made = await self._api.post_projects(body, idempotency_key=str(uuid.uuid4()))
        return await self.get(made["project_id"])

    async def get(self, project_id: str, *, revision: int | None = None) -> KeptProject:
        """A kept project: its last revision unless given."""
        answer = await self._api.get_projects_project(project_id=project_id, revision=revision)
        return KeptProject.of(answer["project"], answer["project_id"], answer["revision"], answer["title"])

    async def save(
        self, kept: KeptProject, project: Project, *, title: str | None = None, note: str | None = None
    ) -> KeptProject:
        """The next revision of ``kept``.

        :raises Conflict: somebody has saved another one since; nothing is stored, and :meth:`get` gives it
        """
        body: models.PutProjectsBody = {
            "project_id": kept.id,
            "revision": kept.revision,
            "project": project.to_dict(),
        }
        if title is not None:
            body["title"] = title
        if note is not None:
            body["note"] = note
        saved = await self._api.put_projects(body)
        return await self.get(kept.id, revision=saved["revision"])

    async def revisions(self, kept: KeptProject | str) -> Sequence[models.GetProjectsRevisionsAnswerRevisionsItem]:
        """Its revisions, the newest first, with the jobs that ran them."""
        return (await self._api.get_projects_revisions(project_id=_id_of(kept)))["revisions"]

    async def delete(self, kept: KeptProject | str) -> None:
        """Deletes it with all its revisions; jobs that ran it stay."""
        await self._api.delete_projects(project_id=_id_of(kept))


class AsyncTemplates:
    """Projects to begin with: ``client.templates``."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def list(self) -> Sequence[models.GetTemplatesAnswerTemplatesItem]:
        """All templates of the service with their parameters. :meth:`get` fetches one with its project."""
        return (await self._api.get_templates())["templates"]

    async def get(self, name: str) -> Template:
        """A template by its name; ``template.project({"energy": 120})`` is its project."""
        answer: Mapping[str, Any] = await self._api.get_templates_template(name=name)
        return Template(answer)


def _id_of(kept: KeptProject | str) -> str:
    return kept if isinstance(kept, str) else kept.id
