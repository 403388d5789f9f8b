import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobsOperator } from '@tally/contracts';
import { type ClientOf, createGrpcClient, withContext } from '@tally/service-kit';
import { testCallerToken } from '@tally/testkit';
import { openSuite, type Suite } from '../../suite.js';

let suite: Suite;
let operator: ClientOf<typeof jobsOperator.JobsOperatorServiceService> & { close(): void };
const [alice, bob] = [1n, 2n];
const ask = (fromMonth: string, toMonth: string) =>
  withContext({ requestId: 'test', userId: 9n, actingRole: 'operator' }, () =>
    operator.listAllUsage({ fromMonth, toMonth }),
  );
const add = (ownerId: bigint, day: string, ms: number, groupId: string | null = null, cluster = '') =>
  suite.sql('INSERT INTO usage_entries (owner_id, group_id, day, cluster, cpu_ms) VALUES ($1, $2, $3, $4, $5)', [
    String(ownerId),
    groupId,
    day,
    cluster,
    ms,
  ]);

beforeAll(async () => {
  suite = await openSuite();
  const { port } = await suite.start({ cleanUpIntervalMs: 20 });
  operator = createGrpcClient(jobsOperator.JobsOperatorServiceService, {
    target: `127.0.0.1:${port}`,
    caller: 'gateway',
    token: testCallerToken('gateway'),
    timeoutMs: 60_000,
  });
});
afterAll(async () => {
  operator?.close();
  await suite.stop();
});

describe('ListAllUsage', () => {
  it('OK: the sum of each user and month over groups and clusters, from the first day of the first month to the last of the last', async () => {
    await add(alice, '2026-01-31', 9_999);
    await add(alice, '2026-02-01', 1_000);
    await add(alice, '2026-02-28', 2_000, 'a1', 'north');
    await add(bob, '2026-02-28', 250, 'a1');
    await add(bob, '2026-03-31', 4_000);
    await add(bob, '2026-04-01', 9_999);
    const { months } = await ask('2026-02', '2026-03');
    expect(months).toEqual([
      { month: '2026-02', ownerId: alice, processorTime: { seconds: 3n, nanos: 0 } },
      { month: '2026-02', ownerId: bob, processorTime: { seconds: 0n, nanos: 250_000_000 } },
      { month: '2026-03', ownerId: bob, processorTime: { seconds: 4n, nanos: 0 } },
    ]);
    expect((await ask('2027-01', '2027-12')).months).toEqual([]);
  });

  it.each([
    ['2026-1', '2026-02', '/from'],
    ['2026-01', '2026-13', '/to'],
    ['2026-02', '2026-01', '/to'],
    ['2026-01', '2027-01', '/to'],
  ])('INVALID_ARGUMENT: %s to %s', async (fromMonth, toMonth, field) => {
    await expect(ask(fromMonth, toMonth)).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field }] });
  });
});
