import { EXTERNAL_ATTEMPT_ID, putTaskOutputMessages, results } from '@tally/contracts';
import { createGrpcClient, type GrpcClientOptions, type GrpcConnection, hasReason } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { Results } from '../domain/ports.js';

export interface ResultsClientOptions extends GrpcClientOptions {
  /** Time limit of a download or an upload, the transfer from the cluster included. */
  readonly transferTimeoutMs: number;
  /** A larger deck is refused. */
  readonly deckBytesMax: number;
}

/** The results service over gRPC. */
export function createResultsClient(options: ResultsClientOptions): Results & GrpcConnection {
  const client = createGrpcClient(results.ResultsServiceService, options);
  return {
    getDeck(jobId) {
      const request = { jobId, roles: [results.DocumentRole.DOCUMENT_ROLE_DECK] };
      return readDeck(client.getInput(request, { timeoutMs: options.transferTimeoutMs }), options.deckBytesMax);
    },
    async putLog(jobId, name, text) {
      const whole = { taskId: 0, name, offset: 0n, text: Buffer.from(text), isRestart: true };
      try {
        await client.appendLogs({ jobId, attemptId: EXTERNAL_ATTEMPT_ID, texts: [whole] });
      } catch (err) {
        if (!hasReason(err, 'JOB_NOT_FOUND')) throw err;
      }
    },
    async appendTaskLog(jobId, taskId, offsetBytes, text) {
      const next = { taskId, offset: BigInt(offsetBytes), text: Buffer.from(text) };
      await client.appendLogs({ jobId, attemptId: EXTERNAL_ATTEMPT_ID, texts: [next] });
    },
    async putTaskOutput(jobId, taskId, output) {
      const target = { jobId, taskId, attemptId: EXTERNAL_ATTEMPT_ID };
      await client.putTaskOutput(putTaskOutputMessages(target, output), { timeoutMs: options.transferTimeoutMs });
    },
    checkReady: () => client.checkReady(),
    close: () => client.close(),
  };
}

async function readDeck(
  parts: AsyncIterable<results.GetInputResponse>,
  bytesMax: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const documents: { name: string; chunks: Buffer[] }[] = [];
  let bytes = 0;
  for await (const { part } of parts) {
    if (part?.$case === 'document') {
      if (part.value.role !== results.DocumentRole.DOCUMENT_ROLE_DECK) throw new Error('results gave another document');
      documents.push({ name: part.value.name, chunks: [] });
    } else if (part?.$case === 'chunk') {
      bytes += part.value.length;
      if (bytes > bytesMax) throw fail('DECK_TOO_LARGE');
      documents.at(-1)?.chunks.push(part.value);
    }
  }
  return new Map(documents.map(({ name, chunks }) => [name, Buffer.concat(chunks)]));
}
