import { fail } from '../errors.js';

/** Bytes as base64 text (RFC 4648 section 4) that are decoded a part at a time, without a copy of the whole. */
export interface Base64Bytes {
  readonly sizeBytes: number;
  /** @throws ServiceError REQUEST_INVALID when this part is not base64 */
  slice(from: number, to: number): Buffer;
}

const [CHARACTERS, BYTES] = [4, 3];

/**
 * @param text - a JSON string as it was sent, with its quotes
 * @param field - name of the member, for errors
 * @throws ServiceError REQUEST_INVALID when its length or its end is not base64's
 */
export function base64Bytes(text: string, field: string): Base64Bytes {
  const digits = text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1); // `\/` is legal JSON for `/`
  const padding = digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0;
  const sizeBytes = (digits.length / CHARACTERS) * BYTES - padding;
  if (digits.length % CHARACTERS !== 0) throw notBase64(field);
  return {
    sizeBytes,
    slice: (from, to) => {
      const first = Math.floor(from / BYTES);
      const last = Math.ceil(to / BYTES);
      const part = Buffer.from(digits.slice(first * CHARACTERS, last * CHARACTERS), 'base64');
      // the decoder leaves out what is not base64, and ends at a padding
      if (part.length !== Math.min(last * BYTES, sizeBytes) - first * BYTES) throw notBase64(field);
      return part.subarray(from - first * BYTES, to - first * BYTES);
    },
  };
}

function notBase64(field: string) {
  return fail('REQUEST_INVALID', {
    message: `The request is not valid: ${field} is not base64`,
    fields: [{ field, message: 'is not base64' }],
  });
}
