import { once } from 'node:events';
import {
  Client,
  type ClientReadableStream,
  connectivityState,
  type ServiceError as GrpcError,
  Metadata,
} from '@grpc/grpc-js';
import { health, IDEMPOTENT_METHODS } from '@tally/contracts';
import { currentContext } from '../context.js';
import { kitError, ServiceError } from '../errors.js';
import { newId } from '../ids.js';
import { NotReadyError } from '../readiness.js';
import { retry } from '../retry.js';
import { type Span, startSpan } from '../tracing/tracing.js';
import { fromGrpcError } from './error.js';
import { NOT_READY_TRAILER, TIME_LEFT_MIN_MS } from './server.js';
import { channelCredentialsOf, currentGrpcTls, type GrpcTls, serviceOf } from './tls.js';
import type { CallOptions, ClientOf, MethodDefinition, ServiceDefinition } from './types.js';
import { writeGroups } from './user-groups.js';

export interface GrpcClientOptions {
  /** host:port, or a gRPC target; calls are spread over all addresses of the name. */
  readonly target: string;
  /** Name and token of the calling service. */
  readonly caller: string;
  readonly token: string;
  /** Default time limit of a call. */
  readonly timeoutMs: number;
  readonly messageBytesMax?: number;
  /** Unless given, that of the process. */
  readonly tls?: GrpcTls;
}

export interface GrpcConnection {
  /** Resolves when the peer's health check is SERVING. @throws NotReadyError with the peer's own reason */
  checkReady(): Promise<void>;
  close(): void;
}

/** Kept back at each hop, so that an answer still has time to travel. */
const HOP_MS = 20;
/** How long a call that must not be sent twice waits for a connection before it is sent once. */
const CONNECTION_WAIT_MS = 3_000;
/** Bytes of answers under way: with the 64 KiB of HTTP/2 a large message takes four round trips. */
const WINDOW_BYTES = 1024 * 1024;
/**
 * A connection with a call under way is probed so often, and ended when no answer comes for so long: a peer that has vanished without
 * a word is known within 15 s, and one that is stopped or busy for some seconds is not given up.
 */
const PROBE_AFTER_MS = 5_000;
const PROBE_TIMEOUT_MS = 10_000;
const RETRY_COUNT_MAX = 6;
const RETRY_FIRST_MS = 50;
const RETRY_LAST_MS = 1_000;

/**
 * Typed client of a service. Every call has a deadline, carries the request id and the acting user of the current
 * context, and is repeated, with jitter, only if its proto says that it is idempotent and only when the peer was
 * unavailable (when its time runs out meanwhile, it ends as UNAVAILABLE); any other waits a moment for a connection, so that a restart of the peer is no error.
 */
export function createGrpcClient<S extends ServiceDefinition>(
  definition: S,
  options: GrpcClientOptions,
): ClientOf<S> & GrpcConnection {
  const bytesMax = options.messageBytesMax ?? 64 * 1024 * 1024;
  const peer = serviceOf(Object.values(definition)[0]?.path ?? '');
  const client = new Client(options.target, channelCredentialsOf(options.tls ?? currentGrpcTls(), peer), {
    'grpc.max_receive_message_length': bytesMax,
    'grpc.max_send_message_length': bytesMax,
    'grpc.enable_retries': 0,
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
    'grpc.keepalive_time_ms': PROBE_AFTER_MS,
    'grpc.keepalive_timeout_ms': PROBE_TIMEOUT_MS,
    'grpc-node.flow_control_window': WINDOW_BYTES,
    // half a minute by default: for so long a caller would know of none but pods that have just been replaced
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
    'grpc.enable_http_proxy': 0, // else a proxy that is meant for what leaves the cluster gets our calls, in clear
  });
  const calls: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(definition)) {
    calls[name] = callOf(client, method, options);
  }
  return Object.assign(calls as ClientOf<S>, {
    close: () => client.close(),
    checkReady: () => checkReady(client),
  });
}

function callOf(client: Client, method: MethodDefinition, options: GrpcClientOptions) {
  if (method.requestStream) {
    return (requests: AsyncIterable<unknown>, call: CallOptions = {}) =>
      sendStream(client, method, options, requests, call);
  }
  if (method.responseStream) {
    return (request: unknown, call: CallOptions = {}) => receiveStream(client, method, options, request, call);
  }
  return (request: unknown, call: CallOptions = {}) => callUnary(client, method, options, request, call);
}

function deadlineOf(options: GrpcClientOptions, call: CallOptions): Date {
  const own = Date.now() + (call.timeoutMs ?? options.timeoutMs);
  const inherited = currentContext()?.deadline;
  const at = inherited === undefined ? own : Math.min(own, inherited.getTime() - HOP_MS);
  if (at - Date.now() < TIME_LEFT_MIN_MS) throw kitError('DEADLINE_TOO_SHORT');
  return new Date(at);
}

/** The span of one try of a call. */
function spanOf(method: MethodDefinition, { target }: GrpcClientOptions): Span | undefined {
  const attributes = { 'rpc.system': 'grpc', 'rpc.method': method.path, 'server.address': target };
  return startSpan(method.path, 'client', currentContext()?.traceparent, attributes);
}

function metadataOf(options: GrpcClientOptions, span: Span | undefined): Metadata {
  const context = currentContext();
  const metadata = new Metadata();
  metadata.set('x-caller', options.caller);
  metadata.set('authorization', `Bearer ${options.token}`);
  metadata.set('x-request-id', context?.requestId ?? newId());
  if (context?.userId !== undefined) metadata.set('x-user-id', String(context.userId));
  if (context?.readerId !== undefined) metadata.set('x-reader-id', String(context.readerId));
  if (context?.userGroups !== undefined) metadata.set('x-user-groups', writeGroups(context.userGroups));
  if (context?.actingRole !== undefined) metadata.set('x-user-role', context.actingRole);
  const traceparent = span?.traceparent ?? context?.traceparent;
  if (traceparent !== undefined) metadata.set('traceparent', traceparent);
  return metadata;
}

const serializer = (method: MethodDefinition) => method.requestSerialize as (value: unknown) => Buffer;

/** Cancels the call when the signal aborts; returns how to stop listening. */
function cancelOn(signal: AbortSignal | undefined, call: { cancel(): void }): () => void {
  if (signal === undefined) return () => {};
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}

/** Resolves when there is a connection. @throws ServiceError SERVICE_UNAVAILABLE */
async function connected(client: Client, deadline: Date): Promise<void> {
  if (client.getChannel().getConnectivityState(false) === connectivityState.READY) return;
  const until = new Date(Math.min(deadline.getTime(), Date.now() + CONNECTION_WAIT_MS));
  await new Promise<void>((resolve, reject) => {
    client.waitForReady(until, (err) => (err ? reject(kitError('SERVICE_UNAVAILABLE', { cause: err })) : resolve()));
  });
}

async function callUnary(
  client: Client,
  method: MethodDefinition,
  options: GrpcClientOptions,
  request: unknown,
  call: CallOptions,
): Promise<unknown> {
  const deadline = deadlineOf(options, call);
  const send = () => sendUnary(client, method, options, request, deadline, call.signal);
  if (IDEMPOTENT_METHODS.has(method.path)) return repeat(send, deadline, call);
  await connected(client, deadline);
  return send();
}

/** Sends an idempotent call until the peer is there. */
async function repeat<T>(send: () => Promise<T>, deadline: Date, call: CallOptions): Promise<T> {
  let unavailable: ServiceError | undefined;
  let retries = 0;
  try {
    return await retry(send, {
      pauseMs: RETRY_FIRST_MS,
      pauseMsMax: RETRY_LAST_MS,
      timeLimitMs: deadline.getTime() - Date.now() - TIME_LEFT_MIN_MS,
      isPassing: (err) => {
        if (!(err instanceof ServiceError) || err.status !== 'UNAVAILABLE') return false;
        unavailable = err;
        retries += 1;
        return retries <= RETRY_COUNT_MAX;
      },
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
  } catch (err) {
    // time that ran out on a peer that was not there is its absence: the caller may try again
    if (unavailable !== undefined && err instanceof ServiceError && err.status === 'DEADLINE_EXCEEDED')
      throw unavailable;
    throw err;
  }
}

function sendUnary(
  client: Client,
  method: MethodDefinition,
  options: GrpcClientOptions,
  request: unknown,
  deadline: Date,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const span = spanOf(method, options);
  return new Promise<unknown>((resolve, reject) => {
    const sent = client.makeUnaryRequest(
      method.path,
      serializer(method),
      method.responseDeserialize,
      request,
      metadataOf(options, span),
      { deadline },
      (err: GrpcError | null, response?: unknown) => {
        unlisten();
        span?.end({}, err ?? undefined);
        if (err) reject(fromGrpcError(err));
        else resolve(response);
      },
    );
    const unlisten = cancelOn(signal, sent);
  });
}

async function sendStream(
  client: Client,
  method: MethodDefinition,
  options: GrpcClientOptions,
  requests: AsyncIterable<unknown>,
  call: CallOptions,
): Promise<unknown> {
  const deadline = deadlineOf(options, call);
  await connected(client, deadline); // what is sent piece by piece is not sent twice
  const span = spanOf(method, options);
  let finish: (outcome: { err: ServiceError } | { response: unknown }) => void = () => {};
  const answer = new Promise<{ err: ServiceError } | { response: unknown }>((resolve) => {
    finish = resolve;
  });
  const ended = new AbortController();
  const stream = client.makeClientStreamRequest(
    method.path,
    serializer(method),
    method.responseDeserialize,
    metadataOf(options, span),
    { deadline },
    (err: GrpcError | null, response?: unknown) => {
      span?.end({}, err ?? undefined);
      finish(err ? { err: fromGrpcError(err) } : { response });
      ended.abort('answered'); // without a reason an error with its stack would be made
    },
  );
  stream.on('error', () => {}); // the callback has it
  const unlisten = cancelOn(call.signal, stream);
  try {
    for await (const request of requests) {
      if (ended.signal.aborted) break; // the server answered before the end: its answer says why
      if (!stream.write(request)) await once(stream, 'drain', { signal: ended.signal }).catch(() => {});
    }
    stream.end();
  } catch (err) {
    stream.cancel();
    throw err;
  } finally {
    void answer.then(unlisten);
  }
  const outcome = await answer;
  if ('err' in outcome) throw outcome.err;
  return outcome.response;
}

async function* receiveStream(
  client: Client,
  method: MethodDefinition,
  options: GrpcClientOptions,
  request: unknown,
  call: CallOptions,
): AsyncGenerator<unknown> {
  const deadline = deadlineOf(options, call);
  const open = async () => {
    const parts = receiveParts(client, method, options, request, { deadline, signal: call.signal });
    return { parts, first: await parts.next() };
  };
  // once a part has come, what began is not begun again
  const { parts, first } = IDEMPOTENT_METHODS.has(method.path) ? await repeat(open, deadline, call) : await open();
  try {
    if (first.done === true) return;
    yield first.value;
    yield* parts;
  } finally {
    await parts.return(undefined);
  }
}

async function* receiveParts(
  client: Client,
  method: MethodDefinition,
  options: GrpcClientOptions,
  request: unknown,
  { deadline, signal }: { readonly deadline: Date; readonly signal: AbortSignal | undefined },
): AsyncGenerator<unknown> {
  const span = spanOf(method, options);
  const stream: ClientReadableStream<unknown> = client.makeServerStreamRequest(
    method.path,
    serializer(method),
    method.responseDeserialize,
    request,
    metadataOf(options, span),
    { deadline },
  );
  const unlisten = cancelOn(signal, stream);
  let failure: unknown;
  try {
    for await (const part of stream) yield part;
  } catch (err) {
    failure = isGrpcError(err) ? fromGrpcError(err) : err;
    throw failure;
  } finally {
    span?.end({}, failure);
    unlisten();
    stream.cancel();
  }
}

function isGrpcError(err: unknown): err is GrpcError {
  return err instanceof Error && 'code' in err && 'details' in err;
}

function checkReady(client: Client): Promise<void> {
  const { path, requestSerialize, responseDeserialize } = health.HealthService.check;
  return new Promise((resolve, reject) => {
    let isServing = false;
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { service: 'readiness' },
      new Metadata(),
      { deadline: Date.now() + 1_000 },
      (err, answer) => {
        if (err) reject(fromGrpcError(err));
        isServing = answer?.status === health.HealthCheckResponse_ServingStatus.SERVING;
      },
    );
    // comes behind the answer
    call.on('status', ({ metadata }) => {
      const [reason] = metadata.get(NOT_READY_TRAILER);
      if (isServing) resolve();
      else reject(reason === undefined ? kitError('SERVICE_UNAVAILABLE') : new NotReadyError(String(reason)));
    });
  });
}
