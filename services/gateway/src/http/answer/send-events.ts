import { once } from 'node:events';
import type { Request, Response } from 'express';
import type { EventsAnswer } from '../route.js';

/** How long a client that has stopped reading may hold a stream that has ended. */
const END_MS = 1_000;

/**
 * Sends events as they come, and a comment when none has come for a while; resolves when the stream has ended. Nothing
 * is taken from the source faster than the client reads.
 */
export async function sendEvents(
  req: Request,
  res: Response,
  { status, events, end }: EventsAnswer,
  heartbeatMs: number,
): Promise<void> {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Accel-Buffering', 'no'); // nginx would collect events
  res.setHeader('Connection', 'close'); // a stream mostly ends because the gateway stops, which waits for connections
  res.writeHead(status, { 'Content-Type': 'text/event-stream' });
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  res.flushHeaders();
  const cut = () => setTimeout(() => res.destroy(), END_MS).unref();
  end.addEventListener('abort', cut, { once: true });
  for await (const text of withHeartbeats(events, end, heartbeatMs)) {
    if (!res.write(text)) await once(res, 'drain', { signal: end }).catch(() => {}); // it ends, or its client is gone
  }
  res.end();
}

/** The events, and a comment whenever nothing has come for `silenceMs`; ends with them or with the signal. */
export async function* withHeartbeats(
  events: AsyncIterable<string>,
  end: AbortSignal,
  silenceMs: number,
): AsyncGenerator<string> {
  const source = events[Symbol.asyncIterator]();
  const take = () => {
    const taken = source.next();
    taken.catch(() => {}); // its consumer may be gone
    return taken;
  };
  let next = take();
  while (!end.aborted) {
    const waiting = silence(silenceMs, end);
    const arrived = await Promise.race([next, waiting.over]).finally(waiting.stop);
    if (arrived === 'silent') {
      if (!end.aborted) yield ':\n\n';
      continue;
    }
    if (arrived.done) return;
    yield arrived.value;
    next = take();
  }
}

/** `over` resolves after a while, or at once when the signal aborts or `stop` is called. */
function silence(ms: number, signal: AbortSignal): { readonly over: Promise<'silent'>; readonly stop: () => void } {
  let stop = () => {};
  const over = new Promise<'silent'>((resolve) => {
    const timer = setTimeout(() => stop(), ms);
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve('silent');
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  return { over, stop };
}
