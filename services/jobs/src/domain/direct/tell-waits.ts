import type { Draft } from '../change.js';
import { describeMissing, MISSING } from '../executable.js';
import type { StateStore } from '../ports.js';
import type { RunnerCounts, WaitingJob, WaitStore } from './wait-ports.js';

export interface TellPorts {
  readonly waits: WaitStore;
  readonly states: Pick<StateStore, 'changeJob'>;
  /** A job that waits for no longer says nothing, milliseconds. */
  readonly waitToldAfterMs: number;
}

/** Jobs of which one round tells, at most. */
const TOLD_MAX = 200;

const OWN_TASKS = 'it waits for its turn: as many tasks of its owner run as one user may have running';

/** Why nobody has taken a task of a job, for people. Runners that are rarely all busy at once still make a job wait its turn. */
export function describeTurn({ runnerCount, drainingCount, takenCount }: RunnerCounts): string {
  if (runnerCount === 0) return 'it waits for a runner: none is there at the moment';
  if (drainingCount === runnerCount)
    return 'it waits for a runner: an operator lets those that are there take no tasks';
  if (takenCount > 0) return 'it waits for its turn: the runners are busy with other tasks';
  return 'it waits for a runner to take its tasks; they are offered again until one does';
}

/** One round over jobs of the direct platform: those of which no task runs say why, the others do not. May be done by several copies at once. */
export async function tellWaits({ waits, states, waitToldAfterMs }: TellPorts): Promise<void> {
  const runner = describeTurn(await waits.countRunners());
  const found = await waits.listWaits({ executable: MISSING, owner: OWN_TASKS, runner }, waitToldAfterMs, TOLD_MAX);
  for (const job of found) {
    const waitingReason = job.wait === 'runner' ? runner : describeWait(job);
    await states.changeJob({ jobId: job.jobId }, 'tally', (draft) => tellWait(draft, job, waitingReason));
  }
}

function describeWait({ wait, executable }: WaitingJob): string | null {
  if (wait === 'executable' && executable !== null) return describeMissing(executable);
  return wait === 'owner' ? OWN_TASKS : null;
}

/** What was deleted, has begun or has ended meanwhile waits for nothing. */
function tellWait(draft: Draft, { jobId, state, executable }: WaitingJob, waitingReason: string | null): void {
  const job = draft.findJob(jobId);
  if (job?.state === state && job.executable === executable) draft.putJob({ ...job, waitingReason });
}
