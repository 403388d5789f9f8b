import type { Logger } from './logger.js';
import { withTimeout } from './signals/with-timeout.js';

/** State of one dependency as a readiness answer shows it. */
export interface DependencyHealth {
  readonly name: string;
  readonly isReady: boolean;
  readonly latencyMs: number;
  /** Why it is not ready, in words that anybody may read: no address, no secret. */
  readonly reason?: string;
}

/** Resolves when a dependency is able to do its part. @throws NotReadyError that says why not; any other error: it does not answer */
export type HealthCheck = () => Promise<unknown>;

/** Why a service cannot do its work, in a sentence that whoever asks for its health may read: no address, no secret. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
  /** As of a call that such a service refuses. */
  readonly status = 'UNAVAILABLE';
}

/** Readiness of a service, and one sentence that says why it is not ready. */
export interface ReadinessReport {
  readonly isReady: boolean;
  readonly dependencies: DependencyHealth[];
  /** Absent: it is ready. */
  readonly reason?: string;
}

const NOT_OPEN = 'the service starts or stops';

/**
 * Readiness of a service: false while it starts and stops, and while a dependency does not answer or cannot do its part. Liveness
 * does not look at dependencies, so that a broken database never restarts a healthy service. What changes is one line of the log.
 */
export class Readiness {
  #isOpen = false;
  /** Reasons that the log has, by dependency. */
  readonly #logged = new Map<string, string>();

  constructor(
    private readonly checks: Readonly<Record<string, HealthCheck>>,
    private readonly logger?: Logger,
    private readonly timeoutMs = 1_000,
  ) {}

  /** From now on the service takes work. */
  open(): void {
    this.#isOpen = true;
  }

  /** From now on it does not; first step of a stop. */
  close(): void {
    this.#isOpen = false;
  }

  /** Asks every dependency, at most `timeoutMs` each. */
  async check(): Promise<ReadinessReport> {
    const measured = await Promise.all(
      Object.entries(this.checks).map(([name, check]) => measure(name, check, this.timeoutMs)),
    );
    for (const { health, err } of measured) this.#log(health, err);
    const dependencies = measured.map(({ health }) => health);
    const down = dependencies.filter(({ isReady }) => !isReady);
    if (this.#isOpen && down.length === 0) return { isReady: true, dependencies };
    const reason = down.map(({ name, reason: why }) => `${name}: ${why}`).join('; ') || NOT_OPEN;
    return { isReady: false, dependencies, reason };
  }

  #log({ name, reason }: DependencyHealth, err: unknown): void {
    if (this.#logged.get(name) === reason) return;
    if (reason === undefined) {
      this.#logged.delete(name);
      this.logger?.info({ dependency: name }, 'ready again');
    } else {
      this.#logged.set(name, reason);
      this.logger?.warn({ dependency: name, reason, cause: bottomOf(err) }, 'not ready');
    }
  }
}

async function measure(name: string, check: HealthCheck, timeoutMs: number) {
  const startedAt = performance.now();
  const err: unknown = await withTimeout(check(), timeoutMs, 'it does not answer in time').then(
    () => undefined,
    (fault: unknown) => fault ?? new Error('it does not answer'),
  );
  const latencyMs = Math.round(performance.now() - startedAt);
  const why = err === undefined ? {} : { reason: reasonFor(err) };
  const health: DependencyHealth = { name, isReady: err === undefined, latencyMs, ...why };
  return { health, err };
}

/** What lies at the bottom of an error, for the log alone: it may have addresses. */
const bottomOf = (err: unknown): string => {
  if (!(err instanceof Error)) return String(err);
  return err.cause === undefined ? err.message : bottomOf(err.cause);
};

/** What anybody may read of an error. */
const reasonFor = (err: unknown): string => (err instanceof NotReadyError ? err.message : 'it does not answer');
