import { currentContext, kitError, limitTime } from '@tally/service-kit';

/** How long an upload may take. */
export interface UploadLimits {
  readonly uploadTimeoutMs: number;
}

/** Stores the messages of an upload, mapped. The signal ends it: its sender goes away, or its time is over. */
export async function receiveUpload<In, Out>(
  messages: AsyncIterable<In>,
  map: (message: In) => Out,
  store: (parts: AsyncIterable<Out>, signal: AbortSignal) => Promise<void>,
  { uploadTimeoutMs }: UploadLimits,
): Promise<void> {
  const caller = currentContext()?.signal;
  const { signal, end } = limitTime(uploadTimeoutMs, ...(caller === undefined ? [] : [caller]));
  try {
    await store(untilAborted(messages, map, signal), signal);
  } finally {
    end();
  }
}

/** A sender that says nothing any more holds nothing up for longer than it may take. */
async function* untilAborted<In, Out>(
  messages: AsyncIterable<In>,
  map: (message: In) => Out,
  signal: AbortSignal,
): AsyncGenerator<Out> {
  const iterator = messages[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(kitError('CANCELLED')), { once: true });
  });
  aborted.catch(() => {}); // told below, if anybody waits
  for (;;) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (next.done) return;
    yield map(next.value);
  }
}

/** The parts of messages that have several. */
export async function* each<Part>(lists: AsyncIterable<readonly Part[]>): AsyncGenerator<Part> {
  for await (const parts of lists) yield* parts;
}
