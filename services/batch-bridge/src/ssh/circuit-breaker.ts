import type { Clock } from '@tally/service-kit';

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failureCountMax: number;
  /** First pause, milliseconds; doubles with each further failure. */
  readonly pauseFirstMs: number;
  readonly pauseMaxMs: number;
  readonly clock: Clock;
  /** 0 to 1; Math.random unless given. */
  readonly random?: () => number;
}

/**
 * Keeps the service from knocking at a door that does not open: after some failures in a row nothing is tried for a
 * while, with jitter, so that several copies do not come back at once; then one try decides.
 */
export class CircuitBreaker {
  #failureCount = 0;
  #closedUntilMs = 0;
  #isTrying = false;
  #lastFailure: unknown;

  constructor(private readonly options: BreakerOptions) {}

  /** How long nothing may be tried, milliseconds; 0 when it may. While the one try runs, others wait. */
  pauseMs(): number {
    const left = this.#closedUntilMs - this.options.clock.now().getTime();
    if (left > 0) return left;
    return this.#failureCount >= this.options.failureCountMax && this.#isTrying ? this.options.pauseFirstMs : 0;
  }

  /** What the last failure was. */
  get lastFailure(): unknown {
    return this.#lastFailure;
  }

  begin(): void {
    this.#isTrying = true;
  }

  succeed(): void {
    this.#isTrying = false;
    this.#failureCount = 0;
    this.#closedUntilMs = 0;
  }

  fail(failure?: unknown): void {
    this.#lastFailure = failure;
    const { failureCountMax, pauseFirstMs, pauseMaxMs, clock, random = Math.random } = this.options;
    this.#isTrying = false;
    this.#failureCount++;
    const beyond = this.#failureCount - failureCountMax;
    if (beyond < 0) return;
    const pauseMs = Math.min(pauseMaxMs, pauseFirstMs * 2 ** Math.min(beyond, 30)) * (0.5 + random() / 2);
    this.#closedUntilMs = clock.now().getTime() + pauseMs;
  }
}
