import type { UserId } from '../job.js';
import type { EventSignals, EventStore } from '../ports.js';
import type { EventsBeginning, JobEvent } from './job-event.js';

export type WatchPart =
  | { readonly kind: 'opened'; readonly beginning: EventsBeginning }
  | { readonly kind: 'event'; readonly event: JobEvent };

export interface WatchPorts {
  readonly events: EventStore;
  readonly signals: EventSignals;
}

/** Events read at once. */
const EVENTS_READ_MAX = 200;

/**
 * Changes of a user's jobs after an event, or from now on when none is named, as they are stored. Ends only with the
 * signal, or with SERVICE_UNAVAILABLE when the service stops. Nothing is read ahead of who reads this.
 */
export async function* watchJobEvents(
  { events, signals }: WatchPorts,
  ownerId: UserId,
  afterId: bigint | undefined,
  signal: AbortSignal,
): AsyncGenerator<WatchPart> {
  const subscription = signals.subscribe(ownerId, signal); // before the first look: nothing falls in between
  try {
    const beginning = await events.openEvents(ownerId, afterId);
    yield { kind: 'opened', beginning };
    let seenId = beginning.position;
    while (!signal.aborted) {
      const page = await events.listEvents(ownerId, seenId, EVENTS_READ_MAX);
      for (const event of page) {
        yield { kind: 'event', event };
        seenId = event.id;
      }
      if (page.length < EVENTS_READ_MAX) await subscription.wait();
    }
  } finally {
    subscription.end();
  }
}
