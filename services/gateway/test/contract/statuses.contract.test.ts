import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { kitError, ServiceError } from '@tally/service-kit';
import { statusesOf } from '../../src/http/openapi/common-errors.js';
import { EXAMPLES } from '../../src/http/openapi/examples.js';
import type { Route } from '../../src/http/route.js';
import { ROUTES } from '../../src/http/routes/index.js';
import { parseRaw, sendRaw } from '../stand-ins/raw-http.js';
import type { StandIn } from '../stand-ins/stand-in.js';
import { type GatewayUnderTest, type Send, startGatewayUnderTest } from '../stand-ins/suite.js';

/** The errors that all routes of a kind share, provoked on every route that the document promises them for. */
let gateway: GatewayUnderTest;
let patient: GatewayUnderTest;
let withoutAuth: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({
    callTimeoutMs: 500,
    submitTimeoutMs: 500,
    streamTimeoutMs: 500,
    receiveTimeoutMs: 5_000, // fifty requests at once are received in it on a machine that others keep busy
    headerBytesMax: 8_192,
  });
  patient = await startGatewayUnderTest(); // calls are tried again for some seconds
  withoutAuth = await startGatewayUnderTest({ authAddress: '127.0.0.1:1' });
});
afterEach(() => gateway.reset());
afterAll(async () => {
  await gateway.stop();
  await patient.stop();
  await withoutAuth.stop();
});

/** Routes that can answer with the status, for a table of tests. */
const answering = (status: number) =>
  ROUTES.filter((route) => statusesOf(route).includes(status)).map((route) => [nameOf(route), route] as const);

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

/** Bodies of routes whose recorded examples have no success: the batch platform is not there. */
const INSTEAD: Readonly<Record<string, string>> = { 'POST /jobs/batch': 'POST /jobs/direct' };

/** A request to the route that is right in every way: that of its recorded example. */
function rightRequest(route: Route, to = gateway): { target: string; request: Send } {
  const examples = EXAMPLES[INSTEAD[nameOf(route)] ?? nameOf(route)] ?? [];
  const { query = { job_id: 'any' }, body } = examples.find(({ status }) => status < 300) ?? {};
  const target = route.query === undefined ? route.path : `${route.path}?${new URLSearchParams(query).toString()}`;
  const cookies: Partial<Record<Route['auth'], string>> = {
    refresh: 'refresh_token=any',
    operator: to.operatorCookie,
    teacher: to.teacherCookie,
  };
  const cookie = cookies[route.auth] ?? to.ssoCookie;
  return { target, request: { cookie, ...(route.body === undefined ? {} : { json: body }) } };
}

function sendRight(to: GatewayUnderTest, route: Route, more: Partial<Send> = {}) {
  const { target, request } = rightRequest(route, to);
  return to.send(route.method, target, { ...request, ...more });
}

/** Every RPC of every service but those that sessions need does this. */
function everywhere(behave: () => Promise<never>, to = gateway): void {
  for (const standIn of [to.auth, to.jobs, to.results, to.batchBridge]) {
    const { definition } = standIn as StandIn<(typeof gateway.jobs)['definition']>;
    const answers = Object.entries(definition)
      .filter(([rpc]) => rpc !== 'listSigningKeys' && rpc !== 'listEndedSessions')
      .map(([rpc, { responseStream }]) => [
        rpc,
        responseStream ? () => ({ [Symbol.asyncIterator]: () => ({ next: behave }) }) : behave,
      ]);
    Object.assign(standIn.answers, Object.fromEntries(answers));
  }
}

const refuse = (error: ServiceError) => async (): Promise<never> => {
  throw error;
};

describe('400 of a request that is not as its schema says', () => {
  it.each(answering(400))('%s', async (_name, route) => {
    const { target, request } = rightRequest(route);
    const [, search] = target.split('?');
    const isHeader = route.body === undefined && search === undefined;
    const again = search === undefined ? '' : `&${search}`; // every parameter twice
    const reply = await gateway.send(route.method, `${target}${again}`, {
      cookie: request.cookie ?? '',
      ...(route.body === undefined ? {} : { raw: '{' }),
      ...(isHeader ? { headers: { 'Last-Event-ID': 'x' } } : {}),
    });
    expect([reply.status, reply.body.status_code]).toEqual([400, 400]);
  });
});

describe('401 without a cookie', () => {
  it.each(answering(401).filter(([, { auth }]) => auth !== 'none' && auth !== 'update_key'))(
    '%s',
    async (_name, route) => {
      const reply = await sendRight(gateway, route, { cookie: '' });
      expect([reply.status, reply.body.code]).toEqual([401, 'TOKEN_MISSING']);
    },
  );
});

describe('403 of a page of a foreign origin', () => {
  it.each(answering(403).filter(([, { method }]) => method !== 'GET'))('%s', async (_name, route) => {
    const reply = await sendRight(gateway, route, { headers: { Origin: 'https://elsewhere.example' } });
    expect([reply.status, reply.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  });
});

describe('403 of a local user', () => {
  it.each(ROUTES.filter(({ auth }) => auth === 'sso').map((route) => [nameOf(route), route] as const))(
    '%s',
    async (_name, route) => {
      const reply = await sendRight(gateway, route, { cookie: gateway.cookie() });
      expect([reply.status, reply.body.code]).toEqual([403, 'SSO_REQUIRED']);
    },
  );
});

describe('403 of a user who is no operator, or no teacher either', () => {
  it.each(
    ROUTES.filter(({ auth }) => auth === 'operator' || auth === 'teacher').map(
      (route) => [nameOf(route), route] as const,
    ),
  )('%s', async (_name, route) => {
    const others = route.auth === 'operator' ? [gateway.ssoCookie, gateway.teacherCookie] : [gateway.ssoCookie];
    for (const cookie of others) {
      const reply = await sendRight(gateway, route, { cookie });
      expect([reply.status, reply.body.code]).toEqual([403, 'ROLE_REQUIRED']);
    }
    expect([...gateway.auth.calls, ...gateway.jobs.calls].filter(({ rpc }) => !/^list(?:Sig|End)/.test(rpc))).toEqual(
      [],
    );
  });
});

describe.each([
  [408, 'REQUEST_TIMEOUT', 'Content-Length: 10\r\n\r\n{'],
  [413, 'BODY_TOO_LARGE', 'Content-Length: 999999999\r\n\r\n'],
  [415, 'CONTENT_TYPE_UNSUPPORTED', 'Content-Length: 2\r\n\r\n{}'],
  [431, 'HEADERS_TOO_LARGE', `X-Long: ${'x'.repeat(9_000)}\r\n\r\n`],
])('%d %s', (expected, code, end) => {
  it('on every route that takes it, all at once', async () => {
    const cookie = gateway.cookie({ provider: 'sso', role: 'operator' });
    const replies = answering(expected).map(async ([, { method, path }]) => {
      const type = expected === 415 ? 'text/plain' : 'application/json';
      const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ${cookie}\r\n`;
      const { status, body } = parseRaw(await sendRaw(gateway.port, `${head}Content-Type: ${type}\r\n${end}`));
      return { path, status, code: body.code };
    });
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ status: expected, code });
  });
});

describe('500 when a service fails', () => {
  it.each(answering(500))('%s', async (_name, route) => {
    everywhere(refuse(kitError('INTERNAL')));
    const reply = await sendRight(gateway, route);
    expect([reply.status, reply.body.message]).toEqual([500, 'internal error']);
  });
});

describe('503 when a service is down', () => {
  it('on every route that needs one, all at once', async () => {
    everywhere(refuse(kitError('SERVICE_UNAVAILABLE')), patient);
    const needing = answering(503).filter(([, { isLocal }]) => isLocal !== true);
    const replies = needing.map(async ([name, route]) => {
      const { status, body } = await sendRight(patient, route);
      return { name, status, code: body.code };
    });
    for (const { name, ...reply } of await Promise.all(replies)) {
      expect({ name, ...reply }).toEqual({ name, status: 503, code: 'SERVICE_UNAVAILABLE' });
    }
  });
});

describe('503 when sessions cannot be checked', () => {
  it('on every route with a session, all at once', async () => {
    const replies = ROUTES.filter(({ auth }) => auth === 'session' || auth === 'sso').map(async (route) => {
      const { body } = await sendRight(withoutAuth, route);
      return [nameOf(route), body.code];
    });
    for (const reply of await Promise.all(replies)) expect(reply).toEqual([reply[0], 'SESSIONS_UNAVAILABLE']);
  });
});

describe('504 when a service does not answer', () => {
  it('on every route that needs one, all at once', async () => {
    everywhere(() => new Promise(() => {}));
    const replies = answering(504).map(async ([name, route]) => ({
      name,
      status: (await sendRight(gateway, route)).status,
    }));
    for (const reply of await Promise.all(replies)) expect(reply).toEqual({ name: reply.name, status: 504 });
  });
});

describe('what a service refuses', () => {
  it.each([
    ['PUT /auth/register', 'THROTTLED', 'RESOURCE_EXHAUSTED', 429],
    ['POST /auth/sso', 'SSO_USERNAME_TAKEN', 'ALREADY_EXISTS', 409],
    ['POST /user/update', 'THROTTLED', 'RESOURCE_EXHAUSTED', 429],
    ['POST /user/update', 'USER_NOT_FOUND', 'NOT_FOUND', 404],
    ['POST /jobs/batch', 'IDEMPOTENCY_KEY_REUSED', 'ALREADY_EXISTS', 422],
    ['POST /results', 'TASK_NOT_FOUND', 'NOT_FOUND', 404],
    ['POST /logfiles', 'JOB_NOT_FOUND', 'NOT_FOUND', 404],
  ] as const)('%s: %s is %s, %d', async (name, reason, status, expected) => {
    everywhere(refuse(new ServiceError('test', reason, status, `text of ${reason}`)));
    const route = ROUTES.find((candidate) => nameOf(candidate) === name);
    if (route === undefined) throw new Error(`no route ${name}`);
    expect(await sendRight(gateway, route)).toMatchObject({ status: expected, body: { code: reason } });
  });
});

describe('POST /jobs/batch', () => {
  it('202: passes the job on', async () => {
    gateway.jobs.answers.submitJob = async () => ({
      jobId: '20260102-030405-x',
      simulationId: 1n,
      seed: 1n,
      warnings: [],
    });
    const route = ROUTES.find((candidate) => nameOf(candidate) === 'POST /jobs/batch');
    if (route === undefined) throw new Error('no such route');
    expect(await sendRight(gateway, route)).toMatchObject({ status: 202, body: { job_id: '20260102-030405-x' } });
  });
});
