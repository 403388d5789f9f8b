/** Most that a user may have at a time; 0: no bound. */
export interface Quotas extends SubmissionQuotas {
  /** Tasks that runners of the direct platform have; the others wait. */
  readonly runningTasksPerUserMax: number;
  /** What results keeps of a user; results refuses the input of one more. */
  readonly storedBytesPerUserMax: number;
}

/** Those that a new job counts against. */
export interface SubmissionQuotas {
  /** Jobs that have not ended. */
  readonly openJobsPerUserMax: number;
  /** Tasks of theirs that have not ended. */
  readonly openTasksPerUserMax: number;
  /** Primaries of those that have not begun. */
  readonly queuedPrimariesPerUserMax: number;
}

/** What a user has. */
export interface Usage {
  readonly openJobCount: number;
  readonly openTaskCount: number;
  readonly queuedPrimaries: number;
}

/** Why a user may not have one job more, for people; undefined: it may be. */
export function quotaFault(
  quotas: SubmissionQuotas,
  usage: Usage,
  job: Omit<Usage, 'openJobCount'>,
): string | undefined {
  const rows = [
    ['open_jobs', 'jobs that have not ended', usage.openJobCount, 1, quotas.openJobsPerUserMax],
    ['open_tasks', 'tasks that have not ended', usage.openTaskCount, job.openTaskCount, quotas.openTasksPerUserMax],
    [
      'queued_primaries',
      'primaries that wait',
      usage.queuedPrimaries,
      job.queuedPrimaries,
      quotas.queuedPrimariesPerUserMax,
    ],
  ] as const;
  const over = rows.find(([, , has, more, most]) => most > 0 && has + more > most);
  if (over === undefined) return undefined;
  const [name, what, has, more, most] = over;
  return `You may have ${most} ${what}, and have ${has}; this job would add ${more} (${name}_per_user_max of GET /limits)`;
}
