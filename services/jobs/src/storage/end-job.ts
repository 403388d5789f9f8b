import { decideJobStep, type JobStep, type MissingOutputs, type TaskTally } from '../domain/job-end.js';
import type { Statements } from './database.js';
import { endHeldMerge, holdMerge } from './hold-work.js';
import { moveJob } from './move-state.js';
import { closeWork, hasOpenMerge, type LockedSimulation, openMerge } from './open-work.js';
import { loadTaskTally } from './task-tally.js';

export interface JobEnding {
  readonly missing: MissingOutputs;
  /** A worker outside that is waited for and silent for this long is lost. */
  readonly holdMs: number;
  /** In place of decideJobStep. */
  readonly decide?: (tally: TaskTally) => JobStep;
}

/** The last task to end takes the job on; the lock on the simulation makes one of them the last. */
export async function endJobIfDone(
  tx: Statements,
  simulation: LockedSimulation,
  { missing, holdMs, decide = (tally) => decideJobStep(tally, missing, false) }: JobEnding,
): Promise<void> {
  const { simulationId } = simulation;
  const step = decide(await loadTaskTally(tx, simulationId));
  if (step.kind === 'continue') return;
  if (step.kind === 'fail') {
    await closeWork(tx, simulationId);
    return requireMoved(simulationId, step.kind, await moveJob(tx, simulationId, 'nothingDelivered', step));
  }
  if (missing === 'lost') await endHeldMerge(tx, simulationId); // nothing comes any more that it could wait for
  if (await hasOpenMerge(tx, simulationId)) return; // somebody merges, or is expected to
  requireMoved(simulationId, step.kind, await moveJob(tx, simulationId, 'tasksEnded', step));
  if (step.kind === 'merge') await openMerge(tx, simulation);
  else await holdMerge(tx, simulation, holdMs);
}

function requireMoved(simulationId: bigint, step: JobStep['kind'], isMoved: boolean): void {
  if (!isMoved) throw new Error(`simulation ${simulationId} has no open task but cannot ${step}`);
}
