/** The code generated from proto/results, its streams of bytes with fewer copies. */
import { bytesInRequests, bytesInResponses } from './chunk-messages.js';
import { AppendLogsRequest, ResultsServiceService as generated } from './gen/results/v1/results_service.js';

export * from './gen/results/v1/results_service.js';

export const ResultsServiceService: typeof generated = {
  ...generated,
  createInput: bytesInRequests(generated.createInput, { chunk: 3 }),
  getInput: bytesInResponses(generated.getInput, { chunk: 3 }),
  putTaskOutput: bytesInRequests(generated.putTaskOutput, { chunk: 3 }),
  putResults: bytesInRequests(generated.putResults, { chunk: 3 }),
  getResults: bytesInResponses(generated.getResults, { chunk: 3, numbers: 4, numbersOrNulls: 5 }),
  exportResults: bytesInResponses(generated.exportResults, { chunk: 2 }),
  exportCrate: bytesInResponses(generated.exportCrate, { chunk: 2 }),
  compareResults: bytesInResponses(generated.compareResults, { chunk: 2 }),
  appendLogs: {
    ...generated.appendLogs,
    requestSerialize: (message) => toBuffer(AppendLogsRequest.encode(message).finish()),
  },
  getLogs: bytesInResponses(generated.getLogs, { chunk: 2 }),
};

/** The same bytes, not a copy: a log is as large as a message may be. */
function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
