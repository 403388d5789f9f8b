import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { PeerCertificate } from 'node:tls';
import {
  type ServiceDefinition as GrpcServiceDefinition,
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { health, LOGGED_IDS } from '@tally/contracts';
import { addLogFields, currentContext, type RequestContext, withContext } from '../context.js';
import { kitError, ServiceError } from '../errors.js';
import { newId } from '../ids.js';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import type { Readiness } from '../readiness.js';
import { readTraceparent } from '../tracing/traceparent.js';
import { startSpan } from '../tracing/tracing.js';
import { toGrpcStatus } from './error.js';
import { currentGrpcTls, type GrpcTls, isCertificateOf, serverCredentialsOf } from './tls.js';
import type { MethodDefinition, Routes, ServiceDefinition } from './types.js';
import { readGroups } from './user-groups.js';

/** A service definition with its routes, ready to be served. */
export interface Implementation {
  readonly definition: ServiceDefinition;
  readonly routes: Readonly<Record<string, UntypedRoute>>;
}
interface UntypedRoute {
  readonly callers: readonly string[];
  readonly handle: (input: never) => unknown;
  readonly isQuiet?: boolean;
}

/** Ties the routes of a service to its generated definition; every RPC must have one. */
export function implement<S extends ServiceDefinition>(definition: S, routes: Routes<S>): Implementation {
  return { definition, routes };
}

export interface GrpcServerOptions {
  /** host:port; port 0 picks a free one. */
  readonly address: string;
  /** Known callers: name → SHA-256 of each token that is valid now. */
  readonly callers: ReadonlyMap<string, readonly Buffer[]>;
  readonly implementations: readonly Implementation[];
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Largest message in either direction. */
  readonly messageBytesMax?: number;
  /** How long a stop waits for running calls. */
  readonly graceMs: number;
  /** Unless given, that of the process. */
  readonly tls?: GrpcTls;
}

export interface GrpcServer {
  readonly port: number;
  /** Takes no new calls, waits for running ones at most `graceMs`, then cuts them. */
  stop(): Promise<void>;
}

/** Calls with less than this left are refused: the answer would come too late. */
export const TIME_LEFT_MIN_MS = 100;

/** What the kit needs of any kind of call. */
interface AnyCall {
  readonly metadata: Metadata;
  /** True when the caller has gone away. */
  readonly cancelled: boolean;
  getDeadline(): Date | number;
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
  on(event: 'cancelled', listener: () => void): unknown;
}

/**
 * Starts a gRPC server: authenticates callers by their tokens and, where there is TLS, their certificates; sets the request
 * context, maps errors, logs one line per call.
 */
export async function startGrpcServer(given: GrpcServerOptions): Promise<GrpcServer> {
  const tls = given.tls ?? currentGrpcTls();
  const options = tls === undefined ? given : { ...given, tls };
  const bytesMax = options.messageBytesMax ?? 64 * 1024 * 1024;
  const server = new Server({
    'grpc.max_receive_message_length': bytesMax,
    'grpc.max_send_message_length': bytesMax,
    'grpc.so_reuseport': 0,
  });
  for (const { definition, routes } of options.implementations) {
    const handlers: UntypedServiceImplementation = {};
    for (const [name, method] of Object.entries(definition)) {
      const route = routes[name];
      if (route === undefined) throw new Error(`no route for ${method.path}`);
      handlers[name] = adapt(method, route, options);
    }
    server.addService(definition as unknown as GrpcServiceDefinition, handlers);
  }
  server.addService(health.HealthService, healthHandlers(options.readiness));
  const port = await bind(server, options.address, serverCredentialsOf(tls));
  const healthServer = tls && tls.healthAddress !== '' ? await serveHealth(tls.healthAddress, options) : undefined;
  options.readiness.open();
  return {
    port,
    stop: async () => {
      await stopServer(server, options);
      healthServer?.forceShutdown();
    },
  };
}

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) =>
    server.bindAsync(address, credentials, (err, port) => (err ? reject(err) : resolve(port))),
  );
}

/** Health checks and nothing else, for who has no certificate. */
async function serveHealth(address: string, { readiness }: GrpcServerOptions): Promise<Server> {
  const server = new Server({ 'grpc.so_reuseport': 0 });
  server.addService(health.HealthService, healthHandlers(readiness));
  await bind(server, address, ServerCredentials.createInsecure());
  return server;
}

async function stopServer(server: Server, { readiness, graceMs }: GrpcServerOptions): Promise<void> {
  readiness.close();
  const cut = setTimeout(() => server.forceShutdown(), Math.max(0, graceMs - 500));
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  clearTimeout(cut);
  server.forceShutdown();
}

function adapt(method: MethodDefinition, route: UntypedRoute, options: GrpcServerOptions) {
  const serve = async (call: AnyCall, input: unknown, write: (output: unknown) => Promise<void>) => {
    const above = readTraceparent(text(call.metadata, 'traceparent'));
    const attributes = { 'rpc.system': 'grpc', 'rpc.method': method.path };
    const span = startSpan(method.path, 'server', above, attributes);
    const context = readContext(call, span?.traceparent ?? above);
    const end = (outcome: string, err: unknown) => span?.end({ 'rpc.status': outcome, ...context.logFields }, err);
    return withContext(context, () =>
      observe({ method, route, context, options, end }, async () => {
        if (!method.requestStream) noteIds(input);
        authorize(call, route, options);
        const left =
          context.deadline === undefined ? Number.POSITIVE_INFINITY : context.deadline.getTime() - Date.now();
        if (left < TIME_LEFT_MIN_MS) throw kitError('DEADLINE_TOO_SHORT');
        const output = route.handle(input as never);
        if (!method.responseStream) {
          const answer = await output;
          noteIds(answer);
          return await write(answer);
        }
        for await (const part of output as AsyncIterable<unknown>) {
          if (call.cancelled) throw kitError('CANCELLED');
          await write(part);
        }
      }),
    );
  };
  if (method.responseStream) {
    return (call: ServerWritableStream<unknown, unknown>) => {
      serve(call, call.request, (part) => writeWithBackPressure(call, part)).then(
        () => call.end(),
        (err: ServiceError) => call.emit('error', toGrpcStatus(err)),
      );
    };
  }
  const unary: handleUnaryCall<unknown, unknown> = (call, callback) => {
    const input = method.requestStream ? withNotedIds(call as unknown as AsyncIterable<unknown>) : call.request;
    let answer: unknown;
    const write = async (output: unknown) => {
      answer = output;
    };
    serve(call, input, write).then(
      () => callback(null, answer),
      (err: ServiceError) => callback(toGrpcStatus(err)),
    );
  };
  return unary;
}

/** Adds the ids of a message, or of the part of a stream that it is, to the log lines of its call. */
function noteIds(message: unknown): void {
  const { part } = message as { readonly part?: { readonly value?: unknown } };
  const fields = (typeof part?.value === 'object' ? part.value : message) as Readonly<Record<string, unknown>>;
  for (const [field, name] of LOGGED_IDS) {
    const id = fields[field];
    if ((typeof id === 'string' && id !== '') || typeof id === 'number') addLogFields({ [name]: id });
  }
}

/** The messages of a stream, whose first says what it is about. */
async function* withNotedIds(messages: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  let isFirst = true;
  for await (const message of messages) {
    if (isFirst) noteIds(message);
    isFirst = false;
    yield message;
  }
}

async function writeWithBackPressure(call: ServerWritableStream<unknown, unknown>, part: unknown): Promise<void> {
  if (call.write(part)) return;
  const signal = currentContext()?.signal;
  try {
    await once(call, 'drain', signal === undefined ? {} : { signal });
  } catch (err) {
    throw kitError('CANCELLED', { cause: err });
  }
}

function text(metadata: Metadata, key: string): string | undefined {
  const value = metadata.get(key)[0];
  return typeof value === 'string' ? value : undefined;
}

/** Why the signal of a call is aborted; one for all, as its making costs more than all else of a signal. */
const CANCELLED = kitError('CANCELLED');

function signalOf(call: AnyCall): AbortSignal {
  const abort = new AbortController();
  if (call.cancelled) abort.abort(CANCELLED);
  else call.on('cancelled', () => abort.abort(CANCELLED));
  return abort.signal;
}

function readContext(call: AnyCall, traceparent: string | undefined): RequestContext {
  const deadline = call.getDeadline();
  const at = deadline instanceof Date ? deadline.getTime() : deadline;
  const userId = text(call.metadata, 'x-user-id');
  const readerId = text(call.metadata, 'x-reader-id');
  const groups = text(call.metadata, 'x-user-groups');
  const role = text(call.metadata, 'x-user-role');
  const caller = text(call.metadata, 'x-caller');
  let signal: AbortSignal | undefined;
  return {
    requestId: text(call.metadata, 'x-request-id') ?? newId(),
    /** Made when it is asked for, which few calls do. */
    get signal() {
      signal ??= signalOf(call);
      return signal;
    },
    ...(userId !== undefined && /^\d{1,18}$/.test(userId) ? { userId: BigInt(userId) } : {}),
    ...(readerId !== undefined && /^\d{1,18}$/.test(readerId) ? { readerId: BigInt(readerId) } : {}),
    ...(groups === undefined ? {} : { userGroups: readGroups(groups) }),
    ...(role === undefined ? {} : { actingRole: role }),
    ...(Number.isFinite(at) ? { deadline: new Date(at) } : {}),
    ...(caller === undefined ? {} : { caller }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

/** Id of the acting user. @throws ServiceError USER_REQUIRED when the call came without one */
export function actingUser(): bigint {
  const userId = currentContext()?.userId;
  if (userId === undefined) throw kitError('USER_REQUIRED');
  return userId;
}

const NO_GROUPS: ReadonlyMap<string, string> = new Map();

/** Groups of the acting user with the role in each; none without an acting user. */
export function actingGroups(): ReadonlyMap<string, string> {
  const { userId, userGroups = NO_GROUPS } = currentContext() ?? {};
  return userId === undefined ? NO_GROUPS : userGroups;
}

/** Id of the acting user, who must act in one of some roles, and in which. @throws ServiceError USER_REQUIRED, ROLE_REQUIRED */
export function actingInRole<R extends string>(...roles: readonly R[]): { readonly userId: bigint; readonly role: R } {
  const userId = actingUser();
  const role = roles.find((one) => one === currentContext()?.actingRole);
  if (role === undefined) throw kitError('ROLE_REQUIRED');
  return { userId, role };
}

const UNKNOWN_CALLER: readonly Buffer[] = [Buffer.alloc(32)];

/** Compares with every hash, so that the duration does not reveal which one matched. */
function isOneOf(shown: Buffer, hashes: readonly Buffer[]): boolean {
  return hashes.map((hash) => timingSafeEqual(shown, hash)).includes(true);
}

function authorize(call: AnyCall, route: UntypedRoute, { callers, tls }: GrpcServerOptions): void {
  const { metadata } = call;
  const name = text(metadata, 'x-caller') ?? '';
  const token = (text(metadata, 'authorization') ?? '').replace(/^Bearer /, '');
  const shown = hash('sha256', token, 'buffer');
  if (!isOneOf(shown, callers.get(name) ?? UNKNOWN_CALLER)) throw kitError('CALLER_UNKNOWN');
  if (tls !== undefined && !isCertificateOf(name, call.getAuthContext().sslPeerCertificate)) {
    throw kitError('CALLER_UNKNOWN');
  }
  if (!route.callers.includes(name)) throw kitError('CALLER_NOT_ALLOWED');
}

const OURS_TO_MEND = new Set(['INTERNAL', 'UNKNOWN', 'DATA_LOSS', 'UNAVAILABLE']);

interface ObservedCall {
  readonly method: MethodDefinition;
  readonly route: UntypedRoute;
  readonly context: RequestContext;
  readonly options: GrpcServerOptions;
  /** Ends its span. */
  readonly end: (outcome: string, err: unknown) => void;
}

/** Runs a call; logs its one line; turns anything that is not a ServiceError into INTERNAL. */
async function observe(
  { method, route, context, options, end }: ObservedCall,
  work: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  let outcome = 'OK';
  let failure: unknown;
  try {
    await work();
  } catch (err) {
    failure = err;
    const known = err instanceof ServiceError ? err : kitError('INTERNAL', { cause: err });
    outcome = known.status;
    throw known;
  } finally {
    const seconds = (performance.now() - startedAt) / 1000;
    const kind = method.requestStream || method.responseStream ? 'stream' : 'call';
    options.metrics?.calls.observe({ method: method.path, status: outcome, kind }, seconds);
    end(outcome, failure);
    const fields = {
      rpc: method.path,
      status: outcome,
      duration_ms: Math.round(seconds * 1000),
      caller: context.caller,
      ...(context.userId === undefined ? {} : { user_id: String(context.userId) }),
      ...(context.readerId === undefined ? {} : { reader_id: String(context.readerId) }),
      ...(failure instanceof ServiceError ? { reason: failure.reason } : {}),
    };
    if (OURS_TO_MEND.has(outcome)) options.logger.error({ ...fields, err: failure }, 'call failed');
    else if (route.isQuiet && outcome === 'OK') options.logger.debug(fields, 'call');
    else options.logger.info(fields, 'call');
  }
}

/** Trailing metadata of a health check: why the service is not ready, UTF-8. */
export const NOT_READY_TRAILER = 'tally-not-ready-bin';

function whyNotReady(reason: string | undefined): Metadata {
  const trailer = new Metadata();
  if (reason !== undefined) trailer.set(NOT_READY_TRAILER, Buffer.from(reason));
  return trailer;
}

/** grpc.health.v1: service `liveness` is always serving, `readiness` and the empty name say whether it takes work. */
function healthHandlers(readiness: Readiness): health.HealthServer {
  const { SERVING, NOT_SERVING } = health.HealthCheckResponse_ServingStatus;
  const ask = async (service: string) => {
    if (service === 'liveness') return { status: SERVING };
    const { isReady, reason } = await readiness.check();
    return { status: isReady ? SERVING : NOT_SERVING, reason };
  };
  const known = (service: string) => ['', 'liveness', 'readiness'].includes(service);
  return {
    check: (call, callback) => {
      if (!known(call.request.service)) return callback({ code: status.NOT_FOUND, details: 'unknown service' });
      ask(call.request.service).then(
        ({ status: answer, reason }) => callback(null, { status: answer }, whyNotReady(reason)),
        (err: Error) => callback(err),
      );
    },
    watch: (call) => {
      const timer = setInterval(() => void send(), 1_000);
      let last: health.HealthCheckResponse_ServingStatus | undefined;
      const send = async () => {
        const answer = known(call.request.service)
          ? (await ask(call.request.service)).status
          : health.HealthCheckResponse_ServingStatus.SERVICE_UNKNOWN;
        if (answer === last) return;
        last = answer;
        call.write({ status: answer });
      };
      call.on('cancelled', () => clearInterval(timer));
      void send();
    },
  };
}
