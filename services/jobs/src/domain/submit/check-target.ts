import { DEFAULT_PROJECT_LIMITS } from '@tally/simulators';
import { invalidField } from '../errors.js';
import type { InputType } from '../job.js';
import type { ConvertedProject } from './convert-project.js';
import { CHUNKS_MIN, type Target } from './target.js';

/** What of a submission a target depends on. */
interface Targeted {
  readonly target?: Target | undefined;
  readonly inputType: InputType;
  readonly taskCount: number;
}

/** What of a target can be judged without the project. @throws ServiceError REQUEST_INVALID */
export function checkTarget({ target, inputType, taskCount }: Targeted): void {
  if (target === undefined) return;
  if (inputType === 'files') throw invalidField('/target', 'is for projects: input files do not say what they score');
  const { relativeError, maxPrimaries, page } = target;
  if (!(relativeError > 0 && relativeError < 1)) {
    throw invalidField('/target/relative_error', 'must be a fraction between 0 and 1, such as 0.01');
  }
  const [least, most] = [CHUNKS_MIN * taskCount, DEFAULT_PROJECT_LIMITS.primariesMax];
  if (!Number.isInteger(maxPrimaries) || maxPrimaries < least || maxPrimaries > most) {
    const why = `from ${CHUNKS_MIN} for each of the ${taskCount} tasks, ${least}, to ${most}`;
    throw invalidField('/target/max_primaries', `must be a whole number ${why}`);
  }
  if (page !== null && page < 1) throw invalidField('/target/page', 'must be a number from 1');
}

/** @throws ServiceError REQUEST_INVALID for an estimator or a page that the project does not have */
export function checkTargetPage({ estimator, page }: Target, { estimators = [] }: ConvertedProject): void {
  const found = estimators.find(({ name }) => name === estimator);
  if (found === undefined) {
    const names = estimators.slice(0, NAMES_SHOWN_MAX).map(({ name }) => `"${name}"`);
    throw invalidField('/target/estimator', `must be one of those of the project: ${names.join(', ')}`);
  }
  if (page !== null && page > found.pageCount) {
    throw invalidField('/target/page', `must be at most ${found.pageCount}, the pages of "${estimator}"`);
  }
}

const NAMES_SHOWN_MAX = 20;
