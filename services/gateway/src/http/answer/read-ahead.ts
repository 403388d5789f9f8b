/**
 * Reads the beginning of a stream before the response starts: a source that fails early, because what
 * it reads is deleted or replaced meanwhile, then fails here, where an error can still be answered.
 * @param lengthMin - bytes or characters that are read at once, if there are as many
 * @returns the whole stream, to be read once
 */
export async function readAhead<T extends Uint8Array | string>(
  source: AsyncIterable<T>,
  lengthMin: number,
): Promise<AsyncIterable<T>> {
  const parts = source[Symbol.asyncIterator]();
  const begun: T[] = [];
  let length = 0;
  let isWhole = false;
  while (!isWhole && length < lengthMin) {
    const next = await parts.next();
    isWhole = next.done === true;
    if (next.done) break;
    begun.push(next.value);
    length += next.value.length;
  }
  return continued(begun, parts, isWhole);
}

async function* continued<T>(begun: readonly T[], rest: AsyncIterator<T>, isWhole: boolean): AsyncGenerator<T> {
  try {
    yield* begun;
    for (let next = isWhole ? undefined : await rest.next(); next && !next.done; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}
