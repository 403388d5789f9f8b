import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runStatement } from '../../src/postgres/postgres.js';
import { processExists } from '../../src/process/process-identity.js';
import { cleanUpLeftovers, createRunDirectory, removeRunDirectory } from '../../src/process/run-directory.js';
import { waitFor } from '../../src/wait-for.js';

const OWN_SERVERS = fileURLToPath(new URL('../fixtures/own-servers.mjs', import.meta.url));
const TIMEOUT_MS = 30_000;

/** The folder of the server that this process owns. */
function directoryOf(pid: number | undefined): string | undefined {
  const mine = (dir: string): boolean => existsSync(path.join(dir, 'owner.json')) && owner(dir) === pid;
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith('tally-postgres-'))
    .map((name) => path.join(tmpdir(), name))
    .find(mine);
}

function owner(dir: string): number {
  return Number(/"pid":(\d+)/.exec(readFileSync(path.join(dir, 'owner.json'), 'utf8'))?.[1]);
}

describe('a program that owns a server', () => {
  let program: ChildProcess;
  let lastingPid: number;
  const start = async (): Promise<string> => {
    program = spawn(process.execPath, [OWN_SERVERS], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (!program.stdout) throw new Error('no output to read');
    const [url] = await once(program.stdout.setEncoding('utf8'), 'data');
    const [address = '', pid] = String(url).trim().split(' ');
    lastingPid = Number(pid);
    return address;
  };
  const isUp = (url: string): Promise<boolean> =>
    runStatement(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
  afterEach(() => {
    program.kill('SIGKILL');
    cleanUpLeftovers();
  });

  it(
    'ends the server and removes its folder when it is told to end',
    async () => {
      const url = await start();
      const dir = directoryOf(program.pid);
      program.kill('SIGTERM');
      const [, signal] = await once(program, 'exit');
      expect(signal).toBe('SIGTERM');
      await waitFor(async () => !(await isUp(url)));
      expect(dir && existsSync(dir)).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    'takes its server along when it is killed, and leaves nothing else that the next run does not find',
    async () => {
      const url = await start();
      const dir = directoryOf(program.pid);
      program.kill('SIGKILL');
      await once(program, 'exit');
      await waitFor(async () => !(await isUp(url)));
      expect(processExists(lastingPid)).toBe(true);

      expect(cleanUpLeftovers().serversKilled).toBeGreaterThanOrEqual(1);
      await waitFor(() => !processExists(lastingPid));
      expect(dir && existsSync(dir)).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    'keeps its server while it lives, whoever cleans up',
    async () => {
      const url = await start();
      const own = createRunDirectory('test');
      cleanUpLeftovers();
      expect(await isUp(url)).toBe(true);
      expect(existsSync(own)).toBe(true);
      removeRunDirectory(own);
    },
    TIMEOUT_MS,
  );
});

describe('a worker of jest', () => {
  it('ends when its parent is killed', async () => {
    const setup = new URL('../../jest/end-with-parent.mjs', import.meta.url).href;
    const worker = [
      '--input-type=module',
      '--import',
      setup,
      '-e',
      "process.send('up'); setInterval(() => {}, 60_000);",
    ];
    const script = `const { spawn } = await import('node:child_process');
      const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
      const child = spawn(process.execPath, ${JSON.stringify(worker)}, { stdio });
      child.once('message', () => console.log(child.pid));`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = await once(parent.stdout.setEncoding('utf8'), 'data');
    const pid = Number(text);
    expect(processExists(pid)).toBe(true);
    parent.kill('SIGKILL');
    await waitFor(() => !processExists(pid), { what: 'the end of the worker' });
  });
});
