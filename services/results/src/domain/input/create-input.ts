import { isUtf8 } from 'node:buffer';
import type { LimitFunction } from 'p-limit';
import { fail } from '../errors.js';
import { gzip, gzipWhole } from '../gzip.js';
import { inSlot } from '../in-slot.js';
import type { ContentMaker, InputStore, StoredDocument, WholeInput } from '../ports.js';
import { checkUpload, openUpload, type ReceivedPart, requireFew, requireShort, type UploadPart } from '../upload.js';
import { documentRules, type InputDocument, type InputHeader, type InputLimits } from './input.js';
import type { StoredUsage } from './stored-usage.js';

/** Decks are text and small: the default balance of zlib. */
const GZIP_LEVEL = 6;

/** What storing an input needs. */
export interface CreateInputPorts {
  readonly inputs: InputStore;
  readonly usage: StoredUsage;
  readonly uploads: LimitFunction;
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
  await inSlot(ports.uploads, signal, () => store(ports, header, gzipDocuments(documents)));
}

/** A document with its bytes. */
export interface WholeDocument extends Pick<InputDocument, 'role' | 'name'> {
  readonly content: Uint8Array;
}

/** An input with its documents. */
export interface SmallInput {
  readonly header: InputHeader;
  readonly documents: readonly WholeDocument[];
}

/** All documents of an input that comes in one message, bytes. */
const SMALL_INPUT_BYTES_MAX = 1024 * 1024;

/** {@link createInput} for an input that is in memory. Returns what its owner may still store, bytes; undefined: there is no bound. */
export async function createSmallInput(ports: CreateInputPorts, input: SmallInput): Promise<number | undefined> {
  const { ownerId, ownerStoredBytesMax } = input.header;
  checkSmallInput(ports.limits, input);
  await ports.usage.requireRoom(ownerId, ownerStoredBytesMax);
  await storeAll(ports, [input]);
  return ports.usage.readRoom(ownerId, ownerStoredBytesMax);
}

/**
 * The same for inputs of jobs that have been accepted already: no quota refuses them. All or none are refused.
 * @param ownerStoredBytesMax - undefined: there is no bound
 * @returns what each owner may still store, bytes; negative: he has more; no entry: it is not known
 * @throws ServiceError UPLOAD_INVALID, UPLOAD_TOO_LARGE
 */
export async function createSmallInputs(
  ports: CreateInputPorts,
  inputs: readonly SmallInput[],
  ownerStoredBytesMax: number | undefined,
): Promise<ReadonlyMap<bigint, number>> {
  for (const input of inputs) checkSmallInput(ports.limits, input);
  await storeAll(ports, inputs);
  const rooms = new Map<bigint, number>();
  for (const { header } of inputs) {
    const room = ports.usage.readRoom(header.ownerId, ownerStoredBytesMax);
    if (room !== undefined) rooms.set(header.ownerId, room);
  }
  return rooms;
}

/** @throws ServiceError UPLOAD_INVALID, UPLOAD_TOO_LARGE */
function checkSmallInput(limits: InputLimits, { header, documents }: SmallInput): void {
  requireOwner(header);
  const rules = documentRules(limits);
  requireFew(documents.length, rules);
  const bytes = documents.reduce((sum, { content }) => sum + content.byteLength, 0);
  requireShort(bytes, { bytesMax: Math.min(limits.inputBytesMax, SMALL_INPUT_BYTES_MAX) });
  for (const { role, name, content } of documents) {
    rules.check({ role, name, sizeBytes: undefined });
    if (!isUtf8(content)) throw notText();
  }
}

async function storeAll({ inputs, usage }: CreateInputPorts, all: readonly SmallInput[]): Promise<void> {
  const whole = all.map(gzipInput);
  const created = await inputs.createAll(whole);
  for (const { header, gzip } of whole) {
    if (created.has(header.jobId)) usage.add(header.ownerId, gzip.byteLength);
  }
}

function gzipInput({ header, documents }: SmallInput): WholeInput {
  const members = documents.map(({ content }) => gzipWhole(content, GZIP_LEVEL));
  const stored = documents.map(({ role, name, content }, index) => {
    return { role, name, sizeBytes: content.byteLength, gzipBytes: members[index]?.byteLength ?? 0 };
  });
  return { header, documents: stored, gzip: Buffer.concat(members) };
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

function notText(cause?: unknown) {
  return fail('UPLOAD_INVALID', { message: 'A document of the input is not UTF-8 text', cause });
}
