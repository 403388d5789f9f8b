import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { refusalsOf } from '../../stand-ins/refuse.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const refuse = refusalsOf('jobs');
const requestOf = (rpc: string) => gateway.jobs.calls.findLast((call) => call.rpc === rpc)?.request;
const { SUBSCRIPTION_SCOPE_ALL, SUBSCRIPTION_SCOPE_JOB, SUBSCRIPTION_SCOPE_SWEEP, SUBSCRIPTION_SCOPE_GROUP } =
  jobs.SubscriptionScope;

describe('PUT /user/subscriptions', () => {
  const put = (json: object) => gateway.send('PUT', '/user/subscriptions', { json });

  it('200: passes on scope, target and channels', async () => {
    gateway.jobs.answers.putSubscription = async () => ({});
    expect((await put({ scope: 'all', channels: ['mail'] })).body).toEqual({ message: 'You will be told' });
    const all = { scope: SUBSCRIPTION_SCOPE_ALL, target: '', hasMail: true, hasWebhooks: false };
    expect(requestOf('putSubscription')).toEqual({ subscription: all });
    expect((await put({ scope: 'sweep', target: 's', channels: [] })).body).toEqual({
      message: 'You will not be told',
    });
    const sweep = { scope: SUBSCRIPTION_SCOPE_SWEEP, target: 's', hasMail: false, hasWebhooks: false };
    expect(requestOf('putSubscription')).toEqual({ subscription: sweep });
    await put({ scope: 'group', target: 'g', channels: ['webhooks'] });
    const group = { scope: SUBSCRIPTION_SCOPE_GROUP, target: 'g', hasMail: false, hasWebhooks: true };
    expect(requestOf('putSubscription')).toEqual({ subscription: group });
  });

  it('400: names what is wrong', async () => {
    for (const [json, field] of [
      [{ scope: 'all', target: 'x', channels: [] }, 'target'],
      [{ scope: 'job', channels: [] }, 'target'],
      [{ scope: 'group', channels: [] }, 'target'],
      [{ scope: 'some', channels: [] }, 'scope'],
      [{ scope: 'all', channels: ['pigeon'] }, 'channels/0'],
      [{ scope: 'all' }, 'channels'],
    ] as const) {
      const reply = await put(json);
      expect([reply.status, reply.body.errors]).toMatchObject([400, [{ field }]]);
    }
  });

  it.each([
    ['JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED', 403],
    ['JOB_NOT_FOUND', 'NOT_FOUND', 404],
    ['SUBSCRIPTIONS_EXCEEDED', 'RESOURCE_EXHAUSTED', 429],
  ] as const)('%s is %s, %d', async (reason, status, expected) => {
    gateway.jobs.answers.putSubscription = refuse(reason, status);
    expect((await put({ scope: 'job', target: 'j', channels: ['mail'] })).status).toBe(expected);
  });
});

describe('GET /user/subscriptions', () => {
  it('200: lists them', async () => {
    const subscriptions = [
      { scope: SUBSCRIPTION_SCOPE_JOB, target: 'j', hasMail: true, hasWebhooks: true },
      { scope: SUBSCRIPTION_SCOPE_GROUP, target: 'g', hasMail: true, hasWebhooks: false },
      { scope: SUBSCRIPTION_SCOPE_ALL, target: '', hasMail: false, hasWebhooks: true },
    ];
    gateway.jobs.answers.listSubscriptions = async () => ({ subscriptions });
    expect((await gateway.send('GET', '/user/subscriptions')).body.subscriptions).toEqual([
      { scope: 'job', target: 'j', channels: ['mail', 'webhooks'] },
      { scope: 'group', target: 'g', channels: ['mail'] },
      { scope: 'all', channels: ['webhooks'] },
    ]);
  });
});

describe('webhooks', () => {
  const createdAt = new Date('2026-01-02T03:04:05.678Z');
  const url = 'https://hooks.example.org/';

  it('POST /user/webhooks 201: gives the secret once', async () => {
    gateway.jobs.answers.createWebhook = async () => ({ webhookId: 'w', secret: 'whsec_x' });
    const reply = await gateway.send('POST', '/user/webhooks', { json: { url } });
    expect([reply.status, reply.body]).toEqual([
      201,
      { message: 'Webhook created', webhook_id: 'w', secret: 'whsec_x' },
    ]);
    expect(requestOf('createWebhook')).toEqual({ url });
  });

  it('POST /user/webhooks 400, 429: refuses', async () => {
    const post = (json: object) => gateway.send('POST', '/user/webhooks', { json });
    expect((await post({})).status).toBe(400);
    gateway.jobs.answers.createWebhook = refuse('WEBHOOKS_DISABLED', 'FAILED_PRECONDITION');
    expect((await post({ url })).status).toBe(400);
    gateway.jobs.answers.createWebhook = refuse('WEBHOOKS_EXCEEDED', 'RESOURCE_EXHAUSTED');
    expect((await post({ url })).status).toBe(429);
  });

  it('GET /user/webhooks 200: shows what was told, and why one is not called', async () => {
    const delivery = { eventId: 'msg_1', createdAt, tryCount: 2, answer: '503' };
    const deliveries = [
      { ...delivery, isDelivered: false },
      { ...delivery, endedAt: createdAt, isDelivered: true },
      { ...delivery, endedAt: createdAt, isDelivered: false },
    ];
    const webhook = {
      webhookId: 'w',
      url,
      createdAt,
      disabledAt: createdAt,
      disabledReason: '503, for a day',
      deliveries,
    };
    gateway.jobs.answers.listWebhooks = async () => ({ webhooks: [webhook], isEnabled: true });
    const { body } = await gateway.send('GET', '/user/webhooks');
    expect(body).toMatchObject({
      webhooks_available: true,
      webhooks: [
        {
          webhook_id: 'w',
          disabled: { since: '2026-01-02T03:04:05.678Z', reason: '503, for a day' },
          deliveries: [{ state: 'waiting', tries: 2 }, { state: 'delivered' }, { state: 'given_up' }],
        },
      ],
    });
  });

  it('DELETE /user/webhooks, POST /user/webhooks/test 200, 202, 400, 404', async () => {
    gateway.jobs.answers.deleteWebhook = async () => ({});
    gateway.jobs.answers.testWebhook = async () => ({});
    const test = (json: object) => gateway.send('POST', '/user/webhooks/test', { json });
    expect((await gateway.send('DELETE', '/user/webhooks?webhook_id=w')).status).toBe(200);
    expect((await test({ webhook_id: 'w' })).status).toBe(202);
    expect((await gateway.send('DELETE', '/user/webhooks')).status).toBe(400);
    expect((await test({})).status).toBe(400);
    gateway.jobs.answers.deleteWebhook = refuse('WEBHOOK_NOT_FOUND', 'NOT_FOUND');
    gateway.jobs.answers.testWebhook = refuse('WEBHOOK_NOT_FOUND', 'NOT_FOUND');
    expect((await gateway.send('DELETE', '/user/webhooks?webhook_id=w')).status).toBe(404);
    expect((await test({ webhook_id: 'w' })).status).toBe(404);
  });
});
