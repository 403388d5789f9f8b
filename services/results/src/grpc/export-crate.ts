import type { results } from '@tally/contracts';
import { type CratePorts, exportCrate } from '../domain/result/export-crate.js';
import { mapStream, parseCrateRun, parseFormat, toCrateMessage } from './mappers.js';
import { currentReader } from './reader.js';

/** ExportCrate. */
export function exportCrateRpc(ports: CratePorts) {
  return (request: results.ExportCrateRequest): AsyncIterable<results.ExportCrateResponse> => {
    const parts = exportCrate(ports, parseCrateRun(request), parseFormat(request.format), currentReader());
    return mapStream(parts, toCrateMessage);
  };
}
