import { kitError } from '@tally/service-kit';
import { fail } from './errors.js';

/** A part of an upload as it comes in: one header, then items (pages, documents), each followed by its bytes. */
export type ReceivedPart<Header, Item> = { readonly kind: 'header'; readonly header: Header } | ReceivedItemPart<Item>;
type ReceivedItemPart<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** A part of a checked upload on its way into the store: every item starts, has its bytes, and ends. */
export type UploadPart<Item> =
  | { readonly kind: 'start'; readonly item: Item }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };

/**
 * Takes the header off an upload; what comes after it is still to be read.
 * @throws ServiceError UPLOAD_INVALID when the first part is not the header, or (while reading) when another comes
 */
export async function openUpload<Header, Item>(
  parts: AsyncIterable<ReceivedPart<Header, Item>>,
): Promise<{ header: Header; rest: AsyncIterable<ReceivedItemPart<Item>> }> {
  const iterator = parts[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done || first.value.kind !== 'header') {
    throw fail('UPLOAD_INVALID', { message: 'The first part of an upload is its header' });
  }
  const rest = async function* () {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      if (next.value.kind === 'header') throw fail('UPLOAD_INVALID', { message: 'An upload has one header' });
      yield next.value;
    }
  };
  return { header: first.value.header, rest: rest() };
}

/** How the items of an upload are checked. */
export interface ItemRules<Item> {
  /** Checks an item's description; returns how many bytes follow it, or undefined if it does not say. */
  check(item: Item): number | undefined;
  /** The error for an item whose bytes are more or fewer than announced. */
  sizeError(item: Item, expectedBytes: number): Error;
  readonly countMax: number;
  /** What they are called, for people: `pages`. */
  readonly noun: string;
  readonly bytesMax: number;
}

/** How much the sender said it would send, and what its going away does to this. */
export interface Announcement {
  readonly count: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Checks the sequence of an upload while it passes: holds nothing but the current part.
 * @throws ServiceError UPLOAD_INVALID, UPLOAD_TOO_LARGE, CANCELLED, and what the rules throw
 */
export async function* checkUpload<Item>(
  parts: AsyncIterable<ReceivedItemPart<Item>>,
  rules: ItemRules<Item>,
  announced: Announcement,
): AsyncGenerator<UploadPart<Item>> {
  let current: { item: Item; expectedBytes: number | undefined; bytes: number } | undefined;
  let count = 0;
  let totalBytes = 0;
  requireFew(announced.count ?? 0, rules); // before anything of them is read
  const finish = () => {
    if (current?.expectedBytes !== undefined && current.bytes !== current.expectedBytes) {
      throw rules.sizeError(current.item, current.expectedBytes);
    }
  };
  for await (const part of parts) {
    if (part.kind === 'item') {
      finish();
      if (current !== undefined) yield { kind: 'end' };
      count += 1;
      requireFew(count, rules);
      current = { item: part.item, expectedBytes: rules.check(part.item), bytes: 0 };
      yield { kind: 'start', item: part.item };
      continue;
    }
    if (current === undefined) throw fail('UPLOAD_INVALID', { message: 'Bytes came before what they belong to' });
    current.bytes += part.bytes.byteLength;
    totalBytes += part.bytes.byteLength;
    requireShort(totalBytes, rules);
    if (current.expectedBytes !== undefined && current.bytes > current.expectedBytes) {
      throw rules.sizeError(current.item, current.expectedBytes);
    }
    yield { kind: 'bytes', bytes: part.bytes };
  }
  finish();
  if (current !== undefined) yield { kind: 'end' };
  requireWhole(count, rules, announced);
}

/** @throws ServiceError UPLOAD_TOO_LARGE */
export function requireFew(count: number, { countMax, noun }: Pick<ItemRules<never>, 'countMax' | 'noun'>): void {
  if (count > countMax) throw fail('UPLOAD_TOO_LARGE', { message: `More than ${countMax} ${noun}` });
}

/** @throws ServiceError UPLOAD_TOO_LARGE */
export function requireShort(bytes: number, { bytesMax }: Pick<ItemRules<never>, 'bytesMax'>): void {
  if (bytes > bytesMax) throw fail('UPLOAD_TOO_LARGE', { message: `More than ${bytesMax} bytes` });
}

/** @throws ServiceError CANCELLED when the caller went away */
export function requirePresent(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw kitError('CANCELLED');
}

/** A sender that went away looks like one that has finished, unless it said how much it would send. */
function requireWhole(count: number, { noun }: Pick<ItemRules<never>, 'noun'>, announced: Announcement): void {
  requirePresent(announced.signal);
  if (announced.count !== undefined && count !== announced.count) {
    throw fail('UPLOAD_INVALID', { message: `${announced.count} ${noun} were announced, ${count} came` });
  }
}

/** Passes parts on. @throws ServiceError UPLOAD_INVALID when there is none: a run without any result has failed */
export async function* requireAny<Item>(parts: AsyncIterable<UploadPart<Item>>): AsyncGenerator<UploadPart<Item>> {
  let isEmpty = true;
  for await (const part of parts) {
    isEmpty = false;
    yield part;
  }
  if (isEmpty) throw withoutPages();
}

export function withoutPages() {
  return fail('UPLOAD_INVALID', { message: 'The upload has no page' });
}
