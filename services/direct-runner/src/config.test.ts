import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '@tally/service-kit';
import { CONFIG_PREFIX, runnerConfigSchema } from './config.js';

const load = (simulators: unknown) =>
  loadConfig(CONFIG_PREFIX, runnerConfigSchema, {
    RUNNER_CALLER_TOKEN: 't'.repeat(32),
    RUNNER_QUEUE_URL: 'amqp://x',
    RUNNER_JOBS_ADDRESS: 'jobs:1',
    RUNNER_RESULTS_ADDRESS: 'results:1',
    RUNNER_WORK_DIR: '/work',
    RUNNER_SIMULATORS: typeof simulators === 'string' ? simulators : JSON.stringify(simulators),
  });

describe('RUNNER_PROCESS_NICENESS', () => {
  it('lets everything of this machine go before simulators, password hashes, which yield to services, among it', () => {
    expect(load({}).processNiceness).toBe(19);
  });
});

describe('RUNNER_SIMULATORS', () => {
  it('takes simulators with the usual values for what is not said', () => {
    expect(load({ simA: { executable: '/opt/a' } }).simulators).toEqual({
      simA: { executable: '/opt/a', args: [], env: {}, readOnlyPaths: [], version: '' },
    });
    expect(load('{}').simulators).toEqual({});
  });

  it('takes all that an entry may say', () => {
    const simB = {
      executable: '/opt/b/bin/b',
      args: ['-q'],
      env: { B_HOME: '/opt/b' },
      readOnlyPaths: ['/data'],
      version: '4-4.0',
      versionArgs: ['-v'],
      timeLimitMs: 3_600_000,
      memoryBytesMax: 2 ** 33,
    };
    const expected = { ...simB, versionPattern: /v(.*)/ };
    expect(load({ simB: { ...simB, versionPattern: 'v(.*)' } }).simulators).toEqual({ simB: expected });
  });

  it.each([
    ['a simulator that there is not', { simE: { executable: '/opt/e' } }, 'simE'],
    ['no executable', { simA: {} }, 'simA.executable'],
    ['an executable to be searched', { simA: { executable: 'a' } }, 'simA.executable must be an absolute path'],
    ['an unknown member', { simA: { executable: '/a', folders: [] } }, 'folders'],
    [
      'a relative path to be read',
      { simA: { executable: '/a', readOnlyPaths: ['b'] } },
      'simA.readOnlyPaths.0 must be',
    ],
    ['a variable with another name', { simA: { executable: '/a', env: { 'A-B': '' } } }, 'simA.env.A-B'],
    ['a pattern that is none', { simA: { executable: '/a', versionPattern: '(' } }, 'simA.versionPattern must be'],
    ['a time that is no number', { simA: { executable: '/a', timeLimitMs: '1' } }, 'simA.timeLimitMs'],
    ['what is not JSON', '{', 'is not JSON'],
  ])('refuses %s, and says where', (_, simulators, message) => {
    expect(() => load(simulators)).toThrow(ConfigError);
    expect(() => load(simulators)).toThrow(message);
  });
});
