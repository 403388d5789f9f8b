# Generated from _async/client.py by `pnpm gen`; not to be edited.
"""A service, as one of its users sees it."""

from __future__ import annotations

import getpass
import socket
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from types import TracebackType
from typing import Any, cast

import httpx
from typing_extensions import Unpack

from .._credentials import Secret, find_token, find_url, write_config
from .._generated import models
from .._problems import ProjectError, TallyError, TooManyRequests
from .._submission import Simulator, Source, Submission, SubmitOptions, read_submission
from ..comparison import Comparison
from ..kept import Template
from ..project import Project
from ..sweep_table import combinations
from .api import Api
from .device_flow import sign_in_by_device
from .job import Job
from .kept import Projects, Templates
from .sweep import Sweep
from .transport import Transport

_LIST_PAGE_SIZE = 100
_TITLE_LENGTH_MAX = 256


class Client:
    """A service, by the token of a user.

    :param url: else ``TALLY_URL``, what ``tally login`` has kept, or this machine
    :param token: else ``TALLY_TOKEN``, or what ``tally login`` or :meth:`sign_in` has kept for this address
    :param timeout: seconds that a step of an answer may take
    :param retries: how often a request that may be repeated is sent again after a fault
    :param verify: an ``ssl.SSLContext`` for a private certificate authority (``SSL_CERT_FILE`` works, too)

    ``client.api`` has every route of the service as it is; ``client.projects`` keeps projects, ``client.templates`` has some to begin
    with.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 5,
        verify: Any = True,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = find_url(url)
        self._transport = Transport(
            self.url,
            find_token(self.url, token),
            timeout=timeout,
            retries=retries,
            verify=verify,
            transport=transport,
        )
        self.api = Api(self._transport)
        self.projects = Projects(self.api)
        self.templates = Templates(self.api)

    @classmethod
    def sign_in(
        cls,
        url: str | None = None,
        *,
        username: str | None = None,
        password: str | None = None,
        sso_token: str | None = None,
        days: float = 90,
        keep: bool = True,
        show: Callable[[str], object] = print,
        **connection: Any,
    ) -> Client:
        """Makes a token and gives a client that uses it: next time, ``Client()`` alone will do.

        With ``username`` by password, which is asked for unless given; with ``sso_token``, a token of the realm; else through
        single sign-on by a code that the user enters in a browser (RFC 8628), which ``show`` tells.

        :param days: how long the token is valid
        :param keep: keeps it where ``tally login`` does, in a file that its owner alone can read
        :raises TallyError: the service has no such sign-on, or the user declines
        """
        address = find_url(url)
        session = Transport(address, None, **connection)
        try:
            api = Api(session)
            if username is not None:
                secret = getpass.getpass() if password is None else password
                api.post_auth_login({"username": username, "password": secret})
            else:
                if sso_token is None:
                    realm = (api.get_auth_sso())["sso"]
                    sso_token = sign_in_by_device(
                        cast("Mapping[str, Any] | None", realm), show, **_tls(connection)
                    )
                api.post_auth_sso({"sso_token": sso_token.strip()})
            try:
                ends = datetime.now(timezone.utc) + timedelta(days=days)
                made = api.post_auth_tokens(
                    {
                        "name": f"Python on {socket.gethostname()}"[:128],
                        "scopes": ["read", "submit"],
                        "expires_at": ends.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                    }
                )
            finally:
                api.delete_auth_logout()
        finally:
            session.close()
        if keep:
            write_config(address, Secret(made["token"]))
        return cls(address, made["token"], **connection)

    def reveal_token(self) -> str:
        """The token as text, for another program's environment. :raises TallyError: there is none"""
        if self._transport.token is None:
            raise TallyError("there is no token")
        return self._transport.token.reveal()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connections."""
        self._transport.close()

    def submit(
        self,
        project: Source,
        *,
        simulator: Simulator = "simA",
        tasks: int = 1,
        primaries: float | None = None,
        seed: int | None = None,
        title: str | None = None,
        target: float | None = None,
        max_primaries: float | None = None,
        target_estimator: str | None = None,
        target_page: int | None = None,
        omit_unsupported: bool = False,
        cluster: str | None = None,
        scheduler_options: Mapping[str, Any] | None = None,
        group: str | None = None,
    ) -> Job:
        """Submits a project, or a deck. The job exists once, whatever happens to the connection.

        :param project: a :class:`Project`, its JSON, or the path of a .json file; or a deck: a folder, or several files
        :param tasks: how many run in parallel; readings have errors from four on
        :param primaries: instead of those of the project
        :param seed: of the random numbers; the same seed gives the same result for any number of tasks
        :param target: go on until the relative error of the results is this fraction (0.01: 1 %), with at most ``max_primaries``;
            of ``target_estimator`` (unless given the only one, or the only one with a dose), and of ``target_page`` (all)
        :param omit_unsupported: leaves out quantities that the simulator cannot score
        :param cluster: runs there; ``"default"`` is the default one
        :param group: the id of a group of yours that the job is given to: its members see it
        :raises ProjectError: before anything is sent
        :raises ApiError: what the service says; ``fields`` names every wrong place of the project
        """
        options: SubmitOptions = {
            "simulator": simulator,
            "tasks": tasks,
            "primaries": primaries,
            "seed": seed,
            "title": title,
            "target": target,
            "max_primaries": max_primaries,
            "target_estimator": target_estimator,
            "target_page": target_page,
            "omit_unsupported": omit_unsupported,
            "cluster": cluster,
            "scheduler_options": scheduler_options,
            "group": group,
        }
        return self._send(read_submission(project, options))

    def _send(self, submission: Submission) -> Job:
        if submission.platform == "batch":
            answer = self.api.post_jobs_batch(cast(models.PostJobsBatchBody, submission.body))
        else:
            answer = self.api.post_jobs_direct(cast(models.PostJobsDirectBody, submission.body))
        warnings = [one["message"] for one in answer.get("warnings", [])]
        return Job(
            self._transport,
            answer["job_id"],
            platform=submission.platform,
            seed=int(answer["seed"]),
            warnings=warnings,
        )

    def estimate(self, project: Source, **options: Unpack[SubmitOptions]) -> models.PostEstimateAnswer:
        """How long it would take on each simulator, with the options of :meth:`submit`; nothing is stored."""
        submission = read_submission(project, options)
        body = {**submission.body, "platform": submission.platform}
        return self.api.post_estimate(cast(models.PostEstimateBody, body))

    def job(self, job_id: str) -> Job:
        """A job by its id; whether there is one, the first request says."""
        return Job(self._transport, job_id)

    def jobs(
        self, *, state: models.State | None = None, search: str | None = None, limit: int = 100
    ) -> list[models.GetUserSimulationsAnswerSimulationsItem]:
        """The user's jobs, the newest first, as the service lists them; ``client.job(one["job_id"])`` is one of them.

        ``search`` has terms that all must hold, such as ``"depth tag:qa particle:proton energy:100..200 is:favourite"``.
        """
        found: list[models.GetUserSimulationsAnswerSimulationsItem] = []
        page = 1
        while len(found) < limit:
            answer = self.api.get_user_simulations(
                page_size=_LIST_PAGE_SIZE, page_idx=page, job_state=state, search=search
            )
            found += answer["simulations"]
            if page >= answer["page_count"]:
                break
            page += 1
        return found[:limit]

    def sweep(
        self,
        project: Project | Template | Mapping[str, Any] | str,
        values: Mapping[str, Iterable[Any]],
        **options: Unpack[SubmitOptions],
    ) -> Sweep:
        """Submits a job for every value, for every combination where several places change, with the options of :meth:`submit`.

        ``client.sweep(project, {"beam.energy": range(70, 231, 10)}, tasks=4).wait().table()``. All are checked before the first is
        sent. Where the quota of open jobs is used up, it waits for those that it has submitted. The values of a template are those of
        its parameters: ``client.sweep(template, {"energy": [120, 150]})``.
        """
        base = project if isinstance(project, (Project, Template)) else _read_project(project)
        title = options.get("title") or base.title or "Sweep"
        chosen = combinations(values)
        ready = []
        for one in chosen:
            changed = _with_values(base, one)
            label = f"{title} [{', '.join(f'{name}={value}' for name, value in one.items())}]"
            ready.append(read_submission(changed, {**options, "title": label[:_TITLE_LENGTH_MAX]}))
        sweep = {"id": uuid.uuid4().hex, "size": len(ready)}
        jobs: list[Job] = []
        for submission in ready:
            submission.body["sweep"] = sweep
            jobs.append(self._send_when_free(submission, jobs))
        return Sweep(self._transport, chosen, jobs)

    def _send_when_free(self, submission: Submission, before: Sequence[Job]) -> Job:
        waiting = list(before)
        while True:
            try:
                return self._send(submission)
            except TooManyRequests as fault:
                if fault.code != "QUOTA_EXCEEDED" or not waiting:
                    raise
                waiting.pop(0).wait(progress=False, check=False)

    def compare(
        self,
        job: Job | str,
        other: Job | str,
        *,
        estimator: str | None = None,
        page: int | None = None,
        dose_percent: float = 2,
        distance_mm: float = 1,
        cutoff_percent: float = 10,
    ) -> Comparison:
        """How the results of another job differ from those of this one: the other less this one, χ², gamma, readings."""
        ids: list[str] = [one if isinstance(one, str) else one.id for one in (job, other)]
        return Comparison(
            self.api.get_results_compare(
                job_id=ids[0],
                with_=ids[1],
                estimator_name=estimator,
                page_number=page,
                gamma_dose_percent=dose_percent,
                gamma_distance_mm=distance_mm,
                gamma_cutoff_percent=cutoff_percent,
            )
        )


def _tls(connection: Mapping[str, Any]) -> dict[str, Any]:
    return {name: connection[name] for name in ("verify", "transport") if name in connection}


def _with_values(base: Project | Template, values: Mapping[str, Any]) -> Project:
    if isinstance(base, Template):
        return base.project(values)
    for path, value in values.items():
        base = base.set(path, value)
    return base


def _read_project(project: Mapping[str, Any] | str) -> Project:
    if isinstance(project, Mapping):
        return Project.from_dict(project)
    if not str(project).lower().endswith(".json"):
        raise ProjectError("project", "must be a project of the editor (.json)")
    return Project.from_file(project)
