import { fail } from '../errors.js';
import { gzip } from '../gzip.js';
import type { ContentMaker, InputStore, StoredDocument } from '../ports.js';
import { checkUpload, openUpload, type ReceivedPart, type UploadPart } from '../upload.js';
import { documentRules, type InputDocument, type InputHeader, type InputLimits } from './input.js';
import type { StoredUsage } from './stored-usage.js';

/** Decks are text and small: the default balance of zlib. */
const GZIP_LEVEL = 6;

/** What storing an input needs. */
export interface CreateInputPorts {
  readonly inputs: InputStore;
  readonly usage: StoredUsage;
  readonly limits: InputLimits;
}

/**
 * Stores a job with its input, whole or not at all. A repeat changes nothing.
 * @throws ServiceError UPLOAD_INVALID, UPLOAD_TOO_LARGE, STORAGE_QUOTA_EXCEEDED, CANCELLED
 */
export async function createInput(
  ports: CreateInputPorts,
  parts: AsyncIterable<ReceivedPart<InputHeader, InputDocument>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { header, rest } = await openUpload(parts);
  requireOwner(header);
  await ports.usage.requireRoom(header.ownerId, header.ownerStoredBytesMax);
  const documents = requireText(
    checkUpload(rest, documentRules(ports.limits), { count: header.documentCount, signal }),
  );
  await store(ports, header, gzipDocuments(documents));
}

async function store(
  { inputs, usage }: CreateInputPorts,
  header: InputHeader,
  content: ContentMaker<StoredDocument[]>,
): Promise<void> {
  let bytes = 0;
  const counted = async function* (): ContentMaker<StoredDocument[]> {
    const documents = yield* content;
    bytes = documents.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
    return documents;
  };
  if (await inputs.create(header, counted())) usage.add(header.ownerId, bytes);
}

function requireOwner({ ownerId }: InputHeader): void {
  if (ownerId <= 0n) throw fail('UPLOAD_INVALID', { message: 'The input has no owner' });
}

/** A gzip member of each document in turn; returns what they are. */
async function* gzipDocuments(parts: AsyncIterable<UploadPart<InputDocument>>): ContentMaker<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  const iterator = parts[Symbol.asyncIterator]();
  let at = 0;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (next.value.kind !== 'start') continue;
    let sizeBytes = 0;
    const start = at;
    const text = async function* () {
      for (let part = await iterator.next(); !part.done && part.value.kind === 'bytes'; part = await iterator.next()) {
        sizeBytes += part.value.bytes.byteLength;
        yield part.value.bytes;
      }
    };
    for await (const bytes of gzip(text(), GZIP_LEVEL)) {
      yield { at, bytes };
      at += bytes.byteLength;
    }
    documents.push({ ...next.value.item, sizeBytes, gzipBytes: at - start });
  }
  return documents;
}

/** Passes documents on. @throws ServiceError UPLOAD_INVALID when one is not UTF-8 */
async function* requireText(
  documents: AsyncIterable<UploadPart<InputDocument>>,
): AsyncGenerator<UploadPart<InputDocument>> {
  let decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const part of documents) {
    try {
      if (part.kind === 'bytes') decoder.decode(part.bytes, { stream: true });
      if (part.kind === 'end') decoder.decode();
    } catch (cause) {
      throw notText(cause);
    }
    if (part.kind === 'end') decoder = new TextDecoder('utf-8', { fatal: true });
    yield part;
  }
}

function notText(cause: unknown) {
  return fail('UPLOAD_INVALID', { message: 'A document of the input is not UTF-8 text', cause });
}
