import { CONFINEMENTS, jobs } from '@tally/contracts';
import {
  type ClientOf,
  createGrpcClient,
  type GrpcClientOptions,
  type GrpcConnection,
  withTimeout,
} from '@tally/service-kit';
import type { Executables } from '@tally/simulators';
import type { Jobs } from '../domain/ports.js';
import { createTaskExchange } from './exchange-tasks.js';
import { fromExecutables, fromMs, fromTaskEnd } from './mappers.js';

/**
 * The jobs service over gRPC. `runnerId` is the name this runner claims under, `executables` what it can run beside the built-in engine
 * at the moment of a call.
 */
export function createJobsClient(
  options: GrpcClientOptions,
  runnerId: string,
  executables: Executables,
): Jobs & GrpcConnection {
  const client: ClientOf<typeof jobs.JobsServiceService> & GrpcConnection = createGrpcClient(
    jobs.JobsServiceService,
    options,
  );
  const named = () => fromExecutables(executables);
  const exchange = createTaskExchange(client, runnerId, named);
  return {
    claimTask: (attemptId) => exchange.claim(attemptId),
    reportTask(attemptId, { simulatedPrimaries, remainingMs, cpuMs }, timeoutMs) {
      const estimatedTime = remainingMs === undefined ? undefined : fromMs(remainingMs);
      const processorTime = cpuMs === undefined ? undefined : fromMs(cpuMs);
      const said = { attemptId, simulatedPrimaries: BigInt(simulatedPrimaries), estimatedTime, processorTime };
      return withTimeout(exchange.report(said), timeoutMs, 'jobs has not answered the heartbeat');
    },
    reportTaskEnd: (attemptId, end, signal) => untilAborted(exchange.end({ attemptId, ...fromTaskEnd(end) }), signal),
    async reportRunner({ confinement, acceptsFiles, slots }) {
      return await client.reportRunner({
        runnerId,
        executables: named(),
        confinement: CONFINEMENTS[confinement],
        refusesFiles: !acceptsFiles,
        slots,
      });
    },
    checkReady: () => client.checkReady(),
    close: () => client.close(),
  };
}

/** The answer, unless the signal comes before it; what is under way goes on with all that it carries. */
async function untilAborted<T>(answer: Promise<T>, signal = new AbortController().signal): Promise<T> {
  const waiting = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: waiting.signal });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([answer, aborted]);
  } finally {
    waiting.abort('answered');
  }
}
