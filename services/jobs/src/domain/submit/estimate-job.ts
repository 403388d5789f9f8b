import { ServiceError } from '@tally/service-kit';
import type { Executables } from '@tally/simulators';
import { nameExecutable } from '../executable.js';
import type { Simulator, UserId } from '../job.js';
import type { EstimateStore, RunnerStore } from '../ports.js';
import { isOffered } from './built-in-engine.js';
import type { ConvertedProject } from './convert-project.js';
import { type EstimateBasis, estimateTime, type TimeEstimate } from './estimate-time.js';
import { findPool, type RunnerPool } from './runner-pool.js';
import { checkRequest, checkTaskCount, findTarget, type Submission, type SubmitJobPorts } from './submit-job.js';

/** What a job would take on one simulator, or why it cannot run there. */
export type SimulatorEstimate = { readonly simulator: Simulator; readonly engine: string } & (
  | {
      readonly processor: TimeEstimate;
      /** From the moment when it has slots; on a cluster of all tasks at once. Undefined: no runner lives. */
      readonly wall: TimeEstimate | undefined;
      readonly basis: EstimateBasis;
      /** Jobs that it rests on. */
      readonly runCount: number;
    }
  | { readonly refusal: string }
);

export interface JobEstimate {
  readonly primaries: number;
  /** The one that was asked for first, then the others. */
  readonly simulators: readonly SimulatorEstimate[];
  /** Of the simulator that was asked for; of a cluster all tasks of the job at once, and nobody before it. */
  readonly pool: RunnerPool;
  /** The cluster that it is for; undefined: the runners. */
  readonly clusterName: string | undefined;
  /** How long a task may take there; undefined: not said, or the runners. */
  readonly wallTimeSeconds: number | undefined;
}

export interface EstimatePorts extends SubmitJobPorts {
  readonly estimates: EstimateStore;
  readonly runners: Pick<RunnerStore, 'listLive'>;
}

/**
 * What a submission would take on the runners of this deployment, or on a cluster, by the model and what the last jobs took
 * there, else elsewhere. Stores nothing. How long a cluster's queue is, nobody is asked.
 * @throws ServiceError of the submission, but for quotas
 */
export async function estimateJob(ports: EstimatePorts, submission: Submission): Promise<JobEstimate> {
  const { ownerId, simulator, inputType, taskCount } = submission;
  checkRequest(ports, submission);
  const { executables, batch, wallTimeSeconds, use } = await findTarget(ports, submission);
  const clusterName = batch?.clusterName;
  const statuses = ports.converter
    .listSimulators(executables)
    .filter((status) => status.isAvailable && isOffered(status.simulator, executables, use));
  const convert = (name: Simulator) =>
    ports.converter.convert({ ...submission, simulator: name }, submission.simDataJson, executables);
  const asked = await convert(simulator);
  checkTaskCount(taskCount, asked);
  const poolOf =
    batch === undefined
      ? await loadPools(ports, ownerId, executables)
      : () => ({ slotCount: taskCount, waitingTaskCount: 0, tasksBefore: 0 });
  const estimate = async (name: Simulator, { work, primaries }: ConvertedProject) => {
    const { slotCount } = poolOf(name);
    const model = work.startSeconds * taskCount + work.primarySeconds * primaries;
    const runs = await ports.estimates.listRuns({ ...work, ownerId, clusterName });
    const { basis, runCount, ...processor } = estimateTime(model, runs);
    const rounds = Math.ceil(taskCount / slotCount) / taskCount;
    const wall =
      slotCount === 0
        ? undefined
        : { expected: processor.expected * rounds, low: processor.low * rounds, high: processor.high * rounds };
    return { processor, wall, basis, runCount };
  };
  const others = inputType === 'editor' ? statuses.filter((status) => status.simulator !== simulator) : [];
  const simulators: SimulatorEstimate[] = [];
  for (const { simulator: name, engine } of [
    ...statuses.filter((status) => status.simulator === simulator),
    ...others,
  ]) {
    // names that the built-in engine stands in for have the same deck
    const isSameDeck = name === simulator || (!executables.has(name) && !executables.has(simulator));
    try {
      simulators.push({ simulator: name, engine, ...(await estimate(name, isSameDeck ? asked : await convert(name))) });
    } catch (err) {
      if (!(err instanceof ServiceError) || err.reason !== 'PROJECT_UNSUPPORTED') throw err;
      simulators.push({ simulator: name, engine, refusal: err.message });
    }
  }
  return { primaries: asked.primaries, simulators, pool: poolOf(simulator), clusterName, wallTimeSeconds };
}

/** The runners of each simulator, at this moment. @param executables - those that are not there the built-in engine stands in for */
async function loadPools({ runners, estimates }: EstimatePorts, ownerId: UserId, executables: Executables) {
  const [live, waiting] = await Promise.all([runners.listLive(), estimates.listWaiting(ownerId)]);
  return (name: Simulator): RunnerPool =>
    findPool(executables.has(name) ? nameExecutable(name) : undefined, live, waiting);
}
