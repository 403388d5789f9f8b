import { jobs } from '@tally/contracts';
import type { JobsConfig } from '../src/config.js';
import { type FakeBridge, startFakeBridge } from './fake-bridge.js';
import { findJob, type ShownJob } from './shown-job.js';
import { as, openSuite, type SubmissionChanges, type Suite, submission } from './suite.js';

export const alice = 1n;
type Client = ReturnType<Suite['client']>;

/** Jobs with a batch platform, and what the gateway, batch-bridge and a runner would call it with. */
export interface BatchSuite {
  readonly suite: Suite;
  readonly bridge: FakeBridge;
  readonly gateway: Client;
  readonly asBridge: Client;
  readonly runner: Client;
  submit(overrides?: SubmissionChanges, primaries?: number): Promise<jobs.SubmitJobResponse>;
  job(jobId: string): Promise<ShownJob>;
  /** Reports that say what is given. */
  report(jobId: string, said?: Partial<jobs.ReportBatchRequest>): Promise<jobs.ReportBatchResponse>;
  stop(): Promise<void>;
}

export async function openBatchSuite(overrides: Partial<JobsConfig> = {}): Promise<BatchSuite> {
  const bridge = await startFakeBridge();
  const suite = await openSuite();
  await suite.start({ batchBridgeAddress: bridge.address, sweepIntervalMs: 50, ...overrides });
  const gateway = suite.client('gateway');
  const asBridge = suite.client('batch-bridge');
  return {
    suite,
    bridge,
    gateway,
    asBridge,
    runner: suite.client('direct-runner'),
    submit: (fields = {}, primaries) =>
      as(alice, () => gateway.submitJob(submission({ platform: jobs.Platform.PLATFORM_BATCH, ...fields }, primaries))),
    job: (jobId) => findJob(gateway, alice, jobId),
    report: (jobId, said = {}) => asBridge.reportBatch({ jobId, tasks: [], wantsState: false, ...said }),
    stop: async () => {
      await suite.stop();
      await bridge.stop();
    },
  };
}

/** A task's line of a report. */
export function taskReport(taskId: number, state: jobs.State, failure = ''): jobs.BatchTaskReport {
  return { taskId, state, failure };
}
