import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type Cluster,
  type HttpSession,
  type OidcProvider,
  startCluster,
  startOidcProvider,
  waitFor,
} from '@tally/testkit';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';

let cluster: Cluster;
let realm: OidcProvider;
let suite: TestSuite;
let session: HttpSession;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 1, hasAccounting: false });
  realm = await startOidcProvider();
  const { host, port, hostKeys } = cluster.facts.ssh;
  const known = { host, hostKeys, scratchFolder: '/scratch/{user}' };
  const partitions = [{ name: 'batch', wallTimeSecondsMax: 86_400, memoryMibMax: 4_096 }];
  const clusters = [
    { name: 'north', displayName: 'The northern one', port, ...known, partitions },
    { name: 'south', displayName: 'Not built yet', port: 1, ...known, partitions },
  ];
  suite = await startTestSuite({
    runners: 0,
    env: {
      auth: { AUTH_SSO_ISSUER_URL: realm.issuer, AUTH_SSO_AUDIENCE: realm.audience },
      'batch-bridge': { BATCH_CLUSTERS: JSON.stringify(clusters) },
    },
    bounds: { 'batch-bridge': { checkIntervalMs: 1_000 } },
  });
  session = suite.newSession();
  const { accessToken } = await realm.login('maria');
  await session.call('POST', '/auth/sso', { sso_token: accessToken });
});
afterAll(async () => {
  await suite?.stop();
  await realm?.stop();
  await cluster?.stop();
});

const list = async () => (await session.call('GET', '/clusters')).clusters;
const isNorthAvailable = async () => /"north"[^}]*"available":true/.test(JSON.stringify(await list()));

it('shows the clusters in their order, with what the last look found', async () => {
  await waitFor(isNorthAvailable, { what: 'the first look' });
  expect(await list()).toMatchObject([
    { cluster_name: 'north', display_name: 'The northern one', available: true, default: true },
    { cluster_name: 'south', display_name: 'Not built yet', available: false, default: false },
  ]);
});

it('shows a cluster as not available while its SSH server is away', async () => {
  await cluster.fault('crash', 'sshd');
  await waitFor(async () => !(await isNorthAvailable()), { what: 'the look that fails' });
  await cluster.fault('start', 'sshd');
  await waitFor(isNorthAvailable, { what: 'the look that succeeds' });
});

it('shows them to single-sign-on users only', async () => {
  const local = await suite.newUser();
  expect((await local.send('GET', '/clusters')).status).toBe(403);
  expect((await suite.newSession().send('GET', '/clusters')).status).toBe(401);
});
