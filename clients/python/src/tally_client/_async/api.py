# Generated from the OpenAPI document by `pnpm gen`; not to be edited.
"""Every route of the service."""

from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, Union, cast

import httpx

from .._generated import models
from .transport import AsyncTransport


class AsyncApi:
    """The routes of the service, one method each, named after method and path.

    They take and give the JSON of the service as it is, typed; docs/http-interface.md tells what holds for all. What is
    not JSON is a stream: async with api.get_results_file(…) as response.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get_root(self) -> models.GetRootAnswer:
        """Name and version."""
        answer = await self._transport.json(
            "GET",
            "/",
            repeatable=True,
        )
        return cast(models.GetRootAnswer, answer)

    async def get_livez(self) -> models.GetLivezAnswer:
        """Liveness."""
        answer = await self._transport.json(
            "GET",
            "/livez",
            repeatable=True,
        )
        return cast(models.GetLivezAnswer, answer)

    async def get_readyz(self) -> models.GetReadyzAnswer:
        """Readiness, with every dependency."""
        answer = await self._transport.json(
            "GET",
            "/readyz",
            repeatable=True,
        )
        return cast(models.GetReadyzAnswer, answer)

    async def get_limits(self) -> models.GetLimitsAnswer:
        """Limits of requests and answers, and quotas of a user.

        Without the quotas while `jobs`, which knows them, does not answer; `message` says so.
        """
        answer = await self._transport.json(
            "GET",
            "/limits",
            repeatable=True,
        )
        return cast(models.GetLimitsAnswer, answer)

    async def get_openapi_json(self) -> models.GetOpenapiJsonAnswer:
        """This document.

        OpenAPI 3.1. For people: `GET /docs`.
        """
        answer = await self._transport.json(
            "GET",
            "/openapi.json",
            repeatable=True,
        )
        return cast(models.GetOpenapiJsonAnswer, answer)

    async def get_schemas_project_json(self) -> models.GetSchemasProjectJsonAnswer:
        """JSON Schema of projects.

        Draft 2020-12, of the newest form of the editor's format, with titles, units (`x-unit`) and limits, made from
        the schemas that submissions are read by. References between parts are checked by submissions and estimates
        alone.
        """
        answer = await self._transport.json(
            "GET",
            "/schemas/project.json",
            repeatable=True,
        )
        return cast(models.GetSchemasProjectJsonAnswer, answer)

    async def get_simulators(self) -> models.GetSimulatorsAnswer:
        """Simulators of this deployment."""
        answer = await self._transport.json(
            "GET",
            "/simulators",
            repeatable=True,
        )
        return cast(models.GetSimulatorsAnswer, answer)

    async def get_templates(self) -> models.GetTemplatesAnswer:
        """Templates of projects, with their parameters."""
        answer = await self._transport.json(
            "GET",
            "/templates",
            repeatable=True,
        )
        return cast(models.GetTemplatesAnswer, answer)

    async def get_templates_template(self, *, name: str) -> models.GetTemplatesTemplateAnswer:
        """A template with its project.

        Clients make a project of it: each target of a parameter gets `value · scale + offset`, and terms of several
        parameters for one place are added.
        """
        answer = await self._transport.json(
            "GET",
            "/templates/template",
            params={"name": name},
            repeatable=True,
        )
        return cast(models.GetTemplatesTemplateAnswer, answer)

    async def put_auth_register(self, body: models.PutAuthRegisterBody) -> models.PutAuthRegisterAnswer:
        """Register a local user.

        A user name has 1 to 128 characters without control characters. A password has at least 8 characters and at
        most 72 bytes of UTF-8.
        """
        answer = await self._transport.json(
            "PUT",
            "/auth/register",
            body=body,
            repeatable=True,
        )
        return cast(models.PutAuthRegisterAnswer, answer)

    async def post_auth_login(self, body: models.PostAuthLoginBody) -> models.PostAuthLoginAnswer:
        """Log in with user name and password."""
        answer = await self._transport.json(
            "POST",
            "/auth/login",
            body=body,
        )
        return cast(models.PostAuthLoginAnswer, answer)

    async def get_auth_refresh(self) -> models.GetAuthRefreshAnswer:
        """New access token."""
        answer = await self._transport.json(
            "GET",
            "/auth/refresh",
            repeatable=True,
        )
        return cast(models.GetAuthRefreshAnswer, answer)

    async def get_auth_status(self) -> models.GetAuthStatusAnswer:
        """Current user.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/auth/status",
            repeatable=True,
        )
        return cast(models.GetAuthStatusAnswer, answer)

    async def delete_auth_logout(self) -> models.DeleteAuthLogoutAnswer:
        """Log out.

        By whichever of the two tokens is valid: an access token that has expired does not keep anybody from logging
        out. Whatever the answer, both cookies are taken away from who sent one.
        """
        answer = await self._transport.json(
            "DELETE",
            "/auth/logout",
            repeatable=True,
        )
        return cast(models.DeleteAuthLogoutAnswer, answer)

    async def post_auth_password_reset(
        self,
        body: models.PostAuthPasswordResetBody,
    ) -> models.PostAuthPasswordResetAnswer:
        """Ask for a link to a new password.

        The link is mailed to the confirmed address of the local user. The answer is the same, and takes equally long,
        whether or not there is such a user.
        """
        answer = await self._transport.json(
            "POST",
            "/auth/password-reset",
            body=body,
        )
        return cast(models.PostAuthPasswordResetAnswer, answer)

    async def post_auth_password_reset_confirm(
        self,
        body: models.PostAuthPasswordResetConfirmBody,
    ) -> models.PostAuthPasswordResetConfirmAnswer:
        """Set a new password by a link.

        A link works once, within an hour. Afterwards all sessions of the user have ended, and the tokens that end
        with them.
        """
        answer = await self._transport.json(
            "POST",
            "/auth/password-reset/confirm",
            body=body,
        )
        return cast(models.PostAuthPasswordResetConfirmAnswer, answer)

    async def post_auth_email_confirm(
        self,
        body: models.PostAuthEmailConfirmBody,
    ) -> models.PostAuthEmailConfirmAnswer:
        """Confirm an address by a link.

        A link works once, within a day. Its address becomes that of its user.
        """
        answer = await self._transport.json(
            "POST",
            "/auth/email/confirm",
            body=body,
        )
        return cast(models.PostAuthEmailConfirmAnswer, answer)

    async def get_auth_sso(self) -> models.GetAuthSsoAnswer:
        """How to sign in through single sign-on.

        With `client_id`: send a browser to `authorization_endpoint` (authorization code with PKCE) and what it brings
        back to `POST /auth/sso/code`; or begin at `device_authorization_endpoint` (RFC 8628) and bring the access
        token to `POST /auth/sso`.
        """
        answer = await self._transport.json(
            "GET",
            "/auth/sso",
            repeatable=True,
        )
        return cast(models.GetAuthSsoAnswer, answer)

    async def post_auth_sso(self, body: models.PostAuthSsoBody) -> models.PostAuthSsoAnswer:
        """Log in with a token of the single sign-on realm."""
        answer = await self._transport.json(
            "POST",
            "/auth/sso",
            body=body,
        )
        return cast(models.PostAuthSsoAnswer, answer)

    async def delete_auth_sso(self) -> models.DeleteAuthSsoAnswer:
        """Log out of a single sign-on session.

        By whichever of the two tokens is valid: an access token that has expired does not keep anybody from logging
        out. Whatever the answer, both cookies are taken away from who sent one.
        """
        answer = await self._transport.json(
            "DELETE",
            "/auth/sso",
            repeatable=True,
        )
        return cast(models.DeleteAuthSsoAnswer, answer)

    async def post_auth_sso_code(self, body: models.PostAuthSsoCodeBody) -> models.PostAuthSsoCodeAnswer:
        """Log in with an authorization code of the single sign-on realm."""
        answer = await self._transport.json(
            "POST",
            "/auth/sso/code",
            body=body,
        )
        return cast(models.PostAuthSsoCodeAnswer, answer)

    async def get_auth_sessions(self) -> models.GetAuthSessionsAnswer:
        """List your sessions."""
        answer = await self._transport.json(
            "GET",
            "/auth/sessions",
            repeatable=True,
        )
        return cast(models.GetAuthSessionsAnswer, answer)

    async def delete_auth_sessions(self, *, session_id: Union[str, None] = None) -> models.DeleteAuthSessionsAnswer:
        """End your sessions.

        All of them, this one, too, and the API tokens made to end with them; or the one that is named. One that has
        ended already, or is not yours, is left as it is.
        """
        answer = await self._transport.json(
            "DELETE",
            "/auth/sessions",
            params={"session_id": session_id},
            repeatable=True,
        )
        return cast(models.DeleteAuthSessionsAnswer, answer)

    async def post_auth_tokens(self, body: models.PostAuthTokensBody) -> models.PostAuthTokensAnswer:
        """Make an API token for scripts.

        Scripts send it as `Authorization: Bearer tly_…`; no cookie is then looked at. A token acts for you within its
        scopes, and never on accounts, sessions or tokens.
        """
        answer = await self._transport.json(
            "POST",
            "/auth/tokens",
            body=body,
        )
        return cast(models.PostAuthTokensAnswer, answer)

    async def get_auth_tokens(self) -> models.GetAuthTokensAnswer:
        """List your API tokens."""
        answer = await self._transport.json(
            "GET",
            "/auth/tokens",
            repeatable=True,
        )
        return cast(models.GetAuthTokensAnswer, answer)

    async def delete_auth_tokens(self, *, token_id: str) -> models.DeleteAuthTokensAnswer:
        """End an API token."""
        answer = await self._transport.json(
            "DELETE",
            "/auth/tokens",
            params={"token_id": token_id},
            repeatable=True,
        )
        return cast(models.DeleteAuthTokensAnswer, answer)

    async def post_groups(self, body: models.PostGroupsBody) -> models.PostGroupsAnswer:
        """Make a group.

        You are its manager. Jobs and projects are given to a group by their owners, one by one.
        """
        answer = await self._transport.json(
            "POST",
            "/groups",
            body=body,
        )
        return cast(models.PostGroupsAnswer, answer)

    async def get_groups(self) -> models.GetGroupsAnswer:
        """List your groups.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/groups",
            repeatable=True,
        )
        return cast(models.GetGroupsAnswer, answer)

    async def put_groups(self, body: models.PutGroupsBody) -> models.PutGroupsAnswer:
        """Rename a group."""
        answer = await self._transport.json(
            "PUT",
            "/groups",
            body=body,
            repeatable=True,
        )
        return cast(models.PutGroupsAnswer, answer)

    async def delete_groups(self, *, group_id: str) -> models.DeleteGroupsAnswer:
        """Delete a group.

        Its jobs and projects stay with their owners, and its members lose what they saw through it.
        """
        answer = await self._transport.json(
            "DELETE",
            "/groups",
            params={"group_id": group_id},
            repeatable=True,
        )
        return cast(models.DeleteGroupsAnswer, answer)

    async def post_groups_members(self, body: models.PostGroupsMembersBody) -> models.PostGroupsMembersAnswer:
        """Add a user to a group."""
        answer = await self._transport.json(
            "POST",
            "/groups/members",
            body=body,
        )
        return cast(models.PostGroupsMembersAnswer, answer)

    async def get_groups_members(self, *, group_id: str) -> models.GetGroupsMembersAnswer:
        """List who is in a group.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/groups/members",
            params={"group_id": group_id},
            repeatable=True,
        )
        return cast(models.GetGroupsMembersAnswer, answer)

    async def put_groups_members(self, body: models.PutGroupsMembersBody) -> models.PutGroupsMembersAnswer:
        """Change the role of a member."""
        answer = await self._transport.json(
            "PUT",
            "/groups/members",
            body=body,
            repeatable=True,
        )
        return cast(models.PutGroupsMembersAnswer, answer)

    async def delete_groups_members(
        self,
        *,
        group_id: str,
        user_id: Union[int, None] = None,
    ) -> models.DeleteGroupsMembersAnswer:
        """Remove a member, or leave a group."""
        answer = await self._transport.json(
            "DELETE",
            "/groups/members",
            params={"group_id": group_id, "user_id": user_id},
            repeatable=True,
        )
        return cast(models.DeleteGroupsMembersAnswer, answer)

    async def post_estimate(self, body: models.PostEstimateBody) -> models.PostEstimateAnswer:
        """Estimate a job before it is submitted.

        Takes the body of a submission, checks it as `POST /jobs/direct` does, and stores nothing. Seconds are those
        of the runners of this deployment, from a model of each simulator and what the last jobs took. With `platform`
        `batch` they are those of the cluster of `batch_options`, which users of single sign-on may ask for: from what
        jobs took there, else from those of elsewhere; its queue is not known. Between `low` and `high` are about two
        of three jobs.

        API tokens need the scope `submit`.
        """
        answer = await self._transport.json(
            "POST",
            "/estimate",
            body=body,
            repeatable=True,
        )
        return cast(models.PostEstimateAnswer, answer)

    async def post_jobs_direct(
        self,
        body: models.PostJobsDirectBody,
        *,
        idempotency_key: Union[Union[Literal[""], str], None] = None,
    ) -> models.PostJobsDirectAnswer:
        """Submit a direct job.

        The primaries are divided among `ntasks` tasks: ⌊N/n⌋ each, and one more for the first N mod n. The same
        `seed` gives the same result for any `ntasks`. `sim_data` is kept as it was written.

        API tokens need the scope `submit`.
        """
        answer = await self._transport.json(
            "POST",
            "/jobs/direct",
            headers={"Idempotency-Key": idempotency_key},
            body=body,
            repeatable=True,
        )
        return cast(models.PostJobsDirectAnswer, answer)

    async def get_jobs_direct(
        self,
        *,
        job_id: str,
        x_share_link: Union[str, None] = None,
    ) -> models.GetJobsDirectAnswer:
        """Status of a direct job.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/jobs/direct",
            params={"job_id": job_id},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetJobsDirectAnswer, answer)

    async def delete_jobs_direct(self, *, job_id: str) -> models.DeleteJobsDirectAnswer:
        """Cancel a direct job.

        API tokens need the scope `submit`.

        Also on another user's that is of a group in which you are member or manager.
        """
        answer = await self._transport.json(
            "DELETE",
            "/jobs/direct",
            params={"job_id": job_id},
            repeatable=True,
        )
        return cast(models.DeleteJobsDirectAnswer, answer)

    async def post_jobs_direct_stop(self, *, job_id: str) -> models.PostJobsDirectStopAnswer:
        """Stop a direct job early and keep what it has.

        Ends the job early and keeps what it has. Tasks that wait are not run; those that run end after the history
        that they are at and hand over what they have simulated, as the built-in engine and some simulators can, or
        are not counted. The job is then merged and COMPLETED, with `stopped` and the primaries that were really
        simulated; values and errors are per these. A job of which nothing was simulated by then is CANCELED. A job of
        which all tasks have ended is left as it is.

        API tokens need the scope `submit`.

        Also on another user's that is of a group in which you are member or manager.
        """
        answer = await self._transport.json(
            "POST",
            "/jobs/direct/stop",
            params={"job_id": job_id},
            repeatable=True,
        )
        return cast(models.PostJobsDirectStopAnswer, answer)

    async def post_jobs_direct_extend(
        self,
        body: models.PostJobsDirectExtendBody,
        *,
        idempotency_key: Union[Union[Literal[""], str], None] = None,
    ) -> models.PostJobsDirectExtendAnswer:
        """Add primaries to a direct job that is COMPLETED.

        Gives a COMPLETED job further primaries, on histories that it has not simulated. The job is PENDING again;
        when its new tasks have ended, the results are merged anew from the outputs of all tasks: of the built-in
        engine the same values and errors, to the last bit, as of a job that was submitted with all these primaries
        and the same seed. Until then the earlier results stay, also when the job is cancelled meanwhile. A job that
        was stopped can be extended, too; what it did not simulate then stays left out.

        API tokens need the scope `submit`.

        Also on another user's that is of a group in which you are member or manager.
        """
        answer = await self._transport.json(
            "POST",
            "/jobs/direct/extend",
            headers={"Idempotency-Key": idempotency_key},
            body=body,
            repeatable=True,
        )
        return cast(models.PostJobsDirectExtendAnswer, answer)

    async def post_jobs_batch(
        self,
        body: models.PostJobsBatchBody,
        *,
        idempotency_key: Union[Union[Literal[""], str], None] = None,
    ) -> models.PostJobsBatchAnswer:
        """Submit a batch job.

        The primaries are divided among `ntasks` tasks: ⌊N/n⌋ each, and one more for the first N mod n. The same
        `seed` gives the same result for any `ntasks`. `sim_data` is kept as it was written. The answer comes when the
        cluster has the job, or refuses it, or after a while: the job then goes on by itself, and `waiting_reason` of
        GET /jobs/batch has the reason. When the cluster refuses it, the job stays as FAILED, with the words of the
        cluster in its log `submission`.

        For users who logged in through single sign-on.

        API tokens need the scope `submit`.
        """
        answer = await self._transport.json(
            "POST",
            "/jobs/batch",
            headers={"Idempotency-Key": idempotency_key},
            body=body,
            repeatable=True,
        )
        return cast(models.PostJobsBatchAnswer, answer)

    async def get_jobs_batch(
        self,
        *,
        job_id: str,
        x_share_link: Union[str, None] = None,
    ) -> models.GetJobsBatchAnswer:
        """Status of a batch job.

        For users who logged in through single sign-on.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/jobs/batch",
            params={"job_id": job_id},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetJobsBatchAnswer, answer)

    async def delete_jobs_batch(self, *, job_id: str) -> models.DeleteJobsBatchAnswer:
        """Cancel a batch job.

        For users who logged in through single sign-on.

        API tokens need the scope `submit`.

        Also on another user's that is of a group in which you are member or manager.
        """
        answer = await self._transport.json(
            "DELETE",
            "/jobs/batch",
            params={"job_id": job_id},
            repeatable=True,
        )
        return cast(models.DeleteJobsBatchAnswer, answer)

    async def post_jobs_batch_stop(self, *, job_id: str) -> models.PostJobsBatchStopAnswer:
        """Stop a batch job early and keep what it has.

        Ends the job early and keeps what it has. Tasks that wait are not run; those that run end after the history
        that they are at and hand over what they have simulated, as the built-in engine and some simulators can, or
        are not counted. The job is then merged and COMPLETED, with `stopped` and the primaries that were really
        simulated; values and errors are per these. A job of which nothing was simulated by then is CANCELED. A job of
        which all tasks have ended is left as it is.

        For users who logged in through single sign-on.

        API tokens need the scope `submit`.

        Also on another user's that is of a group in which you are member or manager.
        """
        answer = await self._transport.json(
            "POST",
            "/jobs/batch/stop",
            params={"job_id": job_id},
            repeatable=True,
        )
        return cast(models.PostJobsBatchStopAnswer, answer)

    async def post_jobs_batch_extend(
        self,
        body: models.PostJobsBatchExtendBody,
        *,
        idempotency_key: Union[Union[Literal[""], str], None] = None,
    ) -> models.PostJobsBatchExtendAnswer:
        """Add primaries to a batch job that is COMPLETED.

        Gives a COMPLETED job further primaries, on histories that it has not simulated. The job is PENDING again;
        when its new tasks have ended, the results are merged anew from the outputs of all tasks: of the built-in
        engine the same values and errors, to the last bit, as of a job that was submitted with all these primaries
        and the same seed. Until then the earlier results stay, also when the job is cancelled meanwhile. A job that
        was stopped can be extended, too; what it did not simulate then stays left out. Its new tasks run on the
        cluster and with the scheduler options that it was submitted with.

        For users who logged in through single sign-on.

        API tokens need the scope `submit`.

        Also on another user's that is of a group in which you are member or manager.
        """
        answer = await self._transport.json(
            "POST",
            "/jobs/batch/extend",
            headers={"Idempotency-Key": idempotency_key},
            body=body,
            repeatable=True,
        )
        return cast(models.PostJobsBatchExtendAnswer, answer)

    async def get_jobs(self, *, job_id: str, x_share_link: Union[str, None] = None) -> models.GetJobsAnswer:
        """Status of a job of either platform.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/jobs",
            params={"job_id": job_id},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetJobsAnswer, answer)

    async def post_jobs(self, body: models.PostJobsBody) -> models.PostJobsAnswer:
        """Worker: update a job.

        For workers: authenticated by the member `update_key` of the body, without a session.
        """
        answer = await self._transport.json(
            "POST",
            "/jobs",
            body=body,
        )
        return cast(models.PostJobsAnswer, answer)

    def get_jobs_crate(
        self,
        *,
        job_id: str,
        format: Union[Literal["hdf5", "npz", "csv"], None] = None,
        license: Union[str, None] = None,
        x_share_link: Union[str, None] = None,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """A job as an RO-Crate.

        A zip by the profile Workflow Run RO-Crate: the submission, the project, the deck, the results in one format,
        and `ro-crate-metadata.json` with seed, versions, machines, times, agent and the SHA-256 of each file
        (docs/results.md).

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        return self._transport.stream("GET", "/jobs/crate", params={"job_id": job_id, "format": format, "license": license}, headers={"X-Share-Link": x_share_link})

    async def put_jobs_labels(self, body: models.PutJobsLabelsBody) -> models.PutJobsLabelsAnswer:
        """Change the title, tags or note of a job, or make it a favourite or archived.

        In any state of the job; what is not given stays as it is. With `revision` the change is made only if nobody
        has made another one since: else 409 with the labels as they are, and nothing is stored. A repeat gets the
        first answer.

        API tokens need the scope `submit`.

        Also on another user's that is of a group in which you are member or manager.
        """
        answer = await self._transport.json(
            "PUT",
            "/jobs/labels",
            body=body,
            repeatable=True,
        )
        return cast(models.PutJobsLabelsAnswer, answer)

    def get_jobs_events(
        self,
        *,
        job_id: Union[str, None] = None,
        last_event_id: Union[str, None] = None,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Changes of the user's jobs and tasks, as server-sent events.

        Open it, wait for `ready`, then submit or read states: from then on every change is sent. A client that comes
        again sends the last id it has seen as `Last-Event-ID` (browsers do it by themselves): it misses nothing and
        gets nothing twice. The stream ends with the access token that it was opened with, at a logout, and when the
        service restarts: refresh the token if need be and come again.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        return self._transport.stream("GET", "/jobs/events", params={"job_id": job_id}, headers={"Last-Event-ID": last_event_id})

    async def get_results(
        self,
        *,
        job_id: str,
        estimator_name: Union[str, None] = None,
        page_number: Union[int, None] = None,
        page_numbers: Union[str, None] = None,
        axis: Union[str, None] = None,
        index: Union[str, None] = None,
        sum: Union[str, None] = None,
        effective_histories: Union[Literal["true", "false"], None] = None,
        description: Union[Literal["true", "false"], None] = None,
        unit: Union[Literal["keV/um", "MeV/cm", "Gy", "cGy", "mGy", "MeV/g"], None] = None,
        scale: Union[float, None] = None,
        x_share_link: Union[str, None] = None,
    ) -> models.GetResultsAnswer:
        """Results of a job.

        JSON, or by `Accept` or `format` a file (docs/results.md). Parts of pages: `axis=2&index=40` is a plane,
        `axis=2&index=10-20` what lies between, `sum=0,1` the sum over two axes.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/results",
            params={
                "job_id": job_id,
                "estimator_name": estimator_name,
                "page_number": page_number,
                "page_numbers": page_numbers,
                "axis": axis,
                "index": index,
                "sum": sum,
                "effective_histories": effective_histories,
                "description": description,
                "unit": unit,
                "scale": scale,
            },
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetResultsAnswer, answer)

    def get_results_file(
        self,
        *,
        job_id: str,
        estimator_name: Union[str, None] = None,
        page_number: Union[int, None] = None,
        page_numbers: Union[str, None] = None,
        axis: Union[str, None] = None,
        index: Union[str, None] = None,
        sum: Union[str, None] = None,
        effective_histories: Union[Literal["true", "false"], None] = None,
        description: Union[Literal["true", "false"], None] = None,
        unit: Union[Literal["keV/um", "MeV/cm", "Gy", "cGy", "mGy", "MeV/g"], None] = None,
        format: Union[Literal["json", "csv", "hdf5", "npz", "dicom", "float64"], None] = None,
        scale: Union[float, None] = None,
        x_share_link: Union[str, None] = None,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Results of a job.

        JSON, or by `Accept` or `format` a file (docs/results.md). Parts of pages: `axis=2&index=40` is a plane,
        `axis=2&index=10-20` what lies between, `sum=0,1` the sum over two axes.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        return self._transport.stream("GET", "/results", params={
                "job_id": job_id,
                "estimator_name": estimator_name,
                "page_number": page_number,
                "page_numbers": page_numbers,
                "axis": axis,
                "index": index,
                "sum": sum,
                "effective_histories": effective_histories,
                "description": description,
                "unit": unit,
                "format": format,
                "scale": scale,
            }, headers={"X-Share-Link": x_share_link})

    async def post_results(
        self,
        body: models.PostResultsBody,
        *,
        authorization: Union[str, None] = None,
        x_job_id: Union[str, None] = None,
    ) -> models.PostResultsAnswer:
        """Worker: upload results.

        Without `task_id`: the final results, stored whole or not at all; then the job is COMPLETED, or FAILED with
        partial results when some of its tasks failed. A task that a worker called FAILED without saying why did not
        fail after all, unless histories are missing by `primaries`. With `task_id` and `primaries`: the output of one
        task, values per primary, which the service merges with those of the others; send it before the task is
        COMPLETED. A tool of the service sends it as `task_output`. What comes too late is dropped, with a line in the
        log `submission`.

        For workers: authenticated by the member `update_key` of the body, without a session.
        """
        answer = await self._transport.json(
            "POST",
            "/results",
            headers={"Authorization": authorization, "X-Job-ID": x_job_id},
            body=body,
        )
        return cast(models.PostResultsAnswer, answer)

    async def get_results_compare(
        self,
        *,
        job_id: str,
        with_: str,
        estimator_name: Union[str, None] = None,
        page_number: Union[int, None] = None,
        page_numbers: Union[str, None] = None,
        gamma_dose_percent: Union[float, None] = None,
        gamma_distance_mm: Union[float, None] = None,
        gamma_cutoff_percent: Union[float, None] = None,
        gamma_map: Union[Literal["true", "false"], None] = None,
        x_share_link: Union[str, None] = None,
    ) -> models.GetResultsCompareAnswer:
        """Compare the results of two jobs.

        Pages belong together by estimator and name, and are compared where unit and axes are the same. Differences
        are the job `with` less `job_id`; errors are those of independent jobs. Curves have differences of their
        readings; pages over one to three axes in space a gamma pass rate, `job_id` being the reference.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/results/compare",
            params={
                "job_id": job_id,
                "with": with_,
                "estimator_name": estimator_name,
                "page_number": page_number,
                "page_numbers": page_numbers,
                "gamma_dose_percent": gamma_dose_percent,
                "gamma_distance_mm": gamma_distance_mm,
                "gamma_cutoff_percent": gamma_cutoff_percent,
                "gamma_map": gamma_map,
            },
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetResultsCompareAnswer, answer)

    async def get_estimators(
        self,
        *,
        job_id: str,
        x_share_link: Union[str, None] = None,
    ) -> models.GetEstimatorsAnswer:
        """Estimators and pages of a job, without numbers.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/estimators",
            params={"job_id": job_id},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetEstimatorsAnswer, answer)

    async def get_inputs(self, *, job_id: str, x_share_link: Union[str, None] = None) -> models.GetInputsAnswer:
        """Inputs of a job.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/inputs",
            params={"job_id": job_id},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetInputsAnswer, answer)

    async def get_logfiles(self, *, job_id: str, x_share_link: Union[str, None] = None) -> models.GetLogfilesAnswer:
        """Log files of a job.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/logfiles",
            params={"job_id": job_id},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetLogfilesAnswer, answer)

    async def post_logfiles(
        self,
        body: models.PostLogfilesBody,
        *,
        authorization: Union[str, None] = None,
        x_job_id: Union[str, None] = None,
    ) -> models.PostLogfilesAnswer:
        """Worker: upload log files.

        Log files are merged by key: other keys stay. A text without an offset is the whole log and replaces what was
        there; with one it is a piece that follows so many bytes, and sending it again is harmless.

        For workers: authenticated by the member `update_key` of the body, without a session.
        """
        answer = await self._transport.json(
            "POST",
            "/logfiles",
            headers={"Authorization": authorization, "X-Job-ID": x_job_id},
            body=body,
        )
        return cast(models.PostLogfilesAnswer, answer)

    async def post_tasks(self, body: models.PostTasksBody) -> models.PostTasksAnswer:
        """Worker: update a task.

        For workers: authenticated by the member `update_key` of the body, without a session.
        """
        answer = await self._transport.json(
            "POST",
            "/tasks",
            body=body,
        )
        return cast(models.PostTasksAnswer, answer)

    async def get_user_simulations(
        self,
        *,
        page_size: Union[int, None] = None,
        page_idx: Union[int, None] = None,
        order_by: Union[Literal["start_time", "end_time"], None] = None,
        order_type: Union[Literal["ascend", "descend"], None] = None,
        job_state: Union[str, None] = None,
        search: Union[str, None] = None,
        view: Union[Literal["own", "group", "shared"], None] = None,
        group_id: Union[str, None] = None,
    ) -> models.GetUserSimulationsAnswer:
        """The user's simulations.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/user/simulations",
            params={
                "page_size": page_size,
                "page_idx": page_idx,
                "order_by": order_by,
                "order_type": order_type,
                "job_state": job_state,
                "search": search,
                "view": view,
                "group_id": group_id,
            },
            repeatable=True,
        )
        return cast(models.GetUserSimulationsAnswer, answer)

    async def delete_user_simulations(self, *, job_id: str) -> models.DeleteUserSimulationsAnswer:
        """Delete a simulation.

        API tokens need the scope `submit`.

        Also on another user's that is of a group that you manage.
        """
        answer = await self._transport.json(
            "DELETE",
            "/user/simulations",
            params={"job_id": job_id},
            repeatable=True,
        )
        return cast(models.DeleteUserSimulationsAnswer, answer)

    async def put_user_searches(self, body: models.PutUserSearchesBody) -> models.PutUserSearchesAnswer:
        """Keep a search for jobs under a name.

        At most 50; one of the same name is replaced.
        """
        answer = await self._transport.json(
            "PUT",
            "/user/searches",
            body=body,
            repeatable=True,
        )
        return cast(models.PutUserSearchesAnswer, answer)

    async def get_user_searches(self) -> models.GetUserSearchesAnswer:
        """Searches for jobs that the user keeps.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/user/searches",
            repeatable=True,
        )
        return cast(models.GetUserSearchesAnswer, answer)

    async def delete_user_searches(self, *, name: str) -> models.DeleteUserSearchesAnswer:
        """Forget a search for jobs."""
        answer = await self._transport.json(
            "DELETE",
            "/user/searches",
            params={"name": name},
            repeatable=True,
        )
        return cast(models.DeleteUserSearchesAnswer, answer)

    async def get_usage(
        self,
        *,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
        group_id: Union[str, None] = None,
    ) -> models.GetUsageAnswer:
        """Processor time that was used, day by day, and quotas.

        Your own, or, for its managers, that of a group. Runners measure the processes of each attempt; an attempt
        that failed or was killed counts, too, and deletion of a job takes nothing away. `format=csv` gives the days
        as a table.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/usage",
            params={"from": from_, "to": to, "group_id": group_id},
            repeatable=True,
        )
        return cast(models.GetUsageAnswer, answer)

    def get_usage_file(
        self,
        *,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
        group_id: Union[str, None] = None,
        format: Union[Literal["json", "csv"], None] = None,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Processor time that was used, day by day, and quotas.

        Your own, or, for its managers, that of a group. Runners measure the processes of each attempt; an attempt
        that failed or was killed counts, too, and deletion of a job takes nothing away. `format=csv` gives the days
        as a table.

        API tokens need the scope `read`.
        """
        return self._transport.stream("GET", "/usage", params={"from": from_, "to": to, "group_id": group_id, "format": format})

    async def post_shares(self, body: models.PostSharesBody) -> models.PostSharesAnswer:
        """Share a job or project, to be read.

        With a user by the exact name, a group of yours, or whoever has a link until `expires_at`. Who may read a job
        sees its inputs, logs and results. To let others change it, give it to a group (PUT /shares/group).

        API tokens need the scope `submit`.

        For the owner alone.
        """
        answer = await self._transport.json(
            "POST",
            "/shares",
            body=body,
        )
        return cast(models.PostSharesAnswer, answer)

    async def get_shares(
        self,
        *,
        job_id: Union[str, None] = None,
        project_id: Union[str, None] = None,
    ) -> models.GetSharesAnswer:
        """List who has access to a job or project.

        API tokens need the scope `read`.

        For the owner alone.
        """
        answer = await self._transport.json(
            "GET",
            "/shares",
            params={"job_id": job_id, "project_id": project_id},
            repeatable=True,
        )
        return cast(models.GetSharesAnswer, answer)

    async def delete_shares(self, *, share_id: str) -> models.DeleteSharesAnswer:
        """End a share.

        API tokens need the scope `submit`.
        """
        answer = await self._transport.json(
            "DELETE",
            "/shares",
            params={"share_id": share_id},
            repeatable=True,
        )
        return cast(models.DeleteSharesAnswer, answer)

    async def put_shares_group(self, body: models.PutSharesGroupBody) -> models.PutSharesGroupAnswer:
        """Give a job or project to a group, or take it back.

        Viewers of the group read it, members change it, managers delete it. It stays yours, and counts for your
        quotas.

        API tokens need the scope `submit`.

        For the owner alone.
        """
        answer = await self._transport.json(
            "PUT",
            "/shares/group",
            body=body,
            repeatable=True,
        )
        return cast(models.PutSharesGroupAnswer, answer)

    async def get_shares_access(
        self,
        *,
        job_id: Union[str, None] = None,
        project_id: Union[str, None] = None,
        x_share_link: Union[str, None] = None,
    ) -> models.GetSharesAccessAnswer:
        """What you may do with a job or project, and whose it is.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/shares/access",
            params={"job_id": job_id, "project_id": project_id},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetSharesAccessAnswer, answer)

    async def get_shares_link(self, *, x_share_link: Union[str, None] = None) -> models.GetSharesLinkAnswer:
        """What a share link opens.

        The token of the link is sent as header `X-Share-Link`, here and with every request that reads what the link
        opens. Without an account this works only where the deployment allows it
        (`GATEWAY_SHARE_LINKS_WITHOUT_ACCOUNT`).

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/shares/link",
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetSharesLinkAnswer, answer)

    async def post_projects(
        self,
        body: models.PostProjectsBody,
        *,
        idempotency_key: Union[Union[Literal[""], str], None] = None,
    ) -> models.PostProjectsAnswer:
        """Keep a project.

        API tokens need the scope `submit`.
        """
        answer = await self._transport.json(
            "POST",
            "/projects",
            headers={"Idempotency-Key": idempotency_key},
            body=body,
            repeatable=True,
        )
        return cast(models.PostProjectsAnswer, answer)

    async def get_projects(
        self,
        *,
        page_size: Union[int, None] = None,
        page_idx: Union[int, None] = None,
        order_by: Union[Literal["updated_at", "created_at", "title"], None] = None,
        order_type: Union[Literal["ascend", "descend"], None] = None,
        search: Union[str, None] = None,
        view: Union[Literal["own", "group", "shared"], None] = None,
        group_id: Union[str, None] = None,
    ) -> models.GetProjectsAnswer:
        """The user's projects.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/projects",
            params={
                "page_size": page_size,
                "page_idx": page_idx,
                "order_by": order_by,
                "order_type": order_type,
                "search": search,
                "view": view,
                "group_id": group_id,
            },
            repeatable=True,
        )
        return cast(models.GetProjectsAnswer, answer)

    async def put_projects(self, body: models.PutProjectsBody) -> models.PutProjectsAnswer:
        """Save a project.

        The next revision, unless somebody has saved another one since `revision`: 409 with the current one, and
        nothing is stored. What is there already makes no revision, and a repeat gets the first answer.

        API tokens need the scope `submit`.

        Also on another user's that is of a group in which you are member or manager.
        """
        answer = await self._transport.json(
            "PUT",
            "/projects",
            body=body,
            repeatable=True,
        )
        return cast(models.PutProjectsAnswer, answer)

    async def delete_projects(self, *, project_id: str) -> models.DeleteProjectsAnswer:
        """Delete a project.

        With all its revisions. Jobs that ran it stay, and keep their inputs.

        API tokens need the scope `submit`.

        Also on another user's that is of a group that you manage.
        """
        answer = await self._transport.json(
            "DELETE",
            "/projects",
            params={"project_id": project_id},
            repeatable=True,
        )
        return cast(models.DeleteProjectsAnswer, answer)

    async def get_projects_project(
        self,
        *,
        project_id: str,
        revision: Union[int, None] = None,
        x_share_link: Union[str, None] = None,
    ) -> models.GetProjectsProjectAnswer:
        """A kept project.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/projects/project",
            params={"project_id": project_id, "revision": revision},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetProjectsProjectAnswer, answer)

    async def get_projects_revisions(
        self,
        *,
        project_id: str,
        x_share_link: Union[str, None] = None,
    ) -> models.GetProjectsRevisionsAnswer:
        """Revisions of a project.

        The newest first, at most 100. The newest two stay, then the last save of each five minutes, and each that has
        a note or that a job has run.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/projects/revisions",
            params={"project_id": project_id},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetProjectsRevisionsAnswer, answer)

    async def post_user_update(self, body: models.PostUserUpdateBody) -> models.PostUserUpdateAnswer:
        """Change the profile.

        Unlike elsewhere an unknown member is refused: a misspelt change that does nothing looks done.
        """
        answer = await self._transport.json(
            "POST",
            "/user/update",
            body=body,
        )
        return cast(models.PostUserUpdateAnswer, answer)

    async def get_user_removals(
        self,
        *,
        job_id: Union[str, None] = None,
        x_share_link: Union[str, None] = None,
    ) -> models.GetUserRemovalsAnswer:
        """What rules of retention remove of your jobs.

        A job that is a favourite, or has the tag `keep`, is under no rule.

        API tokens need the scope `read`.

        Also on another user's that is of a group of yours, or shared with you.
        """
        answer = await self._transport.json(
            "GET",
            "/user/removals",
            params={"job_id": job_id},
            headers={"X-Share-Link": x_share_link},
            repeatable=True,
        )
        return cast(models.GetUserRemovalsAnswer, answer)

    async def get_user_email(self) -> models.GetUserEmailAnswer:
        """E-mail address of the user.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/user/email",
            repeatable=True,
        )
        return cast(models.GetUserEmailAnswer, answer)

    async def put_user_email(self, body: models.PutUserEmailBody) -> models.PutUserEmailAnswer:
        """Change the e-mail address.

        A link is mailed to the address, and the address is used once the link has been opened. Until then the present
        one stays.
        """
        answer = await self._transport.json(
            "PUT",
            "/user/email",
            body=body,
            repeatable=True,
        )
        return cast(models.PutUserEmailAnswer, answer)

    async def get_user_subscriptions(self) -> models.GetUserSubscriptionsAnswer:
        """What you want to be told.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/user/subscriptions",
            repeatable=True,
        )
        return cast(models.GetUserSubscriptionsAnswer, answer)

    async def put_user_subscriptions(
        self,
        body: models.PutUserSubscriptionsBody,
    ) -> models.PutUserSubscriptionsAnswer:
        """Be told when jobs end.

        In the place of what was said for the same scope and target. You are told of what ends from now on.
        """
        answer = await self._transport.json(
            "PUT",
            "/user/subscriptions",
            body=body,
            repeatable=True,
        )
        return cast(models.PutUserSubscriptionsAnswer, answer)

    async def post_user_webhooks(self, body: models.PostUserWebhooksBody) -> models.PostUserWebhooksAnswer:
        """Make a webhook.

        It is called when jobs end that you have subscribed to with the channel `webhooks` (`PUT
        /user/subscriptions`). Messages are signed as Standard Webhooks.
        """
        answer = await self._transport.json(
            "POST",
            "/user/webhooks",
            body=body,
        )
        return cast(models.PostUserWebhooksAnswer, answer)

    async def get_user_webhooks(self) -> models.GetUserWebhooksAnswer:
        """Your webhooks.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/user/webhooks",
            repeatable=True,
        )
        return cast(models.GetUserWebhooksAnswer, answer)

    async def delete_user_webhooks(self, *, webhook_id: str) -> models.DeleteUserWebhooksAnswer:
        """Remove a webhook."""
        answer = await self._transport.json(
            "DELETE",
            "/user/webhooks",
            params={"webhook_id": webhook_id},
            repeatable=True,
        )
        return cast(models.DeleteUserWebhooksAnswer, answer)

    async def post_user_webhooks_test(
        self,
        body: models.PostUserWebhooksTestBody,
    ) -> models.PostUserWebhooksTestAnswer:
        """Send a test to a webhook.

        A webhook that was disabled is called again.
        """
        answer = await self._transport.json(
            "POST",
            "/user/webhooks/test",
            body=body,
        )
        return cast(models.PostUserWebhooksTestAnswer, answer)

    async def get_clusters(self) -> models.GetClustersAnswer:
        """Clusters for batch jobs.

        For users who logged in through single sign-on.

        API tokens need the scope `read`.
        """
        answer = await self._transport.json(
            "GET",
            "/clusters",
            repeatable=True,
        )
        return cast(models.GetClustersAnswer, answer)

    async def get_admin_jobs(
        self,
        *,
        page_size: Union[int, None] = None,
        before: Union[int, None] = None,
        job_id: Union[str, None] = None,
        user: Union[str, None] = None,
        request_id: Union[str, None] = None,
        job_state: Union[str, None] = None,
        platform: Union[models.Platform, None] = None,
        cluster_name: Union[str, None] = None,
        runner_id: Union[str, None] = None,
        group_id: Union[str, None] = None,
    ) -> models.GetAdminJobsAnswer:
        """Jobs of all users.

        Who runs, who waits and why, the newest first. All parameters that are given must be true of a job.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/jobs",
            params={
                "page_size": page_size,
                "before": before,
                "job_id": job_id,
                "user": user,
                "request_id": request_id,
                "job_state": job_state,
                "platform": platform,
                "cluster_name": cluster_name,
                "runner_id": runner_id,
                "group_id": group_id,
            },
            repeatable=True,
        )
        return cast(models.GetAdminJobsAnswer, answer)

    async def post_admin_jobs_cancel(self, body: models.PostAdminJobsCancelBody) -> models.PostAdminJobsCancelAnswer:
        """Cancel a job of any user.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/jobs/cancel",
            body=body,
        )
        return cast(models.PostAdminJobsCancelAnswer, answer)

    async def post_admin_jobs_fail(self, body: models.PostAdminJobsFailBody) -> models.PostAdminJobsFailAnswer:
        """End a job of any user as FAILED.

        Its owner reads the reason. What its tasks have delivered stays readable.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/jobs/fail",
            body=body,
        )
        return cast(models.PostAdminJobsFailAnswer, answer)

    async def post_admin_jobs_retry(self, body: models.PostAdminJobsRetryBody) -> models.PostAdminJobsRetryAnswer:
        """Run the failed tasks of a job again.

        Of a FAILED job on the direct platform: tasks that delivered nothing run again, each once, on the same
        histories.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/jobs/retry",
            body=body,
        )
        return cast(models.PostAdminJobsRetryAnswer, answer)

    async def post_admin_jobs_merge(self, body: models.PostAdminJobsMergeBody) -> models.PostAdminJobsMergeAnswer:
        """Merge a job once more.

        What the tasks of a COMPLETED or FAILED job have delivered; the earlier results stay until then.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/jobs/merge",
            body=body,
        )
        return cast(models.PostAdminJobsMergeAnswer, answer)

    async def get_admin_load(
        self,
        *,
        by: Union[Literal["user", "cluster", "runner", "simulator", "reason", "group"], None] = None,
    ) -> models.GetAdminLoadAnswer:
        """What runs and waits, summed up.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/load",
            params={"by": by},
            repeatable=True,
        )
        return cast(models.GetAdminLoadAnswer, answer)

    async def get_admin_runners(self) -> models.GetAdminRunnersAnswer:
        """Runners that live.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/runners",
            repeatable=True,
        )
        return cast(models.GetAdminRunnersAnswer, answer)

    async def post_admin_runners_drain(
        self,
        body: models.PostAdminRunnersDrainBody,
    ) -> models.PostAdminRunnersDrainAnswer:
        """Drain a runner, or take that back.

        It finishes the tasks that it has, and learns within 15 s that it is to take no others. It holds until the
        runner ends.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/runners/drain",
            body=body,
        )
        return cast(models.PostAdminRunnersDrainAnswer, answer)

    async def get_admin_pauses(self) -> models.GetAdminPausesAnswer:
        """Platforms that take no submissions.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/pauses",
            repeatable=True,
        )
        return cast(models.GetAdminPausesAnswer, answer)

    async def put_admin_pauses(self, body: models.PutAdminPausesBody) -> models.PutAdminPausesAnswer:
        """Pause submissions to a platform, or take that back.

        Submissions and extensions get 503 `SUBMISSIONS_PAUSED` with the sentence. What was accepted goes on.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "PUT",
            "/admin/pauses",
            body=body,
            repeatable=True,
        )
        return cast(models.PutAdminPausesAnswer, answer)

    async def get_admin_quotas(self) -> models.GetAdminQuotasAnswer:
        """Quotas of single users and groups.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/quotas",
            repeatable=True,
        )
        return cast(models.GetAdminQuotasAnswer, answer)

    async def put_admin_quotas(self, body: models.PutAdminQuotasBody) -> models.PutAdminQuotasAnswer:
        """Set the quota of a user or group.

        In place of an earlier one; all null: it has none any more. It holds from the next submission on.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "PUT",
            "/admin/quotas",
            body=body,
            repeatable=True,
        )
        return cast(models.PutAdminQuotasAnswer, answer)

    async def get_admin_usage(
        self,
        *,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
    ) -> models.GetAdminUsageAnswer:
        """Processor time and stored bytes by user and month.

        Of all users of whom something was counted in a month, on runners and clusters together. What is stored is
        told of this month alone: it is measured now.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/usage",
            params={"from": from_, "to": to},
            repeatable=True,
        )
        return cast(models.GetAdminUsageAnswer, answer)

    def get_admin_usage_file(
        self,
        *,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
        format: Union[Literal["json", "csv"], None] = None,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Processor time and stored bytes by user and month.

        Of all users of whom something was counted in a month, on runners and clusters together. What is stored is
        told of this month alone: it is measured now.

        For operators. What one does is written into the trail before it is done.
        """
        return self._transport.stream("GET", "/admin/usage", params={"from": from_, "to": to, "format": format})

    async def get_admin_retention(
        self,
        *,
        rules: Union[str, None] = None,
        warning_days: Union[int, None] = None,
        days: Union[int, None] = None,
    ) -> models.GetAdminRetentionAnswer:
        """Rules of retention, and what they remove when.

        With `rules`: what those would remove, were they set now. Favourites and jobs with the tag `keep` are under no
        rule. Nothing is changed.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/retention",
            params={"rules": rules, "warning_days": warning_days, "days": days},
            repeatable=True,
        )
        return cast(models.GetAdminRetentionAnswer, answer)

    async def put_admin_retention(self, body: models.PutAdminRetentionBody) -> models.PutAdminRetentionAnswer:
        """Set the rules of retention.

        In place of the earlier ones. From the change on nothing is removed for `warning_days`; owners see in their
        lists what goes when, and are told by mail where there is a mail server. What is removed is in the trail.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "PUT",
            "/admin/retention",
            body=body,
            repeatable=True,
        )
        return cast(models.PutAdminRetentionAnswer, answer)

    async def get_admin_users(
        self,
        *,
        search: Union[str, None] = None,
        user_id: Union[int, None] = None,
        state: Union[Literal["active", "blocked", "deleted"], None] = None,
        page_size: Union[int, None] = None,
        page_idx: Union[int, None] = None,
    ) -> models.GetAdminUsersAnswer:
        """Users.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/users",
            params={
                "search": search,
                "user_id": user_id,
                "state": state,
                "page_size": page_size,
                "page_idx": page_idx,
            },
            repeatable=True,
        )
        return cast(models.GetAdminUsersAnswer, answer)

    async def post_admin_users_block(self, body: models.PostAdminUsersBlockBody) -> models.PostAdminUsersBlockAnswer:
        """Block a user, or take the block away.

        Sessions and API tokens of a blocked user end within 5 s; jobs go on. Operators of AUTH_OPERATORS cannot be
        blocked.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/users/block",
            body=body,
        )
        return cast(models.PostAdminUsersBlockAnswer, answer)

    async def post_admin_users_end_sessions(
        self,
        body: models.PostAdminUsersEndSessionsBody,
    ) -> models.PostAdminUsersEndSessionsAnswer:
        """End all sessions and API tokens of a user.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/users/end-sessions",
            body=body,
        )
        return cast(models.PostAdminUsersEndSessionsAnswer, answer)

    async def post_admin_users_reset(self, body: models.PostAdminUsersResetBody) -> models.PostAdminUsersResetAnswer:
        """Make a link by which a user sets a new password.

        Hand it to nobody but the user. It works once, within an hour, and replaces an earlier one; until then nothing
        changes.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/users/reset",
            body=body,
        )
        return cast(models.PostAdminUsersResetAnswer, answer)

    async def post_admin_users_delete(
        self,
        body: models.PostAdminUsersDeleteBody,
    ) -> models.PostAdminUsersDeleteAnswer:
        """Delete a user with all that is his, or give it to another.

        Sessions, tokens and links end at once; jobs, results, logs, projects and shares go within minutes, and his
        name is free after a day. With `new_owner_id` jobs with results and logs, and projects, are given to another
        user instead, with shares to users and groups; jobs that are open on clusters are cancelled, and what was used
        so far stays in the usage of the deleted one. Safe to repeat. Operators of AUTH_OPERATORS cannot be deleted.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/users/delete",
            body=body,
        )
        return cast(models.PostAdminUsersDeleteAnswer, answer)

    async def post_admin_classes(self, body: models.PostAdminClassesBody) -> models.PostAdminClassesAnswer:
        """Make the accounts of a class.

        One local account for each name, with a link by which the student sets a password, and a group of all. On its
        last day the accounts are blocked, or deleted with all that is theirs. All or nothing.

        For teachers about their own classes, and for operators about all. What one does is written into the trail
        before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/classes",
            body=body,
        )
        return cast(models.PostAdminClassesAnswer, answer)

    async def get_admin_classes(self) -> models.GetAdminClassesAnswer:
        """Classes, who has joined, and what the students have.

        For teachers about their own classes, and for operators about all. What one does is written into the trail
        before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/classes",
            repeatable=True,
        )
        return cast(models.GetAdminClassesAnswer, answer)

    async def put_admin_classes_quota(
        self,
        body: models.PutAdminClassesQuotaBody,
    ) -> models.PutAdminClassesQuotaAnswer:
        """Set the quota of each student of a class.

        In place of an earlier one; all null: as the settings say. It holds from the next submission on.

        For teachers about their own classes, and for operators about all. What one does is written into the trail
        before it is done.
        """
        answer = await self._transport.json(
            "PUT",
            "/admin/classes/quota",
            body=body,
            repeatable=True,
        )
        return cast(models.PutAdminClassesQuotaAnswer, answer)

    async def post_admin_classes_invitations(
        self,
        body: models.PostAdminClassesInvitationsBody,
    ) -> models.PostAdminClassesInvitationsAnswer:
        """Make new links for students of a class.

        For one student, or for all who have not joined. A link works once, for at most two weeks, and replaces an
        earlier one.

        For teachers about their own classes, and for operators about all. What one does is written into the trail
        before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/classes/invitations",
            body=body,
        )
        return cast(models.PostAdminClassesInvitationsAnswer, answer)

    async def post_admin_classes_end(self, body: models.PostAdminClassesEndBody) -> models.PostAdminClassesEndAnswer:
        """End a class before its day, or delete one that has ended.

        Nobody of the class can log in any more; sessions end within 5 s. With `delete` jobs, results, logs, projects
        and the group go within minutes. Safe to repeat.

        For teachers about their own classes, and for operators about all. What one does is written into the trail
        before it is done.
        """
        answer = await self._transport.json(
            "POST",
            "/admin/classes/end",
            body=body,
        )
        return cast(models.PostAdminClassesEndAnswer, answer)

    def get_admin_classes_export(
        self,
        *,
        class_id: str,
        format: Union[Literal["hdf5", "npz", "csv"], None] = None,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """All work of a class as an archive.

        A zip with a folder for each student, also for who has no work: `contents.csv`, each job that has ended as an
        RO-Crate as GET /jobs/crate gives it, and each kept project as it is now. It is made as it is sent. Logs and
        earlier revisions of projects are not in it.

        For teachers about their own classes, and for operators about all. What one does is written into the trail
        before it is done.
        """
        return self._transport.stream("GET", "/admin/classes/export", params={"class_id": class_id, "format": format})

    async def get_admin_audit(
        self,
        *,
        page_size: Union[int, None] = None,
        before: Union[int, None] = None,
        changes: Union[Literal["true", "false"], None] = None,
        operator: Union[str, None] = None,
        target: Union[str, None] = None,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
    ) -> models.GetAdminAuditAnswer:
        """The trail of what operators do.

        The database refuses every change of it. As a file: one line for each entry, the newest first.

        For operators. What one does is written into the trail before it is done.
        """
        answer = await self._transport.json(
            "GET",
            "/admin/audit",
            params={
                "page_size": page_size,
                "before": before,
                "changes": changes,
                "operator": operator,
                "target": target,
                "from": from_,
                "to": to,
            },
            repeatable=True,
        )
        return cast(models.GetAdminAuditAnswer, answer)

    def get_admin_audit_file(
        self,
        *,
        format: Union[Literal["json", "csv", "jsonl"], None] = None,
        page_size: Union[int, None] = None,
        before: Union[int, None] = None,
        changes: Union[Literal["true", "false"], None] = None,
        operator: Union[str, None] = None,
        target: Union[str, None] = None,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """The trail of what operators do.

        The database refuses every change of it. As a file: one line for each entry, the newest first.

        For operators. What one does is written into the trail before it is done.
        """
        return self._transport.stream("GET", "/admin/audit", params={
                "format": format,
                "page_size": page_size,
                "before": before,
                "changes": changes,
                "operator": operator,
                "target": target,
                "from": from_,
                "to": to,
            })
