import { kitError } from '@tally/service-kit';
import { fail } from '../errors.js';

/** Open streams of events of this copy: bounded for each user and in all, ended together when the gateway stops. */
export class EventStreams {
  readonly #open = new Map<AbortController, bigint>();
  #isEnding = false;

  constructor(
    private readonly limits: {
      readonly eventStreamsPerUserMax: number;
      readonly eventStreamsMax: number;
    },
  ) {}

  /**
   * Opens a stream of a user; it counts until `gone` aborts.
   * @returns a controller: aborts when the stream has to end, and may be aborted by its owner
   * @throws ServiceError EVENT_STREAMS_EXCEEDED, OVERLOADED; SERVICE_UNAVAILABLE while the gateway stops
   */
  open(userId: bigint, gone: AbortSignal): AbortController {
    if (this.#isEnding) throw kitError('SERVICE_UNAVAILABLE');
    if (this.#open.size >= this.limits.eventStreamsMax) throw fail('EVENT_STREAMS_FULL');
    const count = [...this.#open.values()].filter((owner) => owner === userId).length;
    if (count >= this.limits.eventStreamsPerUserMax) throw fail('EVENT_STREAMS_EXCEEDED');
    const end = new AbortController();
    this.#open.set(end, userId);
    const close = () => {
      this.#open.delete(end);
      end.abort();
    };
    if (gone.aborted) close();
    else gone.addEventListener('abort', close, { once: true });
    return end;
  }

  /** Streams that are open now. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Ends all, and lets none begin. */
  endAll(): void {
    this.#isEnding = true;
    for (const end of this.#open.keys()) end.abort();
  }
}
