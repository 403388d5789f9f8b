import { ConfigError } from '../config.js';
import type { Logger } from '../logger.js';
import { proxyAgentFor } from '../proxy.js';

/** What a span is of: an answered call, a call, a message sent, a message worked off, or work between them. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work on the way of a request. */
export interface Span {
  /** What its own calls carry, so that their spans become its children. */
  readonly traceparent: string;
  /** Ends it; `err`: what went wrong. */
  end(attributes?: SpanAttributes, err?: unknown): void;
}

/** Begins a span below another, or a new trace where there is no other. */
export type StartSpan = (name: string, kind: SpanKind, parent: string | undefined, attributes?: SpanAttributes) => Span;

let startSpanOf: StartSpan | undefined;

/**
 * Begins a span; undefined while nothing is traced, which is the default and costs this look: then a `traceparent` that
 * came in is passed on as it is.
 */
export function startSpan(...span: Parameters<StartSpan>): Span | undefined {
  return startSpanOf?.(...span);
}

/** Ends a span with the work that it is of. */
export async function traced<T>(span: Span | undefined, work: Promise<T>): Promise<T> {
  try {
    const result = await work;
    span?.end();
    return result;
  } catch (err) {
    span?.end({}, err);
    throw err;
  }
}

/** Variables of OpenTelemetry by which traces are asked for: an exporter by name, or an address for them. */
const EXPORTER = 'OTEL_TRACES_EXPORTER';
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
/** Where they go unless an address is given. */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

const endpointOf = (env: NodeJS.ProcessEnv): string =>
  ENDPOINTS.map((name) => env[name] ?? '').find((text) => text !== '') ?? DEFAULT_ENDPOINT;

/** Whether the environment asks for traces. @throws ConfigError for an exporter that there is not */
export function isTracingWanted(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = env[EXPORTER] ?? '';
  if (exporter === '') return ENDPOINTS.some((name) => (env[name] ?? '') !== '');
  if (exporter !== 'otlp' && exporter !== 'none')
    throw new ConfigError([`${EXPORTER}=${JSON.stringify(exporter)}: must be otlp or none`]);
  return exporter === 'otlp';
}

/**
 * Starts to trace when the environment asks for it; only then OpenTelemetry is loaded.
 * @returns how to stop, which sends what is left
 */
export async function startTracing(
  service: string,
  logger: Logger,
  env: NodeJS.ProcessEnv,
): Promise<() => Promise<void>> {
  if (!isTracingWanted(env)) return async () => {};
  const { openTelemetry } = await import('./open-telemetry.js');
  const tracer = openTelemetry(service, logger, await proxyAgentFor(endpointOf(env)));
  startSpanOf = tracer.startSpan;
  return async () => {
    startSpanOf = undefined;
    await tracer.stop();
  };
}
