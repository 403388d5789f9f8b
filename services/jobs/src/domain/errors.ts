import { defineReasons } from '@tally/service-kit';

/** Reasons of jobs: status, what the user reads, and when it happens. */
export const fail = defineReasons('jobs', {
  JOB_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'Job with provided ID does not exist',
    when: 'no job has this id, or it runs on the other platform',
  },
  JOB_OF_ANOTHER_USER: {
    status: 'PERMISSION_DENIED',
    message: 'The job belongs to another user',
    when: 'the acting user does not own the job',
  },
  JOB_NOT_TERMINAL: {
    status: 'ABORTED',
    message: 'The job has not ended; cancel it first',
    when: 'a job is deleted before it is COMPLETED, FAILED or CANCELED',
  },
  JOB_NOT_EXTENDABLE: {
    status: 'ABORTED',
    message: 'The job cannot be given further primaries',
    when: 'a job is extended that is not COMPLETED, whose results an external worker merged, or that has as many tasks as a job may have (JOBS_JOB_TASKS_MAX)',
  },
  JOB_NOT_RETRYABLE: {
    status: 'ABORTED',
    message: 'The tasks of the job cannot be retried',
    when: 'an operator retries a job that is not FAILED, runs on a cluster, was stopped by its owner or ended by an external worker, or of which all tasks have delivered',
  },
  JOB_NOT_MERGEABLE: {
    status: 'ABORTED',
    message: 'The job cannot be merged again',
    when: 'an operator merges a job that is neither COMPLETED nor FAILED, that an external worker merged, or of which no task has delivered',
  },
  RUNNER_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'No such runner lives',
    when: 'an operator drains a runner that is not there any more',
  },
  SUBMISSIONS_PAUSED: {
    status: 'FAILED_PRECONDITION',
    message: 'Submissions are paused',
    when: 'an operator has paused submissions to the platform; the message is in his words',
  },
  RETENTION_UNAVAILABLE: {
    status: 'FAILED_PRECONDITION',
    message: 'Rules of retention need the address of auth, which keeps the trail',
    when: 'an operator sets rules of retention, and jobs has no JOBS_AUTH_ADDRESS',
  },
  REQUEST_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'The request is not valid',
    when: 'fields of a request are missing, malformed or out of bounds; every one is named',
  },
  PROJECT_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'The project is not valid',
    when: 'sim_data is not a project of the editor, or refers to something that is not there; every fault is named',
  },
  PROJECT_TOO_LARGE: {
    status: 'INVALID_ARGUMENT',
    message: 'The project is too large',
    when: 'a project goes beyond a limit, which is named: of counts, or of steps, time or memory to convert it; or one that is to be kept has more than 4 MiB',
  },
  PROJECT_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'Project with provided ID does not exist',
    when: 'no kept project has this id',
  },
  PROJECT_OF_ANOTHER_USER: {
    status: 'PERMISSION_DENIED',
    message: 'The project belongs to another user',
    when: 'the acting user does not own the kept project',
  },
  ACCESS_INSUFFICIENT: {
    status: 'PERMISSION_DENIED',
    message: 'It belongs to another user, and you may not do this with it',
    when: 'somebody who may see a job or project, by a group or a share, does what only others may: change, delete or share it',
  },
  SHARE_LINK_INVALID: {
    status: 'NOT_FOUND',
    message: 'This link is not valid: it may have ended',
    when: 'a share link is unknown, expired or revoked, or what it opened has been deleted; or it is shown for something else. The answer does not show which',
  },
  SHARE_LINKS_DISABLED: {
    status: 'PERMISSION_DENIED',
    message: 'This deployment makes no share links',
    when: 'a share link is asked for while JOBS_SHARE_LINK_DAYS_MAX is 0',
  },
  SHARE_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'There is no such share',
    when: 'a share is ended that is unknown, has ended, or is of something of another user',
  },
  SHARES_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'It is shared with too many; end a share first',
    when: 'a job or project has 100 shares and gets one more',
  },
  PROJECT_REVISION_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'The project has no such revision, or does not keep it any more',
    when: 'a revision of a kept project is asked for that never was, or that was folded into a later one (GET /projects/revisions lists those that are kept)',
  },
  PROJECT_QUOTA_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'You keep as many projects as you may; delete some first',
    when: 'a project, or a save of one, would bring its user above JOBS_PROJECTS_PER_USER_MAX or JOBS_PROJECT_BYTES_PER_USER_MAX; the answer says which (GET /limits)',
  },
  WEBHOOKS_DISABLED: {
    status: 'FAILED_PRECONDITION',
    message: 'This instance calls no webhooks; ask its operator',
    when: 'a webhook is made or tested while JOBS_WEBHOOKS_ENABLED is false, or there is no JOBS_UPDATE_KEY_MASTER',
  },
  WEBHOOKS_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'You have too many webhooks; remove one first',
    when: 'a user has 10 webhooks and makes one more',
  },
  WEBHOOK_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'There is no such webhook',
    when: 'a webhook is not the acting user’s, or was removed',
  },
  SUBSCRIPTIONS_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'You are told of too many jobs already; be told of all your jobs, or of fewer',
    when: 'a user asks to be told of more than 1000 jobs and sweeps',
  },
  QUOTA_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'You have too much queued; wait until some of it has ended',
    when: 'a job would bring its user above JOBS_OPEN_JOBS_PER_USER_MAX, _OPEN_TASKS_ or _QUEUED_PRIMARIES_; the answer says which (GET /limits)',
  },
  GROUP_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'You are in no group with this id',
    when: 'the usage of a group is asked for that the acting user is no member of',
  },
  GROUP_ROLE_MISSING: {
    status: 'PERMISSION_DENIED',
    message: 'Only managers of the group may do this',
    when: 'the usage of a group is asked for by a member who is no manager of it',
  },
  SAVED_SEARCHES_FULL: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'You keep as many searches as you may; delete one first',
    when: 'a user who keeps 50 searches saves one under another name',
  },
  SAVED_SEARCH_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'There is no saved search of this name',
    when: 'the acting user keeps no search of this name',
  },
  CONVERSIONS_BUSY: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many projects are being converted at this moment; try again',
    when: 'more projects and decks wait to be converted than may: 32; who has most of them waiting is refused first',
  },
  PROJECT_UNSUPPORTED: {
    status: 'INVALID_ARGUMENT',
    message: 'The project asks for something that this simulator cannot do',
    when: 'leaving out what the simulator cannot do would change the answer; every such thing is named',
  },
  SIM_DATA_TOO_LARGE: {
    status: 'INVALID_ARGUMENT',
    message: 'sim_data is too large',
    when: 'the JSON text of sim_data is longer than JOBS_SIM_DATA_BYTES_MAX',
  },
  INPUT_TYPE_UNSUPPORTED: {
    status: 'INVALID_ARGUMENT',
    message: 'this deployment cannot run input files of this simulator; submit the project of the editor',
    when: 'input files are submitted for a simulator that is not installed',
  },
  FILES_UNCONFINED: {
    status: 'INVALID_ARGUMENT',
    message: 'input files are not run here, because nothing confines simulators; submit the project of the editor',
    when: 'input files are submitted for an executable while a runner that has it has neither bubblewrap nor containers; see RUNNER_CONFINEMENT',
  },
  SIMULATOR_UNAVAILABLE: {
    status: 'INVALID_ARGUMENT',
    message: 'This deployment cannot run the simulator',
    when: 'no runner has ever reported the wanted sim_type, or the cluster does not have it, and the built-in engine does not stand in (JOBS_BUILT_IN_ENGINE)',
  },
  PLATFORM_UNIMPLEMENTED: {
    status: 'UNIMPLEMENTED',
    message: 'The batch platform is not available',
    when: 'a job is submitted to the batch platform of a deployment that has none (JOBS_BATCH_BRIDGE_ADDRESS)',
  },
  BATCH_SUBMISSION_FAILED: {
    status: 'INTERNAL',
    message: 'The job could not be submitted to the cluster',
    when: 'the cluster refuses the user or the job, or cannot be reached at the first try; the job stays as FAILED, its id and the words of the cluster are in the message',
  },
  CONVERSION_FAILED: {
    status: 'INTERNAL',
    message: 'The project could not be converted',
    when: 'the converter failed on a project that it should have taken or refused; the log has the details',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 'ALREADY_EXISTS',
    message: 'The Idempotency-Key was used for a different request',
    when: 'the same key comes with another body',
  },
  SUBMISSION_ABANDONED: {
    status: 'UNAVAILABLE',
    message: 'The submission took too long; try again',
    when: 'a submission was still under way after five minutes and its input has been removed',
  },
  UPDATE_KEY_INVALID: {
    status: 'UNAUTHENTICATED',
    message: 'The update key is not valid for this job',
    when: 'a worker shows a wrong or expired update key, the key of another job, or names a job that does not exist',
  },
  TASK_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'The job has no task with this number',
    when: 'a worker reports on a task that its job does not have',
  },
});

/** A platform takes nothing at the moment; programs try again after this. */
const PAUSE_RETRY_MS = 60_000;
export const submissionsPaused = (message: string) =>
  fail('SUBMISSIONS_PAUSED', { message, retryAfterMs: PAUSE_RETRY_MS });

/** An error with one wrong field, by its JSON pointer into the request. */
export function invalidField(field: string, message: string) {
  return fail('REQUEST_INVALID', { message: `${field.slice(1)} ${message}`, fields: [{ field, message }] });
}
