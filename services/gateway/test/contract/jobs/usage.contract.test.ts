import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const second = { seconds: 1n, nanos: 500_000_000 };
const USED = {
  entries: [
    { day: '2026-03-01', ownerId: 7n, clusterName: '', processorTime: second },
    { day: '2026-03-02', ownerId: 8n, clusterName: 'north', processorTime: second },
  ],
  runningTaskCount: 2,
  runningProcessorTime: second,
  quotas: [{ name: 'processor_seconds_month', limit: 60, used: 3, resetTime: new Date('2026-04-01') }],
};
const answerUsage = () => {
  gateway.jobs.answers.getUsage = async () => USED;
  gateway.results.answers.getStoredBytes = async () => ({ storedBytes: 4_000n });
  gateway.auth.answers.listNames = async () => ({
    users: [{ userId: 7n, username: '=cmd()', displayName: '', provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL }],
    groups: [],
  });
};

describe('GET /usage', () => {
  it('200: days with names, running tasks, stored bytes and quotas; this month unless another time is asked for', async () => {
    answerUsage();
    const { body } = await gateway.send('GET', '/usage');
    expect(body).toMatchObject({
      processor_seconds: 3,
      days: [
        { day: '2026-03-01', user: '=cmd()', cluster: '', processor_seconds: 1.5 },
        { day: '2026-03-02', user: '8', cluster: 'north', processor_seconds: 1.5 },
      ],
      running: { tasks: 2, processor_seconds: 1.5 },
      stored_bytes: 4_000,
      quotas: [{ name: 'processor_seconds_month', limit: 60, used: 3, resets_at: '2026-04-01T00:00:00.000Z' }],
    });
    const today = new Date().toISOString().slice(0, 10);
    const request = gateway.jobs.calls.find(({ rpc }) => rpc === 'getUsage')?.request;
    expect(request).toMatchObject({ fromDay: `${today.slice(0, 8)}01`, toDay: today, groupId: '' });
  });

  it('200: of a group without what is of a user alone; as CSV without formulas', async () => {
    answerUsage();
    const query = 'from=2026-03-01&to=2026-03-31&group_id=a1';
    const { body } = await gateway.send('GET', `/usage?${query}`);
    expect([body.from, body.to, body.stored_bytes, body.running]).toEqual([
      '2026-03-01',
      '2026-03-31',
      undefined,
      undefined,
    ]);
    const { text, headers } = await gateway.send('GET', `/usage?${query}&format=csv`);
    expect(headers.get('content-type')).toBe('text/csv');
    expect(text).toBe("day,user,cluster,processor_seconds\n2026-03-01,'=cmd(),,1.5\n2026-03-02,8,north,1.5\n");
  });

  it('400, 403, 404', async () => {
    for (const query of ['from=today', 'to=2026-02-30', 'format=xml', 'group_id=']) {
      expect((await gateway.send('GET', `/usage?${query}`)).status).toBe(400);
    }
    const refusals = [
      ['GROUP_ROLE_MISSING', 'PERMISSION_DENIED', 403],
      ['GROUP_NOT_FOUND', 'NOT_FOUND', 404],
    ] as const;
    for (const [reason, grpcStatus, status] of refusals) {
      gateway.jobs.answers.getUsage = async () => {
        throw new ServiceError('jobs', reason, grpcStatus, 'refused');
      };
      expect((await gateway.send('GET', '/usage?group_id=a1')).status).toBe(status);
    }
  });
});
