# Generated from the tables of reasons of the services by `pnpm gen`; not to be edited.
"""Errors by the reason that the service gives (docs/errors.md)."""

from .._problems import ApiError, Conflict, InvalidRequest, NotAllowed, NotFound, NotSignedIn, ServiceFault, TooManyRequests, Unavailable

__all__ = [
    "REASONS",
    "AccessInsufficient",
    "ActionNotFound",
    "AddressOverloaded",
    "AnswerInvalid",
    "AxisInvalid",
    "BatchSubmissionFailed",
    "BatchUnimplemented",
    "BodyMalformed",
    "BodyTooLarge",
    "CallerNotAllowed",
    "CallerUnknown",
    "Cancelled",
    "ChangedWhileRead",
    "ClassEnded",
    "ClassNotFound",
    "ClusterUnknown",
    "ClusterUnreachable",
    "CommandLost",
    "CommandNotRun",
    "CommandOutputTooLarge",
    "CommandTimedOut",
    "ContentTypeUnsupported",
    "ConversionsBusy",
    "ConversionFailed",
    "CredentialsWrong",
    "CredentialNotFound",
    "CredentialOfAnother",
    "CredentialUnusable",
    "DeadlineTooShort",
    "DeckTooLarge",
    "DownloadTooSlow",
    "EstimatorNotFound",
    "EventStreamsExceeded",
    "EventStreamsFull",
    "FieldsInvalid",
    "FilesUnconfined",
    "FileUnreadable",
    "FolderNotRemoved",
    "FormatUnsuitable",
    "FrontendUnavailable",
    "GroupsExceeded",
    "GroupNotFound",
    "GroupOfRealm",
    "GroupRoleMissing",
    "GroupRoleRequired",
    "HeadersTooLarge",
    "HostKeyChanged",
    "IdempotencyKeyReused",
    "InputTypeUnsupported",
    "InternalError",
    "JobIdInvalid",
    "JobNotEnded",
    "JobNotExtendable",
    "JobNotFound",
    "JobNotMergeable",
    "JobNotRetryable",
    "JobNotTerminal",
    "JobOfAnotherUser",
    "LabelsChanged",
    "LastManager",
    "LinkInvalid",
    "LoginsBusy",
    "LoginRefused",
    "LoginScriptPrints",
    "LogsTooMany",
    "LogInvalid",
    "MailDisabled",
    "MembersExceeded",
    "MemberExists",
    "MemberNotFound",
    "MergeReplaced",
    "MethodNotAllowed",
    "NameAmbiguous",
    "NameNotFound",
    "NothingToChange",
    "NotAcceptable",
    "NotReady",
    "ObjectStoreUnavailable",
    "OperatorProtected",
    "OperatorRevoked",
    "OptionInvalid",
    "OriginNotAllowed",
    "OutputsIncomplete",
    "Overloaded",
    "PageMismatch",
    "PageShape",
    "PasswordNotLocal",
    "PasswordWrong",
    "PathNotFound",
    "PlatformUnimplemented",
    "ProjectChanged",
    "ProjectInvalid",
    "ProjectNotFound",
    "ProjectOfAnotherUser",
    "ProjectQuotaExceeded",
    "ProjectRevisionNotFound",
    "ProjectTooLarge",
    "ProjectUnsupported",
    "QuotaExceeded",
    "RegistrationDisabled",
    "Remote",
    "RequestInvalid",
    "RequestMalformed",
    "RequestTimeout",
    "ResultsUnavailable",
    "RetentionUnavailable",
    "RoleRequired",
    "RunnerNotFound",
    "SavedSearchesFull",
    "SavedSearchNotFound",
    "SchedulerAnswerUnknown",
    "SchedulerBusy",
    "SchedulerDenied",
    "SchedulerDependencyLost",
    "SchedulerRefused",
    "SchedulerUnreachable",
    "SelectionInvalid",
    "ServiceUnavailable",
    "SessionsUnavailable",
    "SessionInvalid",
    "SharesExceeded",
    "ShareLinksDisabled",
    "ShareLinksThrottled",
    "ShareLinkInvalid",
    "ShareNotFound",
    "SimulatorUnavailable",
    "SimDataTooLarge",
    "SshFault",
    "SsoClaimMissing",
    "SsoCodeInvalid",
    "SsoDisabled",
    "SsoRealmUnavailable",
    "SsoRequired",
    "SsoTokenInvalid",
    "SsoUsernameTaken",
    "StorageQuotaExceeded",
    "SubmissionsPaused",
    "SubmissionAbandoned",
    "SubmissionExpired",
    "SubmissionRevoked",
    "SubmissionUnfinished",
    "SubscriptionsExceeded",
    "SumUnavailable",
    "TaskNotFound",
    "TemplateNotFound",
    "Throttled",
    "TokensExceeded",
    "TokenInvalid",
    "TokenMissing",
    "TokenNotFound",
    "TokenScopeMissing",
    "UpdateKeyInvalid",
    "UpdateKeyMissing",
    "UploadDamaged",
    "UploadInvalid",
    "UploadTooLarge",
    "UsernameReserved",
    "UsernameTaken",
    "UserBlocked",
    "UserNotFound",
    "UserRequired",
    "WebhooksDisabled",
    "WebhooksExceeded",
    "WebhookNotFound",
]


class AccessInsufficient(NotAllowed):
    """It belongs to another user, and you may not do this with it. 403: somebody who may see a job or project, by a
    group or a share, does what only others may: change, delete or share it.
    """


class ActionNotFound(NotFound):
    """There is no such action. 404: the gateway reports the failure of an action that is not in the trail."""


class AddressOverloaded(TooManyRequests):
    """Too many large requests from your address at the moment; try again. 429: the bodies being received from one
    address would take more than three quarters of GATEWAY_BUFFERS_BYTES_MAX.
    """


class AnswerInvalid(ServiceFault):
    """internal error. 500: a service answered with something outside its contract; the log has the details."""


class AxisInvalid(InvalidRequest):
    """The page has no such axis or bin. 400: a slice or a sum is asked for along an axis, or at a bin, that a selected
    page does not have.
    """


class BatchSubmissionFailed(ServiceFault):
    """The job could not be submitted to the cluster. 500: the cluster refuses the user or the job, or cannot be reached
    at the first try; the job stays as FAILED, its id and the words of the cluster are in the message.
    """


class BatchUnimplemented(ServiceFault):
    """The batch platform is not available: this deployment has no cluster. 501: a job is submitted to the batch platform
    of a deployment without any cluster (BATCH_CLUSTERS).
    """


class BodyMalformed(InvalidRequest):
    """The body is not valid JSON. 400: the body is not UTF-8, not JSON, not an object, nested too deeply, or has far too
    many members.
    """


class BodyTooLarge(InvalidRequest):
    """The body is too large. 413: the body has more bytes, members or values than GET /limits allows for this path, or
    takes too much time or memory to read.
    """


class CallerNotAllowed(ServiceFault):
    """caller is not allowed to make this call. 500: a known service calls an RPC that does not name it."""


class CallerUnknown(ServiceFault):
    """caller is not known. 500: a gRPC call without a valid caller name and token."""


class Cancelled(InvalidRequest):
    """the caller went away. 499: the caller cancelled the call."""


class ChangedWhileRead(Conflict):
    """The data was replaced while it was read; read it again. 409: what is being streamed is replaced by a newer upload,
    or deleted, before the stream ends.
    """


class ClassEnded(InvalidRequest):
    """The class has ended. 400: links are asked for of a class whose accounts are blocked or deleted."""


class ClassNotFound(NotFound):
    """There is no such class. 404: a class is unknown, or another teacher's; the answer does not show which of the two.
    """


class ClusterUnknown(InvalidRequest):
    """There is no cluster of this name. 400: a submission names a cluster that this deployment does not have."""


class ClusterUnreachable(Unavailable):
    """The cluster cannot be reached. 503: no SSH connection to a cluster can be made, or one failed a moment ago and the
    pause is not over.
    """


class CommandLost(Unavailable):
    """The connection to the cluster broke; it is not known whether the command was carried out. 503: an SSH connection
    ends while a command runs: its effect must be looked up before it is repeated.
    """


class CommandNotRun(Unavailable):
    """The cluster did not run the command. 503: a login ends before the command that it was to run: an account that is
    closed, a login script that fails.
    """


class CommandOutputTooLarge(TooManyRequests):
    """The cluster answered with more than is read. 429: a command on a cluster prints more than its limit."""


class CommandTimedOut(Unavailable):
    """The cluster did not answer in time. 503: a command or a transfer on a cluster takes longer than its limit."""


class ContentTypeUnsupported(InvalidRequest):
    """The body must be application/json, in UTF-8, without a content encoding. 415: a body comes with another
    Content-Type, charset or Content-Encoding.
    """


class ConversionsBusy(TooManyRequests):
    """Too many projects are being converted at this moment; try again. 429: more projects and decks wait to be converted
    than may: 32; who has most of them waiting is refused first.
    """


class ConversionFailed(ServiceFault):
    """The project could not be converted. 500: the converter failed on a project that it should have taken or refused;
    the log has the details.
    """


class CredentialsWrong(NotSignedIn):
    """Invalid credentials. 401: a login names an unknown user or a wrong password; the answer does not show which of the
    two.
    """


class CredentialNotFound(NotFound):
    """No valid SSH credential is stored for this user; log in again. 404: a cluster credential is asked for a user whose
    login brought none, or whose certificate has expired.
    """


class CredentialOfAnother(NotAllowed):
    """The SSH credential belongs to another user. 403: a cluster credential is asked for another user than the acting
    one.
    """


class CredentialUnusable(InvalidRequest):
    """The SSH certificate cannot be used; log in again to get a new one. 400: the SSH certificate is expired, not valid
    yet, for other login names, or does not belong to its key.
    """


class DeadlineTooShort(Unavailable):
    """The service is too busy to answer in time; try again in a few seconds. 504: a call arrives or would be sent with
    less than 100 ms left.
    """


class DeckTooLarge(TooManyRequests):
    """The input of the job is larger than what is taken to a cluster. 429: the deck of a job has more than 64 MB
    (deckBytesMax), or more files than a job folder may have.
    """


class DownloadTooSlow(Conflict):
    """The file was not read at 8 kB a second and is gone; ask for it again. 409: the reader of an HDF5 file takes
    nothing for 30 s; seen as a download that breaks off.
    """


class EstimatorNotFound(NotFound):
    """Estimator with provided name does not exist. 404: results are asked for by the name of an estimator that the job
    does not have.
    """


class EventStreamsExceeded(TooManyRequests):
    """Too many streams of events are open. 429: a user opens more of GET /jobs/events at the same time than the limit of
    GET /limits.
    """


class EventStreamsFull(Unavailable):
    """Too many streams of events at the moment; try again. 503: all users together have GATEWAY_EVENT_STREAMS_MAX
    streams open at this copy of the gateway.
    """


class FieldsInvalid(InvalidRequest):
    """Some fields are not valid. 400: a user name, password, display name or id is outside its limits; the answer names
    the fields.
    """


class FilesUnconfined(InvalidRequest):
    """input files are not run here, because nothing confines simulators; submit the project of the editor. 400: input
    files are submitted for an executable while a runner that has it has neither bubblewrap nor containers; see
    RUNNER_CONFINEMENT.
    """


class FileUnreadable(Unavailable):
    """A file on the cluster cannot be read. 503: the file system of a cluster fails while a folder is listed or a file
    is read.
    """


class FolderNotRemoved(Unavailable):
    """A folder on the cluster cannot be removed. 503: removing what a job has left on a cluster fails: closed to the
    user, or its file system fails.
    """


class FormatUnsuitable(InvalidRequest):
    """The selected pages cannot be written in this format. 400: a format of one page is asked for of several, DICOM for
    what is no dose on a regular grid, or HDF5 above RESULTS_EXPORT_BYTES_MAX.
    """


class FrontendUnavailable(Unavailable):
    """The frontend is not available. 502: the frontend behind GATEWAY_FRONTEND_URL does not answer."""


class GroupsExceeded(TooManyRequests):
    """Too many groups. 429: a user is in 100 groups and makes one more, or is added to one more."""


class GroupNotFound(NotFound):
    """There is no such group. 404: a group is unknown, or the acting user is no member of it; the answer does not show
    which of the two.
    """


class GroupOfRealm(Conflict):
    """The single sign-on provider decides who is in this group. 409: somebody changes a group that AUTH_SSO_GROUPS_CLAIM
    has made.
    """


class GroupRoleMissing(NotAllowed):
    """Only managers of the group may do this. 403: the usage of a group is asked for by a member who is no manager of
    it.
    """


class GroupRoleRequired(NotAllowed):
    """Only managers of the group may do this. 403: a viewer or member changes a group or its members."""


class HeadersTooLarge(InvalidRequest):
    """The request line and headers are too large. 431: request line and headers together are larger than the limit of
    GET /limits.
    """


class HostKeyChanged(InvalidRequest):
    """The cluster shows another host key than the one it is known by; nothing is sent to it. 400: the host key of a
    cluster is none of the pinned ones: another machine, or new keys that must be configured.
    """


class IdempotencyKeyReused(InvalidRequest):
    """The Idempotency-Key was used for a different request. 422: the same key comes with another body."""


class InputTypeUnsupported(InvalidRequest):
    """this deployment cannot run input files of this simulator; submit the project of the editor. 400: input files are
    submitted for a simulator that is not installed.
    """


class InternalError(ServiceFault):
    """internal error. 500: a fault in the service; its log has the details."""


class JobIdInvalid(InvalidRequest):
    """The job id is malformed. 400: a job id is not of the form that jobs gives out, so that it cannot be part of a path
    or a marker.
    """


class JobNotEnded(Conflict):
    """The job has not ended yet. 409: a crate is asked for of a job that still runs."""


class JobNotExtendable(Conflict):
    """The job cannot be given further primaries. 409: a job is extended that is not COMPLETED, whose results an external
    worker merged, or that has as many tasks as a job may have (JOBS_JOB_TASKS_MAX).
    """


class JobNotFound(NotFound):
    """Job with provided ID does not exist. 404: no job has this id, or it runs on the other platform."""


class JobNotMergeable(Conflict):
    """The job cannot be merged again. 409: an operator merges a job that is neither COMPLETED nor FAILED, that an
    external worker merged, or of which no task has delivered.
    """


class JobNotRetryable(Conflict):
    """The tasks of the job cannot be retried. 409: an operator retries a job that is not FAILED, runs on a cluster, was
    stopped by its owner or ended by an external worker, or of which all tasks have delivered.
    """


class JobNotTerminal(Conflict):
    """The job has not ended; cancel it first. 409: a job is deleted before it is COMPLETED, FAILED or CANCELED."""


class JobOfAnotherUser(NotAllowed):
    """The job belongs to another user. 403: the acting user does not own the job."""


class LabelsChanged(Conflict):
    """Somebody has changed the labels of the job meanwhile. 409: PUT /jobs/labels is based on a revision that is not the
    current one any more; the answer has the labels as they are, and nothing was stored.
    """


class LastManager(Conflict):
    """The group needs a manager: make somebody else one first, or delete the group. 409: the only manager of a group
    leaves, is removed, or gets another role.
    """


class LinkInvalid(InvalidRequest):
    """This link is not valid: it has been used, or has expired. Ask for a new one. 400: a link is unknown, used,
    replaced by a newer one, or too old: an hour for a new password, a day for an address.
    """


class LoginsBusy(TooManyRequests):
    """Too many logins at this moment; try again. 429: more than 32 logins wait for a password hash (hashesWaitingMax),
    or the time limit came first.
    """


class LoginRefused(InvalidRequest):
    """The cluster refused the login. 400: the SSH server of a cluster does not accept the certificate: unknown user,
    other authority, revoked.
    """


class LoginScriptPrints(Unavailable):
    """The login script of the cluster prints into the transfer of files. 503: a login script of the user or the site
    prints where no terminal is, and files are transferred by a program that it starts.
    """


class LogsTooMany(TooManyRequests):
    """The job has too many log files. 429: a worker adds a log file to a job that has 10 000 of them."""


class LogInvalid(InvalidRequest):
    """The log text cannot be appended. 400: a piece of log is longer than 4 MiB or not UTF-8, or its task, name or
    offset is impossible.
    """


class MailDisabled(InvalidRequest):
    """This instance sends no mail; ask its operator. 400: something is to be mailed while AUTH_SMTP_HOST is empty; an
    operator makes links to new passwords (README of auth).
    """


class MembersExceeded(TooManyRequests):
    """The group has too many members. 429: somebody is added to a group of 1000 members."""


class MemberExists(Conflict):
    """The user is a member of this group. 409: somebody is added to a group who is in it."""


class MemberNotFound(NotFound):
    """The user is no member of this group. 404: a manager changes or removes somebody who is not in the group."""


class MergeReplaced(InvalidRequest):
    """The job was merged again, or deleted. 400: a worker that was given up brings results of a merge after a later one,
    of a job that was extended, has stored its own.
    """


class MethodNotAllowed(InvalidRequest):
    """The path does not take this method. 405: the path is of the API, but not with this method; the header Allow names
    those it takes.
    """


class NameAmbiguous(InvalidRequest):
    """A local user and a user of the single sign-on provider have this name: say which. 400: a user name is looked up
    without a provider, and both have one of this name.
    """


class NameNotFound(NotFound):
    """There is no user of this name. 404: somebody is added to a group, or given a share, by a user name that nobody
    has.
    """


class NothingToChange(InvalidRequest):
    """Nothing to change. 400: a profile update names no field."""


class NotAcceptable(InvalidRequest):
    """No format that Accept names is offered. 406: Accept of GET /results names none of the formats in which results are
    given.
    """


class NotReady(Unavailable):
    """Not ready. 503: GET /readyz while the gateway starts or stops, or a service does not answer."""


class ObjectStoreUnavailable(Unavailable):
    """Large results cannot be reached at the moment; try again. 503: the object store of RESULTS_OBJECT_STORE_URL does
    not answer, or refuses its keys; the log has its words.
    """


class OperatorProtected(NotAllowed):
    """An operator cannot be blocked or deleted; take the name out of AUTH_OPERATORS first. 403: an operator blocks or
    deletes a user whom AUTH_OPERATORS names, himself for example.
    """


class OperatorRevoked(NotAllowed):
    """You do not have the role for this any more; log in again. 403: the access token says that its user is an operator
    or teacher, but AUTH_OPERATORS, AUTH_TEACHERS and his live sessions do not, or he is blocked.
    """


class OptionInvalid(InvalidRequest):
    """A scheduler option is not allowed or has a value that it cannot have. 400: scheduler_options has a key that is not
    on the list, or a value outside its grammar or the limits of the partition.
    """


class OriginNotAllowed(NotAllowed):
    """Requests from this origin are not allowed. 403: a browser page of an origin outside GATEWAY_ORIGINS sends a
    changing request with session cookies.
    """


class OutputsIncomplete(InvalidRequest):
    """A task has no output, or not all pages. 400: outputs are to be merged of which one, or a page of one, is not
    stored.
    """


class Overloaded(Unavailable):
    """Too many large requests at the moment; try again. 503: the bodies being received would take more memory than
    GATEWAY_BUFFERS_BYTES_MAX, or those of requests without a session or key more than an eighth of it, or too many
    large uploads wait to be read.
    """


class PageMismatch(InvalidRequest):
    """The tasks of the job differ in what a page is. 400: a task's page has another name, unit, kind, scale or other
    axes than the same page of the job's other tasks.
    """


class PageShape(InvalidRequest):
    """The numbers of a page do not fit its axes. 400: a page comes with more or fewer numbers than its kind and axes
    say.
    """


class PasswordNotLocal(InvalidRequest):
    """The password of this account is kept by the single sign-on provider. 400: a single-sign-on user asks for a new
    password here.
    """


class PasswordWrong(NotSignedIn):
    """Current password is wrong. 401: a password change shows a wrong current password, or another change came first.
    """


class PathNotFound(NotFound):
    """There is nothing at this path. 404: the path is not of the API."""


class PlatformUnimplemented(ServiceFault):
    """The batch platform is not available. 501: a job is submitted to the batch platform of a deployment that has none
    (JOBS_BATCH_BRIDGE_ADDRESS).
    """


class ProjectChanged(Conflict):
    """Somebody has saved another revision of the project meanwhile. 409: PUT /projects is based on a revision that is
    not the current one any more; the answer has the current one, and nothing was stored.
    """


class ProjectInvalid(InvalidRequest):
    """The project is not valid. 400: sim_data is not a project of the editor, or refers to something that is not there;
    every fault is named.
    """


class ProjectNotFound(NotFound):
    """Project with provided ID does not exist. 404: no kept project has this id."""


class ProjectOfAnotherUser(NotAllowed):
    """The project belongs to another user. 403: the acting user does not own the kept project."""


class ProjectQuotaExceeded(TooManyRequests):
    """You keep as many projects as you may; delete some first. 429: a project, or a save of one, would bring its user
    above JOBS_PROJECTS_PER_USER_MAX or JOBS_PROJECT_BYTES_PER_USER_MAX; the answer says which (GET /limits).
    """


class ProjectRevisionNotFound(NotFound):
    """The project has no such revision, or does not keep it any more. 404: a revision of a kept project is asked for
    that never was, or that was folded into a later one (GET /projects/revisions lists those that are kept).
    """


class ProjectTooLarge(InvalidRequest):
    """The project is too large. 400: a project goes beyond a limit, which is named: of counts, or of steps, time or
    memory to convert it; or one that is to be kept has more than 4 MiB.
    """


class ProjectUnsupported(InvalidRequest):
    """The project asks for something that this simulator cannot do. 400: leaving out what the simulator cannot do would
    change the answer; every such thing is named.
    """


class QuotaExceeded(TooManyRequests):
    """You have too much queued; wait until some of it has ended. 429: a job would bring its user above
    JOBS_OPEN_JOBS_PER_USER_MAX, _OPEN_TASKS_ or _QUEUED_PRIMARIES_; the answer says which (GET /limits).
    """


class RegistrationDisabled(NotAllowed):
    """Registration is disabled on this instance. 403: a registration while AUTH_REGISTRATION_ENABLED is false."""


class Remote(ServiceFault):
    """internal error. 500: a service answered with an error that carries no reason."""


class RequestInvalid(InvalidRequest):
    """The request is not valid. 400: a parameter or body field is missing, of the wrong type or out of its bounds;
    `errors` names each.
    """


class RequestMalformed(InvalidRequest):
    """The request cannot be read. 400: the request is not HTTP as it should be: bad start line, header or framing."""


class RequestTimeout(InvalidRequest):
    """The request did not arrive in time. 408: the client took longer to send headers or body than the limits of GET
    /limits, or sent the body too slowly.
    """


class ResultsUnavailable(NotFound):
    """Results are unavailable. 404: results of a job are asked for before any of its tasks has delivered."""


class RetentionUnavailable(InvalidRequest):
    """Rules of retention need the address of auth, which keeps the trail. 400: an operator sets rules of retention, and
    jobs has no JOBS_AUTH_ADDRESS.
    """


class RoleRequired(NotAllowed):
    """Only operators may do this, and teachers with their classes. 403: a user who is no operator (AUTH_OPERATORS,
    AUTH_OPERATOR_CLAIM) asks for what is for operators, or one who is no teacher either (AUTH_TEACHERS,
    AUTH_TEACHER_CLAIM) for classes.
    """


class RunnerNotFound(NotFound):
    """No such runner lives. 404: an operator drains a runner that is not there any more."""


class SavedSearchesFull(TooManyRequests):
    """You keep as many searches as you may; delete one first. 429: a user who keeps 50 searches saves one under another
    name.
    """


class SavedSearchNotFound(NotFound):
    """There is no saved search of this name. 404: the acting user keeps no search of this name."""


class SchedulerAnswerUnknown(ServiceFault):
    """The scheduler of the cluster answered in an unknown way. 500: sbatch ends well and prints no id alone, and no job
    has the name of what was submitted: that is looked up again.
    """


class SchedulerBusy(Unavailable):
    """The scheduler of the cluster takes no more jobs at the moment. 503: the account has as many jobs as it may have,
    or the queue is full: the submission is repeated with long pauses.
    """


class SchedulerDenied(Unavailable):
    """The scheduler of the cluster refused the request. 503: a scheduler denies access, or refuses a part of a job whose
    other parts it has taken: final when it says so twice in a row.
    """


class SchedulerDependencyLost(Unavailable):
    """The scheduler of the cluster has lost a job that another is to wait for. 503: a collect job is given the id of an
    array that it is to wait for, since the scheduler has lost that: it is retried.
    """


class SchedulerRefused(InvalidRequest):
    """The scheduler of the cluster refused the request. 400: a scheduler refuses what was asked for: partition, account,
    limits of one job, script; or access, twice in a row.
    """


class SchedulerUnreachable(Unavailable):
    """The scheduler of the cluster does not answer. 503: a scheduler command fails, with words that do not speak of the
    request or with none: it is repeated.
    """


class SelectionInvalid(InvalidRequest):
    """Too many page ranges. 400: pages are selected by more than 1000 ranges."""


class ServiceUnavailable(Unavailable):
    """a part of the service is not available; try again. 503: a service cannot be reached or is stopping."""


class SessionsUnavailable(Unavailable):
    """Sessions cannot be checked at the moment; try again. 503: auth has not been reached for longer than
    GATEWAY_AUTH_OUTAGE_MAX_MS, or not at all since the start.
    """


class SessionInvalid(NotSignedIn):
    """Token is invalid or has expired. 401: a refresh token is unknown or expired, or its session has ended."""


class SharesExceeded(TooManyRequests):
    """It is shared with too many; end a share first. 429: a job or project has 100 shares and gets one more."""


class ShareLinksDisabled(NotAllowed):
    """This deployment makes no share links. 403: a share link is asked for while JOBS_SHARE_LINK_DAYS_MAX is 0."""


class ShareLinksThrottled(TooManyRequests):
    """Too many links that open nothing; try again later. 429: an address has shown 30 share links within a minute that
    opened nothing; the retry delay is the rest of that minute.
    """


class ShareLinkInvalid(NotFound):
    """This link is not valid: it may have ended. 404: a share link is unknown, expired or revoked, or what it opened has
    been deleted; or it is shown for something else. The answer does not show which.
    """


class ShareNotFound(NotFound):
    """There is no such share. 404: a share is ended that is unknown, has ended, or is of something of another user.
    """


class SimulatorUnavailable(InvalidRequest):
    """This deployment cannot run the simulator. 400: no runner has ever reported the wanted sim_type, or the cluster
    does not have it, and the built-in engine does not stand in (JOBS_BUILT_IN_ENGINE).
    """


class SimDataTooLarge(InvalidRequest):
    """sim_data is too large. 413: the JSON text of sim_data is longer than JOBS_SIM_DATA_BYTES_MAX."""


class SshFault(Unavailable):
    """The SSH server of the cluster answered in an unknown way. 503: a request on an open SSH connection fails: no
    channel, no transfer of files, data that is none of its protocol.
    """


class SsoClaimMissing(NotSignedIn):
    """Your account is not entitled to use this service. 401: the realm token is genuine but lacks the claim that
    AUTH_SSO_REQUIRED_CLAIM demands.
    """


class SsoCodeInvalid(NotSignedIn):
    """The sign-in at the provider was not completed: try again. 401: the realm refuses an authorization code, or its ID
    token is not the one that the browser asked for (nonce).
    """


class SsoDisabled(NotAllowed):
    """Single sign-on is not configured on this instance. 403: a single-sign-on login arrives while AUTH_SSO_ISSUER_URL
    is empty.
    """


class SsoRealmUnavailable(ServiceFault):
    """Single sign-on validation failed: the provider cannot be reached. 500: discovery document, keys or tokens of the
    realm cannot be read, or are not what they should be.
    """


class SsoRequired(NotAllowed):
    """Only for users who logged in through single sign-on. 403: a local user uses the batch platform or asks for
    clusters.
    """


class SsoTokenInvalid(NotSignedIn):
    """Single sign-on token is invalid or has expired. 401: the realm token fails a check: signature, issuer, audience,
    type, times, size or a claim that is needed.
    """


class SsoUsernameTaken(Conflict):
    """The user name of this account belongs to another account. 409: the realm gives a user name to a new subject that
    is bound to another one here; what to do: README of auth.
    """


class StorageQuotaExceeded(TooManyRequests):
    """You have too much stored; delete jobs that you do not need. 429: a job is submitted by a user of whom as many
    bytes are stored as JOBS_STORED_BYTES_PER_USER_MAX allows (GET /limits); jobs that run store their results all the
    same.
    """


class SubmissionsPaused(Unavailable):
    """Submissions are paused. 503: an operator has paused submissions to the platform; the message is in his words.
    """


class SubmissionAbandoned(Unavailable):
    """The submission took too long; try again. 503: a submission was still under way after five minutes and its input
    has been removed.
    """


class SubmissionExpired(InvalidRequest):
    """The job waited too long to be submitted. 400: a job could not be submitted for BATCH_WAIT_HOURS_MAX: no usable
    certificate, or a cluster that does not answer.
    """


class SubmissionRevoked(InvalidRequest):
    """The job was canceled or deleted before it was submitted. 400: a submission arrives after the cancel or the
    deletion of its job; it does nothing.
    """


class SubmissionUnfinished(Unavailable):
    """What was submitted of the job before is not through on the cluster. 503: a job is given further tasks while
    earlier ones are still being submitted or canceled: jobs asks again.
    """


class SubscriptionsExceeded(TooManyRequests):
    """You are told of too many jobs already; be told of all your jobs, or of fewer. 429: a user asks to be told of more
    than 1000 jobs and sweeps.
    """


class SumUnavailable(Conflict):
    """Sums of this page are not available. 409: sums are asked for of numbers that are no sums (maps, lists), or of
    final results whose tasks have stored no output that they were merged from, so that their error cannot be known.
    """


class TaskNotFound(NotFound):
    """The job has no task with this number. 404: a worker reports on a task that its job does not have."""


class TemplateNotFound(NotFound):
    """There is no such template. 404: no template has this name; GET /templates lists those that there are, and the log
    of the gateway says which ones were left out.
    """


class Throttled(TooManyRequests):
    """Too many attempts; try again later. 429: a user name or an address has used up its attempts of the current window;
    the retry delay is its rest.
    """


class TokensExceeded(TooManyRequests):
    """Too many tokens; end one that is not used any more. 429: a user has AUTH_TOKENS_PER_USER_MAX API tokens that are
    valid and makes one more.
    """


class TokenInvalid(NotSignedIn):
    """Token is invalid or has expired. 401: the token cookie is forged, expired, of another purpose, or its session has
    ended.
    """


class TokenMissing(NotSignedIn):
    """No token provided. 401: the path needs a session and the request has no token cookie."""


class TokenNotFound(NotFound):
    """There is no such token. 404: a user ends an API token that is not his, or has ended or expired."""


class TokenScopeMissing(NotAllowed):
    """No API token opens this path; sign in. 403: an API token lacks the scope that the path needs, or the path is for
    logins only, as those of tokens are.
    """


class UpdateKeyInvalid(NotSignedIn):
    """The update key is not valid for this job. 401: a worker shows a wrong or expired update key, the key of another
    job, or names a job that does not exist.
    """


class UpdateKeyMissing(NotSignedIn):
    """The body must begin with the job and its update key. 401: a worker sends a body larger than 64 KiB that has its
    job and key neither in so many bytes of its beginning nor in the headers Authorization and X-Job-ID.
    """


class UploadDamaged(Unavailable):
    """A file did not arrive on the cluster as it was sent. 503: size or SHA-256 of an uploaded file differ on the
    cluster: full disk, quota, damage.
    """


class UploadInvalid(InvalidRequest):
    """The upload is malformed. 400: parts of an upload come in the wrong order, are missing, or hold impossible values.
    """


class UploadTooLarge(InvalidRequest):
    """The upload is too large. 413: an input, a task output or results exceed a limit on documents, pages, bins or
    bytes, or the lists of all tasks the limit on bins.
    """


class UsernameReserved(NotAllowed):
    """This name cannot be registered. 403: a registration asks for a name of AUTH_OPERATORS or AUTH_TEACHERS: whoever
    has it is an operator or teacher.
    """


class UsernameTaken(Conflict):
    """User already exists. 409: a registration asks for a user name that another local user has."""


class UserBlocked(NotAllowed):
    """Your account is blocked; ask an operator of this service. 403: a user logs in whom an operator has blocked or
    deleted; a local one with the right password.
    """


class UserNotFound(NotFound):
    """User does not exist. 404: the acting user of a call, or a user whom an operator names, is not in the database.
    """


class UserRequired(ServiceFault):
    """the call needs an acting user. 500: an RPC on behalf of a user came without one."""


class WebhooksDisabled(InvalidRequest):
    """This instance calls no webhooks; ask its operator. 400: a webhook is made or tested while JOBS_WEBHOOKS_ENABLED is
    false, or there is no JOBS_UPDATE_KEY_MASTER.
    """


class WebhooksExceeded(TooManyRequests):
    """You have too many webhooks; remove one first. 429: a user has 10 webhooks and makes one more."""


class WebhookNotFound(NotFound):
    """There is no such webhook. 404: a webhook is not the acting user’s, or was removed."""


REASONS: dict[str, type[ApiError]] = {
    "ACCESS_INSUFFICIENT": AccessInsufficient,
    "ACTION_NOT_FOUND": ActionNotFound,
    "ADDRESS_OVERLOADED": AddressOverloaded,
    "ANSWER_INVALID": AnswerInvalid,
    "AXIS_INVALID": AxisInvalid,
    "BATCH_SUBMISSION_FAILED": BatchSubmissionFailed,
    "BATCH_UNIMPLEMENTED": BatchUnimplemented,
    "BODY_MALFORMED": BodyMalformed,
    "BODY_TOO_LARGE": BodyTooLarge,
    "CALLER_NOT_ALLOWED": CallerNotAllowed,
    "CALLER_UNKNOWN": CallerUnknown,
    "CANCELLED": Cancelled,
    "CHANGED_WHILE_READ": ChangedWhileRead,
    "CLASS_ENDED": ClassEnded,
    "CLASS_NOT_FOUND": ClassNotFound,
    "CLUSTER_UNKNOWN": ClusterUnknown,
    "CLUSTER_UNREACHABLE": ClusterUnreachable,
    "COMMAND_LOST": CommandLost,
    "COMMAND_NOT_RUN": CommandNotRun,
    "COMMAND_OUTPUT_TOO_LARGE": CommandOutputTooLarge,
    "COMMAND_TIMED_OUT": CommandTimedOut,
    "CONTENT_TYPE_UNSUPPORTED": ContentTypeUnsupported,
    "CONVERSIONS_BUSY": ConversionsBusy,
    "CONVERSION_FAILED": ConversionFailed,
    "CREDENTIALS_WRONG": CredentialsWrong,
    "CREDENTIAL_NOT_FOUND": CredentialNotFound,
    "CREDENTIAL_OF_ANOTHER": CredentialOfAnother,
    "CREDENTIAL_UNUSABLE": CredentialUnusable,
    "DEADLINE_TOO_SHORT": DeadlineTooShort,
    "DECK_TOO_LARGE": DeckTooLarge,
    "DOWNLOAD_TOO_SLOW": DownloadTooSlow,
    "ESTIMATOR_NOT_FOUND": EstimatorNotFound,
    "EVENT_STREAMS_EXCEEDED": EventStreamsExceeded,
    "EVENT_STREAMS_FULL": EventStreamsFull,
    "FIELDS_INVALID": FieldsInvalid,
    "FILES_UNCONFINED": FilesUnconfined,
    "FILE_UNREADABLE": FileUnreadable,
    "FOLDER_NOT_REMOVED": FolderNotRemoved,
    "FORMAT_UNSUITABLE": FormatUnsuitable,
    "FRONTEND_UNAVAILABLE": FrontendUnavailable,
    "GROUPS_EXCEEDED": GroupsExceeded,
    "GROUP_NOT_FOUND": GroupNotFound,
    "GROUP_OF_REALM": GroupOfRealm,
    "GROUP_ROLE_MISSING": GroupRoleMissing,
    "GROUP_ROLE_REQUIRED": GroupRoleRequired,
    "HEADERS_TOO_LARGE": HeadersTooLarge,
    "HOST_KEY_CHANGED": HostKeyChanged,
    "IDEMPOTENCY_KEY_REUSED": IdempotencyKeyReused,
    "INPUT_TYPE_UNSUPPORTED": InputTypeUnsupported,
    "INTERNAL": InternalError,
    "JOB_ID_INVALID": JobIdInvalid,
    "JOB_NOT_ENDED": JobNotEnded,
    "JOB_NOT_EXTENDABLE": JobNotExtendable,
    "JOB_NOT_FOUND": JobNotFound,
    "JOB_NOT_MERGEABLE": JobNotMergeable,
    "JOB_NOT_RETRYABLE": JobNotRetryable,
    "JOB_NOT_TERMINAL": JobNotTerminal,
    "JOB_OF_ANOTHER_USER": JobOfAnotherUser,
    "LABELS_CHANGED": LabelsChanged,
    "LAST_MANAGER": LastManager,
    "LINK_INVALID": LinkInvalid,
    "LOGINS_BUSY": LoginsBusy,
    "LOGIN_REFUSED": LoginRefused,
    "LOGIN_SCRIPT_PRINTS": LoginScriptPrints,
    "LOGS_TOO_MANY": LogsTooMany,
    "LOG_INVALID": LogInvalid,
    "MAIL_DISABLED": MailDisabled,
    "MEMBERS_EXCEEDED": MembersExceeded,
    "MEMBER_EXISTS": MemberExists,
    "MEMBER_NOT_FOUND": MemberNotFound,
    "MERGE_REPLACED": MergeReplaced,
    "METHOD_NOT_ALLOWED": MethodNotAllowed,
    "NAME_AMBIGUOUS": NameAmbiguous,
    "NAME_NOT_FOUND": NameNotFound,
    "NOTHING_TO_CHANGE": NothingToChange,
    "NOT_ACCEPTABLE": NotAcceptable,
    "NOT_READY": NotReady,
    "OBJECT_STORE_UNAVAILABLE": ObjectStoreUnavailable,
    "OPERATOR_PROTECTED": OperatorProtected,
    "OPERATOR_REVOKED": OperatorRevoked,
    "OPTION_INVALID": OptionInvalid,
    "ORIGIN_NOT_ALLOWED": OriginNotAllowed,
    "OUTPUTS_INCOMPLETE": OutputsIncomplete,
    "OVERLOADED": Overloaded,
    "PAGE_MISMATCH": PageMismatch,
    "PAGE_SHAPE": PageShape,
    "PASSWORD_NOT_LOCAL": PasswordNotLocal,
    "PASSWORD_WRONG": PasswordWrong,
    "PATH_NOT_FOUND": PathNotFound,
    "PLATFORM_UNIMPLEMENTED": PlatformUnimplemented,
    "PROJECT_CHANGED": ProjectChanged,
    "PROJECT_INVALID": ProjectInvalid,
    "PROJECT_NOT_FOUND": ProjectNotFound,
    "PROJECT_OF_ANOTHER_USER": ProjectOfAnotherUser,
    "PROJECT_QUOTA_EXCEEDED": ProjectQuotaExceeded,
    "PROJECT_REVISION_NOT_FOUND": ProjectRevisionNotFound,
    "PROJECT_TOO_LARGE": ProjectTooLarge,
    "PROJECT_UNSUPPORTED": ProjectUnsupported,
    "QUOTA_EXCEEDED": QuotaExceeded,
    "REGISTRATION_DISABLED": RegistrationDisabled,
    "REMOTE": Remote,
    "REQUEST_INVALID": RequestInvalid,
    "REQUEST_MALFORMED": RequestMalformed,
    "REQUEST_TIMEOUT": RequestTimeout,
    "RESULTS_UNAVAILABLE": ResultsUnavailable,
    "RETENTION_UNAVAILABLE": RetentionUnavailable,
    "ROLE_REQUIRED": RoleRequired,
    "RUNNER_NOT_FOUND": RunnerNotFound,
    "SAVED_SEARCHES_FULL": SavedSearchesFull,
    "SAVED_SEARCH_NOT_FOUND": SavedSearchNotFound,
    "SCHEDULER_ANSWER_UNKNOWN": SchedulerAnswerUnknown,
    "SCHEDULER_BUSY": SchedulerBusy,
    "SCHEDULER_DENIED": SchedulerDenied,
    "SCHEDULER_DEPENDENCY_LOST": SchedulerDependencyLost,
    "SCHEDULER_REFUSED": SchedulerRefused,
    "SCHEDULER_UNREACHABLE": SchedulerUnreachable,
    "SELECTION_INVALID": SelectionInvalid,
    "SERVICE_UNAVAILABLE": ServiceUnavailable,
    "SESSIONS_UNAVAILABLE": SessionsUnavailable,
    "SESSION_INVALID": SessionInvalid,
    "SHARES_EXCEEDED": SharesExceeded,
    "SHARE_LINKS_DISABLED": ShareLinksDisabled,
    "SHARE_LINKS_THROTTLED": ShareLinksThrottled,
    "SHARE_LINK_INVALID": ShareLinkInvalid,
    "SHARE_NOT_FOUND": ShareNotFound,
    "SIMULATOR_UNAVAILABLE": SimulatorUnavailable,
    "SIM_DATA_TOO_LARGE": SimDataTooLarge,
    "SSH_FAULT": SshFault,
    "SSO_CLAIM_MISSING": SsoClaimMissing,
    "SSO_CODE_INVALID": SsoCodeInvalid,
    "SSO_DISABLED": SsoDisabled,
    "SSO_REALM_UNAVAILABLE": SsoRealmUnavailable,
    "SSO_REQUIRED": SsoRequired,
    "SSO_TOKEN_INVALID": SsoTokenInvalid,
    "SSO_USERNAME_TAKEN": SsoUsernameTaken,
    "STORAGE_QUOTA_EXCEEDED": StorageQuotaExceeded,
    "SUBMISSIONS_PAUSED": SubmissionsPaused,
    "SUBMISSION_ABANDONED": SubmissionAbandoned,
    "SUBMISSION_EXPIRED": SubmissionExpired,
    "SUBMISSION_REVOKED": SubmissionRevoked,
    "SUBMISSION_UNFINISHED": SubmissionUnfinished,
    "SUBSCRIPTIONS_EXCEEDED": SubscriptionsExceeded,
    "SUM_UNAVAILABLE": SumUnavailable,
    "TASK_NOT_FOUND": TaskNotFound,
    "TEMPLATE_NOT_FOUND": TemplateNotFound,
    "THROTTLED": Throttled,
    "TOKENS_EXCEEDED": TokensExceeded,
    "TOKEN_INVALID": TokenInvalid,
    "TOKEN_MISSING": TokenMissing,
    "TOKEN_NOT_FOUND": TokenNotFound,
    "TOKEN_SCOPE_MISSING": TokenScopeMissing,
    "UPDATE_KEY_INVALID": UpdateKeyInvalid,
    "UPDATE_KEY_MISSING": UpdateKeyMissing,
    "UPLOAD_DAMAGED": UploadDamaged,
    "UPLOAD_INVALID": UploadInvalid,
    "UPLOAD_TOO_LARGE": UploadTooLarge,
    "USERNAME_RESERVED": UsernameReserved,
    "USERNAME_TAKEN": UsernameTaken,
    "USER_BLOCKED": UserBlocked,
    "USER_NOT_FOUND": UserNotFound,
    "USER_REQUIRED": UserRequired,
    "WEBHOOKS_DISABLED": WebhooksDisabled,
    "WEBHOOKS_EXCEEDED": WebhooksExceeded,
    "WEBHOOK_NOT_FOUND": WebhookNotFound,
}
