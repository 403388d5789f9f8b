import { kitError } from '@tally/service-kit';
import { fail } from './errors.js';

/** A piece of an upload as it comes in: one header, then things (pages, documents), each followed by its bytes. */
export type UploadPart<Header, Thing> = { readonly kind: 'header'; readonly header: Header } | ThingPart<Thing>;
type ThingPart<Thing> =
  | { readonly kind: 'thing'; readonly thing: Thing }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** A checked upload on its way into the store: every thing starts, has its bytes, and ends with what was learned. */
export type ThingEvent<Thing, Summary = undefined> =
  | { readonly kind: 'start'; readonly thing: Thing }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly summary: Summary };

/**
 * Takes the header off an upload; what comes after it is still to be read.
 * @throws ServiceError UPLOAD_INVALID when the first part is not the header, or (while reading) when another comes
 */
export async function openUpload<Header, Thing>(
  parts: AsyncIterable<UploadPart<Header, Thing>>,
): Promise<{ header: Header; rest: AsyncIterable<ThingPart<Thing>> }> {
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

/** How the things of an upload are checked. */
export interface ThingRules<Thing> {
  /** Checks a thing's description; returns how many bytes follow it, or undefined if it does not say. */
  check(thing: Thing): number | undefined;
  /** The error for a thing whose bytes are more or fewer than announced. */
  sizeError(thing: Thing, expectedBytes: number): Error;
  /** As the header announced it. */
  readonly count: number | undefined;
  readonly countMax: number;
  /** What they are called, for people: `pages`. */
  readonly noun: string;
  readonly bytesMax: number;
  /** What the sender's going away does to this. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Checks the sequence of an upload while it passes: holds nothing but the current part.
 * @throws ServiceError UPLOAD_INVALID, UPLOAD_TOO_LARGE, CANCELLED, and what the rules throw
 */
export async function* checkThings<Thing>(
  parts: AsyncIterable<ThingPart<Thing>>,
  rules: ThingRules<Thing>,
): AsyncGenerator<ThingEvent<Thing>> {
  let current: { thing: Thing; expectedBytes: number | undefined; bytes: number } | undefined;
  let count = 0;
  let totalBytes = 0;
  requireFew(rules.count ?? 0, rules); // before anything of them is read
  const finish = () => {
    if (current?.expectedBytes !== undefined && current.bytes !== current.expectedBytes) {
      throw rules.sizeError(current.thing, current.expectedBytes);
    }
  };
  for await (const part of parts) {
    if (part.kind === 'thing') {
      finish();
      if (current !== undefined) yield { kind: 'end', summary: undefined };
      count += 1;
      requireFew(count, rules);
      current = { thing: part.thing, expectedBytes: rules.check(part.thing), bytes: 0 };
      yield { kind: 'start', thing: part.thing };
      continue;
    }
    if (current === undefined) throw fail('UPLOAD_INVALID', { message: 'Bytes came before what they belong to' });
    current.bytes += part.bytes.byteLength;
    totalBytes += part.bytes.byteLength;
    if (totalBytes > rules.bytesMax) throw fail('UPLOAD_TOO_LARGE', { message: `More than ${rules.bytesMax} bytes` });
    if (current.expectedBytes !== undefined && current.bytes > current.expectedBytes) {
      throw rules.sizeError(current.thing, current.expectedBytes);
    }
    yield { kind: 'bytes', bytes: part.bytes };
  }
  finish();
  if (current !== undefined) yield { kind: 'end', summary: undefined };
  requireWhole(count, rules);
}

function requireFew(count: number, { countMax, noun }: Pick<ThingRules<never>, 'countMax' | 'noun'>): void {
  if (count > countMax) throw fail('UPLOAD_TOO_LARGE', { message: `More than ${countMax} ${noun}` });
}

/** A sender that went away looks like one that has finished, unless it said how much it would send. */
function requireWhole(count: number, rules: Pick<ThingRules<never>, 'count' | 'noun' | 'signal'>): void {
  requirePresent(rules.signal);
  if (rules.count !== undefined && count !== rules.count) {
    throw fail('UPLOAD_INVALID', { message: `${rules.count} ${rules.noun} were announced, ${count} came` });
  }
}

/** @throws ServiceError CANCELLED when the sender went away */
export function requirePresent(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw kitError('CANCELLED');
}
