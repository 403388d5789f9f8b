import { StringDecoder } from 'node:string_decoder';
import { pageHeaderMessage, putSmallTaskOutputMessage, putTaskOutputMessages, results } from '@tally/contracts';
import { countBins, decodeMoments, encodeNumbers, pageSizeBytes } from '@tally/merge';
import {
  type CallOptions,
  type ClientOf,
  createGrpcClient,
  type GrpcClientOptions,
  type GrpcConnection,
  ServiceError,
} from '@tally/service-kit';
import type { FinishedPage, MergeResults, ResultsHeader, StoredPart, TaskParts, TaskResults } from '../domain/ports.js';
import { isRefusal } from '../domain/retry.js';
import type { WorkOrder } from '../domain/task.js';
import { toCount, toPage } from './mappers.js';

/** Bytes of numbers in one message; the contract's limit. */
const CHUNK_BYTES = 256 * 1024;

export interface ResultsClientOptions extends GrpcClientOptions {
  /** Time limit of one upload or download. */
  readonly transferTimeoutMs: number;
  /** Time limit of storing merged results, merging included. */
  readonly mergeTimeLimitMs: number;
  /** A larger deck is refused. */
  readonly deckBytesMax: number;
}

/** The results service over gRPC. */
export function createResultsClient(options: ResultsClientOptions): TaskResults & MergeResults & GrpcConnection {
  const client = createGrpcClient(results.ResultsServiceService, options);
  const transfer = (signal: AbortSignal): CallOptions => ({ timeoutMs: options.transferTimeoutMs, signal });
  const appendLog: TaskResults['appendLog'] = async ({ jobId, taskId, attemptId }, { offset, text }, signal) => {
    await client.appendLog({ jobId, taskId, attemptId, offset: BigInt(offset), text: Buffer.from(text) }, { signal });
  };
  return {
    getDeck(jobId, signal) {
      const roles = [results.DocumentRole.DOCUMENT_ROLE_DECK];
      return readDeck(client.getInput({ jobId, roles }, transfer(signal)), options.deckBytesMax);
    },
    appendLog,
    async storeTask(order, { log, output }, signal) {
      if (await isStoredAtOnce(client, order, { log, output }, transfer(signal))) return { isLogTaken: true };
      const [isLogTaken] = await Promise.all([
        log === undefined || taken(appendLog(order, log, signal)),
        output && client.putTaskOutput(putTaskOutputMessages(order, output), transfer(signal)),
      ]);
      return { isLogTaken };
    },
    async mergeOutputs({ jobId, taskIds, isPartial, isStopped, number: mergeNumber, errorPages }, signal) {
      try {
        const call = { timeoutMs: options.mergeTimeLimitMs, signal };
        const request = { jobId, taskIds: [...taskIds], isPartial, isStopped, mergeNumber, errorPages };
        return await client.mergeOutputs(request, call);
      } catch (err) {
        if (err instanceof ServiceError && err.status === 'UNIMPLEMENTED') return { isMerged: false };
        throw err;
      }
    },
    async listTaskPages(jobId, taskIds, signal) {
      const answer = await client.listTaskPages({ jobId, taskIds: [...taskIds] }, transfer(signal));
      return { ...answer, pages: answer.pages.map(toPage) };
    },
    getTaskPages(jobId, { estimatorIndex, pageNumber }, taskIds, signal) {
      const request = { jobId, estimatorIndex, pageNumber, taskIds: [...taskIds] };
      return readParts(client.getTaskPages(request, transfer(signal)));
    },
    async putResults(header, pages, signal) {
      await client.putResults(resultParts(header, pages), { timeoutMs: options.mergeTimeLimitMs, signal });
    },
    checkReady: () => client.checkReady(),
    close: () => client.close(),
  };
}

/**
 * Stores a small output with the log in one call. False: there is none, or the call was refused: what exactly is refused, or
 * that results is of the release before, shows when both go alone.
 */
async function isStoredAtOnce(
  client: ClientOf<typeof results.ResultsServiceService>,
  order: WorkOrder,
  { log, output }: TaskParts,
  call: CallOptions,
): Promise<boolean> {
  if (output === undefined) return false;
  const text = log && { offset: BigInt(log.offset), text: Buffer.from(log.text) };
  const message = await putSmallTaskOutputMessage(order, output, text);
  return message !== undefined && taken(client.putSmallTaskOutput(message, call).then(() => {}));
}

/** False: refused for good. */
async function taken(call: Promise<void>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (err) {
    if (isRefusal(err)) return false;
    throw err;
  }
}

async function readDeck(
  parts: AsyncIterable<results.GetInputResponse>,
  bytesMax: number,
): Promise<Record<string, string>> {
  const documents: { name: string; text: string; readonly utf8: StringDecoder }[] = [];
  let bytes = 0;
  for await (const { part } of parts) {
    if (part?.$case === 'document') {
      if (part.value.role !== results.DocumentRole.DOCUMENT_ROLE_DECK) throw new Error('results gave another document');
      documents.push({ name: part.value.name, text: '', utf8: new StringDecoder('utf8') });
    } else if (part?.$case === 'chunk') {
      bytes += part.value.length;
      if (bytes > bytesMax) throw new Error(`the deck has more than ${bytesMax} bytes`);
      const document = documents.at(-1);
      if (document !== undefined) document.text += document.utf8.write(part.value); // a piece at a time: it may be long
    }
  }
  return Object.fromEntries(documents.map(({ name, text, utf8 }) => [name, text + utf8.end()]));
}

async function* readParts(parts: AsyncIterable<results.GetTaskPagesResponse>): AsyncGenerator<StoredPart> {
  let task: results.TaskPageHeader | undefined;
  let chunks: Buffer[] = [];
  const finish = (header: results.TaskPageHeader): StoredPart => {
    const page = toPage(header.page);
    const moments = decodeMoments(page.kind, countBins(page), Buffer.concat(chunks));
    return { taskId: header.taskId, primaries: toCount(header.primaries), batches: header.batches, page, moments };
  };
  let bytesLeft = 0;
  for await (const { part } of parts) {
    if (part?.$case === 'task') {
      if (task !== undefined) yield finish(task);
      task = part.value;
      chunks = [];
      const page = toPage(task.page);
      bytesLeft = pageSizeBytes(page.kind, countBins(page));
    } else if (part?.$case === 'chunk') {
      bytesLeft -= part.value.length;
      if (bytesLeft < 0) throw new Error('results gave more numbers than the page has');
      chunks.push(part.value);
    }
  }
  if (task !== undefined) yield finish(task);
}

async function* resultParts(
  header: ResultsHeader,
  pages: AsyncIterable<FinishedPage>,
): AsyncGenerator<results.PutResultsRequest> {
  yield { part: { $case: 'header', value: { ...header, warnings: [...header.warnings], version: '' } } };
  for await (const page of pages) {
    const described = { ...pageHeaderMessage(page, page.estimatorIndex), nonFiniteCount: page.nonFinite };
    yield { part: { $case: 'page', value: described } };
    for (const array of [page.values, page.errors]) {
      const bytes = encodeNumbers(array);
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
        const chunk = Buffer.from(bytes.buffer, at, Math.min(CHUNK_BYTES, bytes.length - at));
        yield { part: { $case: 'chunk', value: chunk } };
      }
    }
  }
}
