/**
 * How a generated service definition (ts-proto, outputServices=grpc-js) reads in TypeScript: unary RPCs are async
 * functions, streams are async iterables, on both ends.
 */
export interface MethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (value: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (value: Buffer) => unknown;
}
export type ServiceDefinition = Readonly<Record<string, MethodDefinition>>;

export type RequestOf<M extends MethodDefinition> = ReturnType<M['requestDeserialize']>;
export type ResponseOf<M extends MethodDefinition> = ReturnType<M['responseDeserialize']>;

/** Server side of an RPC. The request context (request id, user, deadline, signal) is `currentContext()`. */
export type Handler<M extends MethodDefinition> = M['requestStream'] extends true
  ? (requests: AsyncIterable<RequestOf<M>>) => Promise<ResponseOf<M>>
  : M['responseStream'] extends true
    ? (request: RequestOf<M>) => AsyncIterable<ResponseOf<M>>
    : (request: RequestOf<M>) => Promise<ResponseOf<M>>;

/** An RPC with the names of the services that may call it. */
export interface Route<M extends MethodDefinition> {
  readonly callers: readonly string[];
  readonly handle: Handler<M>;
  /** Log successes at debug level: for heartbeats and polls. */
  readonly isQuiet?: boolean;
}
export type Routes<S extends ServiceDefinition> = { readonly [K in keyof S]: Route<S[K]> };

export interface CallOptions {
  /** Time limit of this call; the client's default otherwise. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Client side of an RPC. Failures are ServiceErrors, equal to what the server threw. */
export type ClientCall<M extends MethodDefinition> = M['requestStream'] extends true
  ? (requests: AsyncIterable<RequestOf<M>>, options?: CallOptions) => Promise<ResponseOf<M>>
  : M['responseStream'] extends true
    ? (request: RequestOf<M>, options?: CallOptions) => AsyncIterable<ResponseOf<M>>
    : (request: RequestOf<M>, options?: CallOptions) => Promise<ResponseOf<M>>;
export type ClientOf<S extends ServiceDefinition> = { readonly [K in keyof S]: ClientCall<S[K]> };
