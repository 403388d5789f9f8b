import { answerInvalid } from '../../errors.js';

/** A message of a stream that begins with its header and goes on in chunks. */
interface Message<Header> {
  readonly part?:
    | { readonly $case: 'header'; readonly value: Header }
    | { readonly $case: 'chunk'; readonly value: Uint8Array };
}

/**
 * Reads the header of such a stream, so that what the service refuses is answered before anything is sent.
 * @param what - for the log
 * @returns the header, and the chunks; whoever stops reading them ends the call
 * @throws ServiceError of the service; ANSWER_INVALID for a stream that does not keep to its contract
 */
export async function openChunkStream<Header>(
  messages: AsyncIterable<Message<Header>>,
  what: string,
): Promise<{ readonly header: Header; readonly chunks: AsyncGenerator<Uint8Array> }> {
  const parts = messages[Symbol.asyncIterator]();
  const first = await parts.next();
  const header = !first.done && first.value.part?.$case === 'header' ? first.value.part.value : undefined;
  if (header === undefined) throw answerInvalid(`${what} does not begin with its header`);
  return { header, chunks: chunksAfterHeader(parts, what) };
}

async function* chunksAfterHeader<Header>(
  parts: AsyncIterator<Message<Header>>,
  what: string,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const { part } = next.value;
      if (part?.$case !== 'chunk') throw answerInvalid(`${what} has a second header`);
      yield part.value;
    }
  } finally {
    await parts.return?.();
  }
}
