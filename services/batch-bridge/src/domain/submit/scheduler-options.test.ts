import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ClusterSettings } from '../cluster/cluster.js';
import { readSchedulerOptions, readWallTime } from './scheduler-options.js';

const cluster: ClusterSettings = {
  name: 'c',
  displayName: 'C',
  host: 'c.example',
  port: 22,
  hostKeys: [],
  scheduler: 'slurm',
  scratchFolder: '/scratch/{user}',
  partitions: [
    { name: 'batch', wallTimeSecondsMax: 86_400, memoryMibMax: 64_000 },
    { name: 'short', wallTimeSecondsMax: 300, memoryMibMax: 1_000 },
  ],
  arrayTasksMax: 1000,
  nodeProgram: null,
  isReachingGateway: true,
  gatewayCaFile: null,
  confinement: 'none',
  readOnlyPaths: [],
  wrapper: [],
  simulators: {},
};
const read = (given: Record<string, unknown>) => readSchedulerOptions(given, cluster);
const refusal = (field: string) =>
  expect.objectContaining({
    reason: 'OPTION_INVALID',
    fields: [expect.objectContaining({ field: `/batch_options/scheduler_options/${field}` })],
  });

describe('readSchedulerOptions', () => {
  it('fills in what is not given, within the limits of the partition', () => {
    expect(read({})).toMatchObject({ partition: 'batch', wallTimeSeconds: 3600, memoryMib: 2048 });
    expect(read({ partition: 'short' })).toMatchObject({ wallTimeSeconds: 300, memoryMib: 1000 });
  });

  it('takes the listed options, with or without leading dashes, numbers as texts', () => {
    const given = {
      '--time': '0-02:03',
      mem: '4G',
      account: 'grant-1',
      qos: 'normal',
      constraint: 'a&b',
      reservation: 'r',
    };
    expect(read(given)).toEqual({
      partition: 'batch',
      wallTimeSeconds: 7_380,
      memoryMib: 4096,
      account: 'grant-1',
      qos: 'normal',
      constraint: 'a&b',
      reservation: 'r',
    });
    expect(read({ time: 30 }).wallTimeSeconds).toBe(1800);
  });

  it.each([
    ['wrap', 'id'],
    ['output', '/etc/passwd'],
    ['array', '1-5'],
    ['__proto__x', 'a'],
  ])('refuses the option %s', (key, value) => {
    expect(() => read({ [key]: value })).toThrow(refusal(key));
  });

  it.each([
    ['partition', 'other'],
    ['partition', '--wrap=id'],
    ['time', '10:00:00:00'],
    ['time', '2-00:00:00'],
    ['time', '0'],
    ['time', '-1'],
    ['mem', '1000G'],
    ['mem', '1e3'],
    ['account', '-x'],
    ['account', 'a b'],
    ['account', 'a\n#SBATCH --wrap=id'],
    ['account', `a'; touch /tmp/canary; '`],
    ['qos', '$(id)'],
    ['qos', 'x'.repeat(10_000)],
    ['constraint', 'a;b'],
    ['reservation', ''],
    ['account', { $gt: '' }],
    ['account', ['a']],
    ['account', null],
  ])('refuses %s = %j', (key, value) => {
    expect(() => read({ [key]: value })).toThrow(refusal(key));
  });

  it('names all faults at once, and refuses an option that is given twice', () => {
    try {
      read({ time: 'soon', mem: 'much', wrap: 'id', '--qos': 'a', qos: 'b' });
      throw new Error('was taken');
    } catch (err) {
      expect((err as { fields: unknown[] }).fields).toHaveLength(4);
    }
  });

  it('lets no text through that has a character with a meaning to a shell, a blank or a leading dash', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('account', 'qos', 'reservation', 'constraint'),
        fc.string({ unit: 'binary' }),
        (key, text) => {
          try {
            const options: Record<string, unknown> = { ...read({ [key]: text }) };
            expect(options[key]).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_.@+&|-]*$/);
          } catch (err) {
            expect(err).toMatchObject({ reason: 'OPTION_INVALID' });
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('readWallTime', () => {
  it.each([
    ['90', 5_400],
    ['1:30', 90],
    ['2:00:00', 7_200],
    ['1-12', 129_600],
    ['1-00:30', 88_200],
    ['0-00:00:05', 5],
  ])('reads %s as sbatch does', (text, seconds) => expect(readWallTime(text)).toBe(seconds));
});
