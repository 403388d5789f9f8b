# Generated from the OpenAPI document by `pnpm gen`; not to be edited.
"""Bodies of requests and answers. Members without NotRequired are always there."""

from typing import Any, Literal, Union

from typing_extensions import NotRequired, TypedDict

class GetRootAnswer(TypedDict):
    message: str
    name: Literal["tally"]
    version: str


class GetLivezAnswer(TypedDict):
    message: str


class GetReadyzAnswerDependenciesItem(TypedDict):
    name: str
    state: Literal["up", "down"]
    latency_ms: int
    # Why it is down, in a sentence
    reason: NotRequired[str]


class GetReadyzAnswer(TypedDict):
    message: str
    dependencies: list[GetReadyzAnswerDependenciesItem]


class GetLimitsAnswerLimits(TypedDict):
    body_bytes_max: int
    submission_bytes_max: int
    # JSON text of a project that is kept
    project_bytes_max: int
    results_bytes_max: int
    result_numbers_max: int
    result_pages_max: int
    # Members of all objects of a body together
    json_keys_max: int
    # Objects, lists and what stands in them, of a body together
    json_values_max: int
    # Objects and lists inside one another
    json_depth_max: int
    header_bytes_max: int
    headers_timeout_ms: int
    receive_timeout_ms: int
    # Bytes a second; a body that comes more slowly is refused (408)
    receive_rate_bytes_min: int
    call_timeout_ms: int
    submit_timeout_ms: int
    stream_timeout_ms: int
    event_streams_per_user_max: int
    event_heartbeat_ms: int
    # Jobs of a user that have not ended; one more is refused (429); 0: no bound
    open_jobs_per_user_max: NotRequired[int]
    # Tasks of those that have not ended; more are refused (429); 0: no bound
    open_tasks_per_user_max: NotRequired[int]
    # Primaries of those that have not begun; more are refused (429); 0: no bound
    queued_primaries_per_user_max: NotRequired[int]
    # Tasks of a user that runners have at a time; the others wait; 0: no bound
    running_tasks_per_user_max: NotRequired[int]
    # Inputs, outputs, results and logs of a user, as they are stored, from which on new jobs are refused (429); 0: no
    # bound
    stored_bytes_per_user_max: NotRequired[int]
    # Projects that a user keeps; one more is refused (429); 0: no bound
    projects_per_user_max: NotRequired[int]
    # All revisions of these, as they are stored; more are refused (429); 0: no bound
    project_bytes_per_user_max: NotRequired[int]


class GetLimitsAnswer(TypedDict):
    message: str
    limits: GetLimitsAnswerLimits


class GetOpenapiJsonAnswerInfo(TypedDict):
    title: str
    version: str


class GetOpenapiJsonAnswer(TypedDict):
    openapi: str
    info: GetOpenapiJsonAnswerInfo
    paths: dict[str, Any]


GetSchemasProjectJsonAnswer = TypedDict(
    "GetSchemasProjectJsonAnswer",
    {
        "$schema": str,
        "type": Literal["object"],
    },
)


Simulator = Literal["simA", "simB", "simC", "simD"]


class GetSimulatorsAnswerSimulatorsItem(TypedDict):
    sim_type: Simulator
    available: bool
    engine: str


class GetSimulatorsAnswer(TypedDict):
    message: str
    simulators: list[GetSimulatorsAnswerSimulatorsItem]
    # What keeps simulators of the direct platform from the rest of their machines, over all runners that live
    confinement: list[Literal["none", "bubblewrap", "container"]]


class GetTemplatesAnswerTemplatesItemParametersItemTargetsItem(TypedDict):
    # JSON pointer (RFC 6901) to a number of project.json
    pointer: str
    # 1 unless given
    scale: NotRequired[float]
    # 0 unless given
    offset: NotRequired[float]


class GetTemplatesAnswerTemplatesItemParametersItem(TypedDict):
    name: str
    label: str
    # Empty: a number without one
    unit: str
    min: float
    max: float
    # Of a slider; values between the steps are allowed
    step: float
    default: float
    # What moves with the value: there it is value · scale + offset. Terms of several parameters for one place are
    # added
    targets: list[GetTemplatesAnswerTemplatesItemParametersItemTargetsItem]


class GetTemplatesAnswerTemplatesItemExpectedReading(TypedDict):
    estimator: str
    # Name of the page
    page: str
    # Of the reading, as results have it
    name: str
    value: float
    tolerance: float
    unit: str
    # True: the value is the coordinate of the place, not its depth behind the first matter
    coordinate: NotRequired[bool]


class GetTemplatesAnswerTemplatesItemExpected(TypedDict):
    # What the results show with the defaults
    words: str
    reading: NotRequired[GetTemplatesAnswerTemplatesItemExpectedReading]


class GetTemplatesAnswerTemplatesItem(TypedDict):
    # Name of a template, as GET /templates lists it
    name: str
    title: str
    # Two sentences: what a student learns
    teaches: str
    parameters: list[GetTemplatesAnswerTemplatesItemParametersItem]
    expected: GetTemplatesAnswerTemplatesItemExpected
    # Path of its picture (PNG) on this service; null: it has none
    picture: Union[str, None]


class GetTemplatesAnswer(TypedDict):
    message: str
    templates: list[GetTemplatesAnswerTemplatesItem]


class GetTemplatesTemplateAnswerParametersItemTargetsItem(TypedDict):
    # JSON pointer (RFC 6901) to a number of project.json
    pointer: str
    # 1 unless given
    scale: NotRequired[float]
    # 0 unless given
    offset: NotRequired[float]


class GetTemplatesTemplateAnswerParametersItem(TypedDict):
    name: str
    label: str
    # Empty: a number without one
    unit: str
    min: float
    max: float
    # Of a slider; values between the steps are allowed
    step: float
    default: float
    # What moves with the value: there it is value · scale + offset. Terms of several parameters for one place are
    # added
    targets: list[GetTemplatesTemplateAnswerParametersItemTargetsItem]


class GetTemplatesTemplateAnswerExpectedReading(TypedDict):
    estimator: str
    # Name of the page
    page: str
    # Of the reading, as results have it
    name: str
    value: float
    tolerance: float
    unit: str
    # True: the value is the coordinate of the place, not its depth behind the first matter
    coordinate: NotRequired[bool]


class GetTemplatesTemplateAnswerExpected(TypedDict):
    # What the results show with the defaults
    words: str
    reading: NotRequired[GetTemplatesTemplateAnswerExpectedReading]


class GetTemplatesTemplateAnswer(TypedDict):
    # Name of a template, as GET /templates lists it
    name: str
    title: str
    # Two sentences: what a student learns
    teaches: str
    parameters: list[GetTemplatesTemplateAnswerParametersItem]
    expected: GetTemplatesTemplateAnswerExpected
    # Path of its picture (PNG) on this service; null: it has none
    picture: Union[str, None]
    message: str
    # With the defaults
    project: dict[str, Any]


class PutAuthRegisterBody(TypedDict):
    username: str
    password: str


class PutAuthRegisterAnswer(TypedDict):
    message: str
    status_code: Literal[201]


class PostAuthLoginBody(TypedDict):
    username: str
    password: str


# ISO 8601, UTC, milliseconds
Timestamp = str


class PostAuthLoginAnswer(TypedDict):
    message: str
    access_exp: Timestamp
    refresh_exp: Timestamp


class GetAuthRefreshAnswer(TypedDict):
    message: str
    access_exp: Timestamp


class GetAuthStatusAnswer(TypedDict):
    message: str
    username: str
    source: Literal["local", "sso"]
    # Absent: an ordinary user
    role: NotRequired[Literal["operator", "teacher"]]


class DeleteAuthLogoutAnswer(TypedDict):
    message: str


class PostAuthPasswordResetBody(TypedDict):
    username: str


class PostAuthPasswordResetAnswer(TypedDict):
    message: str


class PostAuthPasswordResetConfirmBody(TypedDict):
    # What follows `#` in the link
    token: str
    new_password: str


class PostAuthPasswordResetConfirmAnswer(TypedDict):
    message: str


class PostAuthEmailConfirmBody(TypedDict):
    # What follows `#` in the link
    token: str


class PostAuthEmailConfirmAnswer(TypedDict):
    message: str
    email: str


class GetAuthSsoAnswerSso1(TypedDict):
    issuer: str
    # Public client; absent: bring a token to `POST /auth/sso`
    client_id: NotRequired[str]
    scope: NotRequired[str]
    authorization_endpoint: NotRequired[str]
    token_endpoint: NotRequired[str]
    # Absent: the realm has no device flow
    device_authorization_endpoint: NotRequired[str]


class GetAuthSsoAnswer(TypedDict):
    message: str
    sso: Union[GetAuthSsoAnswerSso1, None]


class PostAuthSsoBody(TypedDict):
    sso_token: str


class PostAuthSsoAnswer(TypedDict):
    message: str
    access_exp: Timestamp
    refresh_exp: Timestamp


class DeleteAuthSsoAnswer(TypedDict):
    message: str


class PostAuthSsoCodeBody(TypedDict):
    # What the realm gave to the browser
    code: str
    # Whose SHA-256 the browser sent to the realm (RFC 7636)
    code_verifier: str
    # Where the realm sent the browser back to, exactly
    redirect_uri: str
    # What the browser sent as nonce; the ID token must hold it
    nonce: str


class PostAuthSsoCodeAnswer(TypedDict):
    message: str
    access_exp: Timestamp
    refresh_exp: Timestamp


class GetAuthSessionsAnswerSessionsItem(TypedDict):
    session_id: str
    created_at: Timestamp
    expires_at: Timestamp
    is_current: bool


class GetAuthSessionsAnswer(TypedDict):
    message: str
    sessions: list[GetAuthSessionsAnswerSessionsItem]


class DeleteAuthSessionsAnswer(TypedDict):
    message: str


class PostAuthTokensBody(TypedDict):
    # What you call it, for example the machine it is for
    name: str
    # `read`: see what you see; `submit`: submit, change and delete jobs
    scopes: list[Literal["read", "submit"]]
    # In the future, at most a year unless the deployment says otherwise; 90 days from now unless given
    expires_at: NotRequired[str]
    # Whether it ends when you end all your sessions or change your password
    ends_with_sessions: NotRequired[bool]


class PostAuthTokensAnswer(TypedDict):
    token_id: str
    name: str
    scopes: list[Literal["read", "submit"]]
    created_at: Timestamp
    expires_at: Timestamp
    # To the minute; null: never
    last_used_at: Union[Timestamp, None]
    ends_with_sessions: bool
    message: str
    # The token, shown this once; only its hash is kept
    token: str


class GetAuthTokensAnswerTokensItem(TypedDict):
    token_id: str
    name: str
    scopes: list[Literal["read", "submit"]]
    created_at: Timestamp
    expires_at: Timestamp
    # To the minute; null: never
    last_used_at: Union[Timestamp, None]
    ends_with_sessions: bool


class GetAuthTokensAnswer(TypedDict):
    message: str
    tokens: list[GetAuthTokensAnswerTokensItem]


class DeleteAuthTokensAnswer(TypedDict):
    message: str


class PostGroupsBody(TypedDict):
    # One line; several groups may have the same
    name: str


class PostGroupsAnswer(TypedDict):
    group_id: str
    name: str
    # Yours
    role: Literal["viewer", "member", "manager"]
    # Whether the single sign-on provider decides who is in it
    of_realm: bool
    member_count: int
    created_at: Timestamp
    message: str


class GetGroupsAnswerGroupsItem(TypedDict):
    group_id: str
    name: str
    # Yours
    role: Literal["viewer", "member", "manager"]
    # Whether the single sign-on provider decides who is in it
    of_realm: bool
    member_count: int
    created_at: Timestamp


class GetGroupsAnswer(TypedDict):
    message: str
    groups: list[GetGroupsAnswerGroupsItem]


class PutGroupsBody(TypedDict):
    # Group id, as POST /groups returned it
    group_id: str
    # One line; several groups may have the same
    name: str


class PutGroupsAnswer(TypedDict):
    message: str


class DeleteGroupsAnswer(TypedDict):
    message: str


class PostGroupsMembersBody(TypedDict):
    # Group id, as POST /groups returned it
    group_id: str
    # The exact user name
    username: str
    # Needed only where a local user and one of single sign-on have the same name
    source: NotRequired[Literal["local", "sso"]]
    # `viewer` sees jobs and projects of the group, `member` changes them, too, `manager` deletes them and decides who
    # is in the group
    role: Literal["viewer", "member", "manager"]


class PostGroupsMembersAnswer(TypedDict):
    user_id: int
    username: str
    display_name: str
    source: Literal["local", "sso"]
    # `viewer` sees jobs and projects of the group, `member` changes them, too, `manager` deletes them and decides who
    # is in the group
    role: Literal["viewer", "member", "manager"]
    joined_at: Timestamp
    message: str


class GetGroupsMembersAnswerMembersItem(TypedDict):
    user_id: int
    username: str
    display_name: str
    source: Literal["local", "sso"]
    # `viewer` sees jobs and projects of the group, `member` changes them, too, `manager` deletes them and decides who
    # is in the group
    role: Literal["viewer", "member", "manager"]
    joined_at: Timestamp


class GetGroupsMembersAnswer(TypedDict):
    message: str
    members: list[GetGroupsMembersAnswerMembersItem]


class PutGroupsMembersBody(TypedDict):
    # Group id, as POST /groups returned it
    group_id: str
    user_id: int
    # `viewer` sees jobs and projects of the group, `member` changes them, too, `manager` deletes them and decides who
    # is in the group
    role: Literal["viewer", "member", "manager"]


class PutGroupsMembersAnswer(TypedDict):
    message: str


class DeleteGroupsMembersAnswer(TypedDict):
    message: str


# A project of the editor, or input files of the simulator
InputType = Literal["editor", "files"]


# What becomes of quantities that cannot be scored, for example because their filter selects particles that are not
# transported: the job is refused (400), or they are left out, which `warnings` and the results say. What changes the
# transport is refused all the same, and so is a job of which nothing would be left
OnUnsupported = Literal["refuse", "omit"]


class PostEstimateBodyTarget(TypedDict):
    """The job goes on until its results are as good; the project says the primaries of the first part"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int


class PostEstimateBodyProject(TypedDict):
    """The kept project that sim_data was taken from: the job remembers it"""

    project_id: str
    revision: int


class PostEstimateBodySweep(TypedDict):
    """The jobs of a sweep belong together: you are told of them once, when the last has ended"""

    # The same for all its jobs, and of your making
    id: str
    # Its jobs in all
    size: int


class PostEstimateBodyBatchOptions(TypedDict):
    # A cluster of GET /clusters; else the default one
    cluster_name: NotRequired[str]
    # What the scheduler is asked for, by the names of its options, for example a time limit and a partition; the
    # cluster names those that it takes. At most 10000 bytes of JSON
    scheduler_options: NotRequired[dict[str, Any]]


# Workers of the service, or a cluster
Platform = Literal["direct", "batch"]


class PostEstimateBody(TypedDict):
    sim_type: Simulator
    # Parallel tasks; at most the primaries and 1000
    ntasks: int
    input_type: InputType
    # Project of the editor, or text of each input file by its name
    sim_data: NotRequired[dict[str, Any]]
    # Alias of sim_data when input_type is editor
    input_json: NotRequired[dict[str, Any]]
    # Alias of sim_data when input_type is files
    input_files: NotRequired[dict[str, Any]]
    # One line; else the project's title, or the name of the first input file, else Untitled
    title: NotRequired[str]
    # Seed of the random numbers; drawn unless given. Above 2^53-1 as text
    seed: NotRequired[Union[int, str]]
    # refuse unless given
    on_unsupported: NotRequired[OnUnsupported]
    # The job goes on until its results are as good; the project says the primaries of the first part
    target: NotRequired[PostEstimateBodyTarget]
    # The kept project that sim_data was taken from: the job remembers it
    project: NotRequired[PostEstimateBodyProject]
    # The jobs of a sweep belong together: you are told of them once, when the last has ended
    sweep: NotRequired[PostEstimateBodySweep]
    # A group of yours that the job belongs to, too
    group_id: NotRequired[str]
    batch_options: NotRequired[PostEstimateBodyBatchOptions]
    # Where it would run; direct unless given
    platform: NotRequired[Platform]


class TimeEstimate(TypedDict):
    """Seconds; in about two of three cases it takes between low and high"""

    expected: float
    low: float
    high: float


# Jobs of the same project of yours; jobs of the same particle and octave of energy; any jobs on the engine; the model
# alone, because nothing has run yet
EstimateBasis = Literal["same", "alike", "engine", "model"]


class PostEstimateAnswerSimulatorsItem(TypedDict):
    sim_type: Simulator
    # Who would compute, for example reference 0.1.0
    engine: str
    # Of processors, all tasks together
    processor_seconds: NotRequired[TimeEstimate]
    # By the clock, from the moment when it has slots; absent while no runner of the simulator says how many it has.
    # On a cluster that of all tasks at once, from their start, and so what each of them takes
    wall_seconds: NotRequired[TimeEstimate]
    basis: NotRequired[EstimateBasis]
    # How many jobs the estimate rests on
    jobs: NotRequired[int]
    # Why it cannot run there; then there are no times
    refusal: NotRequired[str]


class PostEstimateAnswer(TypedDict):
    message: str
    primaries: int
    ntasks: int
    # Tasks that the live runners with `sim_type` run at once, where they differ those of the version with most slots;
    # all runners have the built-in engine. Of a cluster, all of the job
    slots: int
    # Everybody's tasks that wait for a slot of those runners; of a cluster 0: its queue is not known
    waiting_tasks: int
    # How many of the waiting tasks are served before the first one of this job: those in the queue, your own, and
    # beside each of your own one of each other user. Of a cluster 0
    tasks_before: int
    # The cluster that it is for; absent: the runners
    cluster_name: NotRequired[str]
    # How long each task may take on that cluster; a task that takes longer is lost
    wall_time_limit_seconds: NotRequired[float]
    # The one of `sim_type` first; of a project, then the others
    simulators: list[PostEstimateAnswerSimulatorsItem]


class PostJobsDirectBodyTarget(TypedDict):
    """The job goes on until its results are as good; the project says the primaries of the first part"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int


class PostJobsDirectBodyProject(TypedDict):
    """The kept project that sim_data was taken from: the job remembers it"""

    project_id: str
    revision: int


class PostJobsDirectBodySweep(TypedDict):
    """The jobs of a sweep belong together: you are told of them once, when the last has ended"""

    # The same for all its jobs, and of your making
    id: str
    # Its jobs in all
    size: int


class PostJobsDirectBody(TypedDict):
    sim_type: Simulator
    # Parallel tasks; at most the primaries and 1000
    ntasks: int
    input_type: InputType
    # Project of the editor, or text of each input file by its name
    sim_data: NotRequired[dict[str, Any]]
    # Alias of sim_data when input_type is editor
    input_json: NotRequired[dict[str, Any]]
    # Alias of sim_data when input_type is files
    input_files: NotRequired[dict[str, Any]]
    # One line; else the project's title, or the name of the first input file, else Untitled
    title: NotRequired[str]
    # Seed of the random numbers; drawn unless given. Above 2^53-1 as text
    seed: NotRequired[Union[int, str]]
    # refuse unless given
    on_unsupported: NotRequired[OnUnsupported]
    # The job goes on until its results are as good; the project says the primaries of the first part
    target: NotRequired[PostJobsDirectBodyTarget]
    # The kept project that sim_data was taken from: the job remembers it
    project: NotRequired[PostJobsDirectBodyProject]
    # The jobs of a sweep belong together: you are told of them once, when the last has ended
    sweep: NotRequired[PostJobsDirectBodySweep]
    # A group of yours that the job belongs to, too
    group_id: NotRequired[str]


class PostJobsDirectAnswerWarningsItem(TypedDict):
    code: str
    message: str


class PostJobsDirectAnswer(TypedDict):
    message: str
    job_id: str
    # Internal number of the job; absent for a repeat of a submission whose job has been deleted
    simulation_id: NotRequired[int]
    # Decimal digits, up to 2^64-1
    seed: str
    warnings: NotRequired[list[PostJobsDirectAnswerWarningsItem]]


class JobDescriptionEnergyMev(TypedDict):
    """Total kinetic energies of the beam, and how many different ones"""

    min: float
    max: float
    count: int


class JobDescriptionDepth1(TypedDict):
    axis: Literal["X", "Y", "Z"]
    sign: Union[Literal[1], Literal[-1]]
    first_matter_cm: Union[float, None]


class JobDescriptionProject(TypedDict):
    """The kept project that it was submitted from, with its title then"""

    project_id: str
    revision: int
    title: str


class JobDescription(TypedDict):
    """What a job simulates, read off the converted project; of users' own files the beam is not known"""

    title: str
    # That was asked for
    simulator: str
    # Who computes, with the version that was known at the submission
    engine: str
    # Decimal digits, up to 2^64-1
    seed: str
    # That its owner asked for, extensions included; of a job with a target at most so many
    requested_primaries: int
    # ISO 8601, UTC
    submitted_at: str
    # In a line, for example "proton, 250 spots, 10 energies 132–150 MeV, from sobp.dat"
    beam: NotRequired[str]
    particle: NotRequired[str]
    # How depth curves are read
    kind: NotRequired[Literal["ion", "electron", "photon"]]
    # Total kinetic energies of the beam, and how many different ones
    energy_mev: NotRequired[JobDescriptionEnergyMev]
    # Of a spot list; 0: there is none
    spots: NotRequired[int]
    # Mean excitation energy of liquid water, eV; null: there is no water, or it is not known
    water_ionisation_ev: NotRequired[Union[float, None]]
    # Axis along which the beam goes, -1: towards smaller coordinates, and the coordinate of the first matter denser
    # than a gas, where depths begin; null: it goes along none
    depth: NotRequired[Union[JobDescriptionDepth1, None]]
    # The kept project that it was submitted from, with its title then
    project: NotRequired[JobDescriptionProject]


# Of a job or a task; COMPLETED, FAILED and CANCELED are final, but for a COMPLETED job that is extended
State = Literal["UNKNOWN", "PENDING", "RUNNING", "MERGING_QUEUED", "MERGING_RUNNING", "COMPLETED", "FAILED", "CANCELED"]


class TaskStatusEstimatedTime(TypedDict):
    hours: int
    minutes: int
    seconds: int


class FailureReason(TypedDict):
    """Why a task or job is FAILED; of a job with its tasks, of the first of these"""

    # Stable word; docs/errors.md lists them
    code: str
    stage: Literal["submit", "queue", "run", "deliver", "merge"]
    # For people
    detail: str
    # Of the simulator, when that is why
    exit_code: Union[int, None]
    # That ended the simulator, when that is why
    signal: Union[str, None]
    # true: the same again may go well
    retryable: bool


class TaskStatus(TypedDict):
    """One of the ntasks runs of a job; optional members only when set"""

    task_id: int
    task_state: State
    requested_primaries: int
    simulated_primaries: int
    last_update_time: Timestamp
    estimated_time: NotRequired[TaskStatusEstimatedTime]
    start_time: NotRequired[Timestamp]
    end_time: NotRequired[Timestamp]
    # Why it is FAILED, as one text
    failure: NotRequired[str]
    failure_reason: NotRequired[FailureReason]


class GetJobsDirectAnswerTargetConvergenceItem(TypedDict):
    primaries: int
    # null where it is not known
    relative_error: Union[float, None]
    time: Timestamp


class GetJobsDirectAnswerTarget(TypedDict):
    """Of a job that goes on until its results are good enough"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int
    # What each merge came to, ascending
    convergence: list[GetJobsDirectAnswerTargetConvergenceItem]
    # In all until the target, by the last error; not after the end
    predicted_primaries: NotRequired[int]
    # From the last of these on; not after the end
    predicted_seconds: NotRequired[float]


class NotedJobLabels(TypedDict):
    """What its owner has noted of a job since; absent: nothing, ever (revision 0)"""

    # Number of changes
    revision: int
    # In the order of the alphabet
    tags: list[str]
    has_note: bool
    favourite: bool
    # It is left out of lists that do not search for archived jobs
    archived: bool
    # Of several lines; empty: none
    note: str


class GetJobsDirectAnswerSweep(TypedDict):
    """The jobs of a sweep belong together: you are told of them once, when the last has ended"""

    # The same for all its jobs, and of your making
    id: str
    # Its jobs in all
    size: int


class GetJobsDirectAnswerSubmissionTarget(TypedDict):
    """The job goes on until its results are as good; the project says the primaries of the first part"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int


class GetJobsDirectAnswerSubmissionBatchOptions(TypedDict):
    cluster_name: str
    scheduler_options: NotRequired[Any]


class GetJobsDirectAnswerSubmission(TypedDict):
    """What it was submitted with, as in its body, extensions aside; sim_data is the answer of GET /inputs"""

    platform: Platform
    sim_type: Simulator
    input_type: InputType
    ntasks: int
    title: str
    seed: str
    on_unsupported: NotRequired[OnUnsupported]
    # The job goes on until its results are as good; the project says the primaries of the first part
    target: NotRequired[GetJobsDirectAnswerSubmissionTarget]
    batch_options: NotRequired[GetJobsDirectAnswerSubmissionBatchOptions]


class GetJobsDirectAnswer(TypedDict):
    message: str
    # Internal number of the job; workers may name it by this, too
    simulation_id: NotRequired[int]
    description: NotRequired[JobDescription]
    job_state: State
    job_tasks_status: list[TaskStatus]
    # Why it is FAILED, as one text
    failure: NotRequired[str]
    failure_reason: NotRequired[FailureReason]
    # Of a job that goes on until its results are good enough
    target: NotRequired[GetJobsDirectAnswerTarget]
    # Of such a job that has ended
    target_reached: NotRequired[bool]
    # Its owner has stopped it: it ends with the primaries that were simulated by then
    stopped: NotRequired[Literal[True]]
    # Primaries behind its final results
    simulated_primaries: NotRequired[int]
    # Of a batch job
    cluster_name: NotRequired[str]
    # How long its tasks still take, those that have not begun in turns of as many as run now; absent: no task runs,
    # or none has said how far it is
    remaining_seconds: NotRequired[int]
    # Why a job, or some of its tasks, do not go on at the moment, for example runners that are busy with other tasks,
    # an expired certificate of a batch job, or results that a worker may still deliver
    waiting_reason: NotRequired[str]
    labels: NotRequired[NotedJobLabels]
    # The jobs of a sweep belong together: you are told of them once, when the last has ended
    sweep: NotRequired[GetJobsDirectAnswerSweep]
    # What it was submitted with, as in its body, extensions aside; sim_data is the answer of GET /inputs
    submission: NotRequired[GetJobsDirectAnswerSubmission]


class DeleteJobsDirectAnswer(TypedDict):
    message: str
    job_state: State


class PostJobsDirectStopAnswer(TypedDict):
    message: str
    job_state: State
    # Whether the job ends early, by this call or an earlier one
    stopped: bool


class PostJobsDirectExtendBody(TypedDict):
    # Job id, as the submission returned it
    job_id: str
    # Further primaries; at most 10¹⁰ in all
    primaries: int
    # Further tasks; as many as the job was submitted with unless given
    ntasks: NotRequired[int]


class PostJobsDirectExtendAnswer(TypedDict):
    message: str
    job_id: str
    job_state: State
    # Tasks of the job in all
    ntasks: int
    # Primaries of the job in all
    primaries: int


class PostJobsBatchBodyTarget(TypedDict):
    """The job goes on until its results are as good; the project says the primaries of the first part"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int


class PostJobsBatchBodyProject(TypedDict):
    """The kept project that sim_data was taken from: the job remembers it"""

    project_id: str
    revision: int


class PostJobsBatchBodySweep(TypedDict):
    """The jobs of a sweep belong together: you are told of them once, when the last has ended"""

    # The same for all its jobs, and of your making
    id: str
    # Its jobs in all
    size: int


class PostJobsBatchBodyBatchOptions(TypedDict):
    # A cluster of GET /clusters; else the default one
    cluster_name: NotRequired[str]
    # What the scheduler is asked for, by the names of its options, for example a time limit and a partition; the
    # cluster names those that it takes. At most 10000 bytes of JSON
    scheduler_options: NotRequired[dict[str, Any]]


class PostJobsBatchBody(TypedDict):
    sim_type: Simulator
    # Parallel tasks; at most the primaries and 1000
    ntasks: int
    input_type: InputType
    # Project of the editor, or text of each input file by its name
    sim_data: NotRequired[dict[str, Any]]
    # Alias of sim_data when input_type is editor
    input_json: NotRequired[dict[str, Any]]
    # Alias of sim_data when input_type is files
    input_files: NotRequired[dict[str, Any]]
    # One line; else the project's title, or the name of the first input file, else Untitled
    title: NotRequired[str]
    # Seed of the random numbers; drawn unless given. Above 2^53-1 as text
    seed: NotRequired[Union[int, str]]
    # refuse unless given
    on_unsupported: NotRequired[OnUnsupported]
    # The job goes on until its results are as good; the project says the primaries of the first part
    target: NotRequired[PostJobsBatchBodyTarget]
    # The kept project that sim_data was taken from: the job remembers it
    project: NotRequired[PostJobsBatchBodyProject]
    # The jobs of a sweep belong together: you are told of them once, when the last has ended
    sweep: NotRequired[PostJobsBatchBodySweep]
    # A group of yours that the job belongs to, too
    group_id: NotRequired[str]
    batch_options: NotRequired[PostJobsBatchBodyBatchOptions]


class PostJobsBatchAnswerWarningsItem(TypedDict):
    code: str
    message: str


class PostJobsBatchAnswer(TypedDict):
    message: str
    job_id: str
    # Internal number of the job; absent for a repeat of a submission whose job has been deleted
    simulation_id: NotRequired[int]
    # Decimal digits, up to 2^64-1
    seed: str
    warnings: NotRequired[list[PostJobsBatchAnswerWarningsItem]]


class GetJobsBatchAnswerTargetConvergenceItem(TypedDict):
    primaries: int
    # null where it is not known
    relative_error: Union[float, None]
    time: Timestamp


class GetJobsBatchAnswerTarget(TypedDict):
    """Of a job that goes on until its results are good enough"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int
    # What each merge came to, ascending
    convergence: list[GetJobsBatchAnswerTargetConvergenceItem]
    # In all until the target, by the last error; not after the end
    predicted_primaries: NotRequired[int]
    # From the last of these on; not after the end
    predicted_seconds: NotRequired[float]


class GetJobsBatchAnswerSweep(TypedDict):
    """The jobs of a sweep belong together: you are told of them once, when the last has ended"""

    # The same for all its jobs, and of your making
    id: str
    # Its jobs in all
    size: int


class GetJobsBatchAnswerSubmissionTarget(TypedDict):
    """The job goes on until its results are as good; the project says the primaries of the first part"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int


class GetJobsBatchAnswerSubmissionBatchOptions(TypedDict):
    cluster_name: str
    scheduler_options: NotRequired[Any]


class GetJobsBatchAnswerSubmission(TypedDict):
    """What it was submitted with, as in its body, extensions aside; sim_data is the answer of GET /inputs"""

    platform: Platform
    sim_type: Simulator
    input_type: InputType
    ntasks: int
    title: str
    seed: str
    on_unsupported: NotRequired[OnUnsupported]
    # The job goes on until its results are as good; the project says the primaries of the first part
    target: NotRequired[GetJobsBatchAnswerSubmissionTarget]
    batch_options: NotRequired[GetJobsBatchAnswerSubmissionBatchOptions]


class GetJobsBatchAnswer(TypedDict):
    message: str
    # Internal number of the job; workers may name it by this, too
    simulation_id: NotRequired[int]
    description: NotRequired[JobDescription]
    job_state: State
    job_tasks_status: list[TaskStatus]
    # Why it is FAILED, as one text
    failure: NotRequired[str]
    failure_reason: NotRequired[FailureReason]
    # Of a job that goes on until its results are good enough
    target: NotRequired[GetJobsBatchAnswerTarget]
    # Of such a job that has ended
    target_reached: NotRequired[bool]
    # Its owner has stopped it: it ends with the primaries that were simulated by then
    stopped: NotRequired[Literal[True]]
    # Primaries behind its final results
    simulated_primaries: NotRequired[int]
    # Of a batch job
    cluster_name: NotRequired[str]
    # How long its tasks still take, those that have not begun in turns of as many as run now; absent: no task runs,
    # or none has said how far it is
    remaining_seconds: NotRequired[int]
    # Why a job, or some of its tasks, do not go on at the moment, for example runners that are busy with other tasks,
    # an expired certificate of a batch job, or results that a worker may still deliver
    waiting_reason: NotRequired[str]
    labels: NotRequired[NotedJobLabels]
    # The jobs of a sweep belong together: you are told of them once, when the last has ended
    sweep: NotRequired[GetJobsBatchAnswerSweep]
    # What it was submitted with, as in its body, extensions aside; sim_data is the answer of GET /inputs
    submission: NotRequired[GetJobsBatchAnswerSubmission]


class DeleteJobsBatchAnswer(TypedDict):
    message: str
    job_state: State


class PostJobsBatchStopAnswer(TypedDict):
    message: str
    job_state: State
    # Whether the job ends early, by this call or an earlier one
    stopped: bool


class PostJobsBatchExtendBody(TypedDict):
    # Job id, as the submission returned it
    job_id: str
    # Further primaries; at most 10¹⁰ in all
    primaries: int
    # Further tasks; as many as the job was submitted with unless given
    ntasks: NotRequired[int]


class PostJobsBatchExtendAnswer(TypedDict):
    message: str
    job_id: str
    job_state: State
    # Tasks of the job in all
    ntasks: int
    # Primaries of the job in all
    primaries: int


class GetJobsAnswerTargetConvergenceItem(TypedDict):
    primaries: int
    # null where it is not known
    relative_error: Union[float, None]
    time: Timestamp


class GetJobsAnswerTarget(TypedDict):
    """Of a job that goes on until its results are good enough"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int
    # What each merge came to, ascending
    convergence: list[GetJobsAnswerTargetConvergenceItem]
    # In all until the target, by the last error; not after the end
    predicted_primaries: NotRequired[int]
    # From the last of these on; not after the end
    predicted_seconds: NotRequired[float]


class GetJobsAnswerSweep(TypedDict):
    """The jobs of a sweep belong together: you are told of them once, when the last has ended"""

    # The same for all its jobs, and of your making
    id: str
    # Its jobs in all
    size: int


class GetJobsAnswerSubmissionTarget(TypedDict):
    """The job goes on until its results are as good; the project says the primaries of the first part"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int


class GetJobsAnswerSubmissionBatchOptions(TypedDict):
    cluster_name: str
    scheduler_options: NotRequired[Any]


class GetJobsAnswerSubmission(TypedDict):
    """What it was submitted with, as in its body, extensions aside; sim_data is the answer of GET /inputs"""

    platform: Platform
    sim_type: Simulator
    input_type: InputType
    ntasks: int
    title: str
    seed: str
    on_unsupported: NotRequired[OnUnsupported]
    # The job goes on until its results are as good; the project says the primaries of the first part
    target: NotRequired[GetJobsAnswerSubmissionTarget]
    batch_options: NotRequired[GetJobsAnswerSubmissionBatchOptions]


class GetJobsAnswer(TypedDict):
    message: str
    # Internal number of the job; workers may name it by this, too
    simulation_id: NotRequired[int]
    description: NotRequired[JobDescription]
    job_state: State
    job_tasks_status: list[TaskStatus]
    # Why it is FAILED, as one text
    failure: NotRequired[str]
    failure_reason: NotRequired[FailureReason]
    # Of a job that goes on until its results are good enough
    target: NotRequired[GetJobsAnswerTarget]
    # Of such a job that has ended
    target_reached: NotRequired[bool]
    # Its owner has stopped it: it ends with the primaries that were simulated by then
    stopped: NotRequired[Literal[True]]
    # Primaries behind its final results
    simulated_primaries: NotRequired[int]
    # Of a batch job
    cluster_name: NotRequired[str]
    # How long its tasks still take, those that have not begun in turns of as many as run now; absent: no task runs,
    # or none has said how far it is
    remaining_seconds: NotRequired[int]
    # Why a job, or some of its tasks, do not go on at the moment, for example runners that are busy with other tasks,
    # an expired certificate of a batch job, or results that a worker may still deliver
    waiting_reason: NotRequired[str]
    labels: NotRequired[NotedJobLabels]
    # The jobs of a sweep belong together: you are told of them once, when the last has ended
    sweep: NotRequired[GetJobsAnswerSweep]
    # What it was submitted with, as in its body, extensions aside; sim_data is the answer of GET /inputs
    submission: NotRequired[GetJobsAnswerSubmission]


class PostJobsBody(TypedDict):
    # Job id as the submission returned it; the internal number is taken too
    sim_id: Union[str, int]
    # Update key of the job, or the shared one
    update_key: str
    # Unless given, the state stays and the rest is stored
    job_state: NotRequired[Union[State, None]]
    # YYYY-MM-DD HH:MM:SS[.ffffff] in UTC, or ISO 8601
    end_time: NotRequired[Union[str, None]]
    # Batch platform: folder of the job on the cluster
    job_dir: NotRequired[Union[str, None]]
    # Batch platform: number of the array job
    array_id: NotRequired[Union[int, None]]
    # Batch platform: number of the collect job
    collect_id: NotRequired[Union[int, None]]


class PostJobsAnswer(TypedDict):
    message: str
    # False: ignored, because the job or task had ended or the attempt was replaced
    applied: bool


class PutJobsLabelsBody(TypedDict):
    # Job id, as the submission returned it
    job_id: str
    # That the change is based on; unless given it is made whatever somebody else has changed
    revision: NotRequired[int]
    # One line
    title: NotRequired[str]
    # Of several lines; empty: none any more
    note: NotRequired[str]
    # A job has at most 20 tags, which are the same whatever their case
    add_tags: NotRequired[list[str]]
    remove_tags: NotRequired[list[str]]
    favourite: NotRequired[bool]
    archived: NotRequired[bool]


class PutJobsLabelsAnswer(TypedDict):
    message: str
    job_id: str
    title: str
    labels: NotedJobLabels


class GetResultsAnswerWarningsItem(TypedDict):
    code: str
    message: str


class GetResultsAnswerEstimatorsItemPagesItemDataAxesItem(TypedDict):
    name: str
    unit: str


class GetResultsAnswerEstimatorsItemPagesItemData(TypedDict):
    # Flat, first axis fastest
    values: list[float]
    # Standard error of each value; null where it is not known
    errors: NotRequired[list[Union[float, None]]]
    # Of a sum: batches whose scatter its errors are, one for each task
    error_batches: NotRequired[int]
    # Where asked for: effective number of histories behind each value; null: not known
    effective_histories: NotRequired[list[Union[float, None]]]
    # Bin centres, one list an axis, slowest last
    dimensions: list[list[float]]
    axes: NotRequired[list[GetResultsAnswerEstimatorsItemPagesItemDataAxesItem]]
    unit: str


class Reading(TypedDict):
    """A number that is read off a curve (docs/results.md)"""

    # For example R80
    name: str
    # Of a depth: from the first matter along the beam
    value: float
    # Standard error; null: not known
    error: Union[float, None]
    # Empty: a ratio
    unit: str
    definition: str
    # The same place on the axis, where depth and coordinate differ
    coordinate: NotRequired[float]


class GetResultsAnswerEstimatorsItemPagesItem(TypedDict):
    # From 1; as numbered by an external worker that sent it, from 0
    page_number: int
    name: str
    data: GetResultsAnswerEstimatorsItemPagesItemData
    # Values that were not finite: they are 0, their errors null
    non_finite_count: NotRequired[int]
    # What is read off a page that is a curve; absent: nothing
    readings: NotRequired[list[Reading]]
    # Metadata that the external worker sent with the page
    metadata: NotRequired[dict[str, Any]]


class GetResultsAnswerEstimatorsItem(TypedDict):
    name: str
    pages: list[GetResultsAnswerEstimatorsItemPagesItem]


class GetResultsAnswer(TypedDict):
    message: str
    description: NotRequired[JobDescription]
    # Histories behind the values
    primaries: int
    tasks_merged: int
    # True while tasks are missing, and for good when some failed
    partial: bool
    # The job was stopped by its owner before all of its primaries were simulated
    stopped: NotRequired[Literal[True]]
    engine: str
    # The warnings of the submission, and what in the output of the simulator is shown otherwise than it was meant, or
    # not at all
    warnings: NotRequired[list[GetResultsAnswerWarningsItem]]
    estimators: list[GetResultsAnswerEstimatorsItem]


class PostResultsBodyEstimatorsItemPagesItemDataAxes1Item(TypedDict):
    name: str
    unit: str


class PostResultsBodyEstimatorsItemPagesItemData(TypedDict):
    # First axis fastest; null, or as Python writes it NaN, Infinity, -Infinity: not a finite number. A single one may
    # stand in lists of lists
    values: list[Union[float, None]]
    # Bin centres of each axis
    dimensions: NotRequired[Union[list[list[Union[float, None]]], None]]
    unit: NotRequired[Union[str, None]]
    # Standard error of each value; null: unknown
    errors: NotRequired[Union[list[Union[float, None]], None]]
    # One for each of dimensions
    axes: NotRequired[Union[list[PostResultsBodyEstimatorsItemPagesItemDataAxes1Item], None]]
    name: NotRequired[Union[str, None]]


class PostResultsBodyEstimatorsItemPagesItemAxisDim11(TypedDict):
    # Bin centres
    values: list[Union[float, None]]
    name: NotRequired[Union[str, None]]
    unit: NotRequired[Union[str, None]]


class PostResultsBodyEstimatorsItemPagesItemAxisDim21(TypedDict):
    # Bin centres
    values: list[Union[float, None]]
    name: NotRequired[Union[str, None]]
    unit: NotRequired[Union[str, None]]


class PostResultsBodyEstimatorsItemPagesItemAxisDim31(TypedDict):
    # Bin centres
    values: list[Union[float, None]]
    name: NotRequired[Union[str, None]]
    unit: NotRequired[Union[str, None]]


class PostResultsBodyEstimatorsItemPagesItem(TypedDict):
    # Else its place in the list, from 0
    page_number: NotRequired[Union[int, None]]
    # Else data.name, else the estimator's
    name: NotRequired[Union[str, None]]
    data: PostResultsBodyEstimatorsItemPagesItemData
    # Instead of dimensions: the first axis
    axis_dim1: NotRequired[Union[PostResultsBodyEstimatorsItemPagesItemAxisDim11, None]]
    axis_dim2: NotRequired[Union[PostResultsBodyEstimatorsItemPagesItemAxisDim21, None]]
    axis_dim3: NotRequired[Union[PostResultsBodyEstimatorsItemPagesItemAxisDim31, None]]
    # Of final results: kept, and shown with the page
    metadata: NotRequired[Union[dict[str, Any], None]]


class PostResultsBodyEstimatorsItem(TypedDict):
    name: str
    file_name: NotRequired[Union[str, None]]
    pages: list[PostResultsBodyEstimatorsItemPagesItem]
    metadata: NotRequired[Any]


class PostResultsBody(TypedDict):
    # Job id as the submission returned it; the internal number is taken too
    simulation_id: Union[str, int]
    # Update key of the job, or the shared one
    update_key: str
    estimators: list[PostResultsBodyEstimatorsItem]
    # One task's output, merged by the service
    task_id: NotRequired[Union[int, None]]
    # Instead of estimators, which is then []: the task's output as the service's own tools write it
    task_output: NotRequired[Union[str, None]]
    # Histories behind the values; required with task_id
    primaries: NotRequired[Union[int, None]]
    # Who computed it
    engine: NotRequired[Union[str, None]]
    # The attempt as the worker calls it
    celery_id: NotRequired[Union[str, None]]


class PostResultsAnswer(TypedDict):
    message: str
    # False: ignored, because the job or task had ended or the attempt was replaced
    applied: bool


class GetResultsCompareAnswerEstimatorsItemPagesItemGamma(TypedDict):
    pass_rate: float
    # Bins above the cutoff
    bins: int
    dose_percent: float
    distance_mm: float
    cutoff_percent: float


class GetResultsCompareAnswerEstimatorsItemPagesItemGammaMap(TypedDict):
    """γ of each bin, in the order of `difference`, where it was asked for"""

    # Larger γ is told as this number
    max: float
    # null below the cutoff
    values: list[Union[float, None]]


class GetResultsCompareAnswerEstimatorsItemPagesItemAxesItem(TypedDict):
    name: str
    unit: str


class GetResultsCompareAnswerEstimatorsItemPagesItemDifference(TypedDict):
    """other − this; null where an error is not known"""

    values: list[Union[float, None]]
    errors: list[Union[float, None]]


class GetResultsCompareAnswerEstimatorsItemPagesItemRatio(TypedDict):
    """other / this; null where this is 0"""

    values: list[Union[float, None]]
    errors: list[Union[float, None]]


class GetResultsCompareAnswerEstimatorsItemPagesItem(TypedDict):
    # In this job; absent where only the other has the page
    page_number: NotRequired[int]
    # Pages of both jobs belong together by estimator and name
    name: str
    # Why this page has no comparison; nothing else is then said
    not_compared: NotRequired[str]
    unit: NotRequired[str]
    # Σ (other − this)² / (σ_other² + σ_this²) over the bins whose errors are known
    chi_square: NotRequired[float]
    # How many bins these are
    degrees_of_freedom: NotRequired[int]
    # Largest |other − this|
    difference_max: NotRequired[float]
    # Of the readings that both curves have: those of the other job less those of this one
    reading_differences: NotRequired[list[Reading]]
    gamma: NotRequired[GetResultsCompareAnswerEstimatorsItemPagesItemGamma]
    # γ of each bin, in the order of `difference`, where it was asked for
    gamma_map: NotRequired[GetResultsCompareAnswerEstimatorsItemPagesItemGammaMap]
    # Why it is not there all the same
    gamma_map_left_out: NotRequired[str]
    # Why there is no gamma pass rate
    gamma_left_out: NotRequired[str]
    axes: NotRequired[list[GetResultsCompareAnswerEstimatorsItemPagesItemAxesItem]]
    dimensions: NotRequired[list[list[float]]]
    # other − this; null where an error is not known
    difference: NotRequired[GetResultsCompareAnswerEstimatorsItemPagesItemDifference]
    # other / this; null where this is 0
    ratio: NotRequired[GetResultsCompareAnswerEstimatorsItemPagesItemRatio]


class GetResultsCompareAnswerEstimatorsItem(TypedDict):
    name: str
    pages: list[GetResultsCompareAnswerEstimatorsItemPagesItem]


GetResultsCompareAnswer = TypedDict(
    "GetResultsCompareAnswer",
    {
        "message": str,
        "job_id": str,
        "with": str,
        "estimators": list[GetResultsCompareAnswerEstimatorsItem],
    },
)


class GetEstimatorsAnswerWarningsItem(TypedDict):
    code: str
    message: str


class GetEstimatorsAnswerEstimatorsItemPagesItem(TypedDict):
    # From 1; as numbered by an external worker that sent it, from 0
    page_number: int
    name: str
    dimensions: list[int]
    # Values that were not finite: they are 0, their errors null
    non_finite_count: NotRequired[int]


class GetEstimatorsAnswerEstimatorsItem(TypedDict):
    name: str
    pages: list[GetEstimatorsAnswerEstimatorsItemPagesItem]


class GetEstimatorsAnswer(TypedDict):
    message: str
    description: NotRequired[JobDescription]
    # Histories behind the values
    primaries: int
    tasks_merged: int
    # True while tasks are missing, and for good when some failed
    partial: bool
    # The job was stopped by its owner before all of its primaries were simulated
    stopped: NotRequired[Literal[True]]
    engine: str
    # The warnings of the submission, and what in the output of the simulator is shown otherwise than it was meant, or
    # not at all
    warnings: NotRequired[list[GetEstimatorsAnswerWarningsItem]]
    estimators: list[GetEstimatorsAnswerEstimatorsItem]


class GetInputsAnswer1(TypedDict):
    message: str
    input_type: Literal["editor"]
    input: dict[str, Any]
    # Deck of sim_type, also where the built-in engine computes in its place
    files: dict[str, str]
    # Where the built-in engine computes: what files lacks, or why it is empty
    files_note: NotRequired[str]


class GetInputsAnswer2(TypedDict):
    message: str
    input_type: Literal["files"]
    input: dict[str, str]


GetInputsAnswer = Union[GetInputsAnswer1, GetInputsAnswer2]


class GetLogfilesAnswer(TypedDict):
    message: str
    logfiles: dict[str, str]


class PostLogfilesBody(TypedDict):
    # Job id as the submission returned it; the internal number is taken too
    simulation_id: Union[str, int]
    # Update key of the job, or the shared one
    update_key: str
    # Text by key, for example task_1 or stdout
    logfiles: dict[str, str]
    # By key: bytes of the log before this text. A text without an offset is the whole log
    offsets: NotRequired[Union[dict[str, int], None]]


class PostLogfilesAnswer(TypedDict):
    message: str
    # False: ignored, because the job or task had ended or the attempt was replaced
    applied: bool


class PostTasksBodyUpdateDict(TypedDict):
    task_state: NotRequired[Union[State, None]]
    simulated_primaries: NotRequired[Union[int, None]]
    requested_primaries: NotRequired[Union[int, None]]
    # Remaining, seconds
    estimated_time: NotRequired[Union[int, None]]
    # YYYY-MM-DD HH:MM:SS[.ffffff] in UTC, or ISO 8601
    start_time: NotRequired[Union[str, None]]
    # YYYY-MM-DD HH:MM:SS[.ffffff] in UTC, or ISO 8601
    end_time: NotRequired[Union[str, None]]
    # The attempt as the worker calls it
    celery_id: NotRequired[Union[str, None]]
    # Why the task FAILED, for people
    failure: NotRequired[Union[str, None]]


class PostTasksBody(TypedDict):
    # Job id as the submission returned it; the internal number is taken too
    simulation_id: Union[str, int]
    task_id: int
    # Update key of the job, or the shared one
    update_key: str
    update_dict: PostTasksBodyUpdateDict


class PostTasksAnswer(TypedDict):
    message: str
    # False: ignored, because the job or task had ended or the attempt was replaced
    applied: bool
    # True: the worker should stop
    cancel: bool
    # True: the job was stopped; the worker should end now and deliver, as COMPLETED, what it has simulated
    finish: bool


class JobLabels(TypedDict):
    """What its owner has noted of a job since; absent: nothing, ever (revision 0)"""

    # Number of changes
    revision: int
    # In the order of the alphabet
    tags: list[str]
    has_note: bool
    favourite: bool
    # It is left out of lists that do not search for archived jobs
    archived: bool


class GetUserSimulationsAnswerSimulationsItemSweep(TypedDict):
    """The jobs of a sweep belong together: you are told of them once, when the last has ended"""

    # The same for all its jobs, and of your making
    id: str
    # Its jobs in all
    size: int


class GetUserSimulationsAnswerSimulationsItemOwner(TypedDict):
    """Whose it is; absent of your own"""

    user_id: int
    username: str
    display_name: str
    source: Literal["local", "sso"]


class GetUserSimulationsAnswerSimulationsItemGroup(TypedDict):
    """The group that it belongs to, where you are in it"""

    group_id: str
    name: str


class GetUserSimulationsAnswerSimulationsItemTargetConvergenceItem(TypedDict):
    primaries: int
    # null where it is not known
    relative_error: Union[float, None]
    time: Timestamp


class GetUserSimulationsAnswerSimulationsItemTarget(TypedDict):
    """Of a job that goes on until its results are good enough"""

    # Name as in results
    estimator: str
    # Number as in results; all pages unless given, of which the largest error counts
    page: NotRequired[int]
    # Mean relative standard error over the bins above half of the page's maximum, as a fraction
    relative_error: float
    # It ends with these in any case; at least 10 for each task
    max_primaries: int
    # What each merge came to, ascending
    convergence: list[GetUserSimulationsAnswerSimulationsItemTargetConvergenceItem]
    # In all until the target, by the last error; not after the end
    predicted_primaries: NotRequired[int]
    # From the last of these on; not after the end
    predicted_seconds: NotRequired[float]


class GetUserSimulationsAnswerSimulationsItem(TypedDict):
    job_id: str
    title: str
    start_time: Timestamp
    end_time: Union[Timestamp, None]
    job_state: State
    sim_type: Simulator
    input_type: InputType
    platform: Platform
    ntasks: int
    description: NotRequired[JobDescription]
    labels: NotRequired[JobLabels]
    # The jobs of a sweep belong together: you are told of them once, when the last has ended
    sweep: NotRequired[GetUserSimulationsAnswerSimulationsItemSweep]
    # Whose it is; absent of your own
    owner: NotRequired[GetUserSimulationsAnswerSimulationsItemOwner]
    # The group that it belongs to, where you are in it
    group: NotRequired[GetUserSimulationsAnswerSimulationsItemGroup]
    # `change`: cancel, stop, extend, save; `share`: decide who else has access
    actions: NotRequired[list[Literal["read", "change", "delete", "share"]]]
    # Of a job that goes on until its results are good enough
    target: NotRequired[GetUserSimulationsAnswerSimulationsItemTarget]
    # Of such a job that has ended
    target_reached: NotRequired[bool]
    # Its owner has stopped it: it ends with the primaries that were simulated by then
    stopped: NotRequired[Literal[True]]
    # Primaries behind its final results
    simulated_primaries: NotRequired[int]


class GetUserSimulationsAnswer(TypedDict):
    message: str
    page_count: int
    simulations_count: int
    simulations: list[GetUserSimulationsAnswerSimulationsItem]


class DeleteUserSimulationsAnswer(TypedDict):
    message: str


class PutUserSearchesBody(TypedDict):
    # One line
    name: str
    # Terms that all must hold: words of title, tags, note or particle, 8 characters of an id, "several words",
    # `tag:qa`, `simulator:simA,simB`, `particle:proton`, `energy:100..200` (MeV; also `150`, `100..`),
    # `date:2026-03-01..2026-03-31` (submitted, days in UTC), `state:completed`, `platform:direct`, `is:favourite`,
    # `is:archived`, `is:any` (archived or not). Without the last two, archived jobs are left out
    search: str


class PutUserSearchesAnswer(TypedDict):
    message: str


class GetUserSearchesAnswerSearchesItem(TypedDict):
    name: str
    search: str


class GetUserSearchesAnswer(TypedDict):
    message: str
    # By name
    searches: list[GetUserSearchesAnswerSearchesItem]


class DeleteUserSearchesAnswer(TypedDict):
    message: str


class GetUsageAnswerDaysItem(TypedDict):
    day: str
    # Name; of who has no account any more the number
    user: str
    # Name; empty: runners of the direct platform
    cluster: str
    processor_seconds: float


class GetUsageAnswerRunning(TypedDict):
    """Your tasks that runners have, and what they have used so far: it counts when they end"""

    tasks: int
    processor_seconds: float


class GetUsageAnswerQuotasItem(TypedDict):
    name: Literal["processor_seconds_month", "stored_bytes", "running_tasks"]
    limit: float
    used: NotRequired[float]
    resets_at: NotRequired[Timestamp]


GetUsageAnswer = TypedDict(
    "GetUsageAnswer",
    {
        "message": str,
        "from": str,
        "to": str,
        # Of all days, user and system time
        "processor_seconds": float,
        # Days on which something was counted; a task counts on the day of its end, with all its attempts
        "days": list[GetUsageAnswerDaysItem],
        # Your tasks that runners have, and what they have used so far: it counts when they end
        "running": NotRequired[GetUsageAnswerRunning],
        # Of your jobs, as of a minute ago or so
        "stored_bytes": NotRequired[int],
        # That hold for you, or for the group together
        "quotas": list[GetUsageAnswerQuotasItem],
    },
)


PostSharesBody = TypedDict(
    "PostSharesBody",
    {
        # Job id, as the submission returned it
        "job_id": NotRequired[str],
        "project_id": NotRequired[str],
        # Who may read it: a user, a group of yours, or whoever has the link
        "with": Literal["user", "group", "link"],
        # The exact user name
        "username": NotRequired[str],
        # Needed only where a local user and one of single sign-on have the same name
        "source": NotRequired[Literal["local", "sso"]],
        # Group id, as POST /groups returned it
        "group_id": NotRequired[str],
        # In the future; a link needs it, and ends within 90 days unless the deployment says otherwise
        "expires_at": NotRequired[str],
    },
)


class PostSharesAnswerUser(TypedDict):
    user_id: int
    username: str
    display_name: str
    source: Literal["local", "sso"]


class PostSharesAnswerGroup(TypedDict):
    group_id: str
    name: str


PostSharesAnswer = TypedDict(
    "PostSharesAnswer",
    {
        "share_id": str,
        "with": Literal["user", "group", "link"],
        "user": NotRequired[PostSharesAnswerUser],
        "group": NotRequired[PostSharesAnswerGroup],
        "created_at": Timestamp,
        # null: never
        "expires_at": Union[Timestamp, None],
        "message": str,
        # Of a link, shown this once; only its hash is kept
        "token": NotRequired[str],
        # Of the page that the link opens, with the token where no server sees it
        "path": NotRequired[str],
    },
)


class GetSharesAnswerGroup1(TypedDict):
    group_id: str
    name: str


class GetSharesAnswerSharesItemUser(TypedDict):
    user_id: int
    username: str
    display_name: str
    source: Literal["local", "sso"]


class GetSharesAnswerSharesItemGroup(TypedDict):
    group_id: str
    name: str


GetSharesAnswerSharesItem = TypedDict(
    "GetSharesAnswerSharesItem",
    {
        "share_id": str,
        "with": Literal["user", "group", "link"],
        "user": NotRequired[GetSharesAnswerSharesItemUser],
        "group": NotRequired[GetSharesAnswerSharesItemGroup],
        "created_at": Timestamp,
        # null: never
        "expires_at": Union[Timestamp, None],
    },
)


class GetSharesAnswer(TypedDict):
    message: str
    # The group that it belongs to
    group: Union[GetSharesAnswerGroup1, None]
    shares: list[GetSharesAnswerSharesItem]


class DeleteSharesAnswer(TypedDict):
    message: str


class PutSharesGroupBody(TypedDict):
    # Job id, as the submission returned it
    job_id: NotRequired[str]
    project_id: NotRequired[str]
    # A group that you are in; null: none any more
    group_id: Union[str, None]


class PutSharesGroupAnswer(TypedDict):
    message: str


class GetSharesAccessAnswerOwner1(TypedDict):
    user_id: int
    username: str
    display_name: str
    source: Literal["local", "sso"]


class GetSharesAccessAnswerGroup1(TypedDict):
    group_id: str
    name: str


class GetSharesAccessAnswer(TypedDict):
    message: str
    is_owner: bool
    # Whose it is; null for who is not signed in
    owner: Union[GetSharesAccessAnswerOwner1, None]
    # The group that it belongs to, where you are in it
    group: Union[GetSharesAccessAnswerGroup1, None]
    # `change`: cancel, stop, extend, save; `share`: decide who else has access
    actions: list[Literal["read", "change", "delete", "share"]]


class GetSharesLinkAnswer(TypedDict):
    message: str
    kind: Literal["job", "project"]
    job_id: NotRequired[str]
    project_id: NotRequired[str]
    title: str
    expires_at: Timestamp


class PostProjectsBody(TypedDict):
    # One line; else the project's own, else Untitled
    title: NotRequired[str]
    # Project of the editor, kept as it was written, whether or not it can run; at most 4194304 bytes of JSON
    project: dict[str, Any]
    # data:image/png;base64,… or data:image/webp;base64,… of at most 65536 bytes
    thumbnail: NotRequired[str]
    # What this revision is, one line; a revision with a note is kept
    note: NotRequired[str]
    # A group of yours that the project belongs to, too
    group_id: NotRequired[str]


class PostProjectsAnswer(TypedDict):
    message: str
    project_id: str
    revision: Literal[1]


class GetProjectsAnswerProjectsItemOwner(TypedDict):
    """Whose it is; absent of your own"""

    user_id: int
    username: str
    display_name: str
    source: Literal["local", "sso"]


class GetProjectsAnswerProjectsItemGroup(TypedDict):
    """The group that it belongs to, where you are in it"""

    group_id: str
    name: str


class GetProjectsAnswerProjectsItem(TypedDict):
    project_id: str
    title: str
    revision: int
    created_at: Timestamp
    updated_at: Timestamp
    # Length of the JSON text
    size_bytes: int
    # A data URL
    thumbnail: NotRequired[str]
    # Whose it is; absent of your own
    owner: NotRequired[GetProjectsAnswerProjectsItemOwner]
    # The group that it belongs to, where you are in it
    group: NotRequired[GetProjectsAnswerProjectsItemGroup]
    # `change`: cancel, stop, extend, save; `share`: decide who else has access
    actions: NotRequired[list[Literal["read", "change", "delete", "share"]]]


class GetProjectsAnswer(TypedDict):
    message: str
    page_count: int
    projects_count: int
    projects: list[GetProjectsAnswerProjectsItem]


class PutProjectsBody(TypedDict):
    # Project id, as POST /projects returned it
    project_id: str
    # That the change is based on
    revision: int
    # One line
    title: NotRequired[str]
    # Project of the editor, kept as it was written, whether or not it can run; at most 4194304 bytes of JSON; the
    # text of that revision unless given
    project: NotRequired[dict[str, Any]]
    # data:image/png;base64,… or data:image/webp;base64,… of at most 65536 bytes; empty: none any more
    thumbnail: NotRequired[str]
    # What this revision is, one line; a revision with a note is kept
    note: NotRequired[str]


class PutProjectsAnswer(TypedDict):
    message: str
    project_id: str
    # That has what was sent; the same as before where nothing has changed
    revision: int
    saved_at: Timestamp


class DeleteProjectsAnswer(TypedDict):
    message: str


class GetProjectsProjectAnswerOwner(TypedDict):
    """Whose it is; absent of your own"""

    user_id: int
    username: str
    display_name: str
    source: Literal["local", "sso"]


class GetProjectsProjectAnswerGroup(TypedDict):
    """The group that it belongs to, where you are in it"""

    group_id: str
    name: str


class GetProjectsProjectAnswer(TypedDict):
    message: str
    project_id: str
    title: str
    # Of this text
    revision: int
    created_at: Timestamp
    updated_at: Timestamp
    # Length of the JSON text
    size_bytes: int
    current_revision: int
    # When this revision was saved
    saved_at: Timestamp
    note: NotRequired[str]
    # Whose it is; absent of your own
    owner: NotRequired[GetProjectsProjectAnswerOwner]
    # The group that it belongs to, where you are in it
    group: NotRequired[GetProjectsProjectAnswerGroup]
    # `change`: cancel, stop, extend, save; `share`: decide who else has access
    actions: NotRequired[list[Literal["read", "change", "delete", "share"]]]
    # As it was saved
    project: dict[str, Any]


class GetProjectsRevisionsAnswerRevisionsItem(TypedDict):
    # There are gaps where saves were folded
    revision: int
    saved_at: Timestamp
    title: str
    note: NotRequired[str]
    # Length of the JSON text
    size_bytes: int
    # Jobs that ran it, the newest first, at most 20
    job_ids: list[str]
    # All jobs that ran it
    job_count: int


class GetProjectsRevisionsAnswer(TypedDict):
    message: str
    revisions: list[GetProjectsRevisionsAnswerRevisionsItem]


class PostUserUpdateBody(TypedDict):
    display_name: NotRequired[str]
    current_password: NotRequired[str]
    new_password: NotRequired[str]


class PostUserUpdateAnswer(TypedDict):
    message: str


class GetUserRemovalsAnswerRemovalsItem(TypedDict):
    job_id: str
    data: Literal["jobs", "results", "logs"]
    # Then, or minutes later
    remove_at: Timestamp


class GetUserRemovalsAnswer(TypedDict):
    message: str
    removals: list[GetUserRemovalsAnswerRemovalsItem]
    # Of `job_id`; absent: they were not
    results_removed_at: NotRequired[Timestamp]
    # Of `job_id`; absent: they were not
    logs_removed_at: NotRequired[Timestamp]


class GetUserEmailAnswer(TypedDict):
    message: str
    # Confirmed address; null: none
    email: Union[str, None]
    # Whether this deployment sends mail
    mail_available: bool


class PutUserEmailBody(TypedDict):
    # Empty: take the present address away
    email: str


class PutUserEmailAnswer(TypedDict):
    message: str


class GetUserSubscriptionsAnswerSubscriptionsItem(TypedDict):
    # `all`: every job of yours, and of a sweep once when its last job has ended; `job`: one; `sweep`: one; `group`:
    # every job of a group while you are in it, of a sweep once
    scope: Literal["all", "job", "sweep", "group"]
    target: NotRequired[str]
    # `mail`: to your confirmed address; `webhooks`: by all your webhooks
    channels: list[Literal["mail", "webhooks"]]


class GetUserSubscriptionsAnswer(TypedDict):
    message: str
    subscriptions: list[GetUserSubscriptionsAnswerSubscriptionsItem]


class PutUserSubscriptionsBody(TypedDict):
    # `all`: every job of yours, and of a sweep once when its last job has ended; `job`: one; `sweep`: one; `group`:
    # every job of a group while you are in it, of a sweep once
    scope: Literal["all", "job", "sweep", "group"]
    # Id of the job, sweep or group; not of `all`
    target: NotRequired[str]
    # By what you are told; none: not any more
    channels: list[Literal["mail", "webhooks"]]


class PutUserSubscriptionsAnswer(TypedDict):
    message: str


class PostUserWebhooksBody(TypedDict):
    # Where it leads: https, and no private address
    url: str


class PostUserWebhooksAnswer(TypedDict):
    message: str
    webhook_id: str
    # Signs its messages (Standard Webhooks); shown this once
    secret: str


class GetUserWebhooksAnswerWebhooksItemDisabled(TypedDict):
    """It is not called any more; a test calls it again"""

    since: Timestamp
    reason: str


class GetUserWebhooksAnswerWebhooksItemDeliveriesItem(TypedDict):
    # Header `webhook-id`
    event_id: str
    created_at: Timestamp
    state: Literal["waiting", "delivered", "given_up"]
    tries: int
    # Status of the last answer, or why there was none
    answer: str


class GetUserWebhooksAnswerWebhooksItem(TypedDict):
    webhook_id: str
    url: str
    created_at: Timestamp
    # It is not called any more; a test calls it again
    disabled: NotRequired[GetUserWebhooksAnswerWebhooksItemDisabled]
    # The last ten
    deliveries: list[GetUserWebhooksAnswerWebhooksItemDeliveriesItem]


class GetUserWebhooksAnswer(TypedDict):
    message: str
    # Whether this deployment calls webhooks
    webhooks_available: bool
    webhooks: list[GetUserWebhooksAnswerWebhooksItem]


class DeleteUserWebhooksAnswer(TypedDict):
    message: str


class PostUserWebhooksTestBody(TypedDict):
    webhook_id: str


class PostUserWebhooksTestAnswer(TypedDict):
    message: str


class Partition(TypedDict):
    name: str
    # Longest wall time of a task
    wall_time_seconds_max: int
    # Largest memory of a task
    memory_mib_max: int
    # Unless the option `time` is given
    wall_time_seconds_default: int
    # Unless the option `mem` is given
    memory_mib_default: int


class GetClustersAnswerClustersItem(TypedDict):
    cluster_name: str
    display_name: str
    available: bool
    # Whether submissions that name no cluster go here
    default: bool
    # Names that `scheduler_options` may have
    scheduler_options: list[str]
    # Of the option `partition`; the first unless it is given
    partitions: list[Partition]


class GetClustersAnswer(TypedDict):
    message: str
    clusters: list[GetClustersAnswerClustersItem]


class GetAdminJobsAnswerJobsItemTasks(TypedDict):
    all: int
    pending: int
    running: int
    failed: int


class GetAdminJobsAnswerJobsItem(TypedDict):
    job_id: str
    simulation_id: int
    # Number of a user
    user_id: int
    # Empty: the user is not there any more
    username: str
    title: str
    job_state: State
    platform: Platform
    sim_type: Simulator
    input_type: InputType
    # What runners must have; absent: the built-in engine, or a cluster
    executable: NotRequired[str]
    cluster_name: NotRequired[str]
    # That submitted it
    request_id: NotRequired[str]
    start_time: Timestamp
    end_time: Union[Timestamp, None]
    tasks: GetAdminJobsAnswerJobsItemTasks
    # That have its tasks at this moment
    runner_ids: list[str]
    # Why a job, or some of its tasks, do not go on at the moment, for example runners that are busy with other tasks,
    # an expired certificate of a batch job, or results that a worker may still deliver
    waiting_reason: NotRequired[str]
    # Why it is FAILED, as one text
    failure: NotRequired[str]
    failure_reason: NotRequired[FailureReason]


class GetAdminJobsAnswer(TypedDict):
    message: str
    jobs: list[GetAdminJobsAnswerJobsItem]
    # For the next page; absent: this is the last one
    next_before: NotRequired[int]


class PostAdminJobsCancelBody(TypedDict):
    # Job id, as the submission returned it
    job_id: str
    # Why: it is in the trail
    reason: str


class PostAdminJobsCancelAnswer(TypedDict):
    message: str
    job_state: State


class PostAdminJobsFailBody(TypedDict):
    # Job id, as the submission returned it
    job_id: str
    # Why: the owner of the job reads it, and it is in the trail
    reason: str


class PostAdminJobsFailAnswer(TypedDict):
    message: str
    job_state: State


class PostAdminJobsRetryBody(TypedDict):
    # Job id, as the submission returned it
    job_id: str
    # Why: it is in the trail
    reason: str


class PostAdminJobsRetryAnswer(TypedDict):
    message: str
    job_state: State
    # That run again
    tasks: int


class PostAdminJobsMergeBody(TypedDict):
    # Job id, as the submission returned it
    job_id: str
    # Why: it is in the trail
    reason: str


class PostAdminJobsMergeAnswer(TypedDict):
    message: str
    job_state: State


class GetAdminLoadAnswerLoadsItem(TypedDict):
    # Name of the user, group, cluster, runner or simulator, or the reason that jobs wait for; of no group empty
    key: str
    # Number of a user
    user_id: NotRequired[int]
    group_id: NotRequired[str]
    open_jobs: int
    running_tasks: int
    pending_tasks: int
    # Submission of the oldest open job
    oldest_start_time: NotRequired[Timestamp]


class GetAdminLoadAnswer(TypedDict):
    message: str
    loads: list[GetAdminLoadAnswerLoadsItem]


class GetAdminRunnersAnswerRunnersItem(TypedDict):
    runner_id: str
    # Such as simA=1.0.1; empty: the built-in engine only
    executables: list[str]
    # Of its simulators; absent: it does not say
    confinement: NotRequired[str]
    # Tasks that it runs at once; 0: it does not say
    slots: int
    running_tasks: int
    # It is given no tasks
    draining: bool


class GetAdminRunnersAnswer(TypedDict):
    message: str
    runners: list[GetAdminRunnersAnswerRunnersItem]


class PostAdminRunnersDrainBody(TypedDict):
    runner_id: str
    # false: it takes tasks again
    draining: bool
    # Why: it is in the trail
    reason: str


class PostAdminRunnersDrainAnswer(TypedDict):
    message: str
    # That it still has
    running_tasks: int


class GetAdminPausesAnswerPausesItem(TypedDict):
    platform: Platform
    # What users read
    sentence: str
    since: Timestamp


class GetAdminPausesAnswer(TypedDict):
    message: str
    pauses: list[GetAdminPausesAnswerPausesItem]


class PutAdminPausesBody(TypedDict):
    platform: Platform
    # What users read; null: submissions are taken again
    sentence: Union[str, None]
    # Why: it is in the trail
    reason: str


class PutAdminPausesAnswer(TypedDict):
    message: str


class GetAdminQuotasAnswerQuotasItem(TypedDict):
    user_id: NotRequired[int]
    group_id: NotRequired[str]
    # Of the user or group; empty: deleted
    name: str
    processor_seconds_month: Union[float, None]
    stored_bytes: Union[float, None]
    running_tasks: Union[float, None]


class GetAdminQuotasAnswer(TypedDict):
    message: str
    quotas: list[GetAdminQuotasAnswerQuotasItem]


class PutAdminQuotasBody(TypedDict):
    # Number of a user
    user_id: NotRequired[int]
    # In place of a user: all jobs of the group together
    group_id: NotRequired[str]
    # Processor time in a calendar month of UTC, seconds; 0: no bound; null: none of its own
    processor_seconds_month: NotRequired[Union[float, None]]
    # What is stored of a user, bytes; 0: no bound; null: as the settings say
    stored_bytes: NotRequired[Union[float, None]]
    # Tasks that runners have at a time; 0: no bound; null: as the settings say
    running_tasks: NotRequired[Union[float, None]]
    # Why: it is in the trail
    reason: str


class PutAdminQuotasAnswer(TypedDict):
    message: str


class GetAdminUsageAnswerUsageItem(TypedDict):
    month: str
    user_id: int
    # Empty: the account is deleted
    username: str
    processor_seconds: float
    # What is stored of the user now; null in months that are over: it was not kept
    stored_bytes: Union[int, None]


GetAdminUsageAnswer = TypedDict(
    "GetAdminUsageAnswer",
    {
        "message": str,
        "from": str,
        "to": str,
        # The newest month first; of a month those first who have used most
        "usage": list[GetAdminUsageAnswerUsageItem],
    },
)


class GetAdminRetentionAnswerRulesItem(TypedDict):
    # `jobs`: all of a job; `results`: results and outputs of tasks; `logs`: logs
    data: Literal["jobs", "results", "logs"]
    # Of jobs that have ended so, in place of the rule for `any`
    state: Literal["any", "COMPLETED", "FAILED", "CANCELED"]
    # Days after the end of the job
    after_days: int


class GetAdminRetentionAnswerSumsItem(TypedDict):
    # `jobs`: all of a job; `results`: results and outputs of tasks; `logs`: logs
    data: Literal["jobs", "results", "logs"]
    # Of jobs that have ended so, in place of the rule for `any`
    state: Literal["any", "COMPLETED", "FAILED", "CANCELED"]
    # Days after the end of the job
    after_days: int
    jobs: int
    users: int
    # When the first of it goes
    first_at: Timestamp


class GetAdminRetentionAnswerRemovalsItem(TypedDict):
    job_id: str
    title: str
    job_state: State
    # Number of a user
    user_id: int
    # Empty: the user is not there any more
    username: str
    data: Literal["jobs", "results", "logs"]
    # Then, or minutes later
    remove_at: Timestamp
    # That are stored of it, and go
    bytes: float


class GetAdminRetentionAnswer(TypedDict):
    message: str
    rules: list[GetAdminRetentionAnswerRulesItem]
    warning_days: int
    # When they were set; null: they are not
    set_at: Union[Timestamp, None]
    sums: list[GetAdminRetentionAnswerSumsItem]
    # The first that goes comes first; at most 1000
    removals: list[GetAdminRetentionAnswerRemovalsItem]
    # Of `removals`
    bytes: float


class PutAdminRetentionBodyRulesItem(TypedDict):
    # `jobs`: all of a job; `results`: results and outputs of tasks; `logs`: logs
    data: Literal["jobs", "results", "logs"]
    # Of jobs that have ended so, in place of the rule for `any`
    state: NotRequired[Literal["any", "COMPLETED", "FAILED", "CANCELED"]]
    # Days after the end of the job
    after_days: int


class PutAdminRetentionBody(TypedDict):
    # In place of the earlier ones; empty: nothing is removed
    rules: list[PutAdminRetentionBodyRulesItem]
    # Nothing goes sooner than so many days after a change of the rules
    warning_days: NotRequired[int]
    # Why: it is in the trail
    reason: str


class PutAdminRetentionAnswer(TypedDict):
    message: str


class GetAdminUsersAnswerUsersItem(TypedDict):
    # Number of a user
    user_id: int
    username: str
    source: Literal["local", "sso"]
    display_name: str
    state: Literal["active", "blocked", "deleted"]
    # By AUTH_OPERATORS; who is one by a claim of the realm is not marked
    operator: bool
    created_at: Timestamp
    last_login_at: Union[Timestamp, None]
    # Live ones
    sessions: int
    # Valid API tokens
    tokens: int


class GetAdminUsersAnswer(TypedDict):
    message: str
    page_count: int
    user_count: int
    users: list[GetAdminUsersAnswerUsersItem]


class PostAdminUsersBlockBody(TypedDict):
    # Number of a user
    user_id: int
    # false: the user may log in again
    blocked: bool
    # Why: it is in the trail
    reason: str


class PostAdminUsersBlockAnswer(TypedDict):
    message: str
    # Sessions and API tokens
    ended: int


class PostAdminUsersEndSessionsBody(TypedDict):
    # Number of a user
    user_id: int
    # Why: it is in the trail
    reason: str


class PostAdminUsersEndSessionsAnswer(TypedDict):
    message: str
    # Sessions and API tokens
    ended: int


class PostAdminUsersResetBody(TypedDict):
    # Number of a user
    user_id: int
    # Why: it is in the trail
    reason: str


class PostAdminUsersResetAnswer(TypedDict):
    message: str
    # Where the user sets a new password, once; a path where AUTH_PUBLIC_URL is not set. It is shown this once
    link: str
    expires_at: Timestamp


class PostAdminUsersDeleteBody(TypedDict):
    # Number of a user
    user_id: int
    # Why: it is in the trail
    reason: str
    # Who gets jobs, results, logs and projects; absent: they are removed
    new_owner_id: NotRequired[int]


class PostAdminUsersDeleteAnswerNewOwnerExceededQuotasItem(TypedDict):
    name: str
    limit: float
    used: float


class PostAdminUsersDeleteAnswerNewOwner(TypedDict):
    """Where what the user had is given to another"""

    # Number of a user
    user_id: int
    username: str
    # Of GET /limits, above which he is then: what he has stays, and his submissions are refused
    exceeded_quotas: list[PostAdminUsersDeleteAnswerNewOwnerExceededQuotasItem]


class PostAdminUsersDeleteAnswer(TypedDict):
    message: str
    # Sessions and API tokens
    ended: int
    # That the user had
    jobs: int
    # That the user had
    projects: int
    # Where what the user had is given to another
    new_owner: NotRequired[PostAdminUsersDeleteAnswerNewOwner]


class PostAdminClassesBodyQuota(TypedDict):
    """Of each student; unless given as the settings say"""

    # Processor time in a calendar month of UTC, seconds; 0: no bound; null: none of its own
    processor_seconds_month: NotRequired[Union[float, None]]
    # What is stored of a user, bytes; 0: no bound; null: as the settings say
    stored_bytes: NotRequired[Union[float, None]]
    # Tasks that runners have at a time; 0: no bound; null: as the settings say
    running_tasks: NotRequired[Union[float, None]]


class PostAdminClassesBody(TypedDict):
    # Of the class and of its group
    name: str
    # User names of the students; none may be taken
    usernames: list[str]
    # When it ends, within 366 days
    ends_at: str
    # What becomes of the accounts then; `delete`: with all that is theirs
    at_end: Literal["block", "delete"]
    # Of each student; unless given as the settings say
    quota: NotRequired[PostAdminClassesBodyQuota]
    # Ids of kept projects of yours that the students may read and begin with
    templates: NotRequired[list[str]]
    # Why: it is in the trail
    reason: str


class PostAdminClassesAnswerClass(TypedDict):
    class_id: str
    name: str
    # Who made it; empty: the account is not there any more
    teacher: str
    # The group of the students, which the teacher manages
    group_id: str
    created_at: Timestamp
    ends_at: Timestamp
    at_end: Literal["block", "delete"]
    ended: bool


class PostAdminClassesAnswerInvitationsItem(TypedDict):
    # Number of a user
    user_id: int
    username: str
    # Where the student sets a password, once; a path where AUTH_PUBLIC_URL is not set. It is shown this once
    link: str
    expires_at: Timestamp


PostAdminClassesAnswer = TypedDict(
    "PostAdminClassesAnswer",
    {
        "message": str,
        "class": PostAdminClassesAnswerClass,
        "invitations": list[PostAdminClassesAnswerInvitationsItem],
    },
)


class GetAdminClassesAnswerClassesItemTemplatesItem(TypedDict):
    project_id: str
    title: str
    share_id: str


class GetAdminClassesAnswerClassesItemStudentsItemQuota(TypedDict):
    processor_seconds_month: Union[float, None]
    stored_bytes: Union[float, None]
    running_tasks: Union[float, None]


class GetAdminClassesAnswerClassesItemStudentsItem(TypedDict):
    # Number of a user
    user_id: int
    username: str
    state: Literal["active", "blocked", "deleted"]
    # null: the student has not joined yet
    last_login_at: Union[Timestamp, None]
    jobs: int
    projects: int
    quota: GetAdminClassesAnswerClassesItemStudentsItemQuota


class GetAdminClassesAnswerClassesItem(TypedDict):
    class_id: str
    name: str
    # Who made it; empty: the account is not there any more
    teacher: str
    # The group of the students, which the teacher manages
    group_id: str
    created_at: Timestamp
    ends_at: Timestamp
    at_end: Literal["block", "delete"]
    ended: bool
    # Projects that the students may read; DELETE /shares takes one back
    templates: list[GetAdminClassesAnswerClassesItemTemplatesItem]
    students: list[GetAdminClassesAnswerClassesItemStudentsItem]


class GetAdminClassesAnswer(TypedDict):
    message: str
    classes: list[GetAdminClassesAnswerClassesItem]


class PutAdminClassesQuotaBody(TypedDict):
    # Id of a class
    class_id: str
    # Processor time in a calendar month of UTC, seconds; 0: no bound; null: none of its own
    processor_seconds_month: NotRequired[Union[float, None]]
    # What is stored of a user, bytes; 0: no bound; null: as the settings say
    stored_bytes: NotRequired[Union[float, None]]
    # Tasks that runners have at a time; 0: no bound; null: as the settings say
    running_tasks: NotRequired[Union[float, None]]
    # Why: it is in the trail
    reason: str


class PutAdminClassesQuotaAnswer(TypedDict):
    message: str


class PostAdminClassesInvitationsBody(TypedDict):
    # Id of a class
    class_id: str
    # Of this student; absent: of all who have not joined
    user_id: NotRequired[int]
    # Why: it is in the trail
    reason: str


class PostAdminClassesInvitationsAnswerInvitationsItem(TypedDict):
    # Number of a user
    user_id: int
    username: str
    # Where the student sets a password, once; a path where AUTH_PUBLIC_URL is not set. It is shown this once
    link: str
    expires_at: Timestamp


class PostAdminClassesInvitationsAnswer(TypedDict):
    message: str
    invitations: list[PostAdminClassesInvitationsAnswerInvitationsItem]


class PostAdminClassesEndBody(TypedDict):
    # Id of a class
    class_id: str
    # What becomes of them; `delete`: with all that is theirs
    accounts: Literal["block", "delete"]
    # Why: it is in the trail
    reason: str


class PostAdminClassesEndAnswerClass(TypedDict):
    class_id: str
    name: str
    # Who made it; empty: the account is not there any more
    teacher: str
    # The group of the students, which the teacher manages
    group_id: str
    created_at: Timestamp
    ends_at: Timestamp
    at_end: Literal["block", "delete"]
    ended: bool


PostAdminClassesEndAnswer = TypedDict(
    "PostAdminClassesEndAnswer",
    {
        "message": str,
        "class": PostAdminClassesEndAnswerClass,
        # Sessions and API tokens
        "ended": int,
    },
)


class GetAdminAuditAnswerEntriesItem(TypedDict):
    action_id: int
    time: Timestamp
    # 0: a rule that operators have set, such as one of retention
    operator_id: int
    # Name at that time
    operator: str
    # Stable word, such as jobs.cancel
    action: str
    target: str
    # Empty: the operator only looked
    reason: str
    request_id: str
    # Code of the error that it ended with; empty: none
    failure: str


class GetAdminAuditAnswer(TypedDict):
    message: str
    # The newest first
    entries: list[GetAdminAuditAnswerEntriesItem]
    # For the next page; absent: this is the last one
    next_before: NotRequired[int]
