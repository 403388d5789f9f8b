import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import grpc from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { ResultsServiceService as generated } from './gen/results/v1/results_service.js';
import { ResultsServiceService as service } from './results.js';

const STREAMS = [
  ['createInput', 'request', 'chunk'],
  ['getInput', 'response', 'chunk'],
  ['putTaskOutput', 'request', 'chunk'],
  ['putResults', 'request', 'chunk'],
  ['getResults', 'response', 'chunk'],
  ['getResults', 'response', 'numbers'],
  ['getResults', 'response', 'numbersOrNulls'],
  ['exportResults', 'response', 'chunk'],
  ['getLogs', 'response', 'chunk'],
] as const;
const LENGTHS = [0, 1, 127, 128, 16_383, 16_384, 262_144, 2_097_152];

type Name = (typeof STREAMS)[number][0];

function codecOf(definition: typeof generated, name: Name, side: 'request' | 'response') {
  const method = definition[name];
  const [serialize, deserialize] =
    side === 'request'
      ? [method.requestSerialize, method.requestDeserialize]
      : [method.responseSerialize, method.responseDeserialize];
  return {
    serialize: serialize as (message: unknown) => Buffer,
    deserialize: deserialize as (bytes: Buffer) => unknown,
  };
}

describe('bytes of a stream', () => {
  it.each(STREAMS)('of %s, in a %s, as %s, are written and read as the generated code does', (name, side, $case) => {
    const [own, theirs] = [codecOf(service, name, side), codecOf(generated, name, side)];
    for (const length of LENGTHS) {
      const message = { part: { $case, value: Buffer.alloc(length, length % 251) } };
      const bytes = theirs.serialize(message);
      expect(own.serialize(message).equals(bytes)).toBe(true);
      const [read, expected] = [own, theirs].map(({ deserialize }) => deserialize(bytes) as Partial<typeof message>);
      expect(read?.part?.$case).toBe(expected?.part?.$case);
      expect(read?.part?.value.equals(expected?.part?.value ?? Buffer.alloc(0))).toBe(true);
    }
    expect(own.serialize({})).toEqual(Buffer.alloc(0));
  });

  it('are not copied when they are read', () => {
    const bytes = generated.getLogs.responseSerialize({ part: { $case: 'chunk', value: Buffer.alloc(100_000) } });
    const { part } = service.getLogs.responseDeserialize(bytes);
    expect(part?.$case === 'chunk' && part.value.buffer).toBe(bytes.buffer);
  });

  it('leave the other messages to the generated code', () => {
    const message = { part: { $case: 'key' as const, value: 'task_1' } };
    const bytes = generated.getLogs.responseSerialize(message);
    expect(service.getLogs.responseSerialize(message)).toEqual(bytes);
    expect(service.getLogs.responseDeserialize(bytes)).toEqual(message);
    const chunk = { part: { $case: 'chunk' as const, value: Buffer.from('text') } };
    const more = { ...chunk, remainders: Buffer.from('more') };
    const { putTaskOutput } = service;
    expect(putTaskOutput.requestDeserialize(generated.putTaskOutput.requestSerialize(more))).toEqual(more);
    expect(() => putTaskOutput.requestDeserialize(Buffer.from([0x1a, 0x7f]))).toThrow();
  });
});

describe('responses, which share memory until grpc-js has copied them', () => {
  const { getLogs } = service;
  const size = (index: number) => 200_000 + 1_000 * (index % 7);
  const chunk = (index: number) => ({ part: { $case: 'chunk' as const, value: Buffer.alloc(size(index), index) } });

  it('come as they were sent, of several streams at once, to readers that are late', async () => {
    const server = new grpc.Server();
    const send = (call: grpc.ServerWritableStream<unknown, unknown>) => {
      for (let index = 0; index < 40; index++) call.write(chunk(index));
      call.end();
    };
    server.addService({ getLogs }, { getLogs: send });
    const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', grpc.ServerCredentials.createInsecure());
    const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    try {
      const streams = [1, 2, 3].map(() =>
        client.makeServerStreamRequest(
          getLogs.path,
          getLogs.requestSerialize,
          getLogs.responseDeserialize,
          {} as never,
        ),
      );
      await Promise.all(streams.map((stream) => once(stream, 'readable')));
      for (const stream of streams) {
        let index = 0;
        for await (const message of stream) {
          const { value } = (message as ReturnType<typeof chunk>).part;
          expect(value.equals(chunk(index++).part.value)).toBe(true);
          await turn();
        }
        expect(index).toBe(40);
      }
    } finally {
      client.close();
      server.forceShutdown();
    }
  });
});
