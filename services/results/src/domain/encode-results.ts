import type { Hash } from 'node:crypto';
import { GzipMember } from './gzip.js';
import { NumberStream } from './number-stream.js';
import type { EstimatorPageHeader } from './page.js';
import { PageText, type ShownPageHeader } from './page-text.js';
import type { FinalPageSummary } from './ports.js';
import type { FinalPageHeader } from './result.js';
import type { ThingEvent } from './upload.js';

/** On dose maps, level 1 took under a third of the time of level 6 for 7 % more bytes: the digits are mostly noise. */
const GZIP_LEVEL = 1;

/** A page as it is shown: its JSON text as one gzip member, made while its numbers come in. */
export class PageEncoder {
  readonly #text: PageText;
  readonly #gzip = new GzipMember(GZIP_LEVEL);

  /** @param hash - hears the text */
  constructor(
    header: ShownPageHeader,
    private readonly hash?: Hash,
  ) {
    this.#text = new PageText(header);
  }

  get nonFiniteCount(): number {
    return this.#text.nonFiniteCount;
  }

  /** Values, then errors; gives the bytes that are ready by now. */
  push(numbers: Float64Array): Promise<Buffer[]> {
    return this.#write(this.#text.push(numbers));
  }

  /** The last bytes. */
  async end(): Promise<Buffer[]> {
    return [...(await this.#write(this.#text.end())), ...(await this.#gzip.end())];
  }

  /** Frees what an unfinished page holds. */
  destroy(): void {
    this.#gzip.destroy();
  }

  #write(text: string): Promise<Buffer[]> {
    this.hash?.update(text);
    return this.#gzip.write(text);
  }
}

/** Turns the arrays of final pages (values, then errors) into what is stored and shown. @param hash - hears all of it */
export async function* encodeResults(
  events: AsyncIterable<ThingEvent<FinalPageHeader>>,
  hash: Hash,
): AsyncGenerator<ThingEvent<EstimatorPageHeader, FinalPageSummary>> {
  let page: { encoder: PageEncoder; numbers: NumberStream } | undefined;
  try {
    for await (const event of events) {
      if (event.kind === 'start') {
        const header = event.thing;
        hash.update(JSON.stringify([header.estimatorIndex, header.estimatorName, header.fileName]));
        page = { encoder: new PageEncoder(header, hash), numbers: new NumberStream() };
        yield event;
        continue;
      }
      if (page === undefined) throw new RangeError('bytes before a page');
      const { encoder, numbers } = page;
      const made = event.kind === 'bytes' ? await encoder.push(numbers.push(event.bytes)) : await encoder.end();
      for (const bytes of made) yield { kind: 'bytes', bytes };
      if (event.kind === 'end') {
        yield { kind: 'end', summary: { nonFiniteCount: encoder.nonFiniteCount } };
      }
    }
  } finally {
    page?.encoder.destroy();
  }
}
