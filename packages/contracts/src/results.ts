/** The code generated from proto/results, its streams of bytes with fewer copies. */
import { serializeChunks } from './chunk-messages.js';
import { ResultsServiceService as generated } from './gen/results/v1/results_service.js';

export * from './gen/results/v1/results_service.js';

const {
  createInput,
  getInput,
  putTaskOutput,
  getTaskPages,
  putResults,
  getResults,
  exportResults,
  exportCrate,
  compareResults,
  getLogs,
} = generated;

export const ResultsServiceService: typeof generated = {
  ...generated,
  createInput: { ...createInput, requestSerialize: serializeChunks(createInput.requestSerialize, 3) },
  getInput: { ...getInput, responseSerialize: serializeChunks(getInput.responseSerialize, 3) },
  putTaskOutput: { ...putTaskOutput, requestSerialize: serializeChunks(putTaskOutput.requestSerialize, 3) },
  getTaskPages: { ...getTaskPages, responseSerialize: serializeChunks(getTaskPages.responseSerialize, 2) },
  putResults: { ...putResults, requestSerialize: serializeChunks(putResults.requestSerialize, 3) },
  getResults: { ...getResults, responseSerialize: serializeChunks(getResults.responseSerialize, 3) },
  exportResults: { ...exportResults, responseSerialize: serializeChunks(exportResults.responseSerialize, 2) },
  exportCrate: { ...exportCrate, responseSerialize: serializeChunks(exportCrate.responseSerialize, 2) },
  compareResults: { ...compareResults, responseSerialize: serializeChunks(compareResults.responseSerialize, 2) },
  getLogs: { ...getLogs, responseSerialize: serializeChunks(getLogs.responseSerialize, 2) },
};
