import { fail } from '../../errors.js';

/** Bytes as base64 text (RFC 4648 section 4) that are decoded a part at a time, without a copy of the whole. */
export interface Base64Bytes {
  readonly sizeBytes: number;
  /** @throws ServiceError REQUEST_INVALID when this part is not base64 */
  slice(from: number, to: number): Buffer;
}

const [CHARACTERS, BYTES] = [4, 3];
const PAD = 0x3d;

/**
 * @param digits - the text, UTF-8
 * @param field - name of the member, for errors
 * @throws ServiceError REQUEST_INVALID when its length or its end is not base64's
 */
export function base64Bytes(digits: Buffer, field: string): Base64Bytes {
  const padding = digits.at(-1) !== PAD ? 0 : digits.at(-2) === PAD ? 2 : 1;
  const sizeBytes = (digits.length / CHARACTERS) * BYTES - padding;
  if (digits.length % CHARACTERS !== 0) throw notBase64(field);
  return {
    sizeBytes,
    slice: (from, to) => {
      const first = Math.floor(from / BYTES);
      const last = Math.ceil(to / BYTES);
      const part = Buffer.from(digits.toString('latin1', first * CHARACTERS, last * CHARACTERS), 'base64');
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
