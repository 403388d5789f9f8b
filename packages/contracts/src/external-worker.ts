/**
 * Attempt id under which results keeps the logs of external workers, by whichever way they come: a task on a cluster by
 * POST /logfiles, or batch-bridge for it.
 */
export const EXTERNAL_ATTEMPT_ID = 'outside';
