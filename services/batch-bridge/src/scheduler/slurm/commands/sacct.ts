import type { CommandResult, RemoteCommand } from '../../../domain/remote-shell.js';
import type { Observation, SchedulerJobId } from '../../../domain/scheduler.js';
import { mapState, meaningOf } from '../state-map.js';

const FORMAT = 'JobID,State,ExitCode,JobName';
// 12, 12_3, or 12_[4-7,9%2] for tasks that were canceled before they were split off
const ROW = /^(\d+)(?:_(\d+|\[[\d,:%-]+\]))?\|([A-Z_]+(?: by \d+)?)\|(\d+):(\d+)\|(.*)$/;
/** Largest index that Slurm can be configured for (slurm.conf(5), MaxArraySize). */
const INDEX_MAX = 4_000_001;
/** Otherwise lists of indices end after 64 characters (sacct(1), SLURM_BITSTR_LEN). */
const ALL_INDICES = ['env', 'SLURM_BITSTR_LEN=0'];
/** Any job of the service is younger. Without a start time sacct shows only jobs of today. */
const SINCE = 'now-30days';

/**
 * sacct(1) for jobs that squeue does not know any more. A job appears here some seconds after its submission, and only on
 * sites with accounting. It takes as long for one id as for many: ask for many at once.
 */
export function sacct(of: { readonly ids: readonly SchedulerJobId[] } | { readonly marker: string }): RemoteCommand {
  const filter = 'ids' in of ? `--jobs=${of.ids.join(',')}` : `--name=${of.marker}`;
  const since = `--starttime=${SINCE}`;
  return {
    argv: [...ALL_INDICES, 'sacct', '--allocations', '--noheader', '--parsable2', filter, since, `--format=${FORMAT}`],
  };
}

/**
 * Rows of {@link sacct}. The same job may come twice, then the last row counts. None where it fails, for whatever reason: there
 * is no accounting, it is not for users, its database is away.
 */
export function parseSacct(result: CommandResult): Observation[] {
  if (result.exitCode !== 0) return [];
  const rows = new Map<string, Observation>();
  for (const line of result.stdout.split('\n').slice(0, -1)) {
    const match = ROW.exec(line);
    if (match === null) continue;
    const [, id = '', indices, state = '', code, signal, marker = ''] = match;
    const meaning = meaningOf(state);
    for (const arrayIndex of indices === undefined ? [undefined] : readIndices(indices)) {
      rows.set(`${id} ${marker} ${arrayIndex}`, {
        schedulerJobId: id as SchedulerJobId,
        arrayIndex,
        marker,
        state: mapState(state),
        description: state,
        ...(meaning === undefined ? {} : { meaning }),
        exit: { code: Number(code), signal: Number(signal) },
      });
    }
  }
  return [...rows.values()];
}

/** Indices of `3` or `[4-7,9-15:2%2]`. */
function readIndices(text: string): number[] {
  const parts = text.replace(/^\[|%\d+|\]$/g, '').split(',');
  return parts.flatMap((part) => {
    const [, first, last = first, step = '1'] = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(part) ?? [];
    const indices: number[] = [];
    for (let index = Number(first); index <= Math.min(Number(last), INDEX_MAX); index += Number(step) || 1) {
      indices.push(index);
    }
    return indices;
  });
}
