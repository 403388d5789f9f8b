import {
  AXIS_TAKES,
  DOCUMENT_ROLES,
  EXPORT_FORMATS,
  INPUT_KINDS,
  nameOf,
  pageHeaderMessage,
  pageKindOf,
  type results,
} from '@tally/contracts';
import type { AxisSelection, JobDescription, PageKind } from '@tally/merge';
import type { TextPart } from '@tally/number-text';
import { fail } from '../domain/errors.js';
import type { DocumentRole, InputDocument, InputHeader, InputKind } from '../domain/input/input.js';
import type { LogsPart } from '../domain/log/get-logs.js';
import type { LogPiece } from '../domain/log/logfile.js';
import { momentBytes, type TaskOutputPart, type TaskOutputUpload } from '../domain/output/put-task-output.js';
import type { TaskOutputHeader } from '../domain/output/task-output.js';
import type { EstimatorPageHeader, PageSummary } from '../domain/page/page.js';
import type { PageAxes, PagePart } from '../domain/page/page-view.js';
import type { PageSelection } from '../domain/page/selection.js';
import type { CrateRun, CrateSubmission } from '../domain/result/crate-metadata.js';
import type { CratePart } from '../domain/result/export-crate.js';
import type { ExportFormat, ExportPart, WantedFile } from '../domain/result/export-results.js';
import type { ResultsPart } from '../domain/result/get-results.js';
import type { listEstimators } from '../domain/result/list-estimators.js';
import type { FinalPageHeader, ResultsUploadHeader, StoredResults } from '../domain/result/result.js';
import type { ReceivedPart } from '../domain/upload.js';

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

function parseInputKind(message: results.InputKind): InputKind {
  const kind = nameOf(INPUT_KINDS, message);
  if (kind === undefined) throw fail('UPLOAD_INVALID', { message: 'The input has no kind' });
  return kind;
}

/** @throws ServiceError UPLOAD_INVALID for the unspecified one */
export function parseRole(message: results.DocumentRole): DocumentRole {
  const role = nameOf(DOCUMENT_ROLES, message);
  if (role === undefined) throw fail('UPLOAD_INVALID', { message: 'A document has no role' });
  return role;
}

function requirePart<T>(part: T | undefined): T {
  if (part === undefined) throw fail('UPLOAD_INVALID', { message: 'A message of the upload is empty' });
  return part;
}

/** @throws ServiceError UPLOAD_INVALID */
function parseInputHeader(header: results.InputHeader): InputHeader {
  const { jobId, ownerId, kind, documentCount, warnings, simulatorDeckNote, descriptionJson, ownerStoredBytesMax } =
    header;
  if (!isJobId(jobId)) throw fail('UPLOAD_INVALID', { message: 'The job id is malformed' });
  const notes = {
    warnings,
    ...(simulatorDeckNote === undefined ? {} : { simulatorDeckNote }),
    ...(descriptionJson === undefined ? {} : { description: parseDescription(descriptionJson) }),
  };
  const quota = ownerStoredBytesMax === undefined ? undefined : Number(ownerStoredBytesMax);
  return { jobId, ownerId, kind: parseInputKind(kind), documentCount, ownerStoredBytesMax: quota, ...notes };
}

/** Its sender has made it by the type of packages/merge. @throws ServiceError UPLOAD_INVALID for what is no object */
function parseDescription(text: string): JobDescription {
  try {
    const description: unknown = JSON.parse(text);
    if (typeof description === 'object' && description !== null) return description as JobDescription;
  } catch {
    // told below
  }
  throw fail('UPLOAD_INVALID', { message: 'The description of the job is no JSON object' });
}

export function parseInputPart(message: results.CreateInputRequest): ReceivedPart<InputHeader, InputDocument> {
  const part = requirePart(message.part);
  switch (part.$case) {
    case 'header':
      return { kind: 'header', header: parseInputHeader(part.value) };
    case 'document': {
      const { role, name, sizeBytes } = part.value;
      const item = { role: parseRole(role), name, sizeBytes: sizeBytes === undefined ? undefined : Number(sizeBytes) };
      return { kind: 'item', item };
    }
    case 'chunk':
      return { kind: 'bytes', bytes: part.value };
  }
}

export function toInputMessage(part: ReceivedPart<InputHeader, InputDocument>): results.GetInputResponse {
  switch (part.kind) {
    case 'header': {
      const { kind, warnings, description: _, ownerStoredBytesMax: __, ...header } = part.header;
      const value = { ...header, kind: INPUT_KINDS[kind], warnings: [...warnings] };
      return { part: { $case: 'header', value } };
    }
    case 'item':
      return { part: { $case: 'document', value: { role: DOCUMENT_ROLES[part.item.role], name: part.item.name } } };
    case 'bytes':
      return { part: { $case: 'chunk', value: toBuffer(part.bytes) } };
  }
}

/** What a page of a task's output is. */
export function parsePageHeader(page: results.PageHeader): EstimatorPageHeader {
  const { estimatorIndex, estimatorName, fileName, pageNumber, pageName, unit, scale, axes, recordCount } = page;
  const names = { estimatorIndex, estimatorName, fileName, pageNumber, pageName };
  const list = recordCount === undefined ? {} : { recordCount: Number(recordCount) };
  return { ...names, kind: parsePageKind(page.kind), unit, scale, axes, ...list };
}

/** What a page is that may be large. */
function parseLargePageHeader(page: results.PageHeader): EstimatorPageHeader {
  const { numberedBins } = page;
  return { ...parsePageHeader(page), ...(numberedBins === undefined ? {} : { numberedBins: Number(numberedBins) }) };
}

function parseFinalPageHeader(page: results.PageHeader): FinalPageHeader {
  const { nonFiniteCount = 0, metadataJson, hasNoErrors = false } = page;
  const metadata = metadataJson === undefined ? {} : { metadataJson: parseMetadata(metadataJson) };
  return { ...parseLargePageHeader(page), ...metadata, nonFiniteCount, hasNoErrors };
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

/** The parts that a message has; of a small output all of them. @throws ServiceError UPLOAD_INVALID, JOB_NOT_FOUND */
export function parseTaskOutputParts(message: results.PutTaskOutputRequest): readonly TaskOutputPart[] {
  if (message.remainders !== undefined) return [{ kind: 'remainders', bytes: message.remainders }];
  const part = requirePart(message.part);
  switch (part.$case) {
    case 'header': {
      const { whole } = part.value;
      return [{ kind: 'header', header: parseTaskOutputHeader(part.value) }, ...(whole ? wholeParts(whole) : [])];
    }
    case 'page':
      return [{ kind: 'item', item: parseLargePageHeader(part.value) }];
    case 'chunk':
      return [{ kind: 'bytes', bytes: part.value }];
  }
}

function parseTaskOutputHeader(header: results.TaskOutputHeader): TaskOutputUpload {
  const { jobId, primaries, pageCount, log, whole: _, ...rest } = header;
  const task = { ...rest, jobId: parseJobId(jobId), primaries: Number(primaries), pageCount };
  return { ...task, log: log && parseLogText(task, log) };
}

/** Each page with its arrays; what is too much belongs to the last one. */
function wholeParts({ pages, content, remainders }: results.WholePages): TaskOutputPart[] {
  let at = 0;
  const parts = pages.flatMap((message, index): TaskOutputPart[] => {
    const item = parseLargePageHeader(message);
    const from = at;
    at = index === pages.length - 1 ? content.byteLength : at + momentBytes(item);
    return [
      { kind: 'item', item },
      { kind: 'bytes', bytes: content.subarray(from, at) },
    ];
  });
  return remainders === undefined ? parts : [...parts, { kind: 'remainders', bytes: remainders }];
}

/** The last piece of a task's log, as it comes with the task's output. */
function parseLogText({ jobId, taskId, attemptId }: TaskOutputHeader, { offset, text }: results.LogText): LogPiece {
  return { jobId, key: { taskId }, attemptId, offset: Number(offset), text, isRestart: false, isNote: false };
}

export function parseResultsPart(
  message: results.PutResultsRequest,
): ReceivedPart<ResultsUploadHeader, FinalPageHeader> {
  const part = requirePart(message.part);
  switch (part.$case) {
    case 'header': {
      const { jobId, primaries, version: _, pageCount, ...header } = part.value;
      const read = { jobId: parseJobId(jobId), primaries: Number(primaries), pageCount };
      return { kind: 'header', header: { ...header, ...read } };
    }
    case 'page':
      return { kind: 'item', item: parseFinalPageHeader(part.value) };
    case 'chunk':
      return { kind: 'bytes', bytes: part.value };
  }
}

export function toResultsHeader(header: StoredResults, pageCount: number): results.ResultsHeader {
  const { description, ...rest } = header;
  const told = description === undefined ? {} : { descriptionJson: JSON.stringify(description) };
  return { ...rest, primaries: BigInt(header.primaries), warnings: [...header.warnings], pageCount, ...told };
}

export function toResultsMessage(part: ResultsPart): results.GetResultsResponse {
  switch (part.kind) {
    case 'header':
      return { part: { $case: 'header', value: toResultsHeader(part.header, part.pageCount) } };
    case 'page': {
      const { estimatorName, pageNumber } = part.page;
      return { part: { $case: 'page', value: { estimatorName, pageNumber } } };
    }
    case 'text':
      return { part: toTextMessage(part.text) };
  }
}

function toTextMessage(part: TextPart): results.GetResultsResponse['part'] {
  if ('text' in part) return { $case: 'chunk', value: toBuffer(part.text) };
  if ('nullCount' in part) return { $case: 'nullCount', value: part.nullCount };
  if ('counted' in part) return { $case: 'counted', value: part.counted };
  return { $case: part.hasNulls ? 'numbersOrNulls' : 'numbers', value: toBuffer(part.numbers) };
}

/** A page without numbers. */
function toEstimatorPage({ pageNumber, pageName, sizes, nonFiniteCount }: PageSummary): results.EstimatorPage {
  return { pageNumber, name: pageName, sizes: [...sizes], nonFiniteCount };
}

export function toEstimators({
  header,
  pageCount,
  estimators,
}: Awaited<ReturnType<typeof listEstimators>>): results.ListEstimatorsResponse {
  return {
    header: toResultsHeader(header, pageCount),
    estimators: estimators.map(({ name, pages }) => ({ name, pages: pages.map(toEstimatorPage) })),
  };
}

/** @throws ServiceError JOB_NOT_FOUND */
export function parseLogPieces({ jobId, attemptId, texts }: results.AppendLogsRequest): LogPiece[] {
  const id = parseJobId(jobId);
  return texts.map(({ taskId, name = '', offset, text, isRestart = false, isNote = false }) => {
    const key = name === '' ? { taskId } : { name };
    return { jobId: id, key, attemptId, offset: Number(offset), text, isRestart, isNote };
  });
}

export function toLogsMessage(part: LogsPart): results.GetLogsResponse {
  if (part.kind === 'log') return { part: { $case: 'key', value: part.key } };
  return { part: { $case: 'chunk', value: toBuffer(part.text) } };
}

export function parseSelection({
  estimatorName,
  pages,
}: Pick<results.GetResultsRequest, 'estimatorName' | 'pages'>): PageSelection {
  return { estimatorName: estimatorName === '' ? undefined : estimatorName, ranges: pages };
}

/** What of each page is wanted. @throws ServiceError AXIS_INVALID */
export function parsePart({
  axes,
  hasEffectiveHistories = false,
  unit,
}: Pick<results.GetResultsRequest, 'axes' | 'hasEffectiveHistories' | 'unit'>): PagePart {
  return { axes: parseAxes(axes), hasEffectiveHistories, unit };
}

/** @throws ServiceError FORMAT_UNSUITABLE */
export function parseWantedFile(request: results.ExportResultsRequest): WantedFile {
  const { format, hasDescription = false, particles } = request;
  return { format: parseFormat(format), hasDescription, particles };
}

function parseAxes(axes: readonly results.AxisSelection[]): PageAxes {
  if (new Set(axes.map(({ axis }) => axis)).size < axes.length) {
    throw fail('AXIS_INVALID', { message: 'An axis is selected twice' });
  }
  return axes.map(({ axis, first, last, take }) => ({ axis, first, last, take: parseTake(take) }));
}

function parseTake(message: results.AxisTake): AxisSelection['take'] {
  const take = nameOf(AXIS_TAKES, message);
  if (take === undefined) throw fail('AXIS_INVALID', { message: 'It is not said what becomes of an axis' });
  return take;
}

/** @throws ServiceError FORMAT_UNSUITABLE for the unspecified one */
export function parseFormat(message: results.ExportFormat): ExportFormat {
  const format = nameOf(EXPORT_FORMATS, message);
  if (format === undefined) throw fail('FORMAT_UNSUITABLE', { message: 'No format is named' });
  return format;
}

export function toExportMessage(part: ExportPart): results.ExportResultsResponse {
  if (part.kind === 'bytes') return { part: { $case: 'chunk', value: toBuffer(part.bytes) } };
  const { header, pageCount, mediaType, fileName, pageJson } = part;
  return {
    part: { $case: 'header', value: { results: toResultsHeader(header, pageCount), mediaType, fileName, pageJson } },
  };
}

/** @throws ServiceError JOB_NOT_FOUND, UPLOAD_INVALID */
export function parseCrateRun({ jobId, job, agent, license, version }: results.ExportCrateRequest): CrateRun {
  const { primaries, startTime, endTime, submission: sent, ...run } = requirePart(job);
  const submission = sent && toCrateSubmission(sent);
  const times = { startTime: requirePart(startTime), endTime };
  return {
    ...run,
    ...times,
    submission,
    jobId: parseJobId(jobId),
    primaries: Number(primaries),
    agent,
    license,
    version,
  };
}

function toCrateSubmission({ taskCount, targetJson, extensions }: results.CrateSubmission): CrateSubmission {
  const target: unknown = targetJson === '' ? undefined : JSON.parse(targetJson);
  const counts = extensions.map((one) => ({ primaries: Number(one.primaries), taskCount: one.taskCount }));
  return { taskCount, target, extensions: counts };
}

export function toCrateMessage(part: CratePart): results.ExportCrateResponse {
  if (part.kind === 'bytes') return { part: { $case: 'chunk', value: toBuffer(part.bytes) } };
  return { part: { $case: 'header', value: { fileName: part.fileName, version: part.version } } };
}

/** The same bytes, not a copy. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Each message of a stream, mapped. */
export async function* mapStream<In, Out>(stream: AsyncIterable<In>, map: (part: In) => Out): AsyncGenerator<Out> {
  for await (const part of stream) yield map(part);
}
