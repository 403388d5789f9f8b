import type { ByteReader } from '../../output/byte-reader.js';
import { PAGES_MAX } from '../../output/native-page.js';
import type { BdoContext, BdoFile } from './bdo-context.js';
import { type BdoPage, toNativePage } from './bdo-page.js';
import {
  type BdoTokens,
  failAt,
  hasBdoMagic,
  numberOf,
  openBdo,
  readData,
  readToken,
  readTokenHead,
  TAG,
} from './bdo-tokens.js';
import { readBdo2016, readBin2010 } from './read-old-bdo.js';

/**
 * Reads the file of an estimator in any of the formats that the simulator has had: items with tags and pages since 2019
 * (version 0.7), with tags alone since 2016 (0.6), before that Fortran records.
 * @throws OutputError `UNREADABLE`
 */
export function readBdo(bytes: Uint8Array, context: BdoContext): BdoFile {
  if (!hasBdoMagic(bytes)) return readBin2010(bytes, context);
  const reader = openBdo(bytes, context.fileName);
  const { tokens, pages, data } = readItems(reader, context);
  if (data !== undefined) return readBdo2016(reader, tokens, data, context);
  const count = numberOf(tokens, TAG.pageCount) ?? pages.length;
  if (pages.length === 0 || pages.length < count) {
    return reader.fail(
      `is cut short at byte ${bytes.byteLength}: it has ${pages.length} pages of ${Math.max(count, 1)}`,
    );
  }
  const rescale = numberOf(tokens, TAG.rescale) ?? 1;
  if (rescale !== 1) {
    context.report.warn('OUTPUT_ASSUMED', context.fileName, `its factor of ${rescale} per particle is not applied`);
  }
  const primaries = numberOf(tokens, TAG.primaries) ?? 0;
  const native = pages.map((page) => toNativePage(page, tokens, primaries, context));
  if (native.every(({ kind }) => kind === 'map')) return { primaries: undefined, pages: native };
  if (primaries < 1) reader.fail(`says that it stands for ${primaries} primaries, and not for one or more`);
  return { primaries, pages: native };
}

interface BdoItems {
  /** Of the whole file. */
  readonly tokens: BdoTokens;
  readonly pages: readonly BdoPage[];
  /** Numbers that belong to no page, as files without pages have them. */
  readonly data: Float64Array | undefined;
}

/** A page begins with its detector type and ends with its data. */
function readItems(reader: ByteReader, { fileName, report }: BdoContext): BdoItems {
  const tokens: BdoTokens = new Map();
  const pages: BdoPage[] = [];
  let data: Float64Array | undefined;
  let open: BdoTokens | undefined;
  while (reader.remainingBytes > 0) {
    const head = readTokenHead(reader);
    if (head.tag === TAG.data) {
      const numbers = readData(reader, head);
      if (open !== undefined) pages.push({ tokens: open, data: numbers });
      else if (data !== undefined || pages.length > 0) failAt(reader, 'data that belong to no page');
      else data = numbers;
      open = undefined;
      if (pages.length > PAGES_MAX) failAt(reader, `more than ${PAGES_MAX} pages`);
      continue;
    }
    const token = readToken(reader, head);
    if (token === undefined) continue;
    if (head.tag === TAG.page) {
      if (open !== undefined) report.warn('OUTPUT_LEFT_OUT', fileName, 'a page without data is left out');
      open = new Map();
    }
    (open ?? tokens).set(head.tag, token);
  }
  return { tokens, pages, data };
}
