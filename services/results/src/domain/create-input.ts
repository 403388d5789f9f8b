import { fail } from './errors.js';
import { gzipThings } from './gzip.js';
import { documentRules, type InputDocument, type InputHeader, type InputLimits } from './input.js';
import type { InputStore } from './ports.js';
import { inSlot, type Slots } from './slots.js';
import { checkThings, openUpload, type UploadPart } from './upload.js';

/** Decks are text and small: the default balance of zlib. */
const GZIP_LEVEL = 6;

/**
 * Stores a job with its input, whole or not at all. A repeat changes nothing.
 * @throws ServiceError UPLOAD_INVALID, UPLOAD_TOO_LARGE, CANCELLED
 */
export async function createInput(
  ports: { readonly inputs: InputStore; readonly uploads: Slots; readonly limits: InputLimits },
  parts: AsyncIterable<UploadPart<InputHeader, InputDocument>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { header, rest } = await openUpload(parts);
  if (header.ownerId <= 0n) throw fail('UPLOAD_INVALID', { message: 'The input has no owner' });
  const rules = documentRules(ports.limits, { count: header.documentCount, signal });
  const documents = gzipThings(requireText(checkThings(rest, rules)), GZIP_LEVEL);
  await inSlot(ports.uploads, signal, () => ports.inputs.create(header, documents));
}

/** Passes documents on. @throws ServiceError UPLOAD_INVALID when one is not UTF-8 */
async function* requireText(documents: ReturnType<typeof checkThings<InputDocument>>): typeof documents {
  let decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const event of documents) {
    try {
      if (event.kind === 'bytes') decoder.decode(event.bytes, { stream: true });
      if (event.kind === 'end') decoder.decode();
    } catch (cause) {
      throw fail('UPLOAD_INVALID', { message: 'A document of the input is not UTF-8 text', cause });
    }
    if (event.kind === 'end') decoder = new TextDecoder('utf-8', { fatal: true });
    yield event;
  }
}
