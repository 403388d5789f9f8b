import { jobs } from '@tally/contracts';
import { implement, kitError, type Logger, Readiness, silentLogger, startGrpcServer } from '@tally/service-kit';
import { testCallers } from '@tally/testkit';
import type { WorkOrder } from '../../src/domain/task.js';

const callers = ['direct-runner'];
/** The same for an RPC that streams. */
const nowhere = {
  callers: [],
  handle: () => {
    throw kitError('INTERNAL');
  },
};
const elsewhere = { callers: [], handle: () => Promise.reject(kitError('INTERNAL')) };

export interface StandInAttempt {
  readonly order: WorkOrder;
  claimedBy?: string;
  mustStop: boolean;
  mustFinish: boolean;
  readonly heartbeats: { atMs: number; simulatedPrimaries: number; hasEstimate: boolean }[];
  end?: NonNullable<jobs.TaskEnd['outcome']>;
}
/** What the runner sees of jobs: claims, leases and ends, kept in memory, over real gRPC. */
export interface JobsStandIn {
  readonly address: string;
  addAttempt(order: WorkOrder): StandInAttempt;
  readonly runnerReports: readonly jobs.ReportRunnerRequest[];
  /** An exchange with one of these answers UNAVAILABLE until the set is cleared. */
  readonly down: Set<'claim' | 'progress' | 'end'>;
  stop(): Promise<void>;
}

const seconds = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1e6 });

export async function startJobsStandIn(logger: Logger = silentLogger): Promise<JobsStandIn> {
  const attempts = new Map<string, StandInAttempt>();
  const runnerReports: jobs.ReportRunnerRequest[] = [];
  const down: JobsStandIn['down'] = new Set();
  const requireUp = (kind: 'claim' | 'progress' | 'end') => {
    if (down.has(kind)) throw kitError('SERVICE_UNAVAILABLE');
  };
  const claim = (attemptId: string, runnerId: string) => {
    requireUp('claim');
    const attempt = attempts.get(attemptId);
    const isTaken = attempt?.claimedBy !== undefined && attempt.claimedBy !== runnerId;
    if (attempt === undefined || isTaken || attempt.end !== undefined || attempt.mustStop) return undefined;
    attempt.claimedBy = runnerId;
    const { order } = attempt;
    return {
      ...order,
      // simB: unlike simA's, its files need an executable
      simulator: order.inputType === 'files' ? jobs.Simulator.SIMULATOR_SIM_B : jobs.Simulator.SIMULATOR_SIM_A,
      inputType: order.inputType === 'files' ? jobs.InputType.INPUT_TYPE_FILES : jobs.InputType.INPUT_TYPE_EDITOR,
      primaries: BigInt(order.primaries),
      firstHistory: BigInt(order.firstHistory),
      seed: BigInt(order.seed),
      lease: seconds(order.leaseMs),
      heartbeat: seconds(order.heartbeatMs),
    };
  };
  const report = ({ attemptId, simulatedPrimaries, estimatedTime }: jobs.TaskProgress) => {
    requireUp('progress');
    const attempt = attempts.get(attemptId);
    attempt?.heartbeats.push({
      atMs: performance.now(),
      simulatedPrimaries: Number(simulatedPrimaries),
      hasEstimate: estimatedTime !== undefined,
    });
    const mustStop = attempt === undefined || attempt.mustStop || attempt.end !== undefined;
    return { mustStop, mustFinish: attempt?.mustFinish === true };
  };
  const end = ({ attemptId, outcome }: jobs.TaskEnd): boolean => {
    requireUp('end');
    const attempt = attempts.get(attemptId);
    if (attempt === undefined || attempt.end !== undefined || outcome === undefined) return false;
    attempt.end = outcome;
    return true;
  };
  const routes = implement(jobs.JobsServiceService, {
    submitJob: elsewhere,
    reportBatch: elsewhere,
    getJob: elsewhere,
    estimateJob: elsewhere,
    extendJob: elsewhere,
    listJobRunners: elsewhere,
    listJobs: elsewhere,
    cancelJob: elsewhere,
    stopJob: elsewhere,
    deleteJob: elsewhere,
    updateJobLabels: elsewhere,
    listRemovals: elsewhere,
    createSavedSearch: elsewhere,
    listSavedSearches: elsewhere,
    deleteSavedSearch: elsewhere,
    putSubscription: elsewhere,
    listSubscriptions: elsewhere,
    createWebhook: elsewhere,
    listWebhooks: elsewhere,
    deleteWebhook: elsewhere,
    testWebhook: elsewhere,
    listSimulators: elsewhere,
    getQuotas: elsewhere,
    getUsage: elsewhere,
    createProject: elsewhere,
    getProject: elsewhere,
    listProjects: elsewhere,
    updateProject: elsewhere,
    listProjectRevisions: elsewhere,
    deleteProject: elsewhere,
    getAccess: elsewhere,
    getShareLink: elsewhere,
    listShares: elsewhere,
    createShare: elsewhere,
    deleteShare: elsewhere,
    updateResourceGroup: elsewhere,
    listSharedJobs: elsewhere,
    listSharedProjects: elsewhere,
    watchJobEvents: nowhere,
    updateJob: elsewhere,
    updateTask: elsewhere,
    getWorkerTarget: elsewhere,
    reportWorkerOutput: elsewhere,
    exchangeTasks: {
      callers,
      handle: async ({ runnerId, progress, ends, claims }) => {
        const found = claims.map((attemptId) => claim(attemptId, runnerId));
        const answers = progress.map(report);
        const orders = found.filter((order) => order !== undefined);
        return {
          mustStop: answers.map(({ mustStop }) => mustStop),
          mustFinish: answers.map(({ mustFinish }) => mustFinish),
          isApplied: ends.map(end),
          claims: found.map((order) => ({ order: order && { ...order, jobIndex: orders.indexOf(order) } })),
          jobs: orders,
          lease: orders[0]?.lease,
          heartbeat: orders[0]?.heartbeat,
        };
      },
    },
    reportRunner: {
      callers,
      handle: async (report) => {
        runnerReports.push(report);
        return { isDraining: false };
      },
    },
  });
  const server = await startGrpcServer({
    address: '127.0.0.1:0',
    callers: testCallers('direct-runner'),
    implementations: [routes],
    readiness: new Readiness({}),
    logger,
    graceMs: 1_000,
  });
  return {
    address: `127.0.0.1:${server.port}`,
    down,
    runnerReports,
    addAttempt(order) {
      const attempt: StandInAttempt = { order, mustStop: false, mustFinish: false, heartbeats: [] };
      attempts.set(order.attemptId, attempt);
      return attempt;
    },
    stop: () => server.stop(),
  };
}
