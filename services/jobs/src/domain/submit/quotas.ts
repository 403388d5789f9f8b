import type { Platform } from '../job.js';

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

/** What a user has, or, of tasks and primaries that have {@link Room}, the most that he may have. */
export interface Usage extends Room {
  readonly openJobCount: number;
  /** What operators say of platforms that take no submissions; null: all take some. */
  readonly pauses: Readonly<Partial<Record<Platform, string>>> | null;
  /** Quotas on processor time that bind a job of the user; null: none. */
  readonly cpuQuotas?: readonly CpuQuota[] | null;
}

/** Processor time of a user, or of a group together, in a month. */
export interface CpuQuota {
  readonly kind: 'user' | 'group';
  readonly maxSeconds: number;
  readonly usedSeconds: number;
  /** ISO 8601. */
  readonly resetsAt: string;
}

/** Open tasks and waiting primaries of a user. */
export interface Room {
  readonly openTaskCount: number;
  readonly queuedPrimaries: number;
}

/** What a user may have before he gets so much more. */
export const roomFor = (quotas: SubmissionQuotas, more: Room): Room => ({
  openTaskCount: roomOf(quotas.openTasksPerUserMax, more.openTaskCount),
  queuedPrimaries: roomOf(quotas.queuedPrimariesPerUserMax, more.queuedPrimaries),
});

const roomOf = (most: number, more: number) => (most > 0 ? most - more : Number.POSITIVE_INFINITY);

/** Why a user may not have one job more, for people; undefined: it may be. */
export function quotaFault(quotas: SubmissionQuotas, usage: Omit<Usage, 'pauses'>, job: Room): string | undefined {
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
  if (over === undefined) return cpuQuotaFault(usage.cpuQuotas ?? []);
  const [name, what, has, more, most] = over;
  return `You may have ${most} ${what}, and have ${has}; this job would add ${more} (${name}_per_user_max of GET /limits)`;
}

function cpuQuotaFault(quotas: readonly CpuQuota[]): string | undefined {
  const over = quotas.find(({ maxSeconds, usedSeconds }) => usedSeconds >= maxSeconds);
  if (over === undefined) return undefined;
  const { kind, maxSeconds, usedSeconds, resetsAt } = over;
  const who = kind === 'user' ? 'You' : 'Your group';
  const day = new Date(resetsAt).toISOString().slice(0, 10);
  return `${who} may use ${maxSeconds} seconds of processor time a month, and ${kind === 'user' ? 'have' : 'has'} used ${Math.floor(usedSeconds)}; the next month begins on ${day}, UTC (processor_seconds_month of GET /usage)`;
}
