"""What shall be simulated, and how: from arguments to the body of a submission."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Union

from typing_extensions import NotRequired, TypedDict

from ._problems import ProjectError
from .kept import KeptProject
from .project import Project

Simulator = Literal["simA", "simB", "simC", "simD"]
SIMULATORS = ("simA", "simB", "simC", "simD")
#: Of the interface: one line of text.
_TITLE_LENGTH_MAX = 256
_SEED_MAX = 2**64 - 1
_DOSES = ("Dose", "DoseGy")

#: A project: built, its JSON, or the path of a file with it; or a deck: the path of a folder, or paths of files.
Source = Union[Project, Mapping[str, Any], str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


class SubmitOptions(TypedDict):
    """How a job shall run.

    ``simulator``: simA … simD. ``tasks``: how many run in parallel; readings have errors from four on. ``primaries``: instead of
    those of the project. ``seed``: of the random numbers; the same seed gives the same result for any number of tasks.
    ``target``: go on until the relative error of the results is this fraction, with at most ``max_primaries``; of
    ``target_estimator`` (the only one, or the only one with a dose, unless given) and ``target_page`` (all unless given).
    ``omit_unsupported``: leave out quantities that the simulator cannot score. ``cluster``: run there; ``"default"`` is the default
    one; ``scheduler_options`` are those of its scheduler. ``group``: the id of a group of yours that it is given to.
    """

    simulator: NotRequired[Simulator]
    tasks: NotRequired[int]
    primaries: NotRequired[float | None]
    seed: NotRequired[int | None]
    title: NotRequired[str | None]
    target: NotRequired[float | None]
    max_primaries: NotRequired[float | None]
    target_estimator: NotRequired[str | None]
    target_page: NotRequired[int | None]
    omit_unsupported: NotRequired[bool]
    cluster: NotRequired[str | None]
    scheduler_options: NotRequired[Mapping[str, Any] | None]
    group: NotRequired[str | None]


class Submission:
    """A checked submission: its body, and the platform that it is for."""

    def __init__(self, body: dict[str, Any], platform: Literal["direct", "batch"]) -> None:
        self.body = body
        self.platform = platform


def read_submission(source: Source, options: SubmitOptions) -> Submission:
    """:raises ProjectError: naming the argument, or the attribute of the project, that cannot be meant"""
    simulator = options.get("simulator", "simA")
    if simulator not in SIMULATORS:
        raise ProjectError("simulator", f"must be one of {', '.join(SIMULATORS)}, not {simulator!r}")
    body: dict[str, Any] = {"sim_type": simulator, "ntasks": whole("tasks", options.get("tasks", 1), 1)}
    body |= _read_source(source, options.get("primaries"))
    title, seed, target = options.get("title"), options.get("seed"), options.get("target")
    if title is not None:
        if len(title) > _TITLE_LENGTH_MAX or not title.isprintable():
            raise ProjectError("title", f"must be one line of at most {_TITLE_LENGTH_MAX} characters")
        body["title"] = title
    if seed is not None:
        if whole("seed", seed, 0) > _SEED_MAX:
            raise ProjectError("seed", f"must be at most {_SEED_MAX}")
        body["seed"] = str(int(seed))  # as text: JSON numbers lose digits
    if options.get("omit_unsupported"):
        body["on_unsupported"] = "omit"
    group = options.get("group")
    if group is not None:
        body["group_id"] = group
    if target is not None:
        body["target"] = _target_of(body, target, options)
    return _place(body, options)


def whole(name: str, value: Any, least: int) -> int:
    """A whole number, such as 1000 and 1e6. :raises ProjectError: it is none, or below ``least``"""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        raise ProjectError(name, f"must be a whole number, not {value!r}") from None
    if isinstance(value, (bool, str)) or number != value or number < least:
        raise ProjectError(name, f"must be a whole number from {least}, not {value!r}")
    return number


def _read_source(source: Source, primaries: float | None) -> dict[str, Any]:
    project = _project_of(source)
    if project is not None:
        if primaries is not None:
            project = project.with_primaries(whole("primaries", primaries, 1))
        body: dict[str, Any] = {"input_type": "editor", "sim_data": project.to_dict()}
        if isinstance(source, KeptProject):
            body["project"] = {"project_id": source.id, "revision": source.revision}
        return body
    if primaries is not None:
        raise ProjectError("primaries", "is for projects; a deck says its own")
    assert not isinstance(source, (Project, Mapping))
    names = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    files = [file for name in map(Path, names) for file in (sorted(name.iterdir()) if name.is_dir() else [name])]
    texts = {file.name: file.read_text(encoding="utf-8") for file in files if file.is_file()}
    if not texts:
        raise ProjectError("project", f"there are no files: {', '.join(map(str, names))}")
    return {"input_type": "files", "sim_data": texts}


def _project_of(source: Source) -> Project | None:
    """None: it is a deck."""
    if isinstance(source, Project):
        return source
    if isinstance(source, Mapping):
        return Project.from_dict(source)
    if isinstance(source, (str, os.PathLike)) and Path(source).suffix.lower() == ".json":
        return Project.from_file(source)
    return None


def _target_of(body: Mapping[str, Any], target: float, options: SubmitOptions) -> dict[str, Any]:
    if not 0 < target < 1:
        raise ProjectError("target", f"must be a fraction between 0 and 1, such as 0.01 for 1 %, not {target!r}")
    most = options.get("max_primaries")
    if most is None:
        raise ProjectError("max_primaries", "must be given with a target: the job ends with these in any case")
    page = options.get("target_page")
    return {
        "estimator": options.get("target_estimator") or _target_estimator(body),
        "relative_error": target,
        "max_primaries": whole("max_primaries", most, 10),
        **({} if page is None else {"page": whole("target_page", page, 1)}),
    }


def _target_estimator(body: Mapping[str, Any]) -> str:
    """The only output of the project, or the only one with a dose."""
    if body["input_type"] == "files":
        raise ProjectError("target", "is for projects: a deck does not say what it scores")
    outputs = Project.from_dict(body["sim_data"]).outputs
    doses = [name for name, keywords in outputs.items() if any(keyword in _DOSES for keyword in keywords)]
    names = list(outputs) if len(outputs) == 1 else doses
    if len(names) != 1:
        raise ProjectError(
            "target_estimator", f"must be one of {', '.join(outputs) or 'none: the project scores nothing'}"
        )
    return names[0]


def _place(body: dict[str, Any], options: SubmitOptions) -> Submission:
    cluster, scheduler = options.get("cluster"), options.get("scheduler_options")
    if cluster is None:
        if scheduler is not None:
            raise ProjectError("scheduler_options", "is for jobs of a cluster: give cluster, too")
        return Submission(body, "direct")
    batch = {
        **({} if cluster == "default" else {"cluster_name": cluster}),
        **({} if scheduler is None else {"scheduler_options": json.loads(json.dumps(dict(scheduler)))}),
    }
    return Submission({**body, "batch_options": batch}, "batch")
