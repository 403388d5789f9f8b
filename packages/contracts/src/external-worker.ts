/**
 * Attempt id under which results keeps the logs of external workers, whoever delivers them: a task on a cluster by
 * POST /logfiles, or batch-bridge for it.
 */
export const EXTERNAL_ATTEMPT_ID = 'outside';
