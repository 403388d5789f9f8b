"""One job: its state, its end, its results."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal, Union, cast

from .._backend import AsyncWaitable
from .._generated import models
from .._problems import JobCanceled, JobFailed, NotFound, ProjectError
from .._progress import Progress
from .._submission import whole
from ..project import Project
from ..results import Results, read_npz
from .api import AsyncApi
from .events import async_follow
from .transport import AsyncTransport

#: A bin of an axis, or the first and the last of a range.
Bins = Union[int, "tuple[int, int]"]
Format = Literal["csv", "json", "hdf5", "npz", "dicom", "float64"]
_SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".json": "json",
    ".h5": "hdf5",
    ".hdf5": "hdf5",
    ".npz": "npz",
    ".dcm": "dicom",
    ".bin": "float64",
}


class AsyncJob(AsyncWaitable):
    """A job of the user's own. ``warnings`` are the sentences with which the service took it."""

    def __init__(
        self,
        transport: AsyncTransport,
        job_id: str,
        *,
        platform: Literal["direct", "batch"] | None = None,
        seed: int | None = None,
        warnings: Sequence[str] = (),
    ) -> None:
        self.id = job_id
        self.seed = seed
        self.warnings = list(warnings)
        self._transport = transport
        self._api = AsyncApi(transport)
        self._platform = platform

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"

    async def status(self) -> models.GetJobsAnswer:
        """State, tasks, progress, failure, and how far a target is, as the service tells them."""
        return await self._api.get_jobs(job_id=self.id)

    async def state(self) -> models.State:
        return (await self.status())["job_state"]

    async def wait(self, *, progress: bool | None = None, timeout: float | None = None, check: bool = True) -> AsyncJob:
        """Waits for the end of the job.

        :param progress: shows a bar; unless given, where somebody looks: in a terminal or a notebook
        :param timeout: seconds
        :raises JobFailed, JobCanceled: how it ended, unless ``check`` is False
        :raises TimeoutError: it has not ended; it goes on
        """
        shown = Progress(progress, 1)
        try:
            statuses = await async_follow(self._transport, [self.id], shown, timeout)
        finally:
            shown.close()
        if check:
            self._check(statuses[self.id])
        return self

    def _check(self, status: models.GetJobsAnswer) -> None:
        if status["job_state"] == "CANCELED":
            raise JobCanceled(self.id)
        if status["job_state"] == "FAILED":
            reason = cast("dict[str, Any] | None", status.get("failure_reason"))
            raise JobFailed(self.id, status.get("failure", "FAILED"), reason)

    async def cancel(self) -> models.State:
        """Ends the job; what its tasks have delivered stays. :returns: the state of the job, which may have ended before"""
        if await self._is_batch():
            return (await self._api.delete_jobs_batch(job_id=self.id))["job_state"]
        return (await self._api.delete_jobs_direct(job_id=self.id))["job_state"]

    async def stop(self) -> models.State:
        """Ends the job early and keeps the results of what was simulated."""
        if await self._is_batch():
            return (await self._api.post_jobs_batch_stop(job_id=self.id))["job_state"]
        return (await self._api.post_jobs_direct_stop(job_id=self.id))["job_state"]

    async def extend(self, primaries: float, *, tasks: int | None = None) -> AsyncJob:
        """Gives a COMPLETED job further primaries, in ``tasks`` further tasks (as many as at first, unless given)."""
        body = {"job_id": self.id, "primaries": whole("primaries", primaries, 1)}
        if tasks is not None:
            body["ntasks"] = whole("tasks", tasks, 1)
        if await self._is_batch():
            await self._api.post_jobs_batch_extend(cast(models.PostJobsBatchExtendBody, body))
        else:
            await self._api.post_jobs_direct_extend(cast(models.PostJobsDirectExtendBody, body))
        return self

    async def delete(self) -> None:
        """Deletes the job with all that belongs to it. It must have ended."""
        await self._api.delete_user_simulations(job_id=self.id)

    async def logs(self) -> dict[str, str]:
        """What the simulators wrote, by ``task_1`` …"""
        return (await self._api.get_logfiles(job_id=self.id))["logfiles"]

    async def inputs(self) -> models.GetInputsAnswer:
        """What was submitted, and, for a project, the deck that was made of it."""
        return await self._api.get_inputs(job_id=self.id)

    async def project(self) -> Project:
        """The project that was submitted. :raises ProjectError: the job has input files of its own"""
        inputs = await self.inputs()
        if inputs["input_type"] == "files":
            raise ProjectError("project", f"does not exist: job {self.id} was submitted as input files")
        return Project.from_dict(inputs["input"])

    async def results(
        self,
        estimator: str | None = None,
        page: int | str | None = None,
        *,
        bins: Mapping[int, Bins] | None = None,
        sum: Sequence[int] = (),
        effective_histories: bool = False,
    ) -> Results:
        """The results, or those so far (``results.partial``), as arrays.

        :param page: number, or, with an estimator, name
        :param bins: of axes by their positions, from 0: one bin, whose axis is then gone, or the first and last of a range. The
            service cuts them out: ``bins={0: 40, 1: (10, 20)}``
        :param sum: axes along which the service adds up bins, with the errors of sums
        :param effective_histories: with the effective number of histories behind each value
        :raises ResultsUnavailable: there are none yet
        """
        query = await self._query(estimator, page, bins, sum)
        if effective_histories:
            query["effective_histories"] = "true"
        with tempfile.TemporaryFile() as file:
            await self._transport.download("/results", {**query, "format": "npz"}, cast(BinaryIO, file))
            file.seek(0)
            return read_npz(cast(BinaryIO, file))

    async def save(
        self,
        path: str | os.PathLike[str],
        estimator: str | None = None,
        page: int | str | None = None,
        *,
        format: Format | None = None,
        bins: Mapping[int, Bins] | None = None,
        sum: Sequence[int] = (),
    ) -> Path:
        """Writes the results to a file: .h5, .npz, .csv, .json, .dcm (RT Dose), or .bin (float64); selections as in `results`."""
        target = Path(path)
        chosen = format or _SUFFIXES.get(target.suffix.lower())
        if chosen is None:
            raise ProjectError("path", f"must end with one of {', '.join(_SUFFIXES)}, or format must be given")
        query = await self._query(estimator, page, bins, sum)
        return await self._write("/results", {**query, "format": chosen}, target)

    async def crate(
        self,
        path: str | os.PathLike[str],
        *,
        format: Literal["hdf5", "npz", "csv"] = "hdf5",
        license: str | None = None,
    ) -> Path:
        """Writes the whole ended job as an RO-Crate, a zip: submission, deck, results, provenance."""
        query = {"job_id": self.id, "format": format, "license": license}
        return await self._write("/jobs/crate", query, Path(path))

    async def _write(self, route: str, query: Mapping[str, Any], target: Path) -> Path:
        """The file has its name when it is whole."""
        draft = target.with_name(f"{target.name}.part")
        try:
            with open(draft, "wb") as file:
                await self._transport.download(route, query, file)
            return draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)

    async def _query(
        self, estimator: str | None, page: int | str | None, bins: Mapping[int, Bins] | None, sum: Sequence[int]
    ) -> dict[str, Any]:
        cut = [f"{one}" if isinstance(one, int) else f"{one[0]}-{one[1]}" for one in (bins or {}).values()]
        return {
            "job_id": self.id,
            "estimator_name": estimator,
            "page_number": page if page is None or isinstance(page, int) else await self._page_number(estimator, page),
            "axis": ",".join(map(str, bins or {})) or None,
            "index": ",".join(cut) or None,
            "sum": ",".join(map(str, sum)) or None,
        }

    async def _page_number(self, estimator: str | None, name: str) -> int:
        if estimator is None:
            raise ProjectError("page", "must be a number where no estimator is given")
        known = (await self._api.get_estimators(job_id=self.id))["estimators"]
        pages = [page for one in known if one["name"] == estimator for page in one["pages"]]
        for page in pages:
            if page["name"] == name:
                return page["page_number"]
        names = ", ".join(page["name"] for page in pages)
        raise NotFound(f"estimator {estimator} has no page {name}, but {names or 'none'}")

    async def _is_batch(self) -> bool:
        if self._platform is None:
            self._platform = "batch" if "cluster_name" in await self.status() else "direct"
        return self._platform == "batch"
