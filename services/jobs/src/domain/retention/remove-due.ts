import type { Logger } from '@tally/service-kit';
import type { Draft } from '../change.js';
import { decideDelete } from '../delete-job.js';
import type { JobId } from '../job.js';
import type { StateStore } from '../ports.js';
import type { Retained } from './retention.js';
import type { Removal, RetentionStore } from './retention-ports.js';

/** Of one look. */
const REMOVALS_MAX = 100;
/** Jobs that one entry of the trail names: its text has 500 characters. */
const JOBS_AN_ENTRY = 10;

export interface RemoveDuePorts {
  readonly retention: RetentionStore;
  readonly states: Pick<StateStore, 'changeJob'>;
  /** Writes into the trail of operators what is removed, before it is; undefined: it cannot, and nothing is removed. */
  readonly noteRemoval: ((target: string, reason: string) => Promise<void>) | undefined;
  readonly logger: Logger;
}

/**
 * Removes what rules say is due, until nothing is. What is removed is in the trail before. May be cut off anywhere, and run by several copies:
 * each removal looks once more whether a rule says so.
 */
export async function removeDue(ports: RemoveDuePorts): Promise<void> {
  const { retention, noteRemoval, logger } = ports;
  for (;;) {
    const due = await retention.listRemovals({ limit: REMOVALS_MAX });
    if (due.length === 0) return;
    if (noteRemoval === undefined) {
      logger.warn({ count: due.length }, 'retention removes nothing: the trail is out of reach');
      return;
    }
    for (const removals of groupRemovals(due)) {
      const [{ data, ownerId, afterDays }] = removals;
      const jobIds = removals.map(({ jobId }) => jobId);
      const target = `user=${ownerId} ${data === 'jobs' ? '' : `${data} of `}jobs ${jobIds.join(' ')}`;
      await noteRemoval(target, `${afterDays} days after the end of a job ${WHAT[data]}`);
      for (const jobId of jobIds) await remove(ports, jobId, data);
    }
    if (due.length < REMOVALS_MAX) return;
  }
}

const WHAT: Readonly<Record<Retained, string>> = {
  jobs: 'it goes with all that it has',
  results: 'its results and outputs go',
  logs: 'its logs go',
};

type NonEmpty<T> = readonly [T, ...T[]];

/** Those of one owner under one rule, so many at a time. */
function groupRemovals(due: readonly Removal[]): NonEmpty<Removal>[] {
  const groups = new Map<string, Removal[]>();
  for (const removal of due) {
    const key = `${removal.ownerId} ${removal.data} ${removal.afterDays}`;
    groups.set(key, [...(groups.get(key) ?? []), removal]);
  }
  return [...groups.values()].flatMap((all) => {
    const starts = Array.from({ length: Math.ceil(all.length / JOBS_AN_ENTRY) }, (_, i) => i * JOBS_AN_ENTRY);
    return starts.map((start) => all.slice(start, start + JOBS_AN_ENTRY) as unknown as NonEmpty<Removal>);
  });
}

async function remove({ retention, states }: RemoveDuePorts, jobId: JobId, data: Retained): Promise<void> {
  if (data !== 'jobs') {
    await retention.removePart(jobId, data);
    return;
  }
  if (!(await retention.isJobDue(jobId))) return;
  await states.changeJob({ jobId }, 'tally', (draft: Draft) => decideDelete(draft, jobId));
}
