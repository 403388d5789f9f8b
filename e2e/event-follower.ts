import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpSession, waitFor } from '@tally/testkit';

export interface StreamEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const RETRY_MS = 100;

/**
 * Follows GET /jobs/events as a browser does: comes again when the stream ends, with the id of the last event that it
 * has received whole.
 */
export class EventFollower {
  readonly events: StreamEvent[] = [];
  /** Everything that came, of all connections. */
  text = '';
  /** Times that a connection was opened. */
  connectionCount = 0;
  /** Status of the last connection. */
  status: number | undefined;
  isConnected = false;
  #lastId: string | undefined;
  #connection = new AbortController();
  #isClosed = false;
  readonly #running: Promise<void>;

  constructor(private readonly session: HttpSession) {
    this.#running = this.#run();
  }

  /** Cuts the connection in the middle of whatever comes; the follower comes again. */
  cut(): void {
    this.#connection.abort();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.cut();
    await this.#running;
  }

  /** Events of a job, `ready` not among them. */
  of(jobId: string): StreamEvent[] {
    return this.events.filter(({ data }) => data.job_id === jobId);
  }

  /** Waits for the first event that satisfies the condition. */
  until(condition: (event: StreamEvent) => boolean, timeoutMs = 60_000): Promise<StreamEvent> {
    return waitFor(async () => this.events.find(condition), { timeoutMs, intervalMs: 20, what: 'an event' });
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#connection = new AbortController();
      await this.#connect(this.#connection.signal).catch(() => {}); // cut, or nobody listens: it comes again
      this.isConnected = false;
      if (!this.#isClosed) await sleep(RETRY_MS);
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const cookie = [...this.session.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.session.baseUrl}/jobs/events`, {
      headers: { cookie, ...(this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }) },
      signal,
    });
    this.connectionCount += 1;
    this.status = response.status;
    if (response.status !== 200 || response.body === null) return;
    this.isConnected = true;
    let rest = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
      const piece = decoder.decode(bytes, { stream: true });
      this.text += piece;
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const [id, name, data] = [field('id'), field('event'), field('data')];
    if (id === undefined || name === undefined || data === undefined) return; // a comment
    this.#lastId = id;
    this.events.push({ id, name, data: JSON.parse(data) as Record<string, unknown> });
  }
}
