import { isUtf8 } from 'node:buffer';

const REPLACEMENT = 0x3f; // ?
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Length of the longest beginning of `bytes` that does not end inside a UTF-8 character (RFC 3629). */
export function wholeCharacters(bytes: Uint8Array): number {
  let lead = bytes.length - 1;
  while (lead >= 0 && lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--;
  const first = bytes[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead >= 0 && lead + length > bytes.length ? lead : bytes.length;
}

/** Where in bytes that were cut out of a text the first whole character begins. */
export function characterStart(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
}

/**
 * Bytes of a log as text of the same length in UTF-8, so that offsets in the file are offsets in the text. Where it is not
 * UTF-8, each byte beyond ASCII becomes a question mark.
 */
export function toText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return Buffer.from(bytes.map((byte) => (byte < 0x80 ? byte : REPLACEMENT))).toString('latin1');
}
