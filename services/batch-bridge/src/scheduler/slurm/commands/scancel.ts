import type { CommandResult, RemoteCommand } from '../../../domain/ports.js';
import type { SchedulerJobId } from '../../../domain/scheduler.js';
import { schedulerFailure } from './scheduler-failure.js';

/** scancel(1): arrays whole. */
export function scancel(ids: readonly SchedulerJobId[]): RemoteCommand {
  return { argv: ['scancel', ...ids] };
}

/** Exit code 0 comes for unknown ids, too: it says nothing about the jobs. */
export function parseScancel(result: CommandResult): void {
  if (result.exitCode !== 0) throw schedulerFailure(result);
}
