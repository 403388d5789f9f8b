import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@tally/service-kit';
import { clusterSettings } from '../../src/domain/cluster/cluster-settings.js';
import { useService } from '../service.js';

const usual = {
  displayName: 'A cluster',
  host: 'login.example',
  hostKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
  scratchFolder: '/scratch/{user}',
  partitions: [{ name: 'batch', wallTimeSecondsMax: 3_600, memoryMibMax: 4_000 }],
};
const simulators = { simA: { executable: '/opt/a', version: '1.0.1' }, simC: { executable: '/opt/c' } };
const clusters = [
  clusterSettings.parse({ ...usual, name: 'north' }),
  clusterSettings.parse({ ...usual, name: 'south', simulators }),
];
const options = (value: unknown) => Buffer.from(JSON.stringify(value));
const none = Buffer.alloc(0);
const service = useService();

describe('CheckSubmission OK', () => {
  it('names the wanted cluster, and the simulators that are installed there', async () => {
    const { client } = await service.start({ clusters });
    const answer = await client.checkSubmission({
      clusterName: 'south',
      schedulerOptionsJson: options({ partition: 'batch', '--time': '0:30:00' }),
    });
    const wallTime = { seconds: 1_800n, nanos: 0 };
    expect(answer).toEqual({ clusterName: 'south', executables: 'simA=1.0.1,simC', wallTime });
  });

  it('names the first cluster when none is wanted, or the one that is configured for that', async () => {
    const first = await service.start({ clusters });
    expect(await first.client.checkSubmission({ schedulerOptionsJson: none })).toEqual({
      clusterName: 'north',
      executables: '',
      wallTime: { seconds: 3_600n, nanos: 0 },
    });
    const chosen = await service.start({ clusters, defaultCluster: 'south' });
    expect((await chosen.client.checkSubmission({ schedulerOptionsJson: none })).clusterName).toBe('south');
  });
});

describe('CheckSubmission UNIMPLEMENTED', () => {
  it.each([undefined, 'north'])('BATCH_UNIMPLEMENTED where there is no cluster, for %s', async (clusterName) => {
    const { client } = await service.start({ clusters: [] });
    await expect(client.checkSubmission({ clusterName, schedulerOptionsJson: none })).rejects.toMatchObject({
      status: 'UNIMPLEMENTED',
      reason: 'BATCH_UNIMPLEMENTED',
    });
  });
});

describe('CheckSubmission INVALID_ARGUMENT', () => {
  it.each([
    ['nothing', ''],
    ['another case', 'North'],
    ['a path', '../north'],
    ['a long name', 'n'.repeat(10_000)],
    ['a name for a shell', "'; touch canary; '"],
  ])('CLUSTER_UNKNOWN for %s', async (_, name) => {
    const { client } = await service.start({ clusters });
    await expect(client.checkSubmission({ clusterName: name, schedulerOptionsJson: none })).rejects.toMatchObject({
      reason: 'CLUSTER_UNKNOWN',
      fields: [{ field: '/batch_options/cluster_name', message: 'must be one of north, south' }],
    });
  });

  it.each([
    ['an option that is not on the list', options({ wrap: 'touch canary' }), '/wrap'],
    ['a value of a foreign type', options({ partition: { a: 1 } }), '/partition'],
    ['a value for a shell', options({ account: '$(touch canary)' }), '/account'],
    ['more than the partition gives', options({ time: '2:00:00' }), '/time'],
    ['a list', options(['--time=1']), ''],
    ['no JSON', Buffer.from('{'), ''],
    ['nothing but length', options({ account: 'a'.repeat(20_000) }), ''],
  ])('OPTION_INVALID for %s', async (_, schedulerOptionsJson, path) => {
    const { client } = await service.start({ clusters });
    await expect(client.checkSubmission({ schedulerOptionsJson })).rejects.toMatchObject({
      reason: 'OPTION_INVALID',
      status: 'INVALID_ARGUMENT',
      fields: [expect.objectContaining({ field: `/batch_options/scheduler_options${path}` })],
    });
  });
});

describe('CheckSubmission PERMISSION_DENIED', () => {
  it('is for jobs alone', async () => {
    const { clientOf } = await service.start({ clusters });
    const call = clientOf('gateway').checkSubmission({ schedulerOptionsJson: none });
    await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});

it('does not start with a default cluster that there is not', async () => {
  await expect(service.start({ clusters, defaultCluster: 'west' })).rejects.toThrow(ConfigError);
});
