import type { CommandResult, RemoteCommand } from '../../../domain/remote-shell.js';
import type { JobTarget } from '../../../domain/scheduler.js';
import { schedulerFailure } from './scheduler-error.js';

/** scancel(1): arrays whole, or some of their tasks. */
export function scancel(targets: readonly JobTarget[]): RemoteCommand {
  const args = targets.map(({ id, indices }) => (indices === undefined ? id : `${id}_[${ranges(indices)}]`));
  return { argv: ['scancel', ...args] };
}

/** `1-3,7` of 1, 2, 3, 7: a command line is not endless. */
function ranges(indices: readonly number[]): string {
  const parts: { first: number; last: number }[] = [];
  for (const index of indices.toSorted((a, b) => a - b)) {
    const part = parts.at(-1);
    if (part !== undefined && index <= part.last + 1) part.last = index;
    else parts.push({ first: index, last: index });
  }
  return parts.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

/** Exit code 0 comes for unknown ids, too: it does not mean that the jobs end. */
export function parseScancel(result: CommandResult): void {
  if (result.exitCode !== 0) throw schedulerFailure(result);
}
