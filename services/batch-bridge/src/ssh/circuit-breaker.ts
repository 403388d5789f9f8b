import { backoffMs, type Clock } from '@tally/service-kit';

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
 * Circuit breaker: after some failures in a row nothing is tried for a while, with jitter, so that several copies do not
 * come back at once; then one attempt decides.
 */
export class CircuitBreaker {
  #failureCount = 0;
  #openUntilMs = 0;
  #isTrying = false;
  #lastError: unknown;

  constructor(private readonly options: BreakerOptions) {}

  /** How long nothing may be tried, milliseconds; 0 when it may. While the one attempt runs, others wait. */
  pauseMs(): number {
    const left = this.#openUntilMs - this.options.clock.monotonicMs();
    if (left > 0) return left;
    return this.#failureCount >= this.options.failureCountMax && this.#isTrying ? this.options.pauseFirstMs : 0;
  }

  /** Why the last attempt failed. */
  get lastError(): unknown {
    return this.#lastError;
  }

  begin(): void {
    this.#isTrying = true;
  }

  succeed(): void {
    this.#isTrying = false;
    this.#failureCount = 0;
    this.#openUntilMs = 0;
  }

  fail(err?: unknown): void {
    this.#lastError = err;
    const { failureCountMax, pauseFirstMs, pauseMaxMs, clock, random } = this.options;
    this.#isTrying = false;
    this.#failureCount++;
    const beyond = this.#failureCount - failureCountMax;
    if (beyond >= 0) this.#openUntilMs = clock.monotonicMs() + backoffMs(pauseFirstMs, pauseMaxMs, beyond, random);
  }
}
