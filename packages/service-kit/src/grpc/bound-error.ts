import { type FieldFault, ServiceError } from '../errors.js';

/** Fields that an answer names: more than anybody mends at a time. */
const FIELDS_MAX = 100;
/** Longest path of a field, longest sentence about it, and longest message, in UTF-16 units. */
const FIELD_LENGTH_MAX = 512;
const SENTENCE_LENGTH_MAX = 1_024;
const MESSAGE_LENGTH_MAX = 2_048;
/**
 * All fields together, bytes of UTF-8. Node ends an HTTP/2 connection, and with it everybody's calls on it, when a block of headers passes
 * 64 KiB. Fields travel in base64, and the message both so and percent-encoded: at most 37 KiB + 8 KiB + 18 KiB.
 */
const FIELDS_BYTES_MAX = 28_000;
const DETAIL_BYTES = 16; // lengths and tags around a field

/**
 * The error with no more than the trailer of a call may carry: long texts lose their middle, and the message says how many faults are
 * left out. A bounded error is its own bound.
 */
export function boundError(err: ServiceError): ServiceError {
  const fields = boundFields(err.fields);
  const left = err.fields.length - fields.length;
  const note = left === 0 ? '' : ` (the first ${fields.length} of ${err.fields.length} faults are named)`;
  const message = shorten(err.message, MESSAGE_LENGTH_MAX - note.length) + note;
  if (left === 0 && message === err.message && fields.every((field, at) => field === err.fields[at])) return err;
  const delay = err.retryAfterMs === undefined ? {} : { retryAfterMs: err.retryAfterMs };
  return new ServiceError(err.domain, err.reason, err.status, message, { fields, ...delay, cause: err.cause });
}

function boundFields(fields: readonly FieldFault[]): FieldFault[] {
  const kept: FieldFault[] = [];
  let bytes = 0;
  for (const given of fields.slice(0, FIELDS_MAX)) {
    const field = shorten(given.field, FIELD_LENGTH_MAX);
    const message = shorten(given.message, SENTENCE_LENGTH_MAX);
    bytes += Buffer.byteLength(field) + Buffer.byteLength(message) + DETAIL_BYTES;
    if (bytes > FIELDS_BYTES_MAX) break;
    kept.push(field === given.field && message === given.message ? given : { field, message });
  }
  return kept;
}

/** The begin and the end of a text, which may quote a long word between them. */
function shorten(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const tail = Math.floor(lengthMax / 3);
  const head = lengthMax - tail - 1;
  // no half of a surrogate pair on either side of the cut
  return `${text.slice(0, head).replace(/[\uD800-\uDBFF]$/, '')}…${text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '')}`;
}
