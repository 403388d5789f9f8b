import { batchBridge } from '@tally/contracts';
import {
  type GrpcServer,
  implement,
  kitError,
  Readiness,
  type Routes,
  ServiceError,
  silentLogger,
  startGrpcServer,
} from '@tally/service-kit';
import { testCallers } from '@tally/testkit';

type Outcome = batchBridge.SubmitBatchResponse['outcome'];

/** A batch-bridge that knows one cluster and remembers what it is told. Real gRPC; it can be out of order. */
export interface FakeBridge {
  readonly address: string;
  /** What it was told, for example `submit <job>`, in order. */
  readonly told: string[];
  readonly submissions: batchBridge.SubmitBatchRequest[];
  /** Last tasks of its cancels. */
  readonly canceledUpTo: number[];
  /** What CheckSubmission says that the cluster has. */
  executables: string;
  /** Whether it says that it takes further tasks of a job. */
  /** What a submission comes to. */
  onSubmit: (request: batchBridge.SubmitBatchRequest) => Promise<Outcome>;
  /** From now on every call fails with UNAVAILABLE, or none. */
  setDown(isDown: boolean): void;
  stop(): Promise<void>;
}

export const CLUSTER = 'alpha';
export const submitted: Outcome = { $case: 'submitted', value: {} };
export const underway: Outcome = { $case: 'underway', value: { waitingReason: '' } };
export const failedFor = (message: string): Outcome => ({ $case: 'failed', value: { reason: 'SSH_REFUSED', message } });

export async function startFakeBridge(): Promise<FakeBridge> {
  let isDown = false;
  const orDown = () => {
    if (isDown) throw kitError('SERVICE_UNAVAILABLE');
  };
  const fake = {
    told: [] as string[],
    submissions: [] as batchBridge.SubmitBatchRequest[],
    canceledUpTo: [] as number[],
    executables: '',
    onSubmit: async (): Promise<Outcome> => submitted,
  };
  const routes: Routes<typeof batchBridge.BatchBridgeServiceService> = {
    listClusters: { callers: [], handle: async () => ({ clusters: [] }) },
    checkSubmission: {
      callers: ['jobs'],
      handle: async ({ clusterName = CLUSTER, schedulerOptionsJson }) => {
        orDown();
        if (clusterName !== CLUSTER) throw refusal('CLUSTER_UNKNOWN', 'batch_options/cluster_name');
        const options = schedulerOptionsJson.toString();
        if (options.includes('wrong')) throw refusal('OPTION_INVALID', 'batch_options/scheduler_options/wrong');
        const wallTime = { seconds: 3_600n, nanos: 0 };
        return { clusterName, executables: self.executables, wallTime };
      },
    },
    submitBatch: {
      callers: ['jobs'],
      handle: async (request) => {
        orDown();
        fake.told.push(`submit ${request.jobId}`);
        fake.submissions.push(request);
        return { outcome: await self.onSubmit(request) };
      },
    },
    cancelBatch: {
      callers: ['jobs'],
      handle: async ({ jobId, lastTask }) => {
        orDown();
        fake.told.push(`cancel ${jobId}`);
        fake.canceledUpTo.push(lastTask);
        return {};
      },
    },
    deleteBatch: {
      callers: ['jobs'],
      handle: async ({ jobId }) => {
        orDown();
        fake.told.push(`delete ${jobId}`);
        return {};
      },
    },
  };
  const server: GrpcServer = await startGrpcServer({
    address: '127.0.0.1:0',
    callers: testCallers('jobs'),
    readiness: new Readiness({}),
    logger: silentLogger,
    graceMs: 1_000,
    implementations: [implement(batchBridge.BatchBridgeServiceService, routes)],
  });
  const self: FakeBridge = Object.assign(fake, {
    address: `127.0.0.1:${server.port}`,
    setDown: (down: boolean) => {
      isDown = down;
    },
    stop: () => server.stop(),
  });
  return self;
}

function refusal(reason: string, field: string): ServiceError {
  const fields = [{ field, message: 'is not known' }];
  return new ServiceError('batch-bridge', reason, 'INVALID_ARGUMENT', `text of ${reason}`, { fields });
}
