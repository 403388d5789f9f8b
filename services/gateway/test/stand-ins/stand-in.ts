import {
  currentContext,
  type Handler,
  implement,
  kitError,
  type MethodDefinition,
  Readiness,
  type RequestContext,
  type Routes,
  type ServiceDefinition,
  silentLogger,
  startGrpcServer,
} from '@tally/service-kit';
import { testCallers } from '@tally/testkit';

/** What a stand-in answers, by RPC; an RPC that is not there is UNIMPLEMENTED. Tests change it as they go. */
export type Answers<S extends ServiceDefinition> = { -readonly [K in keyof S]?: Handler<S[K]> };

/** A call that a stand-in received. */
export interface ReceivedCall {
  readonly rpc: string;
  readonly request: unknown;
  readonly context: RequestContext | undefined;
}

/** A real gRPC server that takes a service's place: its contract, its caller check, and answers of the test. */
export interface StandIn<S extends ServiceDefinition> {
  readonly definition: S;
  readonly address: string;
  answers: Answers<S>;
  readonly calls: ReceivedCall[];
  stop(): Promise<void>;
}

/** Starts a stand-in on the port, or on a free one. */
export async function startStandIn<S extends ServiceDefinition>(definition: S, port = 0): Promise<StandIn<S>> {
  const calls: ReceivedCall[] = [];
  const standIn: { answers: Answers<S> } = { answers: {} };
  const routeOf = (rpc: string, method: MethodDefinition) => ({
    callers: ['gateway'],
    handle: (request: unknown) => {
      calls.push({ rpc, request, context: currentContext() });
      const handle = standIn.answers[rpc] as ((request: unknown) => unknown) | undefined;
      if (handle !== undefined) return handle(request);
      return method.responseStream ? refuseStream() : Promise.reject(unimplemented());
    },
  });
  const routes = Object.fromEntries(Object.entries(definition).map(([rpc, method]) => [rpc, routeOf(rpc, method)]));
  const server = await startGrpcServer({
    address: `127.0.0.1:${port}`,
    callers: testCallers('gateway'),
    implementations: [implement(definition, routes as unknown as Routes<S>)],
    readiness: new Readiness({}),
    logger: silentLogger,
    graceMs: 1_000,
  });
  return Object.assign(standIn, { definition, address: `127.0.0.1:${server.port}`, calls, stop: () => server.stop() });
}

function unimplemented() {
  return kitError('INTERNAL', { message: 'the test did not say what to answer' });
}

/** A stream that fails at its first part. */
function refuseStream(): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(unimplemented()) }) };
}
