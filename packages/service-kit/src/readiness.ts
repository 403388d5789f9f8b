import { withTimeout } from './signals/with-timeout.js';

/** State of one dependency as a readiness answer shows it. */
export interface DependencyHealth {
  readonly name: string;
  readonly isReady: boolean;
  readonly latencyMs: number;
}

export type HealthCheck = () => Promise<unknown>;

/**
 * Readiness of a service: false while it starts and stops, and while a dependency does not answer. Liveness does not
 * look at dependencies, so that a broken database never restarts a healthy service.
 */
export class Readiness {
  #isOpen = false;

  constructor(
    private readonly checks: Readonly<Record<string, HealthCheck>>,
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
  async check(): Promise<{ isReady: boolean; dependencies: DependencyHealth[] }> {
    const dependencies = await Promise.all(
      Object.entries(this.checks).map(([name, check]) => measure(name, check, this.timeoutMs)),
    );
    return { isReady: this.#isOpen && dependencies.every((dependency) => dependency.isReady), dependencies };
  }
}

async function measure(name: string, check: HealthCheck, timeoutMs: number): Promise<DependencyHealth> {
  const startedAt = performance.now();
  const isReady = await withTimeout(check(), timeoutMs, `${name} did not answer`).then(
    () => true,
    () => false,
  );
  return { name, isReady, latencyMs: Math.round(performance.now() - startedAt) };
}
