import { createHash } from 'node:crypto';
import type { Answer } from './answer.js';

/** Before a version in a validator: another number where the same thing is written otherwise. */
const TAG_PREFIX = 'v1-';

/** The version that a client has. */
const toKnownVersion = (ifNoneMatch = '') => /"v1-([\w-]{1,100})"/.exec(ifNoneMatch)?.[1] ?? '';

/** What is asked for, and how it is answered. */
interface Asked<Found> {
  /** @param knownVersion - that the client has; empty: none */
  readonly find: (knownVersion: string) => Promise<Found>;
  /** The text of what was found, JSON; undefined: the client has it. */
  readonly write: (found: Found) => string | undefined;
}

/** Answers with what there is now, unless the client has this version of it. The version is the validator. */
export async function answerUnlessKnown<Found extends { readonly version: string }>(
  request: { header(name: string): string | undefined },
  { find, write }: Asked<Found>,
): Promise<Answer> {
  const found = await find(toKnownVersion(request.header('if-none-match')));
  return { kind: 'text', status: 200, text: write(found), tag: `${TAG_PREFIX}${found.version}` };
}

/** The same for what several services have told: the hash of the text is the validator, and tells nothing that the text does not. */
export function answerUnlessSame(request: { header(name: string): string | undefined }, text: string): Answer {
  const version = createHash('sha256').update(text).digest('base64url');
  const isKnown = toKnownVersion(request.header('if-none-match')) === version;
  return { kind: 'text', status: 200, text: isKnown ? undefined : text, tag: `${TAG_PREFIX}${version}` };
}
