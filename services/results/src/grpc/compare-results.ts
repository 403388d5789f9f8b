import type { results } from '@tally/contracts';
import { fail } from '../domain/errors.js';
import { compareResults } from '../domain/result/compare-results.js';
import { parseJobId, parseSelection } from './mappers.js';
import { currentReader } from './reader.js';

/** CompareResults. */
export function compareResultsRpc(ports: Parameters<typeof compareResults>[0]) {
  return async function* (request: results.CompareResultsRequest): AsyncGenerator<results.CompareResultsResponse> {
    const { gamma } = request;
    if (gamma === undefined) throw fail('SELECTION_INVALID', { message: 'The criteria of gamma are missing' });
    const jobs = { jobId: parseJobId(request.jobId), withJobId: parseJobId(request.withJobId) };
    const limits = { ...gamma, isMapped: request.wantsGammaMap ?? false };
    const reader = currentReader();
    const { withOwnerId } = request;
    // the gateway names an owner for whom jobs has allowed it
    const withReader = withOwnerId === undefined ? reader : ({ kind: 'user', userId: withOwnerId } as const);
    const readers = { reader, withReader };
    for await (const part of compareResults(ports, jobs, parseSelection(request), limits, readers)) {
      if (part.kind === 'header') yield { part: { $case: 'header', value: { version: part.version } } };
      else yield { part: { $case: 'chunk', value: Buffer.from(part.text) } };
    }
  };
}
