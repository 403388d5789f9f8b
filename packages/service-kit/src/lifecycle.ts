import type { Logger } from './logger.js';
import { withTimeout } from './with-timeout.js';

/** A started part of a service. `stop` is called once, in reversed order of starting. */
export interface Part {
  readonly name: string;
  stop(): Promise<void>;
}

/** A running service. */
export interface Running {
  /** Stops the parts in reversed order; a failing step never skips the next. Safe to call twice. */
  stop(): Promise<void>;
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

  /** Registers something that is already running. */
  add(name: string, stop: () => Promise<void> | void): void {
    this.#parts.push({ name, stop: async () => stop() });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (const part of this.#parts.toReversed()) {
      try {
        await withTimeout(part.stop(), this.graceMs, `${part.name} did not stop within ${this.graceMs} ms`);
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

/**
 * Runs a service until SIGTERM or SIGINT, then stops it. For main.ts only.
 * Exit code 0 after a clean stop; 1 when the start failed, at a second signal, or when the stop takes too long.
 */
export async function runUntilSignal(start: () => Promise<Running>, stopLimitMs = 60_000): Promise<never> {
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
  let service: Running;
  try {
    service = await start();
  } catch (err) {
    process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
    process.exit(1);
  }
  await signalled;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  setTimeout(() => process.exit(1), stopLimitMs).unref();
  await service.stop();
  process.exit(0);
}
