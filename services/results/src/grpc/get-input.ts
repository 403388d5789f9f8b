import type { results } from '@tally/contracts';
import { getInput } from '../domain/input/get-input.js';
import { mapStream, parseJobId, parseRole, toInputMessage } from './mappers.js';
import { currentReader } from './reader.js';

/** GetInput: a runner, or the bridge to a cluster, reads the input of any job, everybody else the acting user's. */
export function getInputRpc(ports: Parameters<typeof getInput>[0]) {
  return (request: results.GetInputRequest): AsyncIterable<results.GetInputResponse> => {
    const roles = request.roles.map(parseRole);
    return mapStream(getInput(ports, parseJobId(request.jobId), roles, currentReader()), toInputMessage);
  };
}
