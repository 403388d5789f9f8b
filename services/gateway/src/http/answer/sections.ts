/** A part of a streamed message: a start with what it is, or a piece, of bytes for example, of what was last started. */
export type StreamPart<H, Chunk = Uint8Array> = { readonly start: H } | { readonly chunk: Chunk };

/** One section of a stream: what it is, and its pieces. They must be read before the next section is asked for. */
export interface Section<H, Chunk = Uint8Array> {
  readonly start: H;
  readonly chunks: AsyncIterable<Chunk>;
}

/** Groups a flat stream of starts and chunks into sections, without holding more than one part. */
export async function* sections<H, Chunk = Uint8Array>(
  parts: AsyncIterator<StreamPart<H, Chunk>>,
): AsyncGenerator<Section<H, Chunk>> {
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
  async function* chunksUntilStart(): AsyncGenerator<Chunk> {
    while (!next.done && 'chunk' in next.value) {
      yield next.value.chunk;
      next = await parts.next();
    }
  }
}
