import { type Clock, systemClock } from '../clock.js';
import type { Lifecycle } from '../lifecycle.js';
import { addLoop } from '../start.js';
import type { Statements } from './database.js';
import { sql } from './sql.js';

/** Clocks that nobody sets drift by up to some 200 ppm, 12 ms in this time. */
const SYNCHRONISATION_INTERVAL_MS = 60_000;
/** An answer that took longer says too little: its time is known to half of that (Cristian 1989). */
const ROUND_TRIP_MS_MAX = 1_000;

/**
 * The clock of a database, which all copies of a service share: times that one copy stores mean the same to the others, though
 * the clock of its machine is wrong or is set. Between two comparisons it goes on by a clock that nobody sets.
 */
export class DatabaseClock implements Clock {
  /** Of the database, before the monotonic clock. */
  #aheadMs: number | undefined;

  constructor(
    private readonly database: Pick<Statements, 'row'>,
    private readonly own: Clock = systemClock,
  ) {}

  /** That of the own machine until the first comparison. */
  now(): Date {
    return this.#aheadMs === undefined ? this.own.now() : new Date(this.own.monotonicMs() + this.#aheadMs);
  }

  monotonicMs(): number {
    return this.own.monotonicMs();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.own.sleep(ms, signal);
  }

  /** Compares with the database. An answer that comes late is not used, unless it is the first. @throws as the database */
  async synchronise(): Promise<void> {
    const askedAtMs = this.own.monotonicMs();
    const row = await this.database.row(
      sql<{ readonly epochMs: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "epochMs"`,
    );
    const roundTripMs = this.own.monotonicMs() - askedAtMs;
    if (row === undefined || (roundTripMs > ROUND_TRIP_MS_MAX && this.#aheadMs !== undefined)) return;
    this.#aheadMs = row.epochMs - (askedAtMs + roundTripMs / 2);
  }
}

/** A {@link DatabaseClock} that has been compared once. */
export async function readDatabaseClock(database: Pick<Statements, 'row'>): Promise<DatabaseClock> {
  const clock = new DatabaseClock(database);
  await clock.synchronise();
  return clock;
}

/** A {@link DatabaseClock} that is compared now, and every minute until the service stops. */
export async function addDatabaseClock(lifecycle: Lifecycle, database: Pick<Statements, 'row'>): Promise<Clock> {
  const clock = await readDatabaseClock(database);
  addLoop(lifecycle, { name: 'clock', intervalMs: SYNCHRONISATION_INTERVAL_MS, clock }, () => clock.synchronise());
  return clock;
}
