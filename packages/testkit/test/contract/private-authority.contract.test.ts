import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createAuthority,
  type Postgres,
  type Rabbitmq,
  startLocalRabbitmq,
  startOwnPostgres,
  workspaceRoot,
} from '../../src/index.js';

// Databases and brokers with certificates of an authority of one's own: what the chart's `caBundle` is for. Node.js reads
// NODE_EXTRA_CA_CERTS when it starts, so each attempt is a process.

const KIT = pathToFileURL(path.join(workspaceRoot(), 'packages/service-kit/dist/src/index.js')).href;
const HOST = 'localhost';
const QUEUE = `
  const { createLogger, openQueue } = await import('${KIT}');
  const logger = createLogger({ service: 'test', write: () => {} });
  const topology = { queues: [{ name: 'work', deliveryLimit: 1, retryDelayMs: 1000 }] };
  const queue = await openQueue(process.env.URL, topology, logger);
  await queue.publish('work', { id: '1', body: new TextEncoder().encode('a name'), headers: {} });
  const { message } = await queue.receive('work', new AbortController().signal);
  console.log(new TextDecoder().decode(message.body));
  await queue.close();
`;
const DATABASE = `
  const { openDatabase, sql } = await import('${KIT}');
  const database = openDatabase({ url: process.env.URL, connectionsMax: 1 });
  console.log((await database.row(sql\`SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()\`)).ssl);
  process.exit(0);
`;

const authority = createAuthority();
let dir: string;
let bundle: string;
let postgres: Postgres;
let broker: Rabbitmq | undefined;
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'tally-authority-'));
  bundle = path.join(dir, 'ca.crt');
  writeFileSync(bundle, authority.cert);
  const certificate = authority.issue(HOST);
  postgres = await startOwnPostgres({ certificate });
  broker = await startLocalRabbitmq({ certificate });
}, 180_000);
afterAll(async () => {
  await broker?.stop();
  await postgres?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** What a process prints, or the error it ends with. */
async function attempt(script: string, url: string, caBundle?: string): Promise<string> {
  const env = { PATH: process.env.PATH, URL: url, ...(caBundle !== undefined && { NODE_EXTRA_CA_CERTS: caBundle }) };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
    return stdout.trim();
  } catch (err) {
    return `failed: ${(err as { stderr?: string }).stderr ?? String(err)}`;
  }
}

describe('PostgreSQL with a certificate of a private authority', () => {
  const url = (host: string, mode: string) => {
    const { port } = new URL(postgres.url('postgres'));
    return `postgresql://postgres@${host}:${port}/postgres?sslmode=${mode}`;
  };

  it('is taken over TLS by a service that knows the authority', async () => {
    expect(await attempt(DATABASE, url(HOST, 'verify-full'), bundle)).toBe('true');
  });

  it('is refused without the authority, and under a name that is not in the certificate', async () => {
    expect(await attempt(DATABASE, url(HOST, 'verify-full'))).toMatch(/^failed: [^]*certificate/);
    expect(await attempt(DATABASE, url('127.0.0.1', 'verify-full'), bundle)).toMatch(/^failed: [^]*altnames/);
  });
});

describe('RabbitMQ with a certificate of a private authority', () => {
  const url = (host: string) => `amqps://guest:guest@${host}:${broker?.tlsPort}`;

  it('is taken over TLS by a service that knows the authority', async () => {
    expect(await attempt(QUEUE, url(HOST), bundle)).toBe('a name');
  });

  it('is refused without the authority, and under a name that is not in the certificate', async () => {
    expect(await attempt(QUEUE, url(HOST))).toContain('failed: ');
    expect(await attempt(QUEUE, url('127.0.0.1'), bundle)).toContain('failed: ');
  }, 120_000);
});
