import type { CommandResult, RemoteCommand } from '../../../domain/remote-shell.js';
import type { Observation, SchedulerJobId } from '../../../domain/scheduler.js';
import { mapState, meaningOf } from '../state-map.js';
import { schedulerFailure } from './scheduler-error.js';

// Array id, index, state, reason, name. The name is last: others' names may hold the separator.
const FORMAT = '%F|%K|%T|%r|%j';
const ROW = /^(\d+)\|(N\/A|\d+)\|([A-Z_]+)\|([^|]*)\|(.*)$/;

/**
 * squeue(1) for all jobs of the user in every state, one row for each task of an array. Ended ones stay for MinJobAge,
 * 300 s unless configured. Not by id: squeue fails when the only id it is asked for is unknown. Not as JSON: 22.05 then
 * ignores every filter, and the form changes between versions.
 */
export function squeue(marker?: string): RemoteCommand {
  const filter = marker === undefined ? [] : [`--name=${marker}`];
  return { argv: ['squeue', '--me', '--noheader', '--array', '--states=all', `--format=${FORMAT}`, ...filter] };
}

/** Rows of {@link squeue}; lines that are none, and a last one that is cut off, are passed over. */
export function parseSqueue(result: CommandResult): Observation[] {
  if (result.exitCode !== 0) throw schedulerFailure(result);
  const lines = result.stdout.split('\n').slice(0, -1); // each has its end
  return lines.flatMap((line) => {
    const match = ROW.exec(line);
    if (match === null) return [];
    const [, id = '', index = '', state = '', reason = '', marker = ''] = match;
    const meaning = meaningOf(state, reason);
    return {
      schedulerJobId: id as SchedulerJobId,
      arrayIndex: index === 'N/A' ? undefined : Number(index),
      marker,
      state: mapState(state, reason),
      description: reason === '' || reason === 'None' ? state : `${state}: ${reason}`,
      ...(meaning === undefined ? {} : { meaning }),
    };
  });
}
