import type { UserId } from '../job.js';

/** Whose usage: a user's own, or that of all jobs of a group. */
export type UsageSubject =
  | { readonly kind: 'user'; readonly userId: UserId }
  | { readonly kind: 'group'; readonly groupId: string };

export interface UsageQuery {
  readonly subject: UsageSubject;
  /** YYYY-MM-DD, UTC; both are within. */
  readonly fromDay: string;
  readonly toDay: string;
}

/** Processor time of a user on a day. */
export interface UsageEntry {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly ownerId: UserId;
  /** Empty: runners of the direct platform. */
  readonly cluster: string;
  readonly cpuMs: number;
}

/** Processor time of a user in a month of UTC. */
export interface MonthUsage {
  /** YYYY-MM. */
  readonly month: string;
  readonly ownerId: UserId;
  readonly cpuMs: number;
}

/** What is used at this moment. */
export interface CurrentUsage {
  readonly runningTaskCount: number;
  /** Of the tasks that run; it counts when they end. */
  readonly runningCpuMs: number;
  /** Counted since the month began, UTC. */
  readonly monthCpuMs: number;
  readonly monthEndsAt: Date;
}

/** What a user, or a group together, may have in place of the settings. Null: as the settings say, or of a group no bound; 0: no bound. */
export interface QuotaOverride {
  /** Processor time in a month of UTC. */
  readonly cpuSecondsMonth: number | null;
  /** What results keeps of a user; not of groups. */
  readonly storedBytes: number | null;
  /** Tasks that runners have. */
  readonly runningTasks: number | null;
}

/** An override, and whose. */
export interface SubjectQuota extends QuotaOverride {
  readonly kind: UsageSubject['kind'];
  /** Id of the group, or of the user in decimal digits. */
  readonly subjectId: string;
}

export interface UsageStore {
  /** By day, user and cluster. */
  listUsage(query: UsageQuery): Promise<readonly UsageEntry[]>;
  /** Of all users, by month and user. @param fromMonth - YYYY-MM; both are within */
  listMonths(fromMonth: string, toMonth: string): Promise<readonly MonthUsage[]>;
  readCurrent(subject: UsageSubject): Promise<CurrentUsage>;
  /** Undefined: there is none. */
  findQuota(subject: UsageSubject): Promise<QuotaOverride | undefined>;
  /** All of them, by kind and id. */
  listQuotas(): Promise<readonly SubjectQuota[]>;
  /** Of each, in place of an earlier one; all null: none any more. */
  putQuota(subjects: readonly UsageSubject[], quota: QuotaOverride): Promise<void>;
}

export const subjectIdOf = (subject: UsageSubject): string =>
  subject.kind === 'user' ? String(subject.userId) : subject.groupId;
