/** Fields of messages whose values log lines and spans carry, with the names that they have there. */
export const LOGGED_IDS = [
  ['jobId', 'job_id'],
  ['taskId', 'task_id'],
  ['attemptId', 'attempt_id'],
] as const;
