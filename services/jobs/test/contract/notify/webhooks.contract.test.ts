import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { withContext } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { createWebhookSender } from '../../../src/clients/webhook-client.js';
import { readNetworks } from '../../../src/clients/webhook-target.js';
import { type FakeAuth, startFakeAuth } from '../../fake-auth.js';
import { ANY_PLATFORM, as, openSuite, type Suite, submission } from '../../suite.js';

interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let suite: Suite;
let auth: FakeAuth;
let gateway: ReturnType<Suite['client']>;
let server: Server;
let url: string;
const received: Message[] = [];
/** Status of the next answers; then 204. */
let statuses: number[] = [];
let lastUser = 500n;
const MASTER = 'master of the update keys of this test';

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 204, { location: `http://127.0.0.1:${portOf(server)}/elsewhere` }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${portOf(server)}/hook`;
  suite = await openSuite();
  auth = await startFakeAuth();
  const webhookNetworks = readNetworks(['127.0.0.1']);
  const authAddress = auth.address;
  await suite.start({
    authAddress,
    webhooksEnabled: true,
    webhookNetworks,
    updateKeyMaster: MASTER,
    sweepIntervalMs: 100,
  });
  gateway = suite.client('gateway');
});
afterEach(() => {
  statuses = [];
  received.length = 0;
});
afterAll(async () => {
  await suite.stop();
  await auth.stop();
  await new Promise((resolve) => server.close(resolve));
});

const portOf = (listening: Server) => (listening.address() as AddressInfo).port;
const hooksOf = async (userId: bigint) => (await as(userId, () => gateway.listWebhooks({}))).webhooks;
const create = (userId: bigint, to = url) => as(userId, () => gateway.createWebhook({ url: to }));
const test = (userId: bigint, webhookId: string) => as(userId, () => gateway.testWebhook({ webhookId }));
const retryNow = () => suite.sql('UPDATE webhook_deliveries SET next_try_at = now() WHERE ended_at IS NULL');
const came = (count: number) => waitFor(() => received.length >= count, { what: `message ${count}` });

/** Checks a message as Standard Webhooks says, by hand. */
function verify({ headers, body }: Message, secret: string): void {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
}

describe('a webhook', () => {
  it('is told of the end of a job, signed, and its secret is shown once and stored sealed', async () => {
    const userId = ++lastUser;
    const { webhookId, secret } = await create(userId);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    await as(userId, () =>
      gateway.putSubscription({
        subscription: {
          scope: jobs.SubscriptionScope.SUBSCRIPTION_SCOPE_ALL,
          target: '',
          hasMail: false,
          hasWebhooks: true,
        },
      }),
    );
    const { jobId } = await as(userId, () => gateway.submitJob(submission({ title: 'Water tank' })));
    await as(userId, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    await came(1);
    const [message] = received;
    if (message === undefined) throw new Error('no message');
    verify(message, secret);
    expect(JSON.parse(message.body)).toMatchObject({
      type: 'job.ended',
      data: { job_id: jobId, title: 'Water tank', job_state: 'CANCELED' },
    });
    const delivered = () => hooksOf(userId).then(([hook]) => hook?.deliveries[0]?.isDelivered);
    await waitFor(delivered, { what: 'the note of the delivery' });
    expect(await hooksOf(userId)).toMatchObject([{ webhookId, url, deliveries: [{ tryCount: 1, answer: '204' }] }]);
    const [row] = await suite.sql<{ row: string }>('SELECT webhooks::text AS row FROM webhooks WHERE id = $1', [
      webhookId,
    ]);
    expect(row?.row).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it('is called again with the same id and another timestamp, and follows no redirect', async () => {
    const userId = ++lastUser;
    const { webhookId, secret } = await create(userId);
    statuses = [302, 500];
    await test(userId, webhookId);
    for (const count of [1, 2, 3]) {
      await came(count);
      await waitFor(async () => (await hooksOf(userId))[0]?.deliveries[0]?.answer !== '', { what: 'the answer' });
      await waitFor(async () => (await retryNow(), received.length > count || count === 3), { what: 'a repeat' });
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const message of received) verify(message, secret);
  });

  it('that says that it is gone, or fails for a day, is not called any more, and says why; a test calls it again', async () => {
    const userId = ++lastUser;
    const { webhookId } = await create(userId);
    statuses = [410];
    await test(userId, webhookId);
    const isDisabled = async () => (await hooksOf(userId))[0]?.disabledAt !== undefined;
    await waitFor(isDisabled, { what: 'a disabled webhook' });
    expect((await hooksOf(userId))[0]?.disabledReason).toContain('410');
    statuses = [503, 503];
    await test(userId, webhookId);
    await came(2);
    await suite.sql(
      "UPDATE webhook_deliveries SET created_at = created_at - interval '25 hours' WHERE ended_at IS NULL",
    );
    await waitFor(async () => (await retryNow(), isDisabled()), { what: 'a webhook that is given up' });
    expect((await hooksOf(userId))[0]).toMatchObject({ disabledReason: '503, for a day' });
    await test(userId, webhookId);
    await waitFor(async () => (await hooksOf(userId))[0]?.deliveries[0]?.isDelivered, { what: 'the delivery' });
  });

  it('is not called for a user who is blocked meanwhile, and is called again for one who is not any more', async () => {
    const userId = ++lastUser;
    const { webhookId } = await create(userId);
    statuses = [503];
    await test(userId, webhookId);
    await came(1);
    auth.blocked.add(userId);
    const last = async () => (await hooksOf(userId))[0]?.deliveries[0];
    await waitFor(async () => (await retryNow(), (await last())?.endedAt !== undefined), { what: 'the end of it' });
    expect(await last()).toMatchObject({ isDelivered: false, answer: 'not told: the user is blocked or deleted' });
    await test(userId, webhookId);
    await waitFor(async () => (await last())?.endedAt !== undefined, { what: 'the end of the second one' });
    expect(received).toHaveLength(1);
    auth.blocked.delete(userId);
    await test(userId, webhookId);
    await came(2);
  });

  it('is not told of a job of a group that its user has left meanwhile', async () => {
    const [owner, userId] = [++lastUser, ++lastUser];
    await create(userId);
    auth.members.add(`g1 ${userId}`);
    const inGroup = <T>(actor: bigint, call: () => Promise<T>) =>
      withContext({ requestId: 'test', userId: actor, userGroups: new Map([['g1', 'viewer']]) }, call);
    const scope = jobs.SubscriptionScope.SUBSCRIPTION_SCOPE_GROUP;
    const subscription = { scope, target: 'g1', hasMail: false, hasWebhooks: true };
    await inGroup(userId, () => gateway.putSubscription({ subscription }));
    statuses = [503];
    const { jobId } = await inGroup(owner, () => gateway.submitJob(submission({ title: 'Ours', groupId: 'g1' })));
    await as(owner, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    await came(1);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ data: { job_id: jobId } });
    auth.members.delete(`g1 ${userId}`);
    const last = async () => (await hooksOf(userId))[0]?.deliveries[0];
    await waitFor(async () => (await retryNow(), (await last())?.endedAt !== undefined), { what: 'the end of it' });
    expect((await last())?.answer).toBe('not told: the user is not in the group any more');
    expect(received).toHaveLength(1);
  });

  it('waits while auth cannot say who may be told', async () => {
    const userId = ++lastUser;
    const { webhookId } = await create(userId);
    auth.isDown = true;
    await test(userId, webhookId);
    const tries = async () => (await hooksOf(userId))[0]?.deliveries[0]?.tryCount ?? 0;
    await waitFor(async () => (await tries()) > 0, { what: 'a try' });
    expect(received).toEqual([]);
    auth.isDown = false;
    const free = () => suite.sql('UPDATE webhook_deliveries SET held_until = NULL WHERE ended_at IS NULL');
    await waitFor(async () => (await free(), received.length > 0), { what: 'the message' });
  });

  it('survives a new master of the update keys, and says so when its secret cannot be opened', async () => {
    const userId = ++lastUser;
    const { webhookId, secret } = await create(userId);
    const { sealed_secret: sealed } =
      (await suite.sql('SELECT sealed_secret FROM webhooks WHERE id = $1', [webhookId]))[0] ?? {};
    expect(sealed).toBeInstanceOf(Buffer);
    await suite.sql('UPDATE webhooks SET sealed_secret = $2 WHERE id = $1', [webhookId, Buffer.alloc(64)]);
    await test(userId, webhookId);
    await waitFor(async () => (await hooksOf(userId))[0]?.disabledReason !== '', { what: 'a disabled webhook' });
    expect((await hooksOf(userId))[0]?.disabledReason).toContain('make it anew');
    expect(received.map(({ body }) => body).join()).not.toContain(secret);
  });
});

describe('CreateWebhook, DeleteWebhook, TestWebhook', () => {
  it('INVALID_ARGUMENT: for private addresses and addresses in clear', async () => {
    for (const to of ['http://example.org/', 'https://10.0.0.1/', 'https://[::ffff:169.254.169.254]/', 'nothing']) {
      await expect(create(++lastUser, to)).rejects.toMatchObject({
        status: 'INVALID_ARGUMENT',
        fields: [{ field: '/url' }],
      });
    }
  });

  it('NOT_FOUND: of another user, or removed', async () => {
    const [userId, other] = [++lastUser, ++lastUser];
    const { webhookId } = await create(userId);
    const remove = (who: bigint) => as(who, () => gateway.deleteWebhook({ webhookId }));
    await expect(remove(other)).rejects.toMatchObject({ reason: 'WEBHOOK_NOT_FOUND' });
    await expect(test(other, webhookId)).rejects.toMatchObject({ reason: 'WEBHOOK_NOT_FOUND' });
    await remove(userId);
    await expect(remove(userId)).rejects.toMatchObject({ reason: 'WEBHOOK_NOT_FOUND' });
  });

  it('RESOURCE_EXHAUSTED: after ten', async () => {
    const userId = ++lastUser;
    for (let i = 0; i < 10; i++) await create(userId);
    await expect(create(userId)).rejects.toMatchObject({ reason: 'WEBHOOKS_EXCEEDED' });
  });
});

describe('a request of a webhook', () => {
  const request = (to: string) => ({ url: to, headers: {}, body: '{}' });

  it('does not connect to where a name leads to a private address, whatever it led to before', async () => {
    const send = createWebhookSender(readNetworks([]));
    await expect(send(request(`https://localhost:${portOf(server)}/`))).rejects.toThrow('private address');
    await expect(send(request(`https://127.0.0.1:${portOf(server)}/`))).rejects.toThrow('private address');
    expect(received).toEqual([]);
  });

  it('is limited in time and in what is read of an answer', async () => {
    const slow = createServer((incoming, response) => {
      if (incoming.url === '/long') response.end(Buffer.alloc(1_000_000));
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const send = createWebhookSender(readNetworks(['127.0.0.1']), 300);
    await expect(send(request(`http://127.0.0.1:${portOf(slow)}/`))).rejects.toThrow('takes too long');
    await expect(send(request(`http://127.0.0.1:${portOf(slow)}/long`))).rejects.toThrow('too long');
    slow.closeAllConnections();
    await new Promise((resolve) => slow.close(resolve));
  });
});
