import { invalidField } from '../errors.js';
import type { JobLabels } from '../labels/labels.js';

/** What is removed: whole jobs; of ended jobs their results with the outputs of tasks; or their logs. */
export type Retained = 'jobs' | 'results' | 'logs';

/** In which a job has ended; a rule for one of them takes the place of the one for any. */
export const RETENTION_STATES = ['any', 'COMPLETED', 'FAILED', 'CANCELED'] as const;
export type RetentionState = (typeof RETENTION_STATES)[number];

/** So long after its end, something of a job is removed. */
export interface RetentionRule {
  readonly data: Retained;
  readonly state: RetentionState;
  readonly afterDays: number;
}

/** Rules as they hold. A job that is a favourite, or has the tag {@link KEEP_TAG}, is under none. */
export interface Retention {
  readonly rules: readonly RetentionRule[];
  /** Nothing goes sooner than so long after a change of the rules, or after a job stopped being kept or got a new owner. */
  readonly warningDays: number;
  /** Null: there are no rules. */
  readonly setAt: Date | null;
}

/** A job with this tag is kept. */
export const KEEP_TAG = 'keep';

/** Whether its labels keep a job from all rules. */
export const isKept = ({ isFavourite, tags }: Pick<JobLabels, 'isFavourite' | 'tags'>): boolean =>
  isFavourite || tags.includes(KEEP_TAG);

/** Days after the end of a job that a rule may wait. */
export const AFTER_DAYS_MAX = 36_500;
const WARNING_DAYS_MAX = 365;

/** @throws ServiceError REQUEST_INVALID */
export function checkRetention({ rules, warningDays }: Omit<Retention, 'setAt'>): void {
  if (!isDays(warningDays, WARNING_DAYS_MAX))
    throw invalidField('/warning_days', `must be a whole number from 1 to ${WARNING_DAYS_MAX}`);
  const seen = new Set<string>();
  for (const [i, { data, state, afterDays }] of rules.entries()) {
    if (!isDays(afterDays, AFTER_DAYS_MAX))
      throw invalidField(`/rules/${i}/after_days`, `must be a whole number from 1 to ${AFTER_DAYS_MAX}`);
    if (seen.has(`${data} ${state}`)) throw invalidField(`/rules/${i}`, `is the second one for ${data} and ${state}`);
    seen.add(`${data} ${state}`);
  }
}

const isDays = (days: number, max: number) => Number.isInteger(days) && days >= 1 && days <= max;

/** The same rules, whatever their order. */
export function isSameRetention(one: Omit<Retention, 'setAt'>, other: Omit<Retention, 'setAt'>): boolean {
  const textOf = ({ rules, warningDays }: Omit<Retention, 'setAt'>) =>
    JSON.stringify([
      warningDays,
      rules.map(({ data, state, afterDays }) => `${data} ${state} ${afterDays}`).toSorted(),
    ]);
  return textOf(one) === textOf(other);
}
