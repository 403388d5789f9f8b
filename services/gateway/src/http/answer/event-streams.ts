import { kitError } from '@tally/service-kit';
import { fail } from '../../errors.js';

/** How often it is looked whether streams are still allowed. */
const CHECK_MS = 500;

interface OpenStream {
  readonly userId: bigint;
  readonly isAllowed: () => boolean;
}

/** Open streams of events of this copy: bounded for each user and in all, ended together when the gateway stops. */
export class EventStreams {
  readonly #open = new Map<AbortController, OpenStream>();
  #check: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(
    private readonly limits: {
      readonly eventStreamsPerUserMax: number;
      readonly eventStreamsMax: number;
    },
  ) {}

  /**
   * Opens a stream of a user; it counts until `gone` aborts.
   * @param isAllowed - asked while it is open; its end once this is false
   * @returns a controller: aborts when the stream has to end, and may be aborted by its owner
   * @throws ServiceError EVENT_STREAMS_EXCEEDED, OVERLOADED; SERVICE_UNAVAILABLE while the gateway stops
   */
  open(userId: bigint, isAllowed: () => boolean, gone: AbortSignal): AbortController {
    if (this.#isEnding) throw kitError('SERVICE_UNAVAILABLE');
    if (this.#open.size >= this.limits.eventStreamsMax) throw fail('EVENT_STREAMS_FULL');
    const count = [...this.#open.values()].filter((stream) => stream.userId === userId).length;
    if (count >= this.limits.eventStreamsPerUserMax) throw fail('EVENT_STREAMS_EXCEEDED');
    const end = new AbortController();
    this.#open.set(end, { userId, isAllowed });
    this.#check ??= setInterval(() => this.#endForbidden(), CHECK_MS);
    const close = () => {
      this.#open.delete(end);
      if (this.#open.size === 0) {
        clearInterval(this.#check);
        this.#check = undefined;
      }
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

  #endForbidden(): void {
    for (const [end, { isAllowed }] of this.#open) {
      if (!end.signal.aborted && !isAllowed()) end.abort();
    }
  }
}
