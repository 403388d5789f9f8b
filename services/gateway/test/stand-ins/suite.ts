import { expect } from '@jest/globals';
import { auth, authOperator, batchBridge, jobs, jobsOperator, results } from '@tally/contracts';
import { type Logger, ServiceError } from '@tally/service-kit';
import { OpenApiChecker, recordExchange, waitFor } from '@tally/testkit';
import type { GatewayBounds } from '../../src/bounds.js';
import type { GatewayConfig } from '../../src/config.js';
import { createDocument } from '../../src/http/openapi/document.js';
import { EXAMPLES } from '../../src/http/openapi/examples.js';
import { ROUTES } from '../../src/http/routes/index.js';
import { startTestGateway } from '../start.js';
import { type StandIn, startStandIn } from './stand-in.js';
import { newTestKey, signToken, type TestKey } from './token-issuer.js';

/** All RPCs of a service, whichever of its tables they are in: no two have the same name. */
const AUTH = { ...auth.AuthServiceService, ...authOperator.AuthOperatorServiceService };
const JOBS = { ...jobs.JobsServiceService, ...jobsOperator.JobsOperatorServiceService };

/** Nobody has access to what is another user's. */
const refuseAccess = async ({ resource }: jobs.GetAccessRequest): Promise<never> => {
  const kind = resource?.kind === jobs.ResourceKind.RESOURCE_KIND_PROJECT ? 'PROJECT' : 'JOB';
  throw new ServiceError('jobs', `${kind}_OF_ANOTHER_USER`, 'PERMISSION_DENIED', 'It belongs to another user');
};

/** An answer of the gateway, its body read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON object; empty for an empty body, and for another type. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface Send {
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly raw?: string | Uint8Array;
  /** Cookie header; a good session's token unless given. */
  readonly cookie?: string;
}

/** A gateway with a stand-in for each service, and a user who is logged in. */
export interface GatewayUnderTest {
  readonly url: string;
  readonly port: number;
  readonly auth: StandIn<typeof AUTH>;
  readonly jobs: StandIn<typeof JOBS>;
  readonly results: StandIn<typeof results.ResultsServiceService>;
  readonly batchBridge: StandIn<typeof batchBridge.BatchBridgeServiceService>;
  readonly key: TestKey;
  /** Cookie of a session; claims may be overridden. */
  cookie(claims?: Record<string, unknown>): string;
  /** Sends a request as the logged-in user and checks the answer against the schema of its route. */
  send(method: string, path: string, request?: Send): Promise<Reply>;
  /** Cookies of an SSO user. */
  readonly ssoCookie: string;
  /** Cookies of an operator. */
  readonly operatorCookie: string;
  /** Cookies of a teacher. */
  readonly teacherCookie: string;
  reset(): void;
  stop(): Promise<void>;
}

export async function startGatewayUnderTest(
  overrides: Partial<GatewayConfig & GatewayBounds> = {},
  logger?: Logger,
): Promise<GatewayUnderTest> {
  const standIns = {
    auth: await startStandIn(AUTH),
    jobs: await startStandIn(JOBS),
    results: await startStandIn(results.ResultsServiceService),
    batchBridge: await startStandIn(batchBridge.BatchBridgeServiceService),
  };
  const key = newTestKey('key-1');
  const reset = () => {
    for (const standIn of Object.values(standIns)) {
      standIn.answers = {};
      standIn.calls.length = 0;
    }
    standIns.auth.answers = {
      listSigningKeys: async () => ({ keys: [key.listed] }),
      listEndedSessions: async () => ({ sessionIds: [], membershipsVersion: 0n }),
    };
    // nobody shares anything with the user
    standIns.jobs.answers = { getAccess: refuseAccess };
  };
  reset();
  const gateway = await startTestGateway(
    {
      authAddress: standIns.auth.address,
      jobsAddress: standIns.jobs.address,
      resultsAddress: standIns.results.address,
      batchBridgeAddress: standIns.batchBridge.address,
      ...overrides,
    },
    logger,
  );
  const url = `http://127.0.0.1:${gateway.port}`;
  const cookie = (claims?: Record<string, unknown>) => `access_token=${signToken(key, claims)}`;
  const checksSessions = async () =>
    (await fetch(`${url}/auth/status`, { headers: { Cookie: cookie() } })).status !== 503;
  // with an auth of the test's own, or none, it may never get any
  if (overrides.authAddress === undefined) await waitFor(checksSessions, { what: 'the signing keys of auth' });
  return {
    url,
    port: gateway.port,
    ...standIns,
    key,
    cookie,
    ssoCookie: cookie({ provider: 'sso' }),
    operatorCookie: cookie({ role: 'operator' }),
    teacherCookie: cookie({ role: 'teacher' }),
    send: (method, path, request = {}) => send(url, method, path, { cookie: cookie(), ...request }),
    reset,
    stop: async () => {
      await gateway.stop();
      await Promise.all(Object.values(standIns).map((standIn) => standIn.stop()));
    },
  };
}

async function send(url: string, method: string, path: string, request: Send): Promise<Reply> {
  const body = request.raw ?? (request.json === undefined ? undefined : JSON.stringify(request.json));
  const headers: Record<string, string> = {
    ...(request.cookie === undefined || request.cookie === '' ? {} : { Cookie: request.cookie }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...request.headers,
  };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? true;
  const reply = {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' || !isJson ? undefined : JSON.parse(text),
  };
  checkReply(method, path, reply);
  return reply;
}

const checker = new OpenApiChecker(createDocument(ROUTES, 'test', EXAMPLES));

/** Every answer has a request id and is one that the OpenAPI document allows. */
function checkReply(method: string, target: string, reply: Reply): void {
  const [path = ''] = target.split('?');
  const requestId = reply.headers.get('x-request-id');
  recordExchange({ method, path, status: reply.status });
  expect(requestId).toMatch(/^\S{1,128}$/);
  const contentType = reply.headers.get('content-type') ?? undefined;
  expect(checker.checkAnswer({ method, path, status: reply.status, contentType, body: reply.body })).toEqual([]);
  if (reply.status >= 400 && reply.text !== '') {
    expect(reply.body).toMatchObject({ status_code: reply.status, request_id: requestId });
  }
}
