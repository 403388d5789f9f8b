import type { Clock } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { UsageStore } from '../ports.js';

/** How long a measured usage is taken to hold at least, milliseconds: tasks that end meanwhile are counted after it. */
const USAGE_AGE_MIN_MS = 60_000;
/** And how many times as long as it took to measure: that takes longer for a user with more jobs. */
const USAGE_AGE_TIMES = 100;
/** Users whose usage is remembered; of more, the one that was measured longest ago is forgotten. */
const USERS_MAX = 10_000;

/**
 * What is stored of users, as of a minute ago or so, with the inputs that came since. It is asked before an input is taken and
 * at no other time: what a running job gives is always stored. Nobody waits for a measurement but whoever comes first, and who is
 * to be refused: it takes the longer the more jobs the user has.
 */
export class StoredUsage {
  readonly #measured = new Map<bigint, { bytes: number; readonly holdsUntilMs: number }>();
  readonly #measuring = new Map<bigint, Promise<number>>();

  constructor(
    private readonly store: UsageStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Measured anew before it refuses, so that room that was made counts at once.
   * @param bytesMax - undefined: no bound
   * @throws ServiceError STORAGE_QUOTA_EXCEEDED
   */
  async requireRoom(ownerId: bigint, bytesMax: number | undefined): Promise<void> {
    if (bytesMax === undefined) return;
    const known = this.#measured.get(ownerId);
    // when it fails, the next input measures
    if (known !== undefined && this.#nowMs() >= known.holdsUntilMs) this.#measure(ownerId).catch(() => {});
    if (known !== undefined && known.bytes < bytesMax) return;
    const bytes = await this.#measure(ownerId);
    if (bytes < bytesMax) return;
    throw fail('STORAGE_QUOTA_EXCEEDED', {
      message: `You have ${bytes} bytes stored, and ${bytesMax} are allowed (stored_bytes_per_user_max of GET /limits); delete jobs that you do not need`,
    });
  }

  /** As of a minute ago or so. */
  async readBytes(ownerId: bigint): Promise<number> {
    const known = this.#measured.get(ownerId);
    return known !== undefined && this.#nowMs() < known.holdsUntilMs ? known.bytes : this.#measure(ownerId);
  }

  /** An input was stored. */
  add(ownerId: bigint, bytes: number): void {
    const known = this.#measured.get(ownerId);
    if (known !== undefined) known.bytes += bytes;
  }

  #nowMs(): number {
    return this.clock.monotonicMs();
  }

  /** Who asks while it is measured gets the same answer. */
  #measure(ownerId: bigint): Promise<number> {
    const running = this.#measuring.get(ownerId);
    if (running !== undefined) return running;
    const startedAtMs = this.#nowMs();
    const measuring = this.store
      .readStoredBytes(ownerId)
      .then((bytes) => {
        const nowMs = this.#nowMs();
        const holdsMs = Math.max(USAGE_AGE_MIN_MS, USAGE_AGE_TIMES * (nowMs - startedAtMs));
        this.#measured.delete(ownerId);
        this.#measured.set(ownerId, { bytes, holdsUntilMs: nowMs + holdsMs });
        const [oldest] = this.#measured.keys();
        if (this.#measured.size > USERS_MAX && oldest !== undefined) this.#measured.delete(oldest);
        return bytes;
      })
      .finally(() => this.#measuring.delete(ownerId));
    this.#measuring.set(ownerId, measuring);
    return measuring;
  }
}
