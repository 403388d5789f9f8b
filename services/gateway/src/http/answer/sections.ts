/** A part of a streamed message: a start with what it is, or bytes of what was last started. */
export type StreamPart<H> = { readonly start: H } | { readonly chunk: Uint8Array };

/** One section of a stream: what it is, and its bytes. The bytes must be read before the next section is asked for. */
export interface Section<H> {
  readonly start: H;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Groups a flat stream of starts and chunks into sections, without holding more than one part. */
export async function* sections<H>(parts: AsyncIterator<StreamPart<H>>): AsyncGenerator<Section<H>> {
  let next = await parts.next();
  try {
    while (!next.done) {
      if (!('start' in next.value)) throw new Error('a chunk came before anything was started');
      const { start } = next.value;
      next = await parts.next();
      yield { start, chunks: chunksUntilStart() };
      while (!next.done && 'chunk' in next.value) next = await parts.next();
    }
  } finally {
    await parts.return?.();
  }
  async function* chunksUntilStart(): AsyncGenerator<Uint8Array> {
    while (!next.done && 'chunk' in next.value) {
      yield next.value.chunk;
      next = await parts.next();
    }
  }
}
