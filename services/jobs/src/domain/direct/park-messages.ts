import type { Draft } from '../change.js';
import { describeMissing } from '../executable.js';
import { isTerminal } from '../job-state.js';
import type { Notifier, ParkingStore, StateStore, StrandedJob } from '../ports.js';

export interface ParkPorts {
  readonly parking: ParkingStore;
  readonly states: StateStore;
  readonly notifier: Pick<Notifier, 'outbox' | 'window'>;
}

/** Jobs of which one round tells why they wait, at most. */
const TOLD_MAX = 100;

/**
 * One round over tasks that live runners cannot run: they leave the outbox, so that they take no place and no turn there, come back when a
 * runner can, and their jobs say meanwhile what they wait for. May be done by several copies at once.
 */
export async function parkMessages({ parking, states, notifier }: ParkPorts): Promise<void> {
  if (!(await parking.look())) return;
  const parkedCount = await parking.park();
  if (parkedCount > 0) notifier.window(parkedCount);
  if ((await parking.unpark()) > 0) notifier.outbox();
  for (const job of await parking.listStranded(TOLD_MAX)) {
    await states.changeJob({ jobId: job.jobId }, 'tally', (draft) => tellMissing(draft, job));
  }
}

/** A job that was deleted or has ended meanwhile waits for nothing. */
function tellMissing(draft: Draft, { jobId, executable, isStranded }: StrandedJob): void {
  const job = draft.findJob(jobId);
  if (job === undefined || isTerminal(job.state) || job.executable !== executable) return;
  draft.putJob({ ...job, waitingReason: isStranded ? describeMissing(executable) : null });
}
