import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority, type ForwardProxy, startForwardProxy, workspaceRoot } from '@tally/testkit';
import { exampleProject, startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';

const PROGRAM = path.join(workspaceRoot(), 'packages/cli/dist/src/bin/tally.js');
const PASSWORD = 'correct horse battery';
/** A name that the proxy alone knows. */
const OUTSIDE = 'tally.example';
// a newer Node for the command alone, where the tests run on an older one
const NODE = process.env.TALLY_CLI_NODE ?? process.execPath;
const hasProxies =
  process.env.TALLY_CLI_NODE !== undefined || process.allowedNodeEnvironmentFlags.has('--use-env-proxy');
const reason = hasProxies ? '' : ' (skipped: needs Node 24; TALLY_CLI_NODE may name one)';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An https server of a name that passes everything on to the gateway, as an institution's does. */
async function startTlsFront(gatewayUrl: string, { key, cert }: { key: string; cert: string }): Promise<Server> {
  const server = createServer({ key, cert }, (req, res) => {
    const { method, headers, url = '/' } = req;
    const onward = request(new URL(url, gatewayUrl), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe('the command tally behind a proxy and a private authority', () => {
  let suite: TestSuite;
  let proxy: ForwardProxy;
  const fronts: Server[] = [];
  let authorityFile: string;
  let strangerFile: string;
  let localUrl: string;

  beforeAll(async () => {
    suite = await startTestSuite();
    await suite.newUser();
    const authority = createAuthority();
    const local = await startTlsFront(suite.gatewayUrl, authority.issue('localhost'));
    const outside = await startTlsFront(suite.gatewayUrl, authority.issue(OUTSIDE));
    fronts.push(local, outside);
    localUrl = `https://localhost:${portOf(local)}`;
    proxy = await startForwardProxy(new Map([[`${OUTSIDE}:443`, `127.0.0.1:${portOf(outside)}`]]));
    authorityFile = path.join(suite.directory, 'authority.pem');
    strangerFile = path.join(suite.directory, 'stranger.pem');
    writeFileSync(authorityFile, authority.cert);
    writeFileSync(strangerFile, createAuthority().cert);
  });
  afterAll(async () => {
    for (const front of fronts) {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
    }
    await proxy?.stop();
    await suite?.stop();
  });

  /** Runs the command with nothing of this process's environment but what is given. */
  function tally(args: readonly string[], env: Record<string, string>, input = ''): Promise<Outcome> {
    const home = path.join(suite.directory, `home-${Object.keys(env).length}`);
    const child = spawn(NODE, [PROGRAM, ...args], { env: { PATH: process.env.PATH, HOME: home, ...env } });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
    child.stdin.end(input);
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...out })));
  }
  const login = (env: Record<string, string>) =>
    tally(['login', '-u', 'user-1', '--password-stdin'], env, `${PASSWORD}\n`);

  it('trusts the authorities of NODE_EXTRA_CA_CERTS, and no other: then nothing is sent, and it says what is wrong', async () => {
    const others: Record<string, string>[] = [{}, { NODE_EXTRA_CA_CERTS: strangerFile }];
    for (const env of others) {
      const refused = await login({ TALLY_URL: localUrl, ...env });
      expect(refused.code).toBe(6);
      expect(refused.stderr).toMatch(/certificate/i);
      expect(refused.stderr).not.toContain(PASSWORD);
    }
    const trusted = { TALLY_URL: localUrl, NODE_EXTRA_CA_CERTS: authorityFile };
    expect(await login(trusted)).toMatchObject({ code: 0, stderr: '' });
    expect(await tally(['list'], trusted)).toMatchObject({ code: 0, stderr: '' });
  });

  (hasProxies ? it : it.skip)(
    `goes through the proxy of HTTPS_PROXY where NODE_USE_ENV_PROXY is set, its event stream, too${reason}`,
    async () => {
      const direct = { TALLY_URL: `https://${OUTSIDE}`, NODE_EXTRA_CA_CERTS: authorityFile };
      expect((await login(direct)).code).toBe(6); // nobody else knows the name
      const through = { ...direct, HTTPS_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' };
      expect(await login(through)).toMatchObject({ code: 0, stderr: '' });
      const project = path.join(suite.directory, 'project.json');
      writeFileSync(project, JSON.stringify(exampleProject('proton-150mev-water', 200)));
      const run = await tally(['submit', project, '--tasks', '2', '--watch'], through);
      expect([run.code, run.stderr]).toEqual([0, '']);
      expect(run.stdout).toContain('200 / 200 primaries, COMPLETED');
      expect(new Set(proxy.tunnels)).toEqual(new Set([`${OUTSIDE}:443`]));
      const made = proxy.tunnels.length;
      const around = { ...through, TALLY_URL: localUrl, NO_PROXY: 'localhost' };
      expect((await login(around)).code).toBe(0);
      expect(proxy.tunnels).toHaveLength(made);
    },
    120_000,
  );
});
