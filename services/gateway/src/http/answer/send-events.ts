import { once } from 'node:events';
import type { Request, Response } from 'express';
import type { EventsAnswer } from './answer.js';

/** How long a client that has stopped reading may hold a stream that has ended. */
const END_MS = 1_000;

/**
 * Sends events as they come, and a comment when none has come for a while; resolves when the stream has ended. Nothing
 * is taken from the source faster than the client reads. There may be thousands of streams on which nothing comes: each
 * holds no more than this.
 */
export async function sendEvents(
  req: Request,
  res: Response,
  { status, head, events, toText, end }: EventsAnswer,
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
  res.write(head);
  const heartbeat = setInterval(() => res.writableNeedDrain || res.write(':\n\n'), heartbeatMs);
  const finish = () => {
    clearInterval(heartbeat);
    res.end();
    setTimeout(() => res.destroy(), END_MS).unref();
  };
  end.addEventListener('abort', finish, { once: true });
  try {
    for await (const event of events) {
      if (end.aborted) return;
      heartbeat.refresh();
      if (!res.write(toText(event))) await once(res, 'drain', { signal: end }).catch(() => {}); // it ends, or its client is gone
    }
    res.end();
  } finally {
    clearInterval(heartbeat);
  }
}
