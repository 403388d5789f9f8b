"""How far jobs are, shown while somebody waits: a bar in a terminal, a widget in a notebook."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from typing import Any

from ._generated.models import GetJobsAnswer

_FINAL = ("COMPLETED", "FAILED", "CANCELED")


def is_interactive() -> bool:
    """Whether somebody looks: a terminal, or a notebook."""
    shell = sys.modules.get("IPython")
    in_notebook = shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"
    return in_notebook or sys.stderr.isatty()


class Progress:
    """Shows primaries that are done, and the state of a job or the number of jobs that have ended.

    :param shown: None: where somebody looks
    """

    def __init__(self, shown: bool | None, job_count: int) -> None:
        self._job_count = job_count
        self._bar: Any = None
        if shown if shown is not None else is_interactive():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # without ipywidgets tqdm.auto draws by text, and says so
                from tqdm.auto import tqdm
            self._bar = tqdm(total=0, unit=" primaries", unit_scale=True, leave=True)

    def __call__(self, statuses: Mapping[str, GetJobsAnswer]) -> None:
        if self._bar is None:
            return
        tasks = [task for status in statuses.values() for task in status["job_tasks_status"]]
        self._bar.total = sum(task["requested_primaries"] for task in tasks)
        self._bar.n = sum(task["simulated_primaries"] for task in tasks)
        states = [status["job_state"] for status in statuses.values()]
        ended = sum(state in _FINAL for state in states)
        self._bar.set_postfix_str(states[0] if self._job_count == 1 else f"{ended} of {self._job_count} jobs")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
