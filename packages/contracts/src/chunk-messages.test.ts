import { describe, expect, it } from '@jest/globals';
import { ResultsServiceService as generated } from './gen/results/v1/results_service.js';
import { ResultsServiceService as service } from './results.js';

const STREAMS = [
  ['createInput', 'request'],
  ['getInput', 'response'],
  ['putTaskOutput', 'request'],
  ['getTaskPages', 'response'],
  ['putResults', 'request'],
  ['getResults', 'response'],
  ['exportResults', 'response'],
  ['getLogs', 'response'],
] as const;

describe('chunks of a stream', () => {
  it.each(STREAMS)('of %s are written as the generated code writes them', (name, side) => {
    const [own, theirs] = [service, generated].map((definition) => {
      const method = definition[name];
      const serialize = side === 'request' ? method.requestSerialize : method.responseSerialize;
      return serialize as (message: unknown) => Buffer;
    });
    for (const length of [0, 1, 127, 128, 16_383, 16_384, 262_144, 2_097_152]) {
      const message = { part: { $case: 'chunk', value: Buffer.alloc(length, length % 251) } };
      expect(own?.(message).equals(theirs?.(message) ?? Buffer.alloc(0))).toBe(true);
    }
    expect(own?.({})).toEqual(Buffer.alloc(0));
  });

  it('leave the other messages to the generated code', () => {
    const message = { part: { $case: 'key' as const, value: 'task_1' } };
    expect(service.getLogs.responseSerialize(message)).toEqual(generated.getLogs.responseSerialize(message));
  });
});
