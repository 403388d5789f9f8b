import { StringDecoder } from 'node:string_decoder';
import { putTaskOutputMessages, results } from '@tally/contracts';
import { type CallOptions, createGrpcClient, type GrpcClientOptions, type GrpcConnection } from '@tally/service-kit';
import type { TaskResults } from '../domain/ports.js';
import { isRefusal } from '../domain/retry.js';

export interface ResultsClientOptions extends GrpcClientOptions {
  /** Time limit of one upload or download. */
  readonly transferTimeoutMs: number;
  /** A larger deck is refused. */
  readonly deckBytesMax: number;
}

/** The results service over gRPC. */
export function createResultsClient(options: ResultsClientOptions): TaskResults & GrpcConnection {
  const client = createGrpcClient(results.ResultsServiceService, options);
  const transfer = (signal: AbortSignal): CallOptions => ({ timeoutMs: options.transferTimeoutMs, signal });
  const appendLog: TaskResults['appendLog'] = async ({ jobId, taskId, attemptId }, { offset, text }, signal) => {
    const next = { taskId, offset: BigInt(offset), text: Buffer.from(text) };
    await client.appendLogs({ jobId, attemptId, texts: [next] }, { signal });
  };
  return {
    getDeck(jobId, signal) {
      const roles = [results.DocumentRole.DOCUMENT_ROLE_DECK];
      return readDeck(client.getInput({ jobId, roles }, transfer(signal)), options.deckBytesMax);
    },
    appendLog,
    async storeTask(order, { log, output }, signal) {
      const append = () => log === undefined || taken(appendLog(order, log, signal));
      if (output === undefined) return { isLogTaken: await append() };
      const put = async (text?: results.LogText) => {
        await client.putTaskOutput(putTaskOutputMessages(order, output, text), transfer(signal));
      };
      const text = log && { offset: BigInt(log.offset), text: Buffer.from(log.text) };
      if (text !== undefined && (await taken(put(text)))) return { isLogTaken: true };
      // of both, it shows alone which one is refused
      const [isLogTaken] = await Promise.all([append(), put()]);
      return { isLogTaken };
    },
    checkReady: () => client.checkReady(),
    close: () => client.close(),
  };
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
