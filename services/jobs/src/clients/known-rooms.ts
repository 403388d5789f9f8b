import type { Clock } from '@tally/service-kit';
import type { UserId } from '../domain/job.js';

/** How long an answer of results is taken to hold, milliseconds. */
const HOLDS_MS = 60_000;
/** Users that are remembered; of more, the one of whom was heard longest ago is forgotten. */
const USERS_MAX = 10_000;

/**
 * What users may still store in results, as results has said within the last minute, less what has been sent since. Whose room is not
 * known, or not enough, results is asked by a submission that waits for it.
 */
export class KnownRooms {
  readonly #known = new Map<UserId, { bytes: number; readonly holdsUntilMs: number }>();

  constructor(private readonly clock: Clock) {}

  /** Results has said so. @param bytes - negative: the user has more than he may */
  note(ownerId: UserId, bytes: number): void {
    this.#known.delete(ownerId);
    this.#known.set(ownerId, { bytes, holdsUntilMs: this.clock.monotonicMs() + HOLDS_MS });
    const [oldest] = this.#known.keys();
    if (this.#known.size > USERS_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Whether a user is known to have so much room, which is then taken. */
  take(ownerId: UserId, bytes: number): boolean {
    const known = this.#known.get(ownerId);
    if (known === undefined || known.bytes < bytes || this.clock.monotonicMs() >= known.holdsUntilMs) return false;
    known.bytes -= bytes;
    return true;
  }
}
