import type { auth } from '@tally/contracts';
import type { Clock, Logger } from '@tally/service-kit';

/** Asks auth which sessions have ended. */
export type FetchEndedSessions = () => Promise<auth.ListEndedSessionsResponse>;

/** A session that ended here is remembered this long by itself; by then auth has listed it. */
const OWN_MEMORY_MS = 60_000;

/** Ids of sessions whose access tokens must be refused although they have not expired. */
export class EndedSessions {
  #listed: ReadonlySet<string> = new Set();
  readonly #own = new Map<string, number>();
  #membershipsVersion = 0n;
  #reachedAtMs = Number.NEGATIVE_INFINITY;
  #isReached = true;
  #fetching: Promise<void> | undefined;

  constructor(
    private readonly fetchSessions: FetchEndedSessions,
    private readonly options: { readonly clock: Clock; readonly logger: Logger },
  ) {}

  has(sessionId: string): boolean {
    return this.#listed.has(sessionId) || this.#own.has(sessionId);
  }

  /** Refuses the session at once, before auth lists it. */
  add(sessionId: string): void {
    this.#own.set(sessionId, this.#nowMs() + OWN_MEMORY_MS);
  }

  /** Version of all memberships of groups, as auth said it with the list. */
  get membershipsVersion(): bigint {
    return this.#membershipsVersion;
  }

  /** Time since auth last answered, milliseconds; infinite before it has. */
  get ageMs(): number {
    return this.#nowMs() - this.#reachedAtMs;
  }

  /** Fetches the list; several callers share one fetch. A failure is logged and leaves the list as it is. */
  refresh(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    const askedAtMs = this.#nowMs();
    try {
      const { sessionIds, membershipsVersion } = await this.fetchSessions();
      this.#listed = new Set(sessionIds);
      this.#membershipsVersion = membershipsVersion;
      this.#reachedAtMs = askedAtMs;
      this.#isReached = true;
    } catch (err) {
      if (this.#isReached) this.options.logger.warn({ err }, 'ended sessions cannot be fetched; trying on');
      this.#isReached = false;
    }
    for (const [id, untilMs] of this.#own) if (untilMs < askedAtMs) this.#own.delete(id);
  }

  #nowMs(): number {
    return this.options.clock.monotonicMs();
  }
}
