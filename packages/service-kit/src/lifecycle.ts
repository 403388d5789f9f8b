import { format } from 'node:util';
import { ConfigError, type ConfigOf, type ConfigSchema, type commonKeys, loadConfig } from './config.js';
import { loadGrpcTls, useGrpcTls } from './grpc/tls.js';
import { createLogger, type Logger } from './logger.js';
import { withTimeout } from './signals/with-timeout.js';
import { startTracing } from './tracing/tracing.js';

/** A started part of a service. `stop` is called once, in reversed order of starting. */
export interface Part {
  readonly name: string;
  stop(): Promise<void>;
  /** After that the next part is stopped. */
  readonly stopLimitMs: number;
}

/** A running service. */
export interface Running {
  /** Stops the parts in reversed order; a failing step never skips the next. Safe to call twice. */
  stop(): Promise<void>;
}

/** A part of a service could not be started. */
export class StartError extends Error {
  override readonly name = 'StartError';

  constructor(
    readonly part: string,
    /** What it was looked for at: an address, never with a password. */
    readonly where: string,
    cause: unknown,
  ) {
    super(`${part} (${where}): ${reasonOf(cause)}`, { cause });
  }
}

/** The message at the bottom of an error: those above say what it meant for a caller. */
function reasonOf(err: unknown): string {
  if (err instanceof AggregateError && err.errors.length > 0) return reasonOf(err.errors[0]);
  if (!(err instanceof Error)) return String(err);
  return err.cause === undefined ? err.message : reasonOf(err.cause);
}

/** Host, port and path of a URL, without what is secret in it. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'no valid URL';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/**
 * Collects the parts of a service while it starts. When a start fails, what had started is stopped again.
 * Start order is the order of the calls, stop order the reverse.
 */
export class Lifecycle implements Running {
  readonly #parts: Part[] = [];
  #stopping: Promise<void> | undefined;

  constructor(
    readonly logger: Logger,
    readonly graceMs: number,
  ) {}

  /** Registers something that is already running. `stopLimitMs`: how long its stop may take; the grace unless given. */
  add(name: string, stop: () => Promise<void> | void, stopLimitMs = this.graceMs): void {
    this.#parts.push({ name, stop: async () => stop(), stopLimitMs });
  }

  /** Starts a part, without which there is no start. @throws StartError that says which part, where and why */
  async start<T>(part: string, where: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (err) {
      throw new StartError(part, where, err);
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (const part of this.#parts.toReversed()) {
      try {
        const { name, stopLimitMs } = part;
        await withTimeout(part.stop(), stopLimitMs, `${name} did not stop within ${stopLimitMs} ms`);
      } catch (err) {
        this.logger.error({ err, part: part.name }, 'part did not stop cleanly');
      }
    }
  }
}

/** Starts a service: `build` adds parts as it goes; on failure they are stopped and the error is thrown. */
export async function startParts<T>(
  logger: Logger,
  graceMs: number,
  build: (lifecycle: Lifecycle) => Promise<T>,
): Promise<T & Running> {
  const lifecycle = new Lifecycle(logger, graceMs);
  try {
    const built = await build(lifecycle);
    return Object.assign(built as T & object, { stop: () => lifecycle.stop() });
  } catch (err) {
    await lifecycle.stop();
    throw err;
  }
}

/** Aborts when the process is told to stop: ends what a start waits for. */
export const stopRequest = new AbortController();

/** How a program starts its service. */
export interface ServiceProgram<S extends ConfigSchema> {
  readonly service: string;
  /** Of the variables of its settings. */
  readonly prefix: string;
  readonly settings: S;
  readonly start: (config: ConfigOf<S>, logger: Logger) => Promise<Running>;
  /** How long a stop lets work go on beside what every stop may take; none unless given. */
  readonly drainMs?: (config: ConfigOf<S>) => number;
}

/** What every stop may take. The chart counts on it: `terminationGracePeriodSeconds`. */
const STOP_LIMIT_MS = 60_000;

/**
 * Runs a service until SIGTERM or SIGINT, then stops it. For main.ts only.
 * Exit code 0 after a clean stop; 1 when the start failed, at a second signal, or when the stop takes longer than a minute
 * beside its drain; 1 after an error that nobody caught. A failed start is one log line: which part, where, why. Every line of the log
 * is JSON, those of Node's own warnings, of libraries that print, and of uncaught errors, too.
 */
export async function runService<S extends ConfigSchema & typeof commonKeys>({
  service,
  prefix,
  settings,
  start,
  drainMs = () => 0,
}: ServiceProgram<S>): Promise<never> {
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
  void signalled.then((signal) => stopRequest.abort(new Error(`told to stop by ${signal}`)));
  let running: Running;
  let stopTracing: () => Promise<void>;
  let stopLimitMs: number;
  logWhatNodePrints(createLogger({ service }));
  try {
    const config = loadConfig(prefix, settings);
    stopLimitMs = STOP_LIMIT_MS + drainMs(config);
    const logger = createLogger({ service, level: config.logLevel });
    stopTracing = await startTracing(service, logger, process.env);
    useGrpcTls(await loadGrpcTls(logger, process.env));
    running = await start(config, logger);
    collectWhenIdle();
  } catch (err) {
    logFailedStart(createLogger({ service }), err);
    process.exit(1);
  }
  await signalled;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  setTimeout(() => process.exit(1), stopLimitMs).unref();
  await running.stop();
  await stopTracing();
  process.exit(0);
}

/** Of the console, and the level of the line: libraries print what they have no better place for (gRPC its faults, Prisma its warnings). */
const PRINTED = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

/** Node would print all of it as text, of several lines mostly. */
function logWhatNodePrints(logger: Logger): void {
  for (const [method, level] of Object.entries(PRINTED)) {
    const write = (...parts: unknown[]) => logger[level]({ text: format(...parts) }, 'printed by a library');
    Object.assign(console, { [method]: write });
  }
  process.removeAllListeners('warning').on('warning', (err) => logger.warn({ err }, 'warning of Node'));
  process.on('uncaughtException', (err) => {
    logger.error({ err }, 'uncaught error');
    process.exit(1);
  });
}

/** How often an idle service looks at its heap. */
const HEAP_CHECK_MS = 5_000;
/** Busier than this share of the time, a service is not idle. */
const IDLE_UTILIZATION_MAX = 0.01;
/** Less growth since the last collection is not worth another, which stops the service meanwhile. */
const GROWTH_MIN_BYTES = 4 * 1024 * 1024;

/**
 * Gives back what the start, and later work, has left, whenever the service is idle, where Node shows its collector (`--expose-gc`,
 * docker/Dockerfile). V8 of Node 20 does so by itself; that of Node 24 (13.6) waits until the heap has grown past its limit, and keeps its pages.
 */
function collectWhenIdle(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  const collect = () => {
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    return { bytes: usedBytes(), loop: performance.eventLoopUtilization() };
  };
  let last = collect();
  setInterval(() => {
    const loop = performance.eventLoopUtilization();
    const isIdle = performance.eventLoopUtilization(loop, last.loop).utilization <= IDLE_UTILIZATION_MAX;
    last = isIdle && usedBytes() - last.bytes >= GROWTH_MIN_BYTES ? collect() : { ...last, loop };
  }, HEAP_CHECK_MS).unref();
}

/** The heap, with buffers and what else lies outside of it. */
function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function logFailedStart(logger: Logger, err: unknown): void {
  if (err instanceof ConfigError) {
    logger.error(
      { part: 'configuration', where: 'environment', reason: err.message, faults: err.faults },
      'start failed',
    );
  } else if (err instanceof StartError) {
    logger.error({ part: err.part, where: err.where, reason: reasonOf(err), err }, 'start failed');
  } else logger.error({ part: 'service', reason: reasonOf(err), err }, 'start failed');
}
