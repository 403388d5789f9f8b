import { pageSizeBytes, withListedBins } from '@tally/merge';
import { fail } from '../errors.js';
import { type AppendLogPorts, changeLogs, checkPiece, continuationOf } from '../log/append-logs.js';
import type { LogPiece } from '../log/logfile.js';
import { binsOf, type EstimatorPageHeader } from '../page/page.js';
import { decidePages, type KnownPages } from '../page/page-agreement.js';
import { type PageLimits, pageRules } from '../page/page-rules.js';
import { layOut } from '../page/page-set.js';
import type { ContentMaker, NewTaskOutput, TaskOutputStore } from '../ports.js';
import { checkUpload, openUpload, type ReceivedPart, requireAny, type UploadPart } from '../upload.js';
import { checkTaskOutputHeader, type TaskOutputHeader } from './task-output.js';

/** What putting the output of a task needs. */
export interface TaskOutputPorts {
  readonly taskOutputs: TaskOutputStore;
  readonly limits: PageLimits;
}

/** What a task's output begins with. */
export interface TaskOutputUpload extends TaskOutputHeader {
  /** What is left of the task's log. */
  readonly log: LogPiece | undefined;
}

/** A part of a task's output as it comes in: header, pages with their bytes, then remainders, if there are any. */
export type TaskOutputPart =
  | ReceivedPart<TaskOutputUpload, EstimatorPageHeader>
  | { readonly kind: 'remainders'; readonly bytes: Uint8Array };

/** What is known of an output when its bytes are through. */
interface OutputArrays {
  readonly headers: EstimatorPageHeader[];
  readonly hasRemainders: boolean;
}

/** Bytes of the arrays of a page. */
export const momentBytes = (page: EstimatorPageHeader) => pageSizeBytes(page.kind, binsOf(page));

/**
 * Stores one task's output whole or not at all, in place of what the task stored before, and then the last of its log.
 * @throws ServiceError UPLOAD_INVALID, PAGE_SHAPE, PAGE_MISMATCH, UPLOAD_TOO_LARGE, LOG_INVALID, JOB_NOT_FOUND, CANCELLED
 */
export async function putTaskOutput(
  ports: TaskOutputPorts & AppendLogPorts,
  parts: AsyncIterable<TaskOutputPart>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { taskOutputs, limits } = ports;
  const { pages, remainders } = splitRemainders(parts);
  const { header: upload, rest } = await openUpload(pages);
  const { log, ...header } = upload;
  checkTaskOutputHeader(header, limits);
  if (log !== undefined) checkPiece(log);
  const rules = pageRules(limits, momentBytes, { listsBins: true });
  const checked = requireAny(checkUpload(rest, rules, { count: header.pageCount, signal }));
  const made = describe(header, arraysOf(checked, remainders));
  const decide = (known: KnownPages, output: NewTaskOutput & { readonly headers: EstimatorPageHeader[] }) =>
    decidePages(known, output.headers, output, limits);
  const { isLogAppended } = await taskOutputs.put(header.jobId, made, decide, log && continuationOf(log));
  if (log !== undefined && !isLogAppended) await changeLogs(ports, log.jobId, [log]);
}

async function* describe(
  header: TaskOutputHeader,
  arrays: ContentMaker<OutputArrays>,
): ContentMaker<NewTaskOutput & { headers: EstimatorPageHeader[] }> {
  const { headers, hasRemainders } = yield* arrays;
  return { header, headers, ...layOut(headers, hasRemainders) };
}

/** The arrays of all pages in turn, then their remainders. */
async function* arraysOf(
  parts: AsyncIterable<UploadPart<EstimatorPageHeader>>,
  remainders: AsyncIterable<Uint8Array>,
): ContentMaker<OutputArrays> {
  const headers: EstimatorPageHeader[] = [];
  let at = 0;
  for await (const part of parts) {
    if (part.kind === 'start') headers.push(withListedBins(part.item));
    if (part.kind !== 'bytes') continue;
    yield { at, bytes: part.bytes };
    at += part.bytes.byteLength;
  }
  const arrayBytes = at;
  for await (const bytes of remainders) {
    checkRemainders(at - arrayBytes + bytes.byteLength, arrayBytes);
    yield { at, bytes };
    at += bytes.byteLength;
  }
  const hasRemainders = at > arrayBytes;
  if (hasRemainders && at !== 2 * arrayBytes) throw wrongRemainders(arrayBytes);
  return { headers, hasRemainders };
}

/** Before they are taken in. @throws ServiceError PAGE_SHAPE */
function checkRemainders(bytes: number, arrayBytes: number): void {
  if (bytes > arrayBytes) throw wrongRemainders(arrayBytes);
}

/** The error for remainders that are more or fewer than the numbers. */
function wrongRemainders(arrayBytes: number) {
  return fail('PAGE_SHAPE', { message: `The remainders of all pages take exactly ${arrayBytes} bytes` });
}

/** The pages of an output, and, once they have been read, what comes behind them. */
function splitRemainders(parts: AsyncIterable<TaskOutputPart>) {
  const iterator = parts[Symbol.asyncIterator]();
  let first: Uint8Array | undefined;
  async function* pages(): AsyncGenerator<ReceivedPart<TaskOutputUpload, EstimatorPageHeader>> {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      if (next.value.kind === 'remainders') {
        first = next.value.bytes;
        return;
      }
      yield next.value;
    }
  }
  async function* remainders(): AsyncGenerator<Uint8Array> {
    if (first === undefined) return;
    yield first;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      if (next.value.kind !== 'remainders') {
        throw fail('UPLOAD_INVALID', { message: 'Nothing comes behind the remainders of an output' });
      }
      yield next.value.bytes;
    }
  }
  return { pages: pages(), remainders: remainders() };
}
