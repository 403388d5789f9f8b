import { currentContext, kitError } from '@tally/service-kit';

/** How long an upload may take. */
export interface UploadLimits {
  readonly uploadTimeoutMs: number;
}

/** The messages of an upload, mapped, and what ends it: its sender goes away, or its time is over. */
export function receiveUpload<In, Out>(
  messages: AsyncIterable<In>,
  map: (message: In) => Out,
  { uploadTimeoutMs }: UploadLimits,
): { readonly parts: AsyncIterable<Out>; readonly signal: AbortSignal } {
  const caller = currentContext()?.signal;
  const timeLimit = AbortSignal.timeout(uploadTimeoutMs);
  const signal = caller === undefined ? timeLimit : AbortSignal.any([caller, timeLimit]);
  return { parts: untilAborted(messages, map, signal), signal };
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
