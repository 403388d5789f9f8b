import { isWarning, type OutputWarning, WARNINGS_MAX } from '@tally/merge';
import { fail } from '../errors.js';
import { isName, type PageLimits } from '../page/page-rules.js';

/** A task's output without its pages. */
export interface TaskOutputHeader {
  readonly jobId: string;
  readonly taskId: number;
  readonly attemptId: string;
  /** Histories completed. */
  readonly primaries: number;
  /** Batches behind the sums of squares. */
  readonly batches: number;
  readonly engine: string;
  readonly counters: Readonly<Record<string, number>>;
  readonly warnings: readonly OutputWarning[];
  /** Pages that follow, if the sender said. */
  readonly pageCount: number | undefined;
}

const COUNTERS_MAX = 1_000;

/** @throws ServiceError UPLOAD_INVALID naming what is wrong */
export function checkTaskOutputHeader(header: TaskOutputHeader, limits: PageLimits): void {
  const require = (isRight: boolean, what: string) => {
    if (!isRight) throw fail('UPLOAD_INVALID', { message: `The task output has ${what}` });
  };
  require(header.taskId >= 1, 'no task number');
  require(header.attemptId !== '' && isName(header.attemptId, limits), 'no attempt');
  require(header.engine !== '' && isName(header.engine, limits), 'no engine');
  require(Number.isSafeInteger(header.primaries) && header.primaries >= 0, 'an impossible number of primaries');
  require(header.batches >= (header.primaries === 0 ? 0 : 1), 'an impossible number of batches');
  const counters = Object.entries(header.counters);
  require(counters.length <= COUNTERS_MAX, `more than ${COUNTERS_MAX} counters`);
  require(counters.every(([name, value]) => isName(name, limits) && Number.isFinite(value)), 'a malformed counter');
  require(areWarnings(header.warnings), `a malformed warning, or more than ${WARNINGS_MAX}`);
}

/** Whether these are warnings as they can be stored and shown. */
export function areWarnings(warnings: readonly OutputWarning[]): boolean {
  return warnings.length <= WARNINGS_MAX && warnings.every(isWarning);
}
