import { fail, invalidField } from '../errors.js';
import type { UserId } from '../job.js';
import type { CurrentUsage, QuotaOverride, UsageEntry, UsageQuery, UsageStore, UsageSubject } from './usage-ports.js';

/** The acting user, with the role in each of his groups. */
export interface UsageReader {
  readonly userId: UserId;
  readonly groups: ReadonlyMap<string, string>;
}

/** What is asked for; an empty group: the reader's own. */
export interface UsageRequest {
  readonly groupId: string;
  readonly fromDay: string;
  readonly toDay: string;
}

export interface Usage {
  readonly entries: readonly UsageEntry[];
  readonly current: CurrentUsage;
  readonly quotas: readonly UsedQuota[];
}

/** A quota that is set for a user or a group. */
export interface UsedQuota {
  readonly name: 'processor_seconds_month' | 'stored_bytes' | 'running_tasks';
  readonly limit: number;
  /** Undefined: this service does not know. */
  readonly used: number | undefined;
  /** When it begins anew; undefined: never. */
  readonly resetsAt: Date | undefined;
}

export interface UsagePorts {
  readonly usage: UsageStore;
  /** Settings that hold where nothing is set for a user; 0: no bound. */
  readonly quotas: { readonly runningTasksPerUserMax: number; readonly storedBytesPerUserMax: number };
}

const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/**
 * What the reader's jobs, or those of a group that he manages, have used, day by day.
 * @throws ServiceError REQUEST_INVALID, GROUP_NOT_FOUND, GROUP_ROLE_MISSING
 */
export async function getUsage(ports: UsagePorts, reader: UsageReader, request: UsageRequest): Promise<Usage> {
  const subject = subjectOf(reader, request.groupId);
  const query: UsageQuery = { ...checkDays(request), subject };
  const [entries, current, quota] = await Promise.all([
    ports.usage.listUsage(query),
    ports.usage.readCurrent(subject),
    ports.usage.findQuota(subject),
  ]);
  return { entries, current, quotas: quotasOf(ports, subject, quota, current) };
}

function subjectOf({ userId, groups }: UsageReader, groupId: string): UsageSubject {
  if (groupId === '') return { kind: 'user', userId };
  const role = groups.get(groupId);
  if (role === undefined) throw fail('GROUP_NOT_FOUND');
  if (role !== 'manager') throw fail('GROUP_ROLE_MISSING');
  return { kind: 'group', groupId };
}

function checkDays({ fromDay, toDay }: UsageRequest): Pick<UsageQuery, 'fromDay' | 'toDay'> {
  const [from, to] = [readDay('/from', fromDay), readDay('/to', toDay)];
  const days = (to - from) / DAY_MS + 1;
  if (days < 1) throw invalidField('/to', 'must not be before from');
  if (days > DAYS_MAX) throw invalidField('/to', `must be within ${DAYS_MAX} days from the first one`);
  return { fromDay, toDay };
}

function readDay(field: string, day: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined;
  if (at?.toJSON()?.startsWith(day) !== true) throw invalidField(field, 'must be a day, YYYY-MM-DD');
  return at.getTime();
}

function quotasOf(
  { quotas }: UsagePorts,
  subject: UsageSubject,
  set: QuotaOverride | undefined,
  { monthCpuMs, monthEndsAt, runningTaskCount }: CurrentUsage,
): UsedQuota[] {
  const isUser = subject.kind === 'user';
  const cpu = set?.cpuSecondsMonth ?? 0;
  const stored = set?.storedBytes ?? (isUser ? quotas.storedBytesPerUserMax : 0);
  const running = set?.runningTasks ?? (isUser ? quotas.runningTasksPerUserMax : 0);
  const all: readonly UsedQuota[] = [
    { name: 'processor_seconds_month', limit: cpu, used: monthCpuMs / 1000, resetsAt: monthEndsAt },
    { name: 'stored_bytes', limit: stored, used: undefined, resetsAt: undefined },
    { name: 'running_tasks', limit: running, used: runningTaskCount, resetsAt: undefined },
  ];
  return all.filter(({ limit }) => limit > 0);
}
