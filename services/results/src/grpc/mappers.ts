import { pageHeaderMessage, pageKindOf, results } from '@tally/contracts';
import type { PageKind } from '@tally/merge';
import { fail } from '../domain/errors.js';
import type { ResultsPart } from '../domain/get-results.js';
import type { DocumentRole, InputDocument, InputHeader, InputKind } from '../domain/input.js';
import type { EstimatorPageHeader, PageSummary } from '../domain/page.js';
import type { FinalPageHeader, ResultsUploadHeader, StoredResults } from '../domain/result.js';
import type { PageSelection } from '../domain/selection.js';
import type { TaskOutputHeader } from '../domain/task-output.js';
import type { UploadPart } from '../domain/upload.js';

const JOB_ID = /^[\w.-]{1,128}$/;

/** False: no job can have this id. */
export function isJobId(text: string): boolean {
  return JOB_ID.test(text);
}

/** A job id that a job may have. @throws ServiceError JOB_NOT_FOUND for any other text */
export function parseJobId(jobId: string): string {
  if (!isJobId(jobId)) throw fail('JOB_NOT_FOUND');
  return jobId;
}

function parsePageKind(message: results.PageKind): PageKind {
  const kind = pageKindOf(message);
  if (kind === undefined) throw fail('UPLOAD_INVALID', { message: 'A page has no kind' });
  return kind;
}

function parseInputKind(kind: results.InputKind): InputKind {
  switch (kind) {
    case results.InputKind.INPUT_KIND_EDITOR:
      return 'editor';
    case results.InputKind.INPUT_KIND_FILES:
      return 'files';
    case results.InputKind.INPUT_KIND_UNSPECIFIED:
      throw fail('UPLOAD_INVALID', { message: 'The input has no kind' });
  }
}

/** @throws ServiceError UPLOAD_INVALID for the unspecified one */
export function parseRole(role: results.DocumentRole): DocumentRole {
  switch (role) {
    case results.DocumentRole.DOCUMENT_ROLE_SUBMITTED:
      return 'submitted';
    case results.DocumentRole.DOCUMENT_ROLE_DECK:
      return 'deck';
    case results.DocumentRole.DOCUMENT_ROLE_UNSPECIFIED:
      throw fail('UPLOAD_INVALID', { message: 'A document has no role' });
  }
}

const INPUT_KINDS: Readonly<Record<InputKind, results.InputKind>> = {
  editor: results.InputKind.INPUT_KIND_EDITOR,
  files: results.InputKind.INPUT_KIND_FILES,
};
const ROLES: Readonly<Record<DocumentRole, results.DocumentRole>> = {
  submitted: results.DocumentRole.DOCUMENT_ROLE_SUBMITTED,
  deck: results.DocumentRole.DOCUMENT_ROLE_DECK,
};

function requirePart<T>(part: T | undefined): T {
  if (part === undefined) throw fail('UPLOAD_INVALID', { message: 'A message of the upload is empty' });
  return part;
}

export function parseInputPart(message: results.CreateInputRequest): UploadPart<InputHeader, InputDocument> {
  const part = requirePart(message.part);
  switch (part.$case) {
    case 'header': {
      const { jobId, ownerId, kind, documentCount } = part.value;
      if (!isJobId(jobId)) throw fail('UPLOAD_INVALID', { message: 'The job id is malformed' });
      return { kind: 'header', header: { jobId, ownerId, kind: parseInputKind(kind), documentCount } };
    }
    case 'document': {
      const { role, name, sizeBytes } = part.value;
      const thing = { role: parseRole(role), name, sizeBytes: sizeBytes === undefined ? undefined : Number(sizeBytes) };
      return { kind: 'thing', thing };
    }
    case 'chunk':
      return { kind: 'bytes', bytes: part.value };
  }
}

export function toInputMessage(part: UploadPart<InputHeader, InputDocument>): results.GetInputResponse {
  switch (part.kind) {
    case 'header': {
      const value = { ...part.header, kind: INPUT_KINDS[part.header.kind] };
      return { part: { $case: 'header', value } };
    }
    case 'thing':
      return { part: { $case: 'document', value: { role: ROLES[part.thing.role], name: part.thing.name } } };
    case 'bytes':
      return { part: { $case: 'chunk', value: toBuffer(part.bytes) } };
  }
}

function parsePageHeader(page: results.PageHeader): FinalPageHeader {
  const { nonFiniteCount = 0, recordCount, metadataJson, ...header } = page;
  const list = recordCount === undefined ? {} : { recordCount: Number(recordCount) };
  const metadata = metadataJson === undefined ? {} : { metadataJson: parseMetadata(metadataJson) };
  return { ...header, ...list, ...metadata, kind: parsePageKind(page.kind), nonFiniteCount };
}

/** Text of a JSON object, and of nothing else: it is shown as it is. */
function parseMetadata(text: string): string {
  const value = (() => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  })();
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value);
  throw fail('UPLOAD_INVALID', { message: 'The metadata of a page is not a JSON object' });
}

/** What a page is. */
export function toPageHeader(header: EstimatorPageHeader): results.PageHeader {
  return pageHeaderMessage(header, header.estimatorIndex);
}

export function parseTaskOutputPart(
  message: results.PutTaskOutputRequest,
): UploadPart<TaskOutputHeader, EstimatorPageHeader> {
  const part = requirePart(message.part);
  switch (part.$case) {
    case 'header': {
      const { jobId, primaries, pageCount, ...header } = part.value;
      return {
        kind: 'header',
        header: { ...header, jobId: parseJobId(jobId), primaries: Number(primaries), pageCount },
      };
    }
    case 'page': {
      const { nonFiniteCount: _, metadataJson: _unused, ...thing } = parsePageHeader(part.value);
      return { kind: 'thing', thing };
    }
    case 'chunk':
      return { kind: 'bytes', bytes: part.value };
  }
}

export function parseResultsPart(message: results.PutResultsRequest): UploadPart<ResultsUploadHeader, FinalPageHeader> {
  const part = requirePart(message.part);
  switch (part.$case) {
    case 'header': {
      const { jobId, primaries, version: _, pageCount, ...header } = part.value;
      const read = { jobId: parseJobId(jobId), primaries: Number(primaries), pageCount };
      return { kind: 'header', header: { ...header, ...read } };
    }
    case 'page':
      return { kind: 'thing', thing: parsePageHeader(part.value) };
    case 'chunk':
      return { kind: 'bytes', bytes: part.value };
  }
}

export function toResultsHeader(header: StoredResults, pageCount: number): results.ResultsHeader {
  return { ...header, primaries: BigInt(header.primaries), warnings: [...header.warnings], pageCount };
}

export function toResultsMessage(part: ResultsPart): results.GetResultsResponse {
  switch (part.kind) {
    case 'header':
      return { part: { $case: 'header', value: toResultsHeader(part.header, part.pageCount) } };
    case 'page': {
      const { estimatorName, pageNumber } = part.page;
      return { part: { $case: 'page', value: { estimatorName, pageNumber } } };
    }
    case 'bytes':
      return { part: { $case: 'chunk', value: toBuffer(part.bytes) } };
  }
}

/** A page without numbers. */
export function toEstimatorPage({ pageNumber, pageName, sizes, nonFiniteCount }: PageSummary): results.EstimatorPage {
  return { pageNumber, name: pageName, sizes: [...sizes], nonFiniteCount };
}

export function parseSelection({ estimatorName, pages }: results.GetResultsRequest): PageSelection {
  return { estimatorName: estimatorName === '' ? undefined : estimatorName, ranges: pages };
}

/** The same bytes, not a copy. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Each message of a stream, mapped. */
export async function* mapStream<In, Out>(stream: AsyncIterable<In>, map: (part: In) => Out): AsyncGenerator<Out> {
  for await (const part of stream) yield map(part);
}
