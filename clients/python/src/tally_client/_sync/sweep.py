# Generated from _async/sweep.py by `pnpm gen`; not to be edited.
"""A job for every value, and one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._backend import Waitable
from .._progress import Progress
from ..results import Page, Reading
from ..sweep_table import SweepRow, SweepTable
from .events import follow
from .job import Job
from .transport import Transport


class Sweep(Waitable, Sequence[Job]):
    """The jobs of a sweep in the order of their values: ``sweep.values[i]`` are those of ``sweep[i]``."""

    def __init__(
        self, transport: Transport, values: Sequence[Mapping[str, Any]], jobs: Sequence[Job]
    ) -> None:
        self.values = [dict(one) for one in values]
        self.jobs = list(jobs)
        self._transport = transport

    def __getitem__(self, index: Any) -> Any:
        return self.jobs[index]

    def __len__(self) -> int:
        return len(self.jobs)

    def __repr__(self) -> str:
        names = ", ".join(self.values[0]) if self.values else ""
        return f"<{type(self).__name__} of {len(self)} jobs over {names}>"

    def wait(self, *, progress: bool | None = None, timeout: float | None = None) -> Sweep:
        """Waits until all jobs have ended, well or not; :meth:`table` tells their states.

        :raises TimeoutError: some have not ended; they go on
        """
        shown = Progress(progress, len(self))
        try:
            follow(self._transport, [job.id for job in self.jobs], shown, timeout)
        finally:
            shown.close()
        return self

    def table(self, estimator: str | None = None, page: int | str | None = None) -> SweepTable:
        """What was read off a curve of every job: of this estimator and page, or of the first curve that has readings.

        Of jobs that are not COMPLETED there is the state, and no number.
        """
        rows = []
        for values, job in zip(self.values, self.jobs, strict=True):
            state = job.state()
            readings: Mapping[str, Reading] = {}
            if state == "COMPLETED":
                readings = _first_readings((job.results(estimator, page)).pages)
            rows.append(SweepRow(values, job.id, state, readings))
        return SweepTable(rows)


def _first_readings(pages: Sequence[Page]) -> Mapping[str, Reading]:
    return next((page.readings for page in pages if page.readings), {})
