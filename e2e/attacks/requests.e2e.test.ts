import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority, type HttpSession, SERVICES, waitFor, workspaceRoot } from '@tally/testkit';
import {
  ended,
  exampleProject,
  jobStatus,
  reached,
  startTestSuite,
  submit,
  type TestSuite,
} from '../fixtures/suite-fixture.js';

/*
 * Requests of strangers and of greedy users, while another user goes on working with the running suite. Its services speak by
 * mutual TLS, as every journey below would show if they could not.
 */

const SLOTS = 2;
const PREFETCHED = 2;
/** JOBS_DISPATCH_WINDOW_TASKS, the default. */
const WINDOW_TASKS = 4;
const MIB = 2 ** 20;
const LAG_SECONDS_MAX = 0.1;
const SLOWER_MAX = 3;
/** Others use this machine too: the quietest of so many rounds counts. */
const ROUNDS_MAX = 6;
const WATCHED = ['gateway', 'jobs', 'results', 'auth', 'direct-runner'] as const;

let suite: TestSuite;
let folder: string;
let attacker: HttpSession;
let victim: HttpSession;

/** Settings of mutual TLS of every service, with certificates of one authority. */
function tlsSettings(): Record<string, Record<string, string>> {
  const authority = createAuthority();
  const authorityFile = path.join(folder, 'ca.crt');
  writeFileSync(authorityFile, authority.cert);
  return Object.fromEntries(
    SERVICES.map((service) => {
      const { cert, key } = authority.issue(service);
      const [certificateFile, keyFile] = [path.join(folder, `${service}.crt`), path.join(folder, `${service}.key`)];
      writeFileSync(certificateFile, cert);
      writeFileSync(keyFile, key);
      const files = { GRPC_TLS_CERTIFICATE_FILE: certificateFile, GRPC_TLS_KEY_FILE: keyFile };
      return [service, { ...files, GRPC_TLS_AUTHORITY_FILE: authorityFile }];
    }),
  );
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-attacks-'));
  const env = tlsSettings();
  Object.assign(env['direct-runner'] ?? {}, { RUNNER_SLOTS: `${SLOTS}`, RUNNER_PREFETCH_MAX: `${PREFETCHED}` });
  const probe = path.join(workspaceRoot(), 'e2e/fixtures/held-probe.mjs');
  for (const service of WATCHED) {
    Object.assign(env[service] ?? {}, { NODE_OPTIONS: `--import=${probe}`, HELD_FILE: heldFile(service) });
  }
  suite = await startTestSuite({ env });
  attacker = await suite.newUser();
  victim = await suite.newUser();
});
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await suite?.stop();
  rmSync(folder, { recursive: true });
});

/** Begins a request and sends of its body what is given; resolves to the first line of the answer, if one comes. */
function post(path: string, lengthBytes: number, body: string | Buffer, cookie = ''): Promise<string> {
  const { hostname, port } = new URL(suite.gatewayUrl);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', `Content-Length: ${lengthBytes}`];
  socket.write(`${[...head, ...(cookie === '' ? [] : [`Cookie: ${cookie}`])].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return new Promise((resolve) => {
    socket.on('error', () => {}).once('close', () => resolve(''));
    socket.once('data', (answer) => resolve(answer.toString().split('\r\n')[0] ?? ''));
  });
}

const heldFile = (service: string) => path.join(folder, `${service}.held`);

/** Longest time that an event loop was held since `sinceMs`, of any service, seconds: see held-probe.mjs. */
function lagSeconds(sinceMs: number): number {
  const lines = WATCHED.flatMap((service) => readFileSync(heldFile(service), 'utf8').trim().split('\n'));
  const held = lines.map((line) => line.split(' ').map(Number)).filter(([when = 0]) => when > sinceMs);
  return Math.max(0, ...held.map(([, heldMs = 0]) => heldMs)) / 1000;
}

interface Service {
  /** 99th percentile of the victim's `GET /auth/status`, milliseconds. */
  readonly p99Ms: number;
  readonly lagSeconds: number;
}

/** What the victim gets while `work` runs. */
async function serve(work: () => Promise<void>): Promise<Service> {
  const sinceMs = Date.now();
  const over = new AbortController();
  const working = work().finally(() => over.abort());
  const durationsMs: number[] = [];
  while (!over.signal.aborted || durationsMs.length < 100) {
    const begun = performance.now();
    await victim.request('GET', '/auth/status');
    durationsMs.push(performance.now() - begun);
  }
  await working;
  durationsMs.sort((a, b) => a - b);
  return { p99Ms: durationsMs[Math.floor(0.99 * durationsMs.length)] ?? Number.NaN, lagSeconds: lagSeconds(sinceMs) };
}

/** Rounds of quiet and attack, until one shows that the attack is not felt; the last one otherwise. */
async function compare(attack: () => Promise<void>): Promise<{ readonly slower: number; readonly lagSeconds: number }> {
  for (let round = 1; ; round++) {
    const quiet = await serve(async () => {});
    const attacked = await serve(attack);
    const felt = { slower: attacked.p99Ms / quiet.p99Ms, lagSeconds: attacked.lagSeconds };
    const isFelt = felt.slower > SLOWER_MAX || felt.lagSeconds > LAG_SECONDS_MAX;
    if (!isFelt || round === ROUNDS_MAX) return felt;
  }
}

describe('bodies that are announced and not sent', () => {
  it('leave others served: submissions, uploads and logins', async () => {
    for (let i = 0; i < 20; i++) {
      void post('/jobs/direct', 61 * MIB, '{"sim_type":');
      void post('/results', 61 * MIB, '{"simulation_id":"j","update_key":"');
      void post('/auth/login', 60_000, '{"username":"');
    }
    const jobId = await submit(victim, { project, ntasks: 1 });
    expect((await ended(victim, jobId)).job_state).toBe('COMPLETED');
    const session = await suite.newUser();
    expect((await session.request('GET', '/auth/status')).source).toBe('local');
  });
});

const submission = (simData: string) =>
  Buffer.from(`{"sim_type":"simA","ntasks":1,"input_type":"editor","sim_data":${simData}}`);
const project = exampleProject('proton-150mev-water', 100);
const members = Array.from({ length: 3_900_000 }, (_, i) => `"${i.toString(36)}":1`).join();

describe.each([
  { what: 'of 3.9 million members', body: submission(`{${members}}`), status: '413 Payload Too Large' },
  {
    what: 'nested a million times',
    body: submission(`${'['.repeat(1e6)}${']'.repeat(1e6)}`),
    status: '400 Bad Request',
  },
])('a body $what', ({ body, status }) => {
  it('is not felt by anybody else', async () => {
    const answers = new Set<string>();
    const cookie = attacker.cookieHeader;
    const felt = await compare(async () => {
      for (let i = 0; i < 3; i++) answers.add(await post('/jobs/direct', body.length, body, cookie));
    });
    expect([...answers]).toEqual([`HTTP/1.1 ${status}`]);
    expect(felt.slower).toBeLessThanOrEqual(SLOWER_MAX);
    expect(felt.lagSeconds).toBeLessThanOrEqual(LAG_SECONDS_MAX);
  });
});

const deck = Object.fromEntries(
  ['beam', 'detect', 'geo', 'mat'].map((name) => {
    const file = path.join(workspaceRoot(), 'examples/proton-150mev-water-simA', `${name}.dat`);
    return [`${name}.dat`, readFileSync(file, 'utf8').replace(/^NSTAT .*/m, 'NSTAT 100')];
  }),
);
const large = `${'tally '.repeat(16)}\n`.repeat(45e6 / 98); // JSON writes a line's end as two

describe.each([
  { what: 'a project', inputType: 'editor', simData: { ...project, note: large } },
  { what: "a user's own files", inputType: 'files', simData: { ...deck, 'notes.txt': large } },
])('$what of 45 MB, which is taken and run,', ({ inputType, simData }) => {
  it('is not felt by anybody else, and no service stands still', async () => {
    const body = Buffer.from(JSON.stringify({ sim_type: 'simA', ntasks: 1, input_type: inputType, sim_data: simData }));
    const headers = { 'Content-Type': 'application/json', Cookie: attacker.cookieHeader };
    const felt = await compare(async () => {
      const answer = await fetch(`${suite.gatewayUrl}/jobs/direct`, { method: 'POST', headers, body });
      const accepted = (await answer.json()) as { job_id: string };
      expect(accepted).toMatchObject({ message: 'Job started' });
      expect((await ended(attacker, accepted.job_id)).job_state).toBe('COMPLETED');
    });
    expect(felt.slower).toBeLessThanOrEqual(SLOWER_MAX);
    expect(felt.lagSeconds).toBeLessThanOrEqual(LAG_SECONDS_MAX);
  });
});

/** Statuses that the victim gets for pages of a console while `work` runs. */
async function statusesWhile(work: () => Promise<void>): Promise<readonly number[]> {
  const over = new AbortController();
  const working = work().finally(() => over.abort());
  const statuses = new Set<number>();
  while (!over.signal.aborted) {
    for (const page of ['/auth/status', '/user/simulations', '/limits'])
      statuses.add((await victim.send('GET', page)).status);
  }
  await working;
  return [...statuses];
}

describe('a project of 600 quantities that nobody knows', () => {
  it('is refused within the bounds of a refusal, and ends nothing that others have under way', async () => {
    const wrong = structuredClone(project) as unknown as { scoringManager: { outputs: [{ quantities: object[] }] } };
    const [output] = wrong.scoringManager.outputs;
    const [quantity] = output.quantities;
    output.quantities = Array.from({ length: 600 }, (_, i) => ({ ...quantity, name: `q${i}`, keyword: `Unknown${i}` }));
    const statuses = await statusesWhile(async () => {
      for (let i = 0; i < 5; i++) {
        const body = { sim_type: 'simA', ntasks: 1, input_type: 'editor', sim_data: wrong };
        const refused = await attacker.send('POST', '/jobs/direct', { body });
        expect(refused).toMatchObject({ status: 400, body: { errors: expect.arrayContaining([expect.anything()]) } });
      }
    });
    expect(statuses).toEqual([200]);
  });
});

/** A job with a mesh of a million bins, ended: files of its results fill more than the buffers of a connection. */
async function largeResults(user: HttpSession): Promise<string> {
  const wide = structuredClone(project) as unknown as {
    detectorManager: { detectors: { geometryData: { parameters: Record<string, number> } }[] };
  };
  for (const { geometryData } of wide.detectorManager.detectors) {
    if (geometryData.parameters.xSegments !== undefined)
      Object.assign(geometryData.parameters, { xSegments: 100, ySegments: 100, zSegments: 100 });
  }
  const jobId = await submit(user, { project: wide as unknown as typeof project, ntasks: 1 });
  expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
  return jobId;
}

describe('downloads that are asked for and not read', () => {
  it("leave the same files to others: HDF5 and RO-Crate of another user's job", async () => {
    const jobId = await largeResults(attacker);
    const { hostname, port } = new URL(suite.gatewayUrl);
    for (const page of [`/results?format=hdf5&job_id=${jobId}`, `/jobs/crate?job_id=${jobId}`]) {
      for (let i = 0; i < 4; i++) {
        const socket = connect(Number(port), hostname);
        sockets.push(socket);
        socket.on('error', () => {}).pause();
        socket.write(`GET ${page} HTTP/1.1\r\nHost: x\r\nCookie: ${attacker.cookieHeader}\r\n\r\n`);
      }
    }
    const mine = await submit(victim, { project, ntasks: 1 });
    expect((await ended(victim, mine)).job_state).toBe('COMPLETED');
    for (const page of [`/results?format=hdf5&job_id=${mine}`, `/jobs/crate?job_id=${mine}`]) {
      const answer = await fetch(`${suite.gatewayUrl}${page}`, { headers: { Cookie: victim.cookieHeader } });
      expect([page, answer.status, (await answer.arrayBuffer()).byteLength > 1_000]).toEqual([page, 200, true]);
    }
  });
});

describe('a request with two Host headers', () => {
  it('is refused', async () => {
    const { hostname, port } = new URL(suite.gatewayUrl);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.write('GET /livez HTTP/1.1\r\nHost: a.example.org\r\nHost: b.example.org\r\nConnection: close\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString().split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
  });
});

describe('a flood of wrong logins', () => {
  it('delays no login from a device that the user knows, and locks nobody out', async () => {
    const session = await suite.newUser();
    const status = await session.request('GET', '/auth/status');
    const credentials = { username: status.username, password: 'correct horse battery' };
    const over = new AbortController();
    const flood = Promise.all(
      Array.from({ length: 16 }, async () => {
        const stranger = suite.newSession();
        while (!over.signal.aborted) {
          await stranger.send('POST', '/auth/login', { body: { ...credentials, password: 'guess-guess-guess' } });
        }
      }),
    );
    try {
      for (let i = 0; i < 5; i++) {
        await session.request('POST', '/auth/login', { body: credentials });
      }
    } finally {
      over.abort();
      await flood;
    }
  });
});

describe('40 jobs of 1000 tasks', () => {
  it("delay another user's job by the tasks in the window, and no more", async () => {
    const long = exampleProject('proton-150mev-water', 100_000);
    const jobIds: string[] = [];
    for (let i = 0; i < 40; i++) jobIds.push(await submit(attacker, { project: long, ntasks: 1_000 }));
    await reached(attacker, jobIds[0] ?? '', ({ job_tasks_status: tasks }) =>
      tasks.some(({ task_state: state }) => state === 'COMPLETED'),
    );
    const submittedMs = Date.now();
    const mine = await submit(victim, { project, ntasks: 1 });
    const [task] = (await ended(victim, mine)).job_tasks_status;
    const begunMs = Date.parse(task?.start_time ?? '');
    expect(begunMs).toBeGreaterThanOrEqual(submittedMs);

    const before: string[] = [];
    for (const jobId of jobIds) {
      const { job_tasks_status: tasks } = await waitFor(() => jobStatus(attacker, jobId));
      for (const { start_time: start = '' } of tasks) {
        if (Date.parse(start) > submittedMs && Date.parse(start) < begunMs) before.push(start);
      }
    }
    expect(before.length).toBeLessThanOrEqual(WINDOW_TASKS + SLOTS); // which may have become free while it was submitted
    for (const jobId of jobIds) await attacker.request('DELETE', '/jobs/direct', { query: { job_id: jobId } });
  });
});
