import type { results } from '@tally/contracts';
import { currentContext } from '@tally/service-kit';
import { putResults } from '../domain/put-results.js';
import { mapStream, parseResultsPart } from './mappers.js';

/** PutResults. */
export function handlePutResults(ports: Parameters<typeof putResults>[0]) {
  return async (messages: AsyncIterable<results.PutResultsRequest>): Promise<results.PutResultsResponse> => {
    await putResults(ports, mapStream(messages, parseResultsPart), currentContext()?.signal);
    return {};
  };
}
