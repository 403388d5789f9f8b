import { defineReasons } from '@tally/service-kit';

/** Reasons of batch-bridge. */
export const fail = defineReasons('batch-bridge', {
  CLUSTER_UNKNOWN: {
    status: 'INVALID_ARGUMENT',
    message: 'There is no cluster of this name',
    when: 'a submission names a cluster that this deployment does not have',
  },
  BATCH_UNIMPLEMENTED: {
    status: 'UNIMPLEMENTED',
    message: 'The batch platform is not available: this deployment has no cluster',
    when: 'a job is submitted to the batch platform of a deployment without any cluster (BATCH_CLUSTERS)',
  },
  OPTION_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'A scheduler option is not allowed or has a value that it cannot have',
    when: 'scheduler_options has a key that is not on the list, or a value outside its grammar or the limits of the partition',
  },
  JOB_ID_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'The job id is malformed',
    when: 'a job id is not of the form that jobs gives out, so that it cannot be part of a path or a marker',
  },
  SUBMISSION_EXPIRED: {
    status: 'FAILED_PRECONDITION',
    message: 'The job waited too long to be submitted',
    when: 'a job could not be submitted for BATCH_WAIT_HOURS_MAX: no usable certificate, or a cluster that does not answer',
  },
  SUBMISSION_REVOKED: {
    status: 'FAILED_PRECONDITION',
    message: 'The job was canceled or deleted before it was submitted',
    when: 'a submission arrives after the cancel or the deletion of its job; it does nothing',
  },
  DECK_TOO_LARGE: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'The input of the job is larger than what is taken to a cluster',
    when: 'the deck of a job has more than 64 MB (deckBytesMax), or more files than a job folder may have',
  },
  UPDATE_KEY_MISSING: {
    status: 'FAILED_PRECONDITION',
    message: 'This deployment gives no update keys to jobs, so that nothing could report from a cluster',
    when: 'jobs has neither JOBS_UPDATE_KEY_MASTER nor JOBS_UPDATE_KEY_SHARED, which batch jobs need',
  },
  CREDENTIAL_UNUSABLE: {
    status: 'FAILED_PRECONDITION',
    message: 'The SSH certificate cannot be used; log in again to get a new one',
    when: 'the SSH certificate is expired, not valid yet, for other login names, or does not belong to its key',
  },
  LOGIN_REFUSED: {
    status: 'FAILED_PRECONDITION',
    message: 'The cluster refused the login',
    when: 'the SSH server of a cluster does not accept the certificate: unknown user, other authority, revoked',
  },
  HOST_KEY_CHANGED: {
    status: 'FAILED_PRECONDITION',
    message: 'The cluster shows another host key than the one it is known by; nothing is sent to it',
    when: 'the host key of a cluster is none of the pinned ones: another machine, or new keys that must be configured',
  },
  CLUSTER_UNREACHABLE: {
    status: 'UNAVAILABLE',
    message: 'The cluster cannot be reached',
    when: 'no SSH connection to a cluster can be made, or one failed a moment ago and the pause is not over',
  },
  COMMAND_LOST: {
    status: 'UNAVAILABLE',
    message: 'The connection to the cluster broke; it is not known whether the command was carried out',
    when: 'an SSH connection ends while a command runs: its effect must be looked up before it is repeated',
  },
  COMMAND_TIMED_OUT: {
    status: 'UNAVAILABLE',
    message: 'The cluster did not answer in time',
    when: 'a command or a transfer on a cluster takes longer than its limit',
  },
  COMMAND_OUTPUT_TOO_LARGE: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'The cluster answered with more than is read',
    when: 'a command on a cluster prints more than its limit',
  },
  UPLOAD_DAMAGED: {
    status: 'UNAVAILABLE',
    message: 'A file did not arrive on the cluster as it was sent',
    when: 'size or SHA-256 of an uploaded file differ on the cluster: full disk, quota, damage',
  },
  FILE_UNREADABLE: {
    status: 'UNAVAILABLE',
    message: 'A file on the cluster cannot be read',
    when: 'the file system of a cluster fails while a folder is listed or a file is read',
  },
  FOLDER_NOT_REMOVED: {
    status: 'UNAVAILABLE',
    message: 'A folder on the cluster cannot be removed',
    when: 'removing what a job has left on a cluster fails: closed to the user, or its file system fails',
  },
  LOGIN_SCRIPT_PRINTS: {
    status: 'UNAVAILABLE',
    message: 'The login script of the cluster prints into the transfer of files',
    when: 'a login script of the user or the site prints where no terminal is, and files are transferred by a program that it starts',
  },
  COMMAND_NOT_RUN: {
    status: 'UNAVAILABLE',
    message: 'The cluster did not run the command',
    when: 'a login ends before the command that it was to run: an account that is closed, a login script that fails',
  },
  SSH_FAULT: {
    status: 'UNAVAILABLE',
    message: 'The SSH server of the cluster answered in an unknown way',
    when: 'a request on an open SSH connection fails: no channel, no transfer of files, data that is none of its protocol',
  },
  SCHEDULER_UNREACHABLE: {
    status: 'UNAVAILABLE',
    message: 'The scheduler of the cluster does not answer',
    when: 'a scheduler command fails, with words that do not speak of the request or with none: it is repeated',
  },
  SCHEDULER_BUSY: {
    status: 'UNAVAILABLE',
    message: 'The scheduler of the cluster takes no more jobs at the moment',
    when: 'the account has as many jobs as it may have, or the queue is full: the submission is repeated with long pauses',
  },
  SUBMISSION_UNFINISHED: {
    status: 'UNAVAILABLE',
    message: 'What was submitted of the job before is not through on the cluster',
    when: 'a job is given further tasks while earlier ones are still being submitted or canceled: jobs asks again',
  },
  SCHEDULER_REFUSED: {
    status: 'FAILED_PRECONDITION',
    message: 'The scheduler of the cluster refused the request',
    when: 'a scheduler refuses what was asked for: partition, account, limits of one job, script; or access, twice in a row',
  },
  SCHEDULER_DENIED: {
    status: 'UNAVAILABLE',
    message: 'The scheduler of the cluster refused the request',
    when: 'a scheduler denies access, or refuses a part of a job whose other parts it has taken: final when it says so twice in a row',
  },
  SCHEDULER_DEPENDENCY_LOST: {
    status: 'UNAVAILABLE',
    message: 'The scheduler of the cluster has lost a job that another is to wait for',
    when: 'a collect job is given the id of an array that it is to wait for, since the scheduler has lost that: it is retried',
  },
  SCHEDULER_ANSWER_UNKNOWN: {
    status: 'INTERNAL',
    message: 'The scheduler of the cluster answered in an unknown way',
    when: 'sbatch ends well and prints no id alone, and no job has the name of what was submitted: that is looked up again',
  },
});
