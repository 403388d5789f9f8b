import type { NodeProgram } from '../../domain/scheduler.js';
import { quoteArgv } from '../../ssh/quote-argv.js';

/**
 * The script of a job: becomes the program, so that the scheduler's signals reach it. Its words are quoted as everywhere;
 * the number of a task is computed by the shell from nothing but its index in the array and a whole number of ours.
 * @throws RangeError for words with control characters, and for an offset that is no whole number
 */
export function submitScript({ argv, taskOffset }: NodeProgram): string {
  const words = [quoteArgv(argv)];
  if (taskOffset !== undefined) {
    if (!Number.isSafeInteger(taskOffset) || taskOffset < 0) throw new RangeError('an offset is a whole number');
    words.push(`"$((SLURM_ARRAY_TASK_ID + ${taskOffset}))"`);
  }
  return `#!/bin/sh\numask 077\nexec ${words.join(' ')}\n`;
}
